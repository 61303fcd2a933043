"""Masses exp(quadratic) on the integers: what has a closed form, and sums of which every digit is known."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import exp, log, mp, mpf

from dpsym.core.distributions import Pmf, shifted
from dpsym.core.notation import Delta, alpha, epsilon, n, sigma
from dpsym.core.relations import IsInteger, propositions
from dpsym.divergences import (
    affinity,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    symmetric,
    zero_concentrated,
)
from dpsym.language import read_expression
from dpsym.numbers import enclose
from dpsym.own_noise import noise

TEXT = "exp(-n^2/(2*sigma^2))/sum(exp(-i^2/(2*sigma^2)), i, -oo, oo)"
GIVEN = propositions((sigma > 0, Delta >= 1, IsInteger(Delta)))
P, Q = shifted(Pmf(n, read_expression(TEXT)), Delta)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(25):
        yield


def masses(scale: Fraction, shift: int) -> list[tuple[mpf, mpf]]:
    s = mpf(scale.numerator) / scale.denominator
    span = range(-40, 41 + shift)
    total = sum(exp(-(mpf(i) ** 2) / (2 * s**2)) for i in range(-80, 81))
    return [(exp(-(mpf(i - shift) ** 2) / (2 * s**2)) / total, exp(-(mpf(i) ** 2) / (2 * s**2)) / total) for i in span]


def value(expression: sp.Expr, point: dict[sp.Symbol, object]) -> mpf:
    found = enclose(expression, point, digits=18)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def close(found: mpf, expected: mpf) -> bool:
    return abs(found - expected) <= mpf(10) ** -15 * (1 + abs(expected))


@given(
    st.fractions(Fraction(1, 2), 3, max_denominator=6),
    st.integers(1, 4),
    st.fractions(Fraction(8, 7), 4, max_denominator=7),
    st.fractions(0, 2, max_denominator=7),
)
@settings(max_examples=5, deadline=None)
def test_divergences_agree_with_sums(scale: Fraction, shift: int, order: Fraction, level: Fraction) -> None:
    at = {sigma: scale, Delta: shift, alpha: order, epsilon: level}
    pairs, o, e = (
        masses(scale, shift),
        mpf(order.numerator) / order.denominator,
        mpf(level.numerator) / level.denominator,
    )

    expected = log(sum(p**o * q ** (1 - o) for p, q in pairs)) / (o - 1)
    assert close(value(renyi(alpha, P, Q, GIVEN).expression, at), expected)
    assert close(value(kullback_leibler(P, Q, GIVEN).expression, at), sum(p * log(p / q) for p, q in pairs))
    profile = hockey_stick(sp.exp(epsilon), P, Q, (*GIVEN, epsilon >= 0)).expression
    assert close(value(profile, at), sum(max(p - exp(e) * q, mpf(0)) for p, q in pairs))
    concentrated = value(zero_concentrated(P, Q, GIVEN).expression, at)
    assert expected <= concentrated * o + mpf(10) ** -18


def test_the_masses_add_up_wherever_they_are_centred() -> None:
    assert affinity(alpha, P, P, GIVEN).expression == 1
    assert symmetric(P, Q, GIVEN)
    assert max_divergence(P, Q, GIVEN).expression == sp.oo


def test_at_whole_multiples_of_the_shift_it_is_the_continuous_value() -> None:
    assert renyi(sp.Integer(3), P, Q, GIVEN).expression.equals(3 * Delta**2 / (2 * sigma**2))


def test_between_them_it_is_less() -> None:
    at = {sigma: Fraction(1, 2), Delta: 1, alpha: Fraction(3, 2)}
    continuous = alpha * Delta**2 / (2 * sigma**2)

    assert value(renyi(alpha, P, Q, GIVEN).expression, at) < value(continuous, at) - mpf(1) / 100


def test_a_shift_that_is_no_integer_has_no_zcdp_budget_of_this_form() -> None:
    moved = shifted(Pmf(n, read_expression(TEXT)), Delta)

    with pytest.raises(ArithmeticError):
        zero_concentrated(*moved, (sigma > 0, Delta > 0))


def test_it_is_a_noise_like_any_other() -> None:
    own = noise(pmf=TEXT)

    assert own.dominating
    assert own.seen.open == ()
    assert {c.guarantee.definition.id for c in own.claims} >= {"rdp", "zcdp", "approx"}
    assert own.lacking["pure"] == "infinite"
