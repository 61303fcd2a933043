"""What the record of a function says, against mpmath, and of the record's parts against each other."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsym
from dpsym.core import functions, notation
from dpsym.core.balls import ranges
from dpsym.core.balls.doubles import argument
from dpsym.core.functions import EVERYWHERE, Function
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, NotInteger
from dpsym.language import read_expression
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.writer import latex
from dpsym.second_opinion import arithmetic

SYMBOLS = sp.symbols("x y")
GRID = sorted(
    {Fraction(n, 2) for n in range(-7, 8)}
    | {Fraction(sign * n, d) for sign in (1, -1) for n, d in ((1, 1000), (1, 3), (7, 3), (20, 1), (301, 10))}
)
SMALL = [Fraction(n, 2) for n in range(-6, 7)] + [Fraction(1, 3), Fraction(7)]
FAR = [mpmath.mpf(10) ** n for n in (3, 6, 9)]

# by mpmath alone, with what the domain here leaves out of mpmath's, and why
RAW = {
    "sqrt": "sqrt", "abs": "fabs", "ceil": "ceil", "max": max, "min": min, "re": "re", "conjugate": "conj",
    "Phi": "ncdf", "phi": "npdf", "Phi_inv": lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1),
    "gammaq": lambda s, x: mpmath.gammainc(s, x, regularized=True),
    "zeta": lambda s, x: mpmath.zeta(s, x) if x > 0 else mpmath.nan,  # elsewhere it takes long
    "Heaviside": lambda x, z: z if x == 0 else mpmath.mpf(x > 0), "polygamma": mpmath.polygamma,
}  # fmt: skip
NARROWER = {
    "binomial": "mpmath continues Pascal's triangle to negative integers as (-1)^(n-k) binomial(-k-1, n-k), SymPy by 0",
    "beta": "a quotient of gamma functions can have a limit where one of them has a pole",
    "polygamma": "orders are integers, here",
    "zeta": "orders are integers from 2, here",
    "besseli": "noise has integer orders and arguments from 0",
    "gammaq": "a distribution function: shapes are positive, arguments not negative",
}

each = pytest.mark.parametrize("f", functions.ALL, ids=lambda f: f.name)
of_one = pytest.mark.parametrize("f", [f for f in functions.ALL if f.arity == 1], ids=lambda f: f.name)


def points(f: Function) -> list[tuple[Fraction, ...]]:
    return [(x,) for x in GRID] if f.arity == 1 else list(product(SMALL, SMALL))


def holds(proposition, point) -> bool:
    table = dict(zip(SYMBOLS, map(sp.Rational, point), strict=False))
    if isinstance(proposition, IsInteger | NotInteger):
        return bool(proposition.expression.subs(table).is_integer) is isinstance(proposition, IsInteger)
    gap = (proposition.lhs - proposition.rhs).subs(table).evalf(30)
    return {"=": gap == 0, "!=": gap != 0, "<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0}[proposition.op]


@cache
def is_among(where, point) -> bool:
    groups = where(*SYMBOLS[: len(point)])
    return any(all(holds(p, point) for p in group) for group in groups)


def as_mpf(point):
    return [mpmath.mpf(x.numerator) / x.denominator for x in point]


@cache
def raw(f: Function, point):
    """mpmath's own value; None where it has no real one."""
    function = RAW.get(f.name, f.name)
    function = getattr(mpmath, function) if isinstance(function, str) else function
    return finite(lambda: function(*as_mpf(point)))


def finite(value):
    try:
        found = value()
    except (ValueError, ArithmeticError, NotImplementedError, mpmath.libmp.NoConvergence):
        return None
    if not mpmath.isfinite(found) or mpmath.im(found) != 0:
        return None
    return mpmath.re(found)


def balls(point):
    return [arb(fmpq(x.numerator, x.denominator)) for x in point]


def number(e):
    """The value of an expression, with the normal distribution by error functions, which SymPy can evaluate."""
    e = e.replace(notation.Phi, lambda t: sp.erfc(-t / sp.sqrt(2)) / 2)
    e = e.replace(notation.phi, lambda t: sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi))
    e = e.replace(notation.Phi_inv, lambda p: sp.sqrt(2) * sp.erfinv(2 * p - 1))
    return mpmath.mpf(str(sp.re(e.evalf(40))))


