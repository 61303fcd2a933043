"""What rises and then falls: proved where it does, and never where it does not."""

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym.claims import read_claim
from dpsym.core.notation import Phi
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding.calculus.slices import slice_along
from dpsym.deciding.calculus.unimodal import Unimodal
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.monotone import _holds_at_end, _smooth
from dpsym.deciding.strategies.sign_equivalents import Goal, sample
from dpsym.deciding.strategies.strategy import Question

x = sp.Symbol("x")
HALF = sp.Rational(1, 2)


def claimed(f, assume, strict=False, seconds=5.0):
    """The argument about f on this interval, without looking at points first."""
    question = Question(Relation(f, ">=", sp.Integer(0)), Domain(assume))
    goal = Goal(f, strict, question)
    points = tuple(sample(question, {x}))
    return Unimodal(goal, slice_along(x, goal.domain), f.diff(x), points, _holds_at_end, _smooth)


@pytest.mark.parametrize(
    ("f", "assume"),
    [
        (sp.exp(-(x**2) / 2) / 4 - Phi(x) * Phi(-x), (x > 0,)),  # Chu 1955
        (1 - sp.erf(x) ** 2 - sp.exp(-4 * x**2 / sp.pi), (x > 0,)),  # Pólya 1949
        (x * (1 - x), (x >= 0, x <= 1)),
        (x * sp.exp(-x), (x > 0,)),
        (sp.log(1 + x) - x * sp.log(2), (x > 0, x < 1)),
        (x**2 * (1 - x), (x > 0, x < 1)),  # neither concave nor with a derivative that falls
    ],
)
def test_unimodal_functions_are_known_by_their_ends(f, assume):
    assert claimed(f, assume).carried_out() is not None


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("f", "assume"),
    [
        (sp.exp(-(x**2) / 2) / 4 * sp.Rational(999, 1000) - Phi(x) * Phi(-x), (x > 0,)),  # an end is negative
        (1 - sp.erf(x) ** 2 - sp.exp(-4 * x**2 / sp.pi) - sp.Rational(1, 10**9), (x > 0,)),
        (x * (1 - x), (x >= 0, x <= sp.Rational(1001, 1000))),
        (x * (1 - x), (x > 0,)),
        (x * (x - 1), (x > 0, x < 1)),  # a minimum inside
        (x * (1 - x) * (x - HALF) ** 2 - sp.Rational(1, 1000) * x * (1 - x), (x > 0, x < 1)),  # two maxima, and a dip
        ((x - HALF) ** 2 - sp.Rational(1, 100), (x > 0, x < 1)),
        (sp.sin(x), (x > 0, x < 10)),
    ],
)
def test_what_is_no_hill_is_not_taken_for_one(f, assume):
    assert claimed(f, assume).carried_out() is None


def test_a_strict_claim_is_left_to_others():
    assert claimed(x * (1 - x), (x > 0, x < 1), strict=True).carried_out() is None


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.fractions(min_value=Fraction(1, 20), max_value=Fraction(19, 20), max_denominator=20), max_size=4),
    st.sampled_from([1, -1]),
)
def test_a_change_of_sign_is_claimed_only_where_there_is_at_most_one_from_above(roots, sign):
    g = sp.Integer(sign)
    for root in roots:
        g = g * (x - sp.Rational(root.numerator, root.denominator))
    odd = sorted(r for r in set(roots) if roots.count(r) % 2)
    edges = [Fraction(0), *odd, Fraction(1)]
    signs = [sp.sign(g.subs(x, sp.Rational(m.numerator, m.denominator))) for m in _between(edges, roots)]
    right = all(a >= b for a, b in itertools.pairwise(signs))

    f = sp.integrate(sp.expand(g), x)
    one = claimed(f, (x > 0, x < 1), seconds=5)
    inside = replace(one.goal.question, domain=Domain(one.along.interior))
    assert right or one._falls_once(sp.expand(g), inside, 3) is None


def _between(edges, roots):
    """A point between neighbours that is no root."""
    for a, b in itertools.pairwise(edges):
        yield next(m for i in range(2, 99) if (m := a + (b - a) / i) not in roots)


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("erf(x)^2 <= 1 - exp(-3.99*x^2/pi)", ("x >= 0",)),
        ("Phi(x)*Phi(-x) <= exp(-x^2/1.99)/4", ("x: real",)),
        ("x^2*(1-x)*exp(x) <= x*(1-x)", ("0 <= x <= 1",)),
    ],
)
def test_near_misses_are_refuted(claim, lets):
    assert read_claim(claim, let=lets).decide(10).verdict is Verdict.REFUTED
