"""Two functions that differ at a point are two in the canonical form: of all functions, with rational factors."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym.core import functions
from dpsym.core.functions import Function
from dpsym.core.relations import Relation
from dpsym.deciding.algebra import CanonicalForm, Unsupported
from dpsym.deciding.domain import Domain
from dpsym.numbers import NotNumeric, compare
from oracle.asking import ACCEPTED, said_of_claim

X, N, Y = sp.symbols("x n y")
SETTINGS: dict[str, tuple[tuple[Relation, ...], tuple[Fraction, ...]]] = {  # what is assumed, and points
    "any": ((), (Fraction(-7, 5), Fraction(3, 7), Fraction(11, 4))),
    "positive": ((Relation(X, ">", 0),), (Fraction(1, 7), Fraction(3, 2), Fraction(9, 4))),
    "small": ((Relation(X, ">", 0), Relation(X, "<", sp.Rational(1, 3))), (Fraction(1, 8), Fraction(2, 7))),
}
OUTER = sp.Function("outer")

factors = st.builds(Fraction, st.integers(-4, 4).filter(bool), st.sampled_from([1, 1, 2, 3, 4, 6]))
arguments = st.sampled_from([X, X, X, sp.pi * X, X**2, X + 1, 1 / (X + 2), sp.exp(X), sp.sqrt(X**2 + 1)])


def applied(f: Function, argument: sp.Expr, more: Fraction) -> sp.Expr:
    """The function of this argument, and of a small number where it takes two."""
    second = [] if f.arity == 1 else [sp.Integer(abs(more.numerator) % 3 + 1)]
    if f.name in ("besseli", "polygamma", "zeta"):  # the order comes first, and is whole
        return f.make(sp.Integer(2), argument)
    return f.make(argument, *second)


@st.composite
def terms(draw: st.DrawFn) -> sp.Expr:
    """A function of a rational multiple of something, or a combination of two."""
    f = draw(st.sampled_from(functions.ALL))
    inner = sp.Rational(draw(factors)) * draw(arguments)
    found = applied(f, inner, draw(factors))
    if draw(st.booleans()) and draw(st.booleans()):
        f = draw(st.sampled_from(functions.ALL))
        other = applied(f, inner, Fraction(1))
        found = draw(st.sampled_from([found + other, found * inner, applied(f, found, Fraction(1)), sp.sqrt(found)]))
    return found


def differ(one: sp.Expr, other: sp.Expr, places: tuple[Fraction, ...]) -> bool:
    """Whether they certainly differ at one of the places."""
    try:
        found = [compare(Relation(one, "=", other), {X: sp.Rational(p)}) for p in places]
    except NotNumeric:  # SymPy writes some real parts by imaginary ones
        return False
    return any(c.holds is False and c.obligation is None for c in found)


@given(expressions=st.lists(terms(), min_size=2, max_size=4), setting=st.sampled_from(sorted(SETTINGS)))
def test_what_differs_at_a_point_has_two_forms(expressions: list[sp.Expr], setting: str) -> None:
    assume, places = SETTINGS[setting]
    opaque = [OUTER(e) for e in expressions]
    try:
        form = CanonicalForm((*expressions, *opaque), Domain(assume))
    except Unsupported:
        return
    plain, inside = form.quotients[: len(expressions)], form.quotients[len(expressions) :]
    for i, j in combinations(range(len(expressions)), 2):
        if plain[i] == plain[j] or inside[i] == inside[j]:
            assert not differ(expressions[i], expressions[j], places), (expressions[i], expressions[j])


SOME = (Fraction(1), Fraction(1, 2), Fraction(-1, 3), Fraction(2), Fraction(3, 2), Fraction(1, 6))


@pytest.mark.parametrize("f", functions.ALL, ids=lambda f: f.name)
def test_a_function_of_other_multiples_is_another(f: Function) -> None:
    for setting in SETTINGS.values():
        for one, other in ((r, s) for r in SOME for s in SOME if r != s):
            pair = [applied(f, sp.Rational(r) * X, Fraction(1)) for r in (one, other)]
            try:
                form = CanonicalForm((*pair, *map(OUTER, pair)), Domain(setting[0]))
            except Unsupported:
                continue
            left, right, *opaque = form.quotients
            if left == right or opaque[0] == opaque[1]:
                assert not differ(*pair, setting[1]), pair


@pytest.mark.parametrize("f", [f for f in functions.ALL if f.arity == 1], ids=lambda f: f.name)
def test_another_function_is_another(f: Function) -> None:
    others = [g for g in functions.ALL if g.arity == 1 and g.name > f.name]
    for (assume, places), g in product(SETTINGS.values(), others):
        pair = [h.make(X) for h in (f, g)]
        try:
            form = CanonicalForm((*pair, *map(OUTER, pair)), Domain(assume))
        except Unsupported:
            continue
        left, right, *opaque = form.quotients
        if left == right or opaque[0] == opaque[1]:
            assert not differ(*pair, places), pair


@pytest.mark.parametrize("claim, let", [
    ("f(cos(x/2)) = f(cos(x))", "x: real"), ("f(cos(x)) = f(cos(x/2))", "x: real"),
    ("f(sin(x)) = f(sin(x/3))", "x: real"), ("f(tan(x/2)) = f(tan(x))", "-1 < x < 1"),
    ("f(cos(pi*x/2)) = f(cos(pi*x))", "x: real"), ("f(cos(x^2)) = f(cos(x^2/2))", "x: real"),
    ("f(cos(x), sin(x/2)) = f(cos(x/2), sin(x))", "x: real"), ("f(cos(exp(x))) = f(cos(exp(x)/2))", "x: real"),
    ("f(asin(x)) = f(atan(x))", "0 < x < 1"), ("f(atan(x)) <= f(asin(x))", "0 < x < 1"),
    ("f(cos(x) + cos(x/2)) = f(2*cos(x))", "x: real"), ("f(exp(cos(x/2))) = f(exp(cos(x)))", "x: real"),
    ("asin(x) = atan(x)", "0 <= x < 1"), ("cos(x/2) = cos(x)", "x: real"), ("asin(x) <= atan(x)", "0 <= x < 1"),
])  # fmt: skip
def test_false_ones_are_not_accepted(claim: str, let: str) -> None:
    assert said_of_claim(claim, [let, "f: function"], seconds=2.0) not in ACCEPTED


@pytest.mark.parametrize("claim, let", [
    ("f(cos(x)) = f(2*cos(x/2)^2 - 1)", "x: real"), ("f(sin(x)) = f(2*sin(x/2)*cos(x/2))", "x: real"),
    ("f(cos(-x)) = f(cos(x))", "x: real"), ("f(cos(x)^2) = f((1 + cos(2*x))/2)", "x: real"),
    ("f(asin(-x)) = f(-asin(x))", "0 < x < 1"), ("cos(3*x) = 4*cos(x)^3 - 3*cos(x)", "x: real"),
    ("sin(x)*cos(x/2) = 2*sin(x/2)*cos(x/2)^2", "x: real"), ("cos(x/2)^2 = (1 + cos(x))/2", "x: real"),
    ("atan(x) < atan(x + 1)", "x: real"),
    ("asin(x) < asin((1 + x)/2)", "0 < x < 1"),
])  # fmt: skip
def test_true_ones_are_accepted(claim: str, let: str) -> None:
    assert said_of_claim(claim, [let, "f: function"]) in ACCEPTED