def near(ball, value, slack: float = 1e-25) -> bool:
    """Whether a ball holds a value of mpmath, which is not quite exact itself."""
    return abs(mpmath.mpf(str(ball.mid().str(40, radius=False))) - value) <= (
        mpmath.mpf(str(ball.rad().str(10, radius=False))) * 1.01 + slack * (1 + abs(value))
    )


@pytest.fixture(autouse=True)
def precision():
    bits, ctx.prec = ctx.prec, 140
    with mpmath.workdps(45):
        yield
    ctx.prec = bits


# --- where it is defined ------------------------------------------------------------------------------------------
@each
def test_it_is_defined_exactly_where_mpmath_and_its_kernels_are(f) -> None:
    for point in points(f):
        defined, value = is_among(f.defined, point), raw(f, point)
        assert defined == (finite(lambda: f.mpmath(mpmath, *as_mpf(point))) is not None), point  # noqa: B023
        assert defined <= (value is not None), point
        if f.name not in NARROWER:
            assert defined == (value is not None), point
        arguments = balls(point)
        ball = f.operation.ball(*arguments)
        if all(x.is_exact() for x in arguments):
            assert bool(ball.is_finite()) == defined, point
        if defined and ball.is_finite():
            assert near(ball, value), (point, ball, value)
        violated = f.operation.needs(*arguments)
        assert violated is None or not defined, (point, violated)


def test_narrower_domains_are_narrower() -> None:
    for name in NARROWER:
        f = functions.by_name(name)
        assert f is not None
        outside = [p for p in points(f) if not is_among(f.defined, p) and raw(f, p) is not None]
        assert outside, name


# --- kernels ------------------------------------------------------------------------------------------------------
@each
def test_kernels_agree(f) -> None:
    for point in points(f):
        if not is_among(f.defined, point):
            continue
        value = f.mpmath(mpmath, *as_mpf(point))
        rational = f.operation.exact(*(fmpq(x.numerator, x.denominator) for x in point))
        if rational is not None:
            assert abs(mpmath.mpf(int(rational.p)) / int(rational.q) - value) <= 1e-25 * (1 + abs(value)), point
        if f.operation.complex is not None:
            continued = f.operation.complex(*(acb(x) for x in balls(point)))
            assert not continued.is_finite() or near(continued.real, value, 1e-20), point
        if f.doubles is not None:
            low, high = f.doubles(argument("x", point[0]))
            assert not (np.isfinite(low) and value < float(low)), (point, low)
            assert not (np.isfinite(high) and value > float(high) and float(high) != float(value)), (point, high)
        if callable(f.scalar):
            other = number(f.scalar(*map(sp.Rational, point)))
            assert abs(other - value) <= 1e-20 * (1 + abs(value)), point


@each
@settings(max_examples=20, deadline=None, database=None)
@given(data=st.data())
def test_a_range_holds_the_values_inside(f, data) -> None:
    numbers = st.fractions(-6, 6, max_denominator=8)
    width = data.draw(st.sampled_from((Fraction(0), Fraction(1, 100), Fraction(1))))
    first = data.draw(st.sampled_from(points(f))) if f.arity == 2 else (data.draw(numbers),)
    *fixed, low = first if f.arity else (*first, *first)
    high = low + width
    box = [ranges.Range(b, b) for b in balls(fixed)]
    box.append(ranges.Range(balls((low,))[0].lower(), balls((high,))[0].upper()))
    found = f.operation.range(*box)
    if found is None:
        return
    for share in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)):
        point = (*fixed, low + share * width)
        assert is_among(f.defined, point), point
        value = f.operation.ball(*balls(point))
        assert not value < found.below and not value > found.above, (point, found)


@each
@settings(max_examples=15, deadline=None, database=None)
@given(x=st.fractions(-40, 40, max_denominator=60), y=st.integers(-12, 12))
def test_balls_hold_values_anywhere(f, x, y) -> None:
    point = (x,) if f.arity == 1 else ((x, Fraction(y)) if f.name == "binomial" else (Fraction(y), x))
    if not is_among(f.defined, point):
        return
    value = f.mpmath(mpmath, *as_mpf(point))
    ball = f.operation.ball(*balls(point))
    assert mpmath.isfinite(value)
    assert not ball.is_finite() or near(ball, value), (point, ball, value)


