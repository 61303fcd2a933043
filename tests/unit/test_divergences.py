"""The engine on densities and masses, against quadrature, sums and what is known in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import exp, inf, log, mp, mpf, quad

from dpsym.catalogue import mechanisms
from dpsym.core.distributions import Density, Pmf, shifted
from dpsym.core.notation import Delta, a, alpha, b, epsilon, k, n, q, sigma, y
from dpsym.core.relations import IsInteger, Relation, substitute
from dpsym.divergences import (
    NoClosedForm,
    affinity,
    gaussian_dominated,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    symmetric,
    total_variation,
    trade_off,
    worst,
    zero_concentrated,
)
from dpsym.divergences.exponential_sums import ExpSum, Ring
from dpsym.divergences.signs import Signs
from dpsym.numbers import enclose

s0, s1, m0, m1 = sp.symbols("s0 s1 m0 m1")
positive = st.fractions(Fraction(1, 4), 4, max_denominator=12)
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


def one_sided(ratio: sp.Expr) -> Pmf:
    return Pmf(n, (1 - ratio) * ratio**n, sp.Integer(0), sp.oo)


def integral(f: Callable[[mpf, mpf], mpf], P: Density, Q: Density, places: list[mpf]) -> mpf:
    p, q_ = (sp.lambdify(y, D.expression, "mpmath") for D in (P, Q))
    return quad(lambda t: f(p(t), q_(t)), [-inf, *sorted(set(places)), inf])


# --- families with closed forms of their own


@pytest.mark.slow
@given(positive, positive, positive, orders)
@settings(max_examples=6, deadline=None)
def test_laplace_of_two_scales(shift: Fraction, first: Fraction, second: Fraction, order: Fraction) -> None:
    scales = {s0: first, s1: second, Delta: shift}
    found = renyi(sp.Rational(order), laplace(Delta, s0), laplace(0, s1), (s0 > 0, s1 > 0, Delta > 0))
    assume(order * second + (1 - order) * first != 0 and order * second != (order - 1) * first)
    exact = {s: sp.Rational(v) for s, v in scales.items()}
    P, Q = laplace(exact[Delta], exact[s0]), laplace(0, exact[s1])
    places = [mpf(0), number(shift)]

    if order * second + (1 - order) * first > 0:
        integrand = integral(lambda p, q_: p ** number(order) * q_ ** (1 - number(order)), P, Q, places)
        if order * second != (1 - order) * first:
            assert close(value(found.expression, scales), log(integrand) / (number(order) - 1))
    else:
        assert renyi(sp.Rational(order), P, Q).expression == sp.oo
    expected = integral(lambda p, q_: p * log(p / q_), P, Q, places)
    kl = kullback_leibler(laplace(Delta, s0), laplace(0, s1), (s0 > 0, s1 > 0, Delta > 0))
    assert close(value(kl.expression, scales), expected)


def test_normals_of_two_variances() -> None:
    """Gil, Alajaji and Linder 2013: finite while alpha s1^2 + (1 - alpha) s0^2 > 0."""
    found = renyi(alpha, normal(m0, s0), normal(m1, s1), (s0 > 0, s1 > 0))
    mixed = alpha * s1**2 + (1 - alpha) * s0**2
    literature = alpha * (m0 - m1) ** 2 / (2 * mixed) + sp.log(sp.sqrt(mixed) / (s0 ** (1 - alpha) * s1**alpha)) / (
        1 - alpha
    )
    point = {m0: Fraction(2, 3), m1: Fraction(-1, 5), s0: Fraction(3, 2), s1: Fraction(7, 5), alpha: Fraction(5, 2)}

    assert close(value(found.expression, point), value(literature, point))
    (condition,) = found.conditions
    assert sp.cancel(substitute(condition.lhs, {s0: 1, s1: 2}) * 8 - (1 + 3 * alpha)) == 0
    far = {s0: sp.Integer(3), s1: sp.Integer(1), m0: sp.Integer(0), m1: sp.Integer(0)}
    assert renyi(sp.Integer(2), normal(m0, s0).subs(far), normal(m1, s1).subs(far)).expression == sp.oo


@pytest.mark.cases(5)
@pytest.mark.parametrize("level", [Fraction(0), Fraction(1, 3), Fraction(2)])
@pytest.mark.parametrize("scales", [(Fraction(1), Fraction(3, 2)), (Fraction(3, 2), Fraction(1))])
def test_the_profile_of_normals_of_two_variances(level: Fraction, scales: tuple[Fraction, Fraction]) -> None:
    wider = s0 < s1 if scales[0] < scales[1] else s0 > s1
    P, Q = normal(m0, s0), normal(sp.S.Zero, s1)
    found = hockey_stick(sp.exp(epsilon), P, Q, (s0 > 0, s1 > 0, wider, epsilon >= 0))
    point = {m0: Fraction(1, 2), s0: scales[0], s1: scales[1], epsilon: level}
    exact = {s: sp.Rational(v) for s, v in point.items()}
    first, second = P.subs(exact), Q.subs(exact)
    g = exp(number(level))
    roots = mp.polyroots([mpf(1) / number(scales[1]) ** 2 - mpf(1) / number(scales[0]) ** 2, 1 / number(scales[0]) ** 2,
                          -(mpf(1) / 4) / number(scales[0]) ** 2
                          - 2 * number(level) - 2 * log(number(scales[0]) / number(scales[1]))])  # fmt: skip
    places = [mp.re(r) for r in roots if abs(mp.im(r)) < mpf(10) ** -15]
    expected = integral(lambda p, q_: max(p - g * q_, mpf(0)), first, second, places or [mpf(0)])

    assert found.conditions == ()
    assert abs(value(found.expression, point) - expected) < mpf(10) ** -12


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


def test_normals_of_two_variances_have_an_exact_largest_loss() -> None:
    given = (s0 > 0, s1 > s0)
    found = max_divergence(normal(m0, s0), normal(m1, s1), given)
    expected = (m0 - m1) ** 2 / (2 * (s1**2 - s0**2)) + sp.log(s1) - sp.log(s0)

    assert sp.expand(sp.together(found.expression - expected)).equals(0)
    assert max_divergence(normal(m1, s1), normal(m0, s0), given).expression == sp.oo


def test_exponentials_are_infinite_from_some_order_on_although_kl_is_not() -> None:
    P, Q = exponential(sp.Integer(1)), exponential(sp.Integer(3))
    found = renyi(alpha, P, Q)

    assert [str(c) for c in found.conditions] == ["3 - 2*alpha > 0"]
    assert close(value(found.expression, {alpha: Fraction(5, 4)}), value(sp.log(sp.root(3, 4) ** -1 * 2) * 4))
    assert renyi(sp.Rational(3, 2), P, Q).expression == sp.oo
    assert close(value(kullback_leibler(P, Q).expression), value(2 - sp.log(3)))
    assert max_divergence(P, Q).expression == sp.oo
    assert max_divergence(Q, P).expression == sp.log(3)
    assert worst(max_divergence, P, Q).expression == sp.oo


@pytest.mark.slow
@given(
    positive, positive, positive, orders, st.fractions(0, 3, max_denominator=9), st.fractions(0, 1, max_denominator=9)
)
@settings(max_examples=3, deadline=None)
def test_laplace_noise_steeper_on_one_side(
    right: Fraction, left: Fraction, shift: Fraction, order: Fraction, level: Fraction, share: Fraction
) -> None:
    """Not symmetric: the two orders of the neighbours differ in everything."""
    noise = Density(y, sp.Piecewise((sp.exp(y / s1), y < 0), (sp.exp(-y / s0), True)) / (s0 + s1))
    P, Q = shifted(noise, Delta)
    positives = (s0 > 0, s1 > 0, Delta > 0)
    point = {s0: right, s1: left, Delta: shift, alpha: order, epsilon: level}
    r, l, d, e = (number(v) for v in (right, left, shift, level))  # noqa: E741

    def density(t: mpf) -> mpf:
        return (exp(t / l) if t < 0 else exp(-t / r)) / (r + l)

    def whole(f: Callable[[mpf], mpf], *places: mpf) -> mpf:
        return quad(f, [-inf, *sorted({mpf(0), d, *(min(max(t, mpf(0)), d) for t in places)}), inf])

    def at(found: sp.Expr, **more: Fraction) -> mpf:
        there = {**point, **{sp.Symbol(name): v for name, v in more.items()}}
        return value(found, {s: v for s, v in there.items() if s in found.free_symbols})

    moment = whole(lambda t: density(t - d) ** number(order) * density(t) ** (1 - number(order)))
    assert close(at(affinity(alpha, P, Q, positives).expression), moment)
    loss = whole(lambda t: density(t - d) * log(density(t - d) / density(t)))
    assert close(at(kullback_leibler(P, Q, positives).expression), loss)
    assert not symmetric(P, Q, positives)
    assert worst(max_divergence, P, Q, positives).expression == sp.Max(Delta / s0, Delta / s1)

    crossing = {True: (e + d / l) / (1 / r + 1 / l), False: (d / l - e) / (1 / r + 1 / l)}
    for forth, (first, second) in ((True, (P, Q)), (False, (Q, P))):
        u, v = (d, mpf(0)) if forth else (mpf(0), d)
        excess = whole(lambda t: max(density(t - u) - exp(e) * density(t - v), mpf(0)), crossing[forth])  # noqa: B023
        found = hockey_stick(sp.exp(epsilon), first, second, (*positives, epsilon >= 0))
        assert close(at(found.expression), excess)

        # the test between the two centres: reject the first on the side of the second
        threshold = d * number(share)
        sides = [[-inf, *sorted({mpf(0), threshold})], [*sorted({threshold, d}), inf]]
        type_one = quad(lambda t: density(t - u), sides[0 if forth else 1])  # noqa: B023
        type_two = quad(lambda t: density(t - v), sides[1 if forth else 0])  # noqa: B023
        near = Fraction(int(type_one * 10**28), 10**28)
        curve = trade_off(a, first, second, (*positives, a > 0, a < 1)).expression
        assert close(at(curve, a=near), type_two)


def test_geometric_masses_on_one_side() -> None:
    half, third = sp.Rational(1, 2), sp.Rational(1, 3)
    found = renyi(sp.Integer(2), one_sided(third), one_sided(half))
    # sum of (2/3)^2 3^(-2n) / (2^(-n)/2) = (8/9) sum (2/9)^n = (8/9)(9/7)
    assert close(value(found.expression), log(mpf(8) / 7))
    assert close(value(kullback_leibler(one_sided(half), one_sided(third)).expression), log(mpf(9) / 8))
    assert renyi(sp.Integer(3), one_sided(half), one_sided(third)).expression == sp.oo  # (1/2)^3 3^2 > 1
    symbolic = kullback_leibler(one_sided(s0), one_sided(s1), (s0 > 0, s0 < 1, s1 > 0, s1 < 1))
    assert close(value(symbolic.expression, {s0: Fraction(1, 2), s1: Fraction(1, 3)}), log(mpf(9) / 8))


def test_a_shift_uncovers_part_of_a_support() -> None:
    P, Q = shifted(one_sided(sp.Rational(1, 2)), sp.Integer(1))

    assert renyi(alpha, P, Q).expression == sp.log(2)
    assert renyi(alpha, Q, P).expression == sp.oo
    assert total_variation(P, Q).expression == total_variation(Q, P).expression == sp.Rational(1, 2)
    assert not symmetric(P, Q)
    assert worst(max_divergence, P, Q).expression == sp.oo


def test_uniform_distributions() -> None:
    P, Q = shifted(Density(y, sp.Integer(1), sp.Interval(0, 1)), Delta)
    inside = (Delta > 0, Delta < 1)

    assert hockey_stick(sp.exp(epsilon), P, Q, (*inside, epsilon >= 0)).expression == Delta
    assert kullback_leibler(P, Q, inside).expression == sp.oo
    assert gaussian_dominated(P, Q, inside).expression == sp.oo
    assert renyi(sp.Rational(1, 2), P, Q, inside).expression == -2 * sp.log(1 - Delta)
    curve = trade_off(a, P, Q, inside).expression.subs(Delta, sp.Rational(1, 3))
    assert [curve.subs(a, sp.Rational(t, 12)) for t in (0, 3, 8, 12)] == [
        sp.Rational(2, 3), sp.Rational(5, 12), 0, 0,
    ]  # fmt: skip


def test_truncated_laplace_noise() -> None:
    noise = Density(y, sp.exp(-sp.Abs(y)) / (2 * (1 - sp.exp(-2))), sp.Interval(-2, 2))
    P, Q = shifted(noise, sp.Integer(1))
    found = hockey_stick(sp.exp(epsilon), P, Q, (epsilon >= 0,)).expression

    c = 1 / (2 * (1 - exp(mpf(-2))))
    for level in (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2)):
        e = number(level)

        def excess(t: mpf, e: mpf = e) -> mpf:
            p = c * exp(-abs(t - 1)) if -1 <= t <= 3 else mpf(0)
            q_ = c * exp(-abs(t)) if -2 <= t <= 2 else mpf(0)
            return max(p - exp(e) * q_, mpf(0))

        pieces = sorted({mpf(-2), mpf(-1), mpf(0), (1 + e) / 2, mpf(1), mpf(2), mpf(3)})
        assert close(value(found, {epsilon: level}), quad(excess, pieces))


@given(positive, positive, st.fractions(0, 4, max_denominator=8))
@settings(max_examples=10, deadline=None)
def test_exchanging_the_distributions_inverts_gamma(scale: Fraction, shift: Fraction, level: Fraction) -> None:
    """H_gamma(P, Q) = 1 - gamma + gamma H_(1/gamma)(Q, P)."""
    P, Q = shifted(laplace(0, sp.Rational(scale)), sp.Rational(shift))
    e = sp.Rational(level)
    forth = value(hockey_stick(sp.exp(e), P, Q).expression)
    back = value(hockey_stick(sp.exp(-e), Q, P).expression)

    assert close(forth, 1 - exp(number(level)) + exp(number(level)) * back)


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


def test_shapes_without_a_rule() -> None:
    student = Density(y, 2 / (sp.pi * (1 + y**2) ** 2))
    with pytest.raises(NoClosedForm, match="not exp of a polynomial"):
        renyi(alpha, *shifted(student, Delta))
    with pytest.raises(NoClosedForm, match="degree at most 2"):
        renyi(alpha, *shifted(Pmf(n, sp.exp(-(n**4))), sp.Integer(1)))
    with pytest.raises(NoClosedForm, match="both"):
        renyi(alpha, laplace(0, b), one_sided(q))
    with pytest.raises(NoClosedForm, match="not symmetric"):
        zero_concentrated(exponential(sp.Integer(3)), exponential(sp.Integer(2)))


def test_questions_of_order_that_the_assumptions_leave_open() -> None:
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
