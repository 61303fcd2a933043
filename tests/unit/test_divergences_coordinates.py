"""Densities that are exponentials in other coordinates: logistic and Gumbel noise, against quadrature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import cosh, exp, inf, log, mp, mpf, quad

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import Delta, a, alpha, epsilon, y
from dpsym.core.relations import propositions, substitute
from dpsym.divergences import (
    NoClosedForm,
    affinity,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    symmetric,
    trade_off,
    zero_concentrated,
)
from dpsym.divergences.coordinates import straightened
from dpsym.language import read_expression
from dpsym.numbers import enclose

s = sp.Symbol("s")
GIVEN = propositions((s > 0, Delta > 0))
SPELLINGS = {
    "logistic": ["exp(-y/s)/(s*(1+exp(-y/s))^2)", "exp(y/s)/(s*(1+exp(y/s))^2)", "1/(4*s*cosh(y/(2*s))^2)",
                 "1/(s*(exp(y/(2*s))+exp(-y/(2*s)))^2)"],
    "gumbel": ["exp(-y/s-exp(-y/s))/s", "exp(-(y/s+exp(-y/s)))/s"],
}  # fmt: skip
NOISE: dict[str, Callable[[mpf], mpf]] = {
    "logistic": lambda t: 1 / (4 * cosh(t / 2) ** 2),
    "gumbel": lambda t: exp(-t - exp(-t)),
}
CDF: dict[str, Callable[[mpf], mpf]] = {
    "logistic": lambda t: 1 / (1 + exp(-t)),
    "gumbel": lambda t: exp(-exp(-t)),
}
positive = st.fractions(Fraction(1, 3), 3, max_denominator=8)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(20):
        yield


def pair(family: str) -> tuple[Density, Density]:
    return shifted(Density(y, read_expression(SPELLINGS[family][0])), Delta)


def value(expression: sp.Expr, point: dict[sp.Symbol, Fraction]) -> mpf:
    found = enclose(expression, point, digits=16)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def number(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def close(found: mpf, expected: mpf) -> bool:
    return abs(found - expected) <= mpf(10) ** -12 * (1 + abs(expected))


def best_half_line(family: str, t: mpf, level: mpf, *, turned: bool) -> mpf:
    """The likelihood ratio rises: its best test is a half-line, ending where the ratio takes the level."""
    below = CDF[family]

    def gain(end: mpf) -> mpf:
        shifted_, plain = below(end - t), below(end)
        return plain - exp(level) * shifted_ if turned else (1 - shifted_) - exp(level) * (1 - plain)

    low, high = mpf(-60), mpf(60)
    for _ in range(90):  # the gain has one maximum
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if gain(left) < gain(right) else (low, right)
    return max(gain((low + high) / 2), mpf(0))


@pytest.mark.parametrize("family", SPELLINGS)
def test_every_spelling_is_read(family: str) -> None:
    answers = set()
    for text in SPELLINGS[family]:
        P, Q = shifted(Density(y, read_expression(text)), Delta)
        assert affinity(alpha, P, P, GIVEN).expression == 1
        answers.add(
            value(renyi(alpha, P, Q, GIVEN).expression, {alpha: Fraction(5, 2), s: Fraction(2), Delta: Fraction(3)})
        )
    assert max(answers) - min(answers) < mpf(10) ** -14


@pytest.mark.cases(1)
@pytest.mark.parametrize("family", SPELLINGS)
@pytest.mark.parametrize("turned", [False, True], ids=["forth", "back"])
@given(positive, positive, st.fractions(0, 2, max_denominator=6), st.fractions(Fraction(1, 20), Fraction(19, 20)))
@settings(max_examples=2, deadline=None)
def test_divergences_agree_with_quadrature(
    family: str, turned: bool, scale: Fraction, shift: Fraction, level: Fraction, share: Fraction
) -> None:
    P, Q = pair(family)[:: -1 if turned else 1]
    noise, t = NOISE[family], number(shift) / number(scale)
    p, q = (lambda v: noise(v - t)), noise
    if turned:
        p, q = q, p
    at = {s: scale, Delta: shift, epsilon: level, a: share, alpha: Fraction(11, 10)}
    reach = [mpf(-50) if family == "logistic" else mpf(-4) - t, mpf(0), t / 2, t, mpf(50)]

    found = kullback_leibler(P, Q, GIVEN)
    assert close(value(found.expression, at), quad(lambda v: p(v) * log(p(v) / q(v)), reach))
    found = renyi(alpha, P, Q, GIVEN)
    order = mpf(11) / 10
    if all(value(c.lhs, at) > mpf(1) / 100 for c in found.conditions):
        expected = log(quad(lambda v: p(v) ** order * q(v) ** (1 - order), reach)) / (order - 1)
        assert abs(value(found.expression, at) - expected) < mpf(10) ** -9
    found = hockey_stick(sp.exp(epsilon), P, Q, (*GIVEN, epsilon >= 0))
    e = number(level)
    assert close(value(found.expression, at), best_half_line(family, t, e, turned=turned))
    # the trade-off function is dual to the profiles of the other order: 1 - error <= e^epsilon a + delta
    error = value(trade_off(a, P, Q, GIVEN).expression, at)
    back = hockey_stick(sp.exp(epsilon), Q, P, (*GIVEN, epsilon >= 0))
    assert 1 - error <= exp(e) * number(share) + value(back.expression, at) + mpf(10) ** -12


def test_logistic_in_closed_form() -> None:
    P, Q = pair("logistic")
    t = Delta / s
    at = {s: Fraction(3, 2), Delta: Fraction(2), alpha: Fraction(7, 3)}
    A = sp.sinh((alpha - sp.Rational(1, 2)) * t) / ((2 * alpha - 1) * sp.sinh(t / 2))

    assert symmetric(P, Q, GIVEN)
    assert max_divergence(P, Q, GIVEN).expression == t
    assert close(value(affinity(alpha, P, Q, GIVEN).expression, at), value(A, at))
    assert close(value(zero_concentrated(P, Q, GIVEN).expression, at), value(t * sp.coth(t / 2) - 2, at))


def test_gumbel_is_infinite_from_some_order_on_in_one_direction() -> None:
    P, Q = pair("gumbel")
    at = {s: sp.Integer(1), Delta: sp.Integer(1)}

    assert renyi(alpha, P, Q, GIVEN).conditions == ()
    (condition,) = renyi(alpha, Q, P, GIVEN).conditions
    border = 1 / (1 - exp(-1))  # alpha (1 - e^-Delta) = 1
    for order, sign in ((Fraction(3, 2), 1), (Fraction(8, 5), -1)):
        assert value(condition.lhs, {alpha: order, s: Fraction(1), Delta: Fraction(1)}) * sign > 0
        assert (number(order) < border) == (sign == 1)
    first = quad(lambda v: NOISE["gumbel"](v) ** mpf(3 / 2) * NOISE["gumbel"](v - 1) ** mpf(-1 / 2), [-6, 0, 3, inf])
    found = substitute(renyi(alpha, Q, P, GIVEN).expression, {**at, alpha: sp.Rational(3, 2)})
    assert abs(value(found, {}) - 2 * log(first)) < mpf(10) ** -8
    assert max_divergence(Q, P, GIVEN).expression == sp.oo


@pytest.mark.parametrize("text", ["1/(pi*cosh(y))", "2/(pi*(1+y^2)^2)", "exp(-exp(y^2))", "3/(8*cosh(y)^4)*2"])
def test_other_densities_are_left_alone_or_refused(text: str) -> None:
    P, Q = shifted(Density(y, read_expression(text)), Delta)

    assert straightened(P, Q, GIVEN) == (P, Q)
    with pytest.raises(NoClosedForm):
        partial(renyi, alpha)(P, Q, GIVEN)


def test_a_sign_that_is_not_settled_is_no_answer() -> None:
    P, Q = pair("logistic")

    with pytest.raises(NoClosedForm):
        renyi(alpha, P, Q, (s > 0,))
    with pytest.raises(NoClosedForm):
        renyi(alpha, P, Q, (Delta > 0,))