# --- the second opinion's own table -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "f", [f for f in functions.ALL if f.name in arithmetic.ARITY and f.arity], ids=lambda f: f.name
)
@pytest.mark.parametrize("numbers", [arithmetic.Balls(), arithmetic.Floats()], ids=lambda n: n.name)
def test_the_second_opinion_has_the_same_values_and_no_others(f, numbers) -> None:
    assert arithmetic.ARITY[f.name] == f.arity
    compared = 0
    with numbers.precision(140):
        for point in points(f):
            try:
                found = numbers.middle(arithmetic.apply(f.name, point, numbers))
            except arithmetic.Unclear:
                continue
            except arithmetic.Undefined:
                assert not is_among(f.defined, point), point
                continue
            assert is_among(f.defined, point), point
            value = f.mpmath(mpmath, *as_mpf(point))
            assert abs(mpmath.mpf(found.numerator) / found.denominator - value) <= 1e-15 * (1 + abs(value)), point
            compared += 1
    assert compared >= 3


# --- analysis -----------------------------------------------------------------------------------------------------
@of_one
def test_where_it_is_monotone(f) -> None:
    for where, direction in ((f.rises, 1), (f.falls, -1)):
        for group in () if where is None else where(SYMBOLS[0]):
            inside = [(x,) for x in GRID if all(holds(p, (x,)) for p in group)]
            assert len(inside) > 1
            with mpmath.workdps(500):
                values = [f.mpmath(mpmath, *as_mpf(p)) for p in inside]
            assert all(direction * (b - a) > 0 for a, b in pairwise(values)), (group, values)


@of_one
def test_limits(f) -> None:
    for limit in f.limits:
        if limit.at in (sp.oo, -sp.oo):
            places = [t if limit.at is sp.oo else -t for t in FAR]
        else:
            places = [mpmath.mpf(int(limit.at)) + limit.side / t for t in FAR]
        with mpmath.workdps(60):
            values = [f.mpmath(mpmath, t) for t in places]
        if limit.value in (sp.oo, -sp.oo):
            sign = 1 if limit.value is sp.oo else -1
            assert all(sign * b > sign * a for a, b in pairwise(values)) and sign * values[-1] > 5, limit
        else:
            assert abs(values[-1] - mpmath.mpf(str(limit.value.evalf(30)))) < 1e-8, limit


@of_one
def test_even_and_odd(f) -> None:
    inside = [p for p in points(f) if is_among(f.defined, p)]
    mirrored = dict.fromkeys((1, -1), True)
    for (x,) in inside:
        value = f.mpmath(mpmath, *as_mpf((x,)))
        for parity in mirrored:
            other = finite(lambda: f.mpmath(mpmath, *as_mpf((-x,))))  # noqa: B023
            mirrored[parity] &= other is not None and abs(other - parity * value) < 1e-30 * (1 + abs(value))
    assert f.parity == next((parity for parity, so in mirrored.items() if so), 0)


@of_one
def test_derivatives_are_those_that_sympy_writes(f) -> None:
    if not f.differentiable:
        return
    x = SYMBOLS[0]
    derivative = sp.diff(f.make(x), x)
    known = functions.heads("differentiable")
    assert all(isinstance(e, known) for e in derivative.atoms(sp.Function)), derivative
    for at in (Fraction(-7, 3), Fraction(-1, 3), Fraction(1, 3), Fraction(5, 7), Fraction(7, 3)):
        if not is_among(f.defined, (at,)):
            continue
        written = derivative.subs(x, sp.Rational(at))
        slope = mpmath.diff(lambda t: f.mpmath(mpmath, t), *as_mpf((at,)))
        assert abs(number(written) - slope) < 1e-10 * (1 + abs(slope)), at


@of_one
def test_what_is_continuous_does_not_jump(f) -> None:
    step = mpmath.mpf(10) ** -12
    jumps = []
    for (x,) in points(f):
        (at,) = as_mpf((x,))
        values = [finite(lambda t=t: f.mpmath(mpmath, t)) for t in (at - step, at, at + step)]
        if is_among(f.defined, (x,)):
            sides = [v for v in values if v is not None]
            jumps.append(max(abs(v - values[1]) for v in sides) > 1e-5 * (1 + abs(values[1])))
    assert any(jumps) is not f.continuous


def test_values_that_are_integers() -> None:
    for f in (*functions.these("integral"), *functions.these("keeps_integers")):
        for point in points(f):
            whole = f.integral or all(x.denominator == 1 for x in point)
            if whole and is_among(f.defined, point):
                value = f.mpmath(mpmath, *as_mpf(point))
                assert value == mpmath.nint(value), (f, point)


