"""Two Cauchy densities, against quadrature, and at orders where everything is a polynomial."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import acosh, atan, exp, log, mp, mpf, pi, quad, sqrt

from dpsym.core.distributions import Density
from dpsym.core.notation import a, alpha, epsilon, y
from dpsym.core.relations import propositions
from dpsym.divergences import (
    NoClosedForm,
    affinity,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    symmetric,
    total_variation,
    trade_off,
    zero_concentrated,
)
from dpsym.numbers import enclose
from dpsym.own_noise import noise

m0, m1, s0, s1 = sp.symbols("m0 m1 s0 s1")
positive = st.fractions(Fraction(1, 3), 3, max_denominator=6)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(20):
        yield


def cauchy(centre: object, scale: object) -> Density:
    return Density(y, scale / (sp.pi * ((y - centre) ** 2 + scale**2)))


def value(expression: sp.Expr, at: dict[sp.Symbol, object]) -> mpf:
    found = enclose(expression, at, digits=14)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def number(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


@given(
    positive,
    positive,
    st.fractions(-3, 3, max_denominator=5),
    st.fractions(Fraction(1, 2), 4, max_denominator=5),
    st.fractions(0, 1, max_denominator=5),
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
)
@settings(max_examples=3, deadline=None)
def test_divergences_agree_with_quadrature(
    first: Fraction, second: Fraction, centre: Fraction, order: Fraction, level: Fraction, share: Fraction
) -> None:
    if (first, centre) == (second, 0) or order == 1:
        return
    exact = {m0: centre, s0: first, s1: second, epsilon: level, a: share, alpha: order}
    P = cauchy(sp.Rational(centre), sp.Rational(first))
    Q = cauchy(sp.S.Zero, sp.Rational(second))
    m, s, r = number(centre), number(first), number(second)

    def in_angle(f: object) -> mpf:  # y = r tan(u), du/dy = pi q
        def both(u: mpf) -> mpf:
            v = r * mp.tan(u)
            ratio = s / r * (v**2 + r**2) / ((v - m) ** 2 + s**2)
            return f(ratio) / pi

        peak = atan(m / r)
        return quad(both, sorted({-pi / 2, peak, atan((m - s) / r), atan((m + s) / r), pi / 2}))

    assert symmetric(P, Q)
    assert abs(value(kullback_leibler(P, Q).expression, {}) - in_angle(lambda x: x * log(x))) < mpf(10) ** -9
    found = value(affinity(alpha, P, Q, (alpha > 0,)).expression, exact)
    assert abs(found - in_angle(lambda x: x ** number(order))) < mpf(10) ** -8 * found
    steps = [mpf(i) * pi / 100 - pi / 2 for i in range(101)]
    g = exp(number(level))

    def excess(u: mpf) -> mpf:
        v = r * mp.tan(u)
        return max(s / r * (v**2 + r**2) / ((v - m) ** 2 + s**2) - g, mpf(0)) / pi

    rough = quad(excess, steps, maxdegree=2)
    delta = value(hockey_stick(sp.exp(epsilon), P, Q, (epsilon >= 0,)).expression, exact)
    assert abs(delta - rough) < mpf(10) ** -3
    error = value(trade_off(a, P, Q).expression, exact)
    assert 1 - error <= g * number(share) + delta + mpf(10) ** -12
    largest = value(max_divergence(P, Q).expression, {})
    assert abs(largest - acosh(1 + (m**2 + (s - r) ** 2) / (2 * s * r))) < mpf(10) ** -12
    concentrated = value(zero_concentrated(P, Q).expression, {})
    if order > 1:
        assert log(found) / (number(order) - 1) <= concentrated * number(order) + mpf(10) ** -12


def test_noise_of_one_scale() -> None:
    P, Q = cauchy(m0, s0), cauchy(sp.S.Zero, s0)
    known = propositions((m0 > 0, s0 > 0))

    assert max_divergence(P, Q, known).expression == 2 * sp.asinh(m0 / (2 * s0))
    assert kullback_leibler(P, Q, known).expression == sp.log(1 + m0**2 / (4 * s0**2))
    tv = value(total_variation(P, Q, known).expression, {m0: 2, s0: 3})
    assert abs(tv - 2 * atan(mpf(1) / 3) / pi) < mpf(10) ** -13
    two = renyi(sp.Integer(2), P, Q, known).expression
    assert abs(value(two, {m0: 1, s0: 1}) - log(mpf(3) / 2)) < mpf(10) ** -13  # P_1(x) = x
    assert abs(value(hockey_stick(sp.exp(-epsilon), P, Q, (*known, epsilon >= 0)).expression,
                     {m0: 2, s0: 1, epsilon: 9}) - 1 + exp(-9)) < mpf(10) ** -12  # fmt: skip


def test_the_profile_ends_where_the_loss_does() -> None:
    P, Q = cauchy(m0, s0), cauchy(sp.S.Zero, s0)
    profile = hockey_stick(sp.exp(epsilon), P, Q, (m0 > 0, s0 > 0, epsilon >= 0)).expression
    at = {m0: 2, s0: 1}
    end = 2 * mp.asinh(1)

    assert value(profile, {**at, epsilon: Fraction(str(mp.nstr(end - mpf(1) / 1000, 10)))}) > 0
    assert enclose(profile, {**at, epsilon: Fraction(str(mp.nstr(end + mpf(1) / 1000, 10)))}).upper == 0
    assert sqrt(2) > 1


@pytest.mark.parametrize("wrong", [1 / (1 + y**2), 2 / (sp.pi * (1 + y**2)), 1 / (sp.pi * (1 + y**2) ** 2)])
def test_what_is_not_normalised_is_not_taken_for_one(wrong: sp.Expr) -> None:
    with pytest.raises(NoClosedForm):
        renyi(alpha, Density(y, wrong.subs(y, y - 1)), Density(y, wrong))


def test_a_difference_of_unknown_sign_is_not_settled() -> None:
    with pytest.raises(NoClosedForm, match="not settled"):
        kullback_leibler(cauchy(m0, s0), cauchy(sp.S.Zero, s0), (s0 > 0,))


@pytest.mark.slow
def test_cauchy_noise_of_ones_own() -> None:
    own = noise(density="1/(pi*s*(1+(x/s)^2))")

    assert own.dominating
    assert {c.guarantee.definition.id for c in own.claims} == {"pure", "rdp", "zcdp", "approx", "fdp"}
