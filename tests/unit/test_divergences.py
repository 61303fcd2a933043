"""The engine on densities and masses, against quadrature, sums and what is known in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import inf, mp, mpf, quad

from dpsym.catalogue import mechanisms
from dpsym.core.distributions import Density, Pmf, shifted
from dpsym.core.notation import Delta, a, alpha, b, epsilon, k, n, sigma, y
from dpsym.core.relations import IsInteger, Relation
from dpsym.divergences import (
    NoClosedForm,
    affinity,
    gaussian_dominated,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    total_variation,
    trade_off,
    zero_concentrated,
)
from dpsym.divergences.exponential_sums import ExpSum, Ring
from dpsym.divergences.signs import Signs
from dpsym.numbers import enclose

s0, s1, m0, m1 = sp.symbols("s0 s1 m0 m1")
orders = st.fractions(Fraction(11, 10), 5, max_denominator=10)


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with mp.workdps(25):
        yield


def number(value: Fraction | sp.Rational) -> mpf:
    value = Fraction(str(value))
    return mpf(value.numerator) / value.denominator


def value(expression: sp.Expr, point: dict[sp.Symbol, Fraction] | None = None) -> mpf:
    found = enclose(expression, point or {}, digits=18)
    return (mpf(str(found.lower)) + mpf(str(found.upper))) / 2


def close(found: mpf, expected: mpf) -> bool:
    return abs(found - expected) <= mpf(10) ** -14 * (1 + abs(expected))


def normal(mean: sp.Expr, deviation: sp.Expr) -> Density:
    return Density(y, sp.exp(-((y - mean) ** 2) / (2 * deviation**2)) / (deviation * sp.sqrt(2 * sp.pi)))


def laplace(centre: sp.Expr, scale: sp.Expr) -> Density:
    return Density(y, sp.exp(-sp.Abs(y - centre) / scale) / (2 * scale))


def exponential(rate: sp.Expr) -> Density:
    return Density(y, rate * sp.exp(-rate * y), sp.Interval(0, sp.oo))


def integral(f: Callable[[mpf, mpf], mpf], P: Density, Q: Density, places: list[mpf]) -> mpf:
    p, q_ = (sp.lambdify(y, D.expression, "mpmath") for D in (P, Q))
    return quad(lambda t: f(p(t), q_(t)), [-inf, *sorted(set(places)), inf])


# --- families with closed forms of their own


@pytest.mark.parametrize("kind", ["density", "masses"])
def test_a_parabola_that_opens_upwards_is_not_infinite_over_a_bounded_range(kind: str) -> None:
    """The uniform distribution from a normal one at order 2: the integral of exp(y^2/2) over [0, 1]."""
    bounded, whole = Density(y, sp.S.One, sp.Interval(0, 1)), normal(sp.S.Zero, sp.S.One)
    if kind == "masses":
        bounded = Pmf(n, sp.Rational(1, 2), sp.S.Zero, sp.S.One)
        whole = mechanisms()["discrete_gaussian"].outputs[1].subs({sigma: sp.S.One})

    with pytest.raises(NoClosedForm):
        renyi(sp.Integer(2), bounded, whole)
    assert renyi(sp.Integer(2), whole, bounded).expression == sp.oo


# --- orders next to the special ones


@pytest.mark.parametrize("digits", [6, 20, 60, 300])
def test_an_order_next_to_one_loses_no_digits(digits: int) -> None:
    for mechanism, point in (("laplace", {b: 1, Delta: 1}), ("geometric", {b: 1, Delta: 3})):
        entry = mechanisms()[mechanism]
        near = enclose(
            renyi(alpha, *entry.outputs, entry.domain).expression,
            {**point, alpha: 1 + Fraction(1, 10**digits)},
            digits=25,
        )
        kl = enclose(kullback_leibler(*entry.outputs, entry.domain).expression, point, digits=40)

        assert near.upper >= kl.lower
        assert near.lower <= kl.upper + 2 * sp.Rational(1, 10**digits) + sp.Rational(1, 10**20)
        assert Fraction(near.width) <= Fraction(near.lower) / 10**24


def test_the_divergence_at_order_one_is_the_derivative_of_the_affinity() -> None:
    for mechanism in ("gaussian", "laplace", "geometric", "randomized_response", "logistic"):
        entry = mechanisms()[mechanism]
        whole = affinity(alpha, *entry.outputs, entry.domain).expression
        slope = sp.diff(whole, alpha).subs(alpha, 1)
        kl = renyi(sp.Integer(1), *entry.outputs, entry.domain).expression
        point = {s: Fraction(2 + i, 3) if str(s) not in ("m", "Delta") else 4 for i, s in enumerate(entry.params)}

        assert close(value(slope, {s: v for s, v in point.items() if s in slope.free_symbols}), value(kl, point))


def test_the_largest_order_is_the_limit() -> None:
    for mechanism in ("laplace", "geometric", "randomized_response"):
        entry = mechanisms()[mechanism]
        point = dict.fromkeys(entry.params, 3)
        limit = value(max_divergence(*entry.outputs, entry.domain).expression, point)
        high = value(renyi(alpha, *entry.outputs, entry.domain).expression, {**point, alpha: 10**6})

        assert limit - mpf(10) ** -5 < high <= limit
        assert (
            renyi(sp.oo, *entry.outputs, entry.domain).expression
            == max_divergence(*entry.outputs, entry.domain).expression
        )


# --- what is not settled is said


RATIOS = Pmf(n, (1 - b) * b**n, sp.S.Zero)  # geometric
UNKNOWN = {
    "not exp of a polynomial": shifted(Density(y, 2 / (sp.pi * (1 + y**2) ** 2)), Delta),
    "degree at most 2": shifted(Pmf(n, sp.exp(-(n**4))), sp.Integer(1)),
    "both": (laplace(0, b), RATIOS),
    "not one family": (Pmf(n, sp.exp(-m0) * m0**n / sp.factorial(n), sp.S.Zero), RATIOS),
    "not normalised": shifted(Density(y, 2 / (sp.pi * (1 + y**2))), sp.Integer(1)),
    "not in other coordinates": shifted(Density(y, 3 / (4 * sp.cosh(y) ** 4)), Delta),
    "nothing like it": shifted(Density(y, sp.exp(-sp.exp(y**2))), Delta),
}


@pytest.mark.cases(len(UNKNOWN))
@pytest.mark.parametrize("said", UNKNOWN)
def test_shapes_without_a_rule(said: str) -> None:
    with pytest.raises(NoClosedForm):
        renyi(alpha, *UNKNOWN[said], (b > 0, b < 1, m0 > 0, Delta > 0))


def test_questions_of_order_that_the_assumptions_leave_open() -> None:
    logistic = shifted(Density(y, sp.exp(-y / b) / (b * (1 + sp.exp(-y / b)) ** 2)), Delta)
    for known in ((b > 0,), (Delta > 0,)):
        with pytest.raises(NoClosedForm):
            renyi(alpha, *logistic, known)
    cauchy = Density(y, b / (sp.pi * (y**2 + b**2)))
    with pytest.raises(NoClosedForm, match="not settled"):
        kullback_leibler(*shifted(cauchy, Delta), (b > 0,))
    with pytest.raises(NoClosedForm, match="the sign of b"):
        renyi(alpha, *shifted(laplace(0, b), Delta), (Delta > 0,))
    with pytest.raises(NoClosedForm, match=r"the sign of -?Delta"):
        renyi(alpha, *shifted(laplace(0, b), Delta), (b > 0,))
    noise = mechanisms()["geometric"].outputs[1]
    with pytest.raises(NoClosedForm, match="an integer"):
        renyi(alpha, *shifted(noise, Delta), (b > 0, Delta > 0))
    with pytest.raises(NoClosedForm, match="an integer"):
        renyi(alpha, *shifted(noise, sp.Rational(1, 2)), (b > 0,))


def test_many_queries_shift_by_a_root() -> None:
    P, Q = shifted(normal(0, sigma), sp.sqrt(k))
    given = (sigma > 0, k > 0)

    assert renyi(alpha, P, Q, given).expression == alpha * k / (2 * sigma**2)
    assert max_divergence(*shifted(laplace(0, b), sp.sqrt(k)), (b > 0, k > 0)).expression == sp.sqrt(k) / b


def test_no_shift_is_no_divergence() -> None:
    P, Q = shifted(laplace(0, b), sp.Integer(0))
    given = (b > 0,)

    for divergence in (kullback_leibler, max_divergence, total_variation):
        assert divergence(P, Q, given).expression == 0
    assert renyi(alpha, P, Q, given).expression == 0
    assert hockey_stick(sp.exp(epsilon), P, Q, (*given, epsilon >= 0)).expression == 0
    assert sp.expand(trade_off(a, P, Q, given).expression - (1 - a)) == 0


@pytest.mark.cases(1)
@pytest.mark.parametrize("shift", [1, 2, 3, 4, 7])
def test_a_numeric_shift_agrees_with_the_symbolic_one(shift: int) -> None:
    entry = mechanisms()["geometric"]
    numeric = tuple(D.subs({Delta: sp.Integer(shift)}) for D in entry.outputs)
    point = {b: Fraction(3, 2), alpha: Fraction(7, 3), epsilon: Fraction(2, 5), a: Fraction(1, 7)}
    for divergence, more in (
        (lambda P, Q, g: renyi(alpha, P, Q, g), ()),
        (lambda P, Q, g: hockey_stick(sp.exp(epsilon), P, Q, g), (epsilon >= 0,)),
        (lambda P, Q, g: trade_off(a, P, Q, g), ()),
        (zero_concentrated, ()),
        (gaussian_dominated, ()),
    ):
        symbolic = divergence(*entry.outputs, (*entry.domain, *more)).expression
        special = divergence(*numeric, (b > 0, *more)).expression
        there = {**point, Delta: shift}

        assert close(
            value(symbolic, {s: v for s, v in there.items() if s in symbolic.free_symbols}),
            value(special, {s: v for s, v in there.items() if s in special.free_symbols}),
        )


# --- the normal form and the signs

exponents = st.integers(-2, 2)
terms = st.lists(st.tuples(st.integers(-3, 3), exponents, exponents), min_size=1, max_size=4)


def _sum(ring: Ring, parts: list[tuple[int, int, int]]) -> ExpSum:
    x, z = (ring.rational(s) for s in (s0, s1))
    total = ring.term(ring.zero)
    for c, i, j in parts:
        total += ring.term(c * x**2, i * x + j / z)
    return total


@given(terms, terms, terms)
def test_exponential_sums_form_a_ring(first: list, second: list, third: list) -> None:
    ring = Ring(s0, s1)
    A, B, C = (_sum(ring, parts) for parts in (first, second, third))

    assert (A * (B + C) - A * B - A * C).is_zero
    assert ((A + B) * (A - B) - A * A + B * B).is_zero
    assert (A - A).is_zero
    if B.terms:
        assert (A * B * B.integer_power(-1) - A).is_zero
        assert (A * B.integer_power(-1) + C - (A + B * C) * B.integer_power(-1)).is_zero
        point = {s0: Fraction(2, 7), s1: Fraction(5, 3)}
        quotient = A * B.integer_power(-1)
        below = value(B.expression, point) if B.expression.free_symbols else mpf(0)
        if abs(below) > mpf(10) ** -6 and A.terms:
            assert close(value(quotient.collected().expression, point), value(A.expression, point) / below)


@given(terms)
def test_a_sum_that_is_called_zero_is_zero(parts: list) -> None:
    total = _sum(Ring(s0, s1), parts)
    point = {s0: Fraction(2, 7), s1: Fraction(5, 3)}

    if total.is_zero:
        assert all(sum(c for c, i, j in parts if (i, j) == key) == 0 for key in {(i, j) for _, i, j in parts})
    else:
        assert total.expression != 0
        assert enclose(total.expression, point, digits=5).width >= 0


bounds = st.tuples(st.fractions(-2, 2, max_denominator=3), st.booleans())
intervals = st.tuples(st.none() | bounds, st.none() | bounds)
polynomials = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 2)), st.integers(-3, 3), min_size=1, max_size=4
)


@given(polynomials, intervals, intervals, st.data())
def test_a_sign_that_is_claimed_holds_at_every_point(
    polynomial: dict, first: tuple, second: tuple, data: st.DataObject
) -> None:
    ring, given_ = Ring(s0, s1), []
    for symbol, (low, high) in ((s0, first), (s1, second)):
        if low is not None and high is not None:
            assume(low[0] < high[0])
        if low is not None:
            given_.append(Relation(symbol, ">" if low[1] else ">=", sp.Rational(low[0])))
        if high is not None:
            given_.append(Relation(symbol, "<" if high[1] else "<=", sp.Rational(high[0])))
    element = sum((c * ring.rational(s0**i * s1**j) for (i, j), c in polynomial.items()), ring.zero)
    signs = Signs(ring, given_)
    strict, weak = signs.of(element), signs.at_least_zero(element)
    values = []
    for low, high in (first, second):
        at_least = low[0] if low else (high[0] - 3 if high else Fraction(-3))
        at_most = high[0] if high else at_least + 6
        x = data.draw(st.fractions(at_least, at_most, max_denominator=7))
        assume(not (low and low[1] and x == low[0]) and not (high and high[1] and x == high[0]))
        values.append(x)
    found = sum((c * values[0] ** i * values[1] ** j for (i, j), c in polynomial.items()), Fraction(0))

    if strict is not None:
        assert (found > 0) - (found < 0) == strict
    if weak:
        assert found >= 0


def test_signs_from_relations_between_parameters() -> None:
    ring = Ring(s0, s1, k)
    x, z = ring.rational(s0), ring.rational(s1)
    signs = Signs(ring, (s0 > 0, s1 > s0))

    assert signs.of(z) == 1
    assert signs.of(z**2 - x**2) == 1
    assert signs.of(x - z) == -1
    assert signs.of(x - 2 * z) == -1
    assert signs.of(2 * x - z) is None
    assert signs.of(ring.rational(k)) is None


def test_signs_of_what_is_rounded() -> None:
    half = sp.floor((Delta + 1) / 2)
    ring = Ring(half, Delta)
    signs = Signs(ring, (Delta >= 1, IsInteger(Delta)))

    assert signs.of(ring.rational(half)) == 1
    assert signs.of(ring.rational(Delta + 1 - half)) == 1
    assert signs.of(ring.rational(Delta - half)) is None  # 0 at Delta = 1
    assert signs.at_least_zero(ring.rational(Delta / 2 + 1 - half))
    assert signs.is_integer(ring.rational(2 * half - Delta))
    assert not signs.is_integer(ring.rational(half / 2))


def test_signs_of_sums_of_exponentials() -> None:
    ring = Ring(b, Delta)
    signs = Signs(ring, (b > 0, Delta > 0))

    assert signs.of(ring.sum(1 - sp.exp(-Delta / b))) == 1
    assert signs.of(ring.sum(sp.exp(-Delta / b) / 2 - 1)) == -1
    assert signs.of(ring.sum(sp.sinh(1 / b))) == 1
    assert signs.of(ring.sum(sp.exp(-1 / b) - 1 - sp.exp(-Delta / b))) == -1
    assert signs.of(ring.sum(2 * sp.exp(-Delta / b) - 1)) is None
    assert signs.of(ring.sum(sp.exp(-Delta / b) - sp.exp(-1 / b))) is None
    assert signs.of(ring.sum((1 - sp.exp(-1 / b)) ** 2 * Delta)) == 1  # no term outweighs another by itself
    assert signs.of(ring.sum(1 - 3 * sp.exp(-1 / b) + sp.exp(-2 / b))) is None
