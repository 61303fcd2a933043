"""Other expressions with the sign of the gap: without denominators, factored, of logarithms, of exponentials.

SymPy suggests them; the checker of the certificate proves each one that is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from flint import fmpq

from dpsym.core.clocks import Work
from dpsym.core.deadline import apart, remaining, timed
from dpsym.core.expanding import expand
from dpsym.deciding.certificates.problem import Problem
from dpsym.deciding.timeout import within
from dpsym.numbers import NotNumeric, ball

_ONE = sp.Integer(1)
_LARGE, _SMALL = 150, 60  # operations up to which a rewriting is worth its time
_SECONDS = Work(0.5)  # to find them
_MOST = 9  # beside the basic ones: each costs an evaluation on every box of the sample
BASES = 3  # the differences of the sides, of their logarithms and of their exponentials


@dataclass(frozen=True, slots=True)
class Form:
    """`expression` is one of the basic differences, times the factor."""

    base: int
    expression: sp.Expr
    factor: sp.Expr = _ONE


def forms(problem: Problem, seconds: float) -> tuple[Form, ...]:
    """The basic differences, then others that agree with them at a point: as many as are found in so many seconds."""
    small, large = problem.sides
    bases = (large - small, sp.log(large) - sp.log(small), sp.exp(large) - sp.exp(small))
    found: list[Form] = []

    def extend() -> None:
        found[:] = [Form(n, e) for n, e in enumerate(bases)]
        within(remaining(), lambda: _extend(found, problem, bases), None)

    with timed(seconds):
        apart(_SECONDS, extend)
    return tuple(found)


def _extend(found: list[Form], problem: Problem, bases: tuple[sp.Expr, ...]) -> None:
    small, large = problem.sides
    seen = set(bases)
    for form in _suggested(bases, small, large, positive=_near_positive(problem)):
        if form.expression not in seen and len(found) < BASES + _MOST:
            seen.add(form.expression)
            if form.factor is _ONE or not _differs(bases[form.base] * form.factor - form.expression, problem):
                found.append(form)


def _suggested(bases: tuple[sp.Expr, ...], small: sp.Expr, large: sp.Expr, *, positive: bool) -> Iterator[Form]:
    gap, logarithms, _ = bases
    if gap.count_ops() < _LARGE:
        yield Form(0, _of_products(in_products(gap)))
        yield from _cleared(0, gap, _ONE)
        if gap.has(sp.log):
            ratio = expand(sp.exp(small - large), power_exp=True)
            yield from _cleared(2, 1 - ratio, sp.exp(-large))
    if positive and logarithms.count_ops() < _LARGE:
        yield Form(1, _of_products(in_products(logarithms)))
        yield Form(1, _of_products(logarithms))


def _cleared(base: int, e: sp.Expr, factor: sp.Expr) -> Iterator[Form]:
    above, below = sp.fraction(sp.together(e))
    if e.count_ops() < _SMALL:
        yield Form(base, sp.factor(e), factor)
        if below.free_symbols:
            yield Form(base, sp.factor(above), factor * below)
    if below.free_symbols:
        yield Form(base, expand(above) if above.count_ops() < _SMALL else above, factor * below)


def in_products(e: sp.Expr) -> sp.Expr:
    """With sums of two exponentials or hyperbolic functions as products: sinh a - sinh b = 2 cosh … sinh ….

    Without it sinh(a x) - sinh((a - 1) x) <= exp(a (a - 1) x^2/2) sinh(x), for 1.1 <= a <= 6, 0.1 <= x <= 3, needs too
    many boxes.
    """
    if not e.args:
        return e
    e = e.func(*map(in_products, e.args))
    if e.is_Add and len(e.args) == 2:
        (p, f), (q, g) = (_split(term) for term in e.args)
        if f is not None and g is not None and f.func == g.func and abs(p) == abs(q) and p > 0:
            return p * _product(f, g, p == q)
        if f is not None and g is not None and f.func == g.func and p == -q:
            return q * _product(g, f, False)
    return e


def _split(term: sp.Expr) -> tuple[sp.Rational, sp.Expr | None]:
    """A rational multiple of an exponential or hyperbolic function."""
    c, rest = term.as_coeff_Mul()
    if rest == 1:
        return c, sp.exp(sp.Integer(0), evaluate=False)
    return c, rest if isinstance(rest, sp.exp | sp.sinh | sp.cosh) else None


def _product(f: sp.Expr, g: sp.Expr, same: bool) -> sp.Expr:
    """f + g, or f - g."""
    half, other = expand((f.args[0] + g.args[0]) / 2), expand((f.args[0] - g.args[0]) / 2)
    match f:
        case sp.exp():
            return 2 * sp.exp(half) * (sp.cosh(other) if same else sp.sinh(other))
        case sp.sinh():
            return 2 * (sp.sinh(half) * sp.cosh(other) if same else sp.cosh(half) * sp.sinh(other))
    return 2 * (sp.cosh(half) * sp.cosh(other) if same else sp.sinh(half) * sp.sinh(other))


def _of_products(e: sp.Expr) -> sp.Expr:
    """Logarithms of products, powers and exponentials taken apart; sinh x by half of x where that cancels."""
    apart = e.replace(sp.log, lambda x: sp.expand_log(sp.log(sp.factor_terms(x)), force=True))
    halves = {f for f in apart.atoms(sp.sinh) if sp.sinh(f.args[0] / 2) in apart.atoms(sp.sinh)}
    twice = {sp.log(f): sp.log(2) + sum(sp.log(g(f.args[0] / 2)) for g in (sp.sinh, sp.cosh)) for f in halves}
    return apart.xreplace(twice)


def _near_positive(problem: Problem) -> bool:
    """Whether both sides have logarithms at a point, so that these may be worth something elsewhere."""
    point = {s: side.middle() for s, side in zip(problem.symbols, problem.box, strict=True)}
    try:
        return all(not ball(side, point, 128) <= 0 for side in problem.sides)
    except NotNumeric:
        return False


def _differs(e: sp.Expr, problem: Problem) -> bool:
    point = {s: side.middle() + fmpq(1, 7) for s, side in zip(problem.symbols, problem.box, strict=True)}
    try:
        value = ball(e, point, 128)
    except NotNumeric:
        return True
    return value.is_finite() and not value.contains(0)