def test_entire_functions_are_defined_everywhere() -> None:
    entire = [f for f in functions.ALL if f.entire]
    assert len(entire) > 10 and all(f.defined(SYMBOLS[0]) == EVERYWHERE for f in entire)


# --- notation -----------------------------------------------------------------------------------------------------
def test_heads_and_names_are_unique() -> None:
    heads = [f.head for f in functions.ALL if f.head is not None]
    names = [name for f in functions.ALL for name in f.names]
    words = [word for f in functions.ALL for word in (*f.latex_names, *f.latex_letters)]
    assert len(set(heads)) == len(heads) and len(set(names)) == len(names) and len(set(words)) == len(words)


def test_only_the_class_itself_counts() -> None:
    x = SYMBOLS[0]
    declared = sp.Function("log")
    assert functions.by_head(type(declared(x))) is None and functions.of(declared(x)) is None
    assert functions.of(sp.log(x)) is functions.by_name("ln") is functions.by_head(sp.log)
    assert functions.of(sp.zeta(x)) is None and functions.by_name("zeta").arity == 2
    assert plain(sp.Function("ceiling")(x)) == "ceiling(x)" and plain(sp.ceiling(x)) == "ceil(x)"


@each
def test_both_notations_are_read_back(f) -> None:
    if not f.read:
        assert f.names[0] not in (name for g in functions.ALL if g.read for name in g.names)
        return
    names = {s.name: s for s in SYMBOLS}
    e = f.make(*SYMBOLS[: f.arity or 2])
    same = 1 / functions.by_name(f.reciprocal_of).make(SYMBOLS[0]) if f.reciprocal_of else e
    for written in (e, 1 + e**2, same):
        read = same if written == e else (1 + same**2 if written == 1 + e**2 else same)
        assert read_expression(plain(written), names) == read
        if not f.reciprocal_of:
            text = latex(written)
            assert Meaning(text, names).expression(parse_latex(text, names)) == read
    arguments = ", ".join(map(str, SYMBOLS[: f.arity or 2]))
    assert all(read_expression(f"{name}({arguments})", names) == same for name in f.names)
    for word in f.latex_names:
        text = rf"\operatorname{{{word}}}({arguments})"
        assert Meaning(text, names).expression(parse_latex(text, names)) == same


# --- one table only -----------------------------------------------------------------------------------------------
MOST = 4  # functions that an expression elsewhere may list
ALLOWED = {
    "deciding/algebra/form.py": "which rewriting rules are for which functions",
    "deciding/terms/definitions.py": "which lemma of the checker says what a function is",
    "rendering/written_mathml.py": "words that TeX sets upright, read or not",
    "second_opinion/arithmetic.py": "shares nothing with what it examines",
}
DISPLAYS = (ast.Dict, ast.Tuple, ast.List, ast.Set, ast.MatchOr, ast.BinOp)
HEADS = {f.head.__name__ for f in functions.ALL if f.head is not None}
NAMES = {name for f in functions.ALL for name in f.names}


def _listed(node: ast.AST) -> int:
    """How many functions a display or a union of classes names, by class or in text."""
    parts: list[ast.AST | None] = []
    if isinstance(node, ast.Dict):
        parts = [*node.keys]
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        parts = [*node.elts]
    elif isinstance(node, ast.MatchOr):
        parts = [p.cls if isinstance(p, ast.MatchClass) else getattr(p, "value", None) for p in node.patterns]
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        parts.append(node.right)
        node = node.left
        if not isinstance(node, ast.BinOp):
            parts.append(node)
    found = {p.attr for p in parts if isinstance(p, ast.Attribute)} & HEADS
    found |= {p.id for p in parts if isinstance(p, ast.Name)} & HEADS
    found |= {p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)} & NAMES
    return len(found)


@pytest.mark.slow
def test_no_other_module_has_a_table_of_functions() -> None:
    root = Path(dpsym.__file__).parent
    tables = {}
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root).as_posix()
        if place.startswith(("core/functions/", "verifying/")):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, DISPLAYS) and _listed(node) > MOST:
                tables.setdefault(place, []).append(node.lineno)
    assert {place: lines for place, lines in tables.items() if place not in ALLOWED} == {}
    assert set(ALLOWED) <= set(tables), "no longer needed"
