"""Closed forms beside certified integrals of the same densities: two methods that share nothing but the formula.

The integrals are enclosed interval by interval (`dpsym.own_noise.enclosed`); the closed forms come from the engine.
Both are enclosures, so they must overlap; and a bound from below must lie below.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym.core.distributions import Density, Pmf, shifted
from dpsym.core.notation import Delta, a, alpha, b, epsilon, n, y
from dpsym.core.relations import IsInteger, Relation, propositions, substitute
from dpsym.divergences import hockey_stick, renyi, trade_off, worst
from dpsym.language import read_expression
from dpsym.numbers import compare, enclose
from dpsym.own_noise.enclosed import delta, renyi_at_least

c = sp.Symbol("c")
LINE = {
    "laplace": "exp(-abs(y)/b)/(2*b)",
    "steeper on one side": "exp(-max(y/b, -y/c))/(b+c)",
    "normal": "exp(-y^2/(2*b^2))/(b*sqrt(2*pi))",
    "logistic": "exp(-y/b)/(b*(1+exp(-y/b))^2)",
    "gumbel": "exp(-y/b-exp(-y/b))/b",
    "cauchy": "b/(pi*(y^2+b^2))",
}
GIVEN = propositions((b > 0, c > 0, Delta > 0))
positive = st.fractions(Fraction(1, 2), 2, max_denominator=4)
levels = st.fractions(0, 2, max_denominator=4)


def pair(name: str) -> tuple[Density, tuple[Density, Density]]:
    noise = Density(y, read_expression(LINE[name]))
    return noise, shifted(noise, Delta)


def overlap_of_profiles(name: str, scale: Fraction, other: Fraction, shift: Fraction, level: Fraction) -> None:
    noise, (P, Q) = pair(name)
    at = {b: scale, c: other, Delta: shift}
    found = worst(lambda p, q, g: hockey_stick(sp.exp(epsilon), p, q, (*g, epsilon >= 0)), P, Q, GIVEN)
    formula = substitute(found.expression, {**at, epsilon: level})
    inside = delta(noise, Delta, level, at, time_limit=30)
    exact = (0, 0) if compare(Relation(formula, "=", sp.S.Zero)).holds else None
    if exact is None:
        value = enclose(formula, digits=10)
        exact = (value.lower, value.upper)

    assert inside.lower <= exact[1], (inside, exact)
    assert exact[0] <= inside.upper, (inside, exact)


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["laplace", "steeper on one side", "logistic"])
@given(positive, positive, positive, levels)
@settings(max_examples=1, deadline=None)
def test_a_profile_lies_in_the_enclosed_integral(
    name: str, scale: Fraction, other: Fraction, shift: Fraction, level: Fraction
) -> None:
    overlap_of_profiles(name, scale, other, shift, level)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in LINE if n != "gumbel"])  # an integral of which takes minutes
@given(positive, positive, positive, levels)
@settings(max_examples=3, deadline=None)
def test_many_profiles_lie_in_the_enclosed_integrals(
    name: str, scale: Fraction, other: Fraction, shift: Fraction, level: Fraction
) -> None:
    overlap_of_profiles(name, scale, other, shift, level)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["laplace", "steeper on one side", "normal"])  # of the others it takes minutes
@given(positive, positive, positive, st.sampled_from([Fraction(5, 4), Fraction(3, 2), Fraction(3)]))
@settings(max_examples=1, deadline=None)
def test_a_part_of_the_integral_is_no_more_than_the_closed_form(
    name: str, scale: Fraction, other: Fraction, shift: Fraction, order: Fraction
) -> None:
    noise, (P, Q) = pair(name)
    at = {b: scale, c: other, Delta: shift}
    for first, second in ((P, Q), (Q, P)):
        found = renyi(alpha, first, second, GIVEN)
        here = [substitute(condition.lhs, {**at, alpha: order}) for condition in found.conditions]
        if found.expression == sp.oo or not all(compare(Relation(x, ">", sp.S.Zero)).holds for x in here):
            return  # infinite: nothing is too large
    found = worst(lambda p, q, g: renyi(alpha, p, q, g), P, Q, GIVEN)
    least = renyi_at_least(noise, Delta, order, at, time_limit=5)

    assert least <= enclose(substitute(found.expression, {**at, alpha: order}), digits=12).upper


@given(st.fractions(Fraction(1, 2), 2, max_denominator=3), st.integers(1, 3), levels)
@settings(max_examples=2, deadline=None)
def test_masses_agree_with_the_enclosed_sum(scale: Fraction, shift: int, level: Fraction) -> None:
    noise = Pmf(n, read_expression("(1-exp(-1/b))/(1+exp(-1/b))*exp(-abs(n)/b)"))
    P, Q = shifted(noise, Delta)
    known = (b > 0, Delta >= 1, IsInteger(Delta), epsilon >= 0)
    formula = hockey_stick(sp.exp(epsilon), P, Q, known).expression
    at = {b: scale, Delta: shift}
    inside = delta(noise, Delta, level, at)

    value = substitute(formula, {**at, epsilon: level})
    if compare(Relation(value, "=", sp.S.Zero)).holds:
        assert inside.lower == 0
    else:
        exact = enclose(value, digits=12)
        assert inside.lower <= exact.upper
        assert exact.lower <= inside.upper


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", LINE)
@given(positive, positive, st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), levels)
@settings(max_examples=2, deadline=None)
def test_a_trade_off_function_is_dual_to_the_profiles(
    name: str, scale: Fraction, shift: Fraction, share: Fraction, level: Fraction
) -> None:
    """1 - T(P, Q)(a) <= e^epsilon a + H(Q, P): rejecting P at level a has no more power than that."""
    _, (P, Q) = pair(name)
    at = {b: scale, c: Fraction(3, 4), Delta: shift, a: share, epsilon: level}
    error = trade_off(a, P, Q, GIVEN).expression
    profile = hockey_stick(sp.exp(epsilon), Q, P, (*GIVEN, epsilon >= 0)).expression
    values = [enclose(1 + x, at, digits=12) for x in (-error, profile)]  # away from 0
    most = enclose(sp.exp(epsilon) * a, at, digits=12).upper

    assert values[0].lower <= most + values[1].upper - 1
