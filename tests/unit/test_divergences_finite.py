"""Divergences of finite distributions, against their definitions in exact arithmetic."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpsym.core.distributions import Finite
from dpsym.core.notation import Phi_inv, a, alpha, epsilon, q
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
from dpsym.numbers import compare, enclose

Pair = tuple[list[Fraction], list[Fraction]]


@st.composite
def pairs(draw: st.DrawFn, *, least: int = 0, outcomes: int = 5) -> Pair:
    """Two lists of rational probabilities; some may be zero if `least` is."""
    size = draw(st.integers(2, outcomes))
    counts = st.lists(st.integers(least, 12), min_size=size, max_size=size).filter(any)
    first, second = draw(counts), draw(counts)
    return [Fraction(c, sum(first)) for c in first], [Fraction(c, sum(second)) for c in second]


def distributions(pair: Pair) -> tuple[Finite, Finite]:
    first, second = pair
    return Finite(tuple(map(sp.Rational, first))), Finite(tuple(map(sp.Rational, second)))


def fraction(value: sp.Expr) -> Fraction:
    assert isinstance(value, sp.Rational), value
    return Fraction(int(value.p), int(value.q))


@given(pairs(), st.fractions(0, 5, max_denominator=12))
def test_hockey_stick_is_the_best_event(pair: Pair, gamma: Fraction) -> None:
    P, Q = distributions(pair)
    events = itertools.product((0, 1), repeat=len(pair[0]))
    best = max(sum(w * (p - gamma * q) for w, p, q in zip(event, *pair, strict=True)) for event in events)

    assert fraction(hockey_stick(sp.Rational(gamma), P, Q).expression) == best


@given(pairs())
def test_total_variation_is_half_the_distance(pair: Pair) -> None:
    P, Q = distributions(pair)

    assert fraction(total_variation(P, Q).expression) == sum(abs(p - q) for p, q in zip(*pair, strict=True)) / 2
    assert total_variation(P, P).expression == 0


def least_error(pair: Pair, level: Fraction) -> Fraction:
    """Neyman-Pearson, outcome by outcome: reject where q/p is largest."""
    outcomes = sorted(zip(*pair, strict=True), key=lambda w: (w[0] != 0, -w[1] / w[0] if w[0] else 0))
    missed, left = Fraction(1), level
    for first, second in outcomes:
        share = Fraction(1) if first == 0 else min(Fraction(1), left / first)
        missed, left = missed - share * second, left - share * first
    return missed


@pytest.mark.slow
@given(pairs(), st.fractions(0, 1, max_denominator=24))
def test_the_trade_off_function_is_the_best_test(pair: Pair, level: Fraction) -> None:
    P, Q = distributions(pair)
    curve = trade_off(a, P, Q).expression

    assert fraction(curve.subs(a, sp.Rational(level))) == least_error(pair, level)
    assert fraction(trade_off(sp.Rational(level), P, Q).expression) == least_error(pair, level)


@given(pairs(), st.integers(2, 5))
def test_renyi_divergence_of_integer_order_is_its_definition(pair: Pair, order: int) -> None:
    P, Q = distributions(pair)
    if any(p and not q for p, q in zip(*pair, strict=True)):
        assert renyi(sp.Integer(order), P, Q).expression == sp.oo
        return
    moment = sum(p**order / q ** (order - 1) for p, q in zip(*pair, strict=True) if q)

    assert fraction(affinity(sp.Integer(order), P, Q).expression) == moment
    assert renyi(sp.Integer(order), P, Q).expression == sp.log(sp.Rational(moment)) / (order - 1)


@pytest.mark.slow
@given(pairs(least=1), st.lists(st.fractions(Fraction(1, 5), 20, max_denominator=6), min_size=2, max_size=4))
@settings(max_examples=12, deadline=None)
def test_renyi_divergence_grows_with_its_order_from_kl_to_max(pair: Pair, orders: list[Fraction]) -> None:
    P, Q = distributions(pair)
    assume(pair[0] != pair[1])
    values = [enclose(renyi(sp.Rational(o), P, Q).expression, digits=20) for o in sorted(set(orders) - {1})]
    least, most = (enclose(d(P, Q).expression, digits=20) for d in (kullback_leibler, max_divergence))

    for smaller, larger in itertools.pairwise(values):
        assert smaller.lower <= larger.upper
    for order, value in zip(sorted(set(orders) - {1}), values, strict=True):
        assert value.lower <= most.upper
        assert (value.lower <= least.upper) if order < 1 else (least.lower <= value.upper)


@given(pairs(least=1))
@settings(max_examples=15, deadline=None)
def test_the_order_of_neighbours_that_is_worse(pair: Pair) -> None:
    P, Q = distributions(pair)

    assert worst(max_divergence, P, Q).expression == worst(max_divergence, Q, P).expression
    both = fraction(worst(lambda p, q, _: hockey_stick(sp.Integer(2), p, q), P, Q).expression)
    assert both == max(fraction(hockey_stick(sp.Integer(2), *order).expression) for order in ((P, Q), (Q, P)))


def test_an_outcome_that_only_p_has_makes_divergences_infinite() -> None:
    half = sp.Rational(1, 2)
    P, Q = Finite((half, half, 0)), Finite((half, 0, half))

    assert all(d(P, Q).expression == sp.oo for d in (kullback_leibler, max_divergence))
    assert renyi(alpha, P, Q).expression == sp.oo
    assert renyi(half, P, Q).expression == 2 * sp.log(2)
    assert total_variation(P, Q).expression == half
    assert hockey_stick(sp.exp(epsilon), P, Q, (epsilon >= 0,)).expression == half


def test_an_outcome_that_only_q_has_contributes_nothing() -> None:
    half = sp.Rational(1, 2)
    P, Q = Finite((half, half, 0)), Finite((half / 2, half / 2, half))

    assert kullback_leibler(P, Q).expression == sp.log(2)
    assert max_divergence(P, Q).expression == sp.log(2)
    assert affinity(sp.Integer(7), P, Q).expression == 2**6


def test_an_outcome_that_neither_has_contributes_nothing() -> None:
    third, zero = sp.Rational(1, 3), sp.Integer(0)
    with_it = Finite((third, 2 * third, zero)), Finite((2 * third, third, zero))
    without = Finite((third, 2 * third)), Finite((2 * third, third))

    for divergence in (kullback_leibler, max_divergence, total_variation):
        assert divergence(*with_it).expression == divergence(*without).expression
    assert trade_off(a, *with_it).expression == trade_off(a, *without).expression


def test_outcomes_may_be_counted_instead_of_listed() -> None:
    tenth = sp.Rational(1, 10)
    listed = Finite((7 * tenth, tenth, tenth, tenth)), Finite((tenth, 7 * tenth, tenth, tenth))
    counted = Finite((7 * tenth, tenth, tenth), (1, 1, 2)), Finite((tenth, 7 * tenth, tenth), (1, 1, 2))

    for divergence in (kullback_leibler, max_divergence, total_variation):
        assert divergence(*listed).expression == divergence(*counted).expression
    assert affinity(sp.Integer(3), *listed).expression == affinity(sp.Integer(3), *counted).expression


@pytest.mark.parametrize("digits", [9, 20, 40, 200])
def test_an_order_next_to_one_loses_no_digits(digits: int) -> None:
    P, Q = Finite((sp.Rational(1, 3), sp.Rational(2, 3))), Finite((sp.Rational(1, 2), sp.Rational(1, 2)))
    step = sp.Rational(1, 10**digits)
    near = enclose(renyi(1 + step, P, Q).expression, digits=30)
    kl = enclose(kullback_leibler(P, Q).expression, digits=30)

    # D_alpha = KL + (alpha - 1)/2 Var(loss) + ..., and the variance here is below 1/2
    assert near.lower - kl.upper <= sp.Rational(1, 10**digits) + sp.Rational(1, 10**28)
    assert near.upper >= kl.lower
    assert float(near.width / near.lower) <= 1e-28


def test_bernoulli_in_symbols() -> None:
    P, Q = Finite((q, 1 - q)), Finite((1 - q, q))
    small = (q > 0, q < sp.Rational(1, 2))

    assert max_divergence(P, Q, small).expression == sp.log((1 - q) / q)
    assert symmetric(P, Q)
    third = {q: sp.Rational(1, 3)}
    assert sp.expand_log(kullback_leibler(P, Q, small).expression.subs(third), force=True) == sp.log(2) / 3


def test_a_zero_that_may_be_one_is_a_condition() -> None:
    P, Q = Finite((sp.Rational(1, 2), sp.Rational(1, 2))), Finite((q, 1 - q))
    found = kullback_leibler(P, Q, (q >= 0, q < 1))

    assert [str(c) for c in found.conditions] == ["q > 0"]


def test_lists_of_different_outcomes_are_refused() -> None:
    with pytest.raises(NoClosedForm, match="list the same"):
        kullback_leibler(Finite((1,)), Finite((sp.Rational(1, 2), sp.Rational(1, 2))))
    with pytest.raises(NoClosedForm):
        kullback_leibler(Finite((sp.Rational(3, 2), -sp.Rational(1, 2))), Finite((sp.Rational(1, 2),) * 2))


def test_orders_outside_the_range_are_refused() -> None:
    P = Finite((sp.Rational(1, 2), sp.Rational(1, 2)))
    with pytest.raises(ValueError, match="order"):
        renyi(sp.Integer(0), P, P)
    with pytest.raises(ValueError, match="order"):
        renyi(sp.Integer(-2), P, P)
    with pytest.raises(ValueError, match="negative"):
        hockey_stick(sp.Integer(-1), P, P)
    with pytest.raises(TypeError, match="exact"):
        renyi(1.5, P, P)


# --- outcomes that are alike

half, third, sixth = sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(1, 6)


def test_outcomes_of_one_likelihood_ratio_make_no_corner_between_them() -> None:
    whole = gaussian_dominated(Finite((half, sixth, third)), Finite((sixth, half, third)))
    parts = gaussian_dominated(Finite((half, sixth, sixth, sixth)), Finite((sixth, half, sixth, sixth)))
    steps = [sp.Rational(n, 15) for n in (8, 4, 2, 1)]
    split = gaussian_dominated(Finite(tuple(steps)), Finite(tuple(steps[::-1])))

    assert whole.expression == parts.expression
    assert whole.expression == -Phi_inv(sixth) - Phi_inv(half)
    assert split.expression.has(sp.Max)  # other ratios make some


@pytest.mark.parametrize("masses", [(half, half), (sp.S.One,), (half, third, sixth)], ids=str)
def test_a_distribution_and_itself_need_no_budget(masses: tuple[sp.Rational, ...]) -> None:
    assert gaussian_dominated(Finite(masses), Finite(masses)).expression == 0


def test_the_zcdp_rule_adds_up_what_tells_nothing() -> None:
    total = sp.exp(epsilon) + 1 + q + q * sp.exp(epsilon)
    own, other, rest = sp.exp(epsilon) / total, 1 / total, (q / total, q * sp.exp(epsilon) / total)
    found = zero_concentrated(Finite((own, other, *rest)), Finite((other, own, *rest)), (epsilon > 0, q > 0))

    (condition,) = found.conditions
    at = {epsilon: sp.log(4), q: sp.Rational(39, 50)}  # (1 + 4) q <= 2 sqrt(4)
    assert compare(condition.subs(at)).holds is True
    assert compare(condition.subs({**at, q: sp.Rational(41, 50)})).holds is False
    assert sp.simplify((found.expression - epsilon * (own - other)).subs(at)) == 0


def test_a_condition_that_never_holds_is_no_zcdp_rule() -> None:
    total = 2 * (sp.exp(epsilon) + 1)
    own, other = sp.exp(epsilon) / total, 1 / total
    with pytest.raises(NoClosedForm):
        zero_concentrated(Finite((own, other, own, other)), Finite((other, own, own, other)), (epsilon > 0,))
