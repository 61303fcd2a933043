"""Members of one exponential family, against sums and quadrature; and where the affinity is infinite."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import binomial, exp, factorial, gamma, inf, log, mp, mpf, quad

from dpsym.core.distributions import Density, Pmf
from dpsym.core.notation import alpha, k, n, y
from dpsym.core.relations import IsInteger, Relation, propositions, substitute
from dpsym.divergences import NoClosedForm, affinity, kullback_leibler, max_divergence, renyi
from dpsym.numbers import enclose

l0, l1, N = sp.symbols("l0 l1 N")
POSITIVE = propositions((l0 > 0, l1 > 0, k > 0, N >= 1, IsInteger(N)))
shares = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10)
orders = st.fractions(Fraction(8, 7), 3, max_denominator=7)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(20):
        yield


def poisson(rate: sp.Expr) -> Pmf:
    return Pmf(n, sp.exp(-rate) * rate**n / sp.factorial(n), sp.S.Zero)


def binomials(p: sp.Expr) -> Pmf:
    return Pmf(n, sp.binomial(N, n, evaluate=False) * p**n * (1 - p) ** (N - n), sp.S.Zero, N)


def gammas(scale: sp.Expr) -> Density:
    return Density(y, y ** (k - 1) * sp.exp(-y / scale) / (sp.gamma(k) * scale**k), sp.Interval(0, sp.oo))


def value(expression: sp.Expr, at: dict[sp.Symbol, object]) -> mpf:
    found = enclose(expression, at, digits=15)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def number(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def close(found: mpf, expected: mpf) -> bool:
    return abs(found - expected) <= mpf(10) ** -11 * (1 + abs(expected))


@given(shares, shares, orders, st.integers(1, 6))
@settings(max_examples=4, deadline=None)
def test_masses_agree_with_sums(first: Fraction, second: Fraction, order: Fraction, size: int) -> None:
    assume(first != second)
    at = {l0: first, l1: second, alpha: order, N: size}
    p, q, o = number(first), number(second), number(order)
    below = (*POSITIVE, l0 < 1, l1 < 1)
    masses = {
        poisson: lambda i, r: exp(-r) * r**i / factorial(i),
        binomials: lambda i, r: binomial(size, i) * r**i * (1 - r) ** (size - i),
    }
    for family, mass in masses.items():
        pairs = [(mass(i, p), mass(i, q)) for i in range(60 if family is poisson else size + 1)]
        P, Q = family(l0), family(l1)
        whole = sum(a**o * b ** (1 - o) for a, b in pairs)
        assert close(value(affinity(alpha, P, Q, below).expression, at), whole)
        assert close(value(renyi(alpha, P, Q, below).expression, at), log(whole) / (o - 1))
        assert close(value(kullback_leibler(P, Q, below).expression, at), sum(a * log(a / b) for a, b in pairs))


@given(shares, shares, orders, st.integers(1, 3))
@settings(max_examples=3, deadline=None)
def test_gamma_densities_agree_with_quadrature(first: Fraction, second: Fraction, order: Fraction, size: int) -> None:
    assume(first != second)
    at = {l0: first, l1: second, alpha: order, k: size}
    s, t, o = number(first), number(second), number(order)

    def p(x: mpf) -> mpf:
        return x ** (size - 1) * exp(-x / s) / (gamma(size) * s**size)

    def q(x: mpf) -> mpf:
        return x ** (size - 1) * exp(-x / t) / (gamma(size) * t**size)

    found = renyi(alpha, gammas(l0), gammas(l1), POSITIVE)
    (condition,) = found.conditions
    falls = o / s + (1 - o) / t
    assert (value(condition.lhs, at) > 0) == (falls > 0)
    kl = value(kullback_leibler(gammas(l0), gammas(l1), POSITIVE).expression, at)
    assert close(kl, quad(lambda x: p(x) * log(p(x) / q(x)), [0, s, 5 * s, inf]))
    if falls > mpf(1) / 10:
        whole = quad(lambda x: p(x) ** o * q(x) ** (1 - o), [0, 1 / falls, 5 / falls, inf])
        assert close(value(found.expression, at), log(whole) / (o - 1))


def test_an_order_at_which_nothing_falls_is_infinite() -> None:
    exact = {l0: sp.Integer(3), l1: sp.Integer(1), k: sp.Integer(2)}
    P, Q = (D.subs(exact) for D in (gammas(l0), gammas(l1)))

    assert renyi(sp.Integer(2), P, Q).expression == sp.oo
    assert substitute(renyi(sp.Rational(5, 4), P, Q).expression, {}).is_finite


def test_the_largest_loss_is_at_an_end() -> None:
    smaller = (*POSITIVE, l1 > l0)

    assert max_divergence(poisson(l0), poisson(l1), smaller).expression == l1 - l0
    assert max_divergence(poisson(l1), poisson(l0), smaller).expression == sp.oo
    with pytest.raises(NoClosedForm, match="not settled"):
        max_divergence(poisson(l0), poisson(l1), POSITIVE)


def test_different_carriers_are_not_one_family() -> None:
    with pytest.raises(NoClosedForm):
        renyi(alpha, poisson(l0), Pmf(n, (1 - l1) * l1**n, sp.S.Zero), (l0 > 0, l1 > 0, Relation(l1, "<", sp.S.One)))
