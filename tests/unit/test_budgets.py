"""Filters keep to their budgets in exact arithmetic, and what is no filter is refuted."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsym
from dpsym.accounting import subsampled
from dpsym.budgets import Filter, NoPrice, Odometer, Overspent
from dpsym.budgets.filters import _shown
from dpsym.budgets.odometers import _LOSS
from dpsym.budgets.prices import Price, about
from dpsym.core.notation import a, alpha, delta, gamma, mu, rho
from dpsym.statements import Adjacency
from dpsym.statements.adjacency import OtherNeighbours, word_of

amounts = st.fractions(Fraction(1, 1000), Fraction(3), max_denominator=1000)


@pytest.mark.parametrize("notion", [dpsym.pure, dpsym.zcdp], ids=lambda d: d.id)
@settings(max_examples=20, deadline=None)
@given(total=amounts, steps=st.lists(amounts, max_size=12))
def test_what_adds_up_is_admitted_up_to_the_budget_and_no_further(notion, total, steps) -> None:
    budget, spent = Filter(notion(total)), Fraction(0)
    for step in steps:
        if spent + step <= total:
            budget.spend(notion(step))
            spent += step
        else:
            with pytest.raises(Overspent):
                budget.spend(notion(step))
        assert budget.spent == (notion(spent),)
        assert budget.left == (notion(total - spent),)


@settings(max_examples=20, deadline=None)
@given(total=amounts, steps=st.lists(amounts, max_size=12))
def test_of_gdp_the_squares_add_up(total, steps) -> None:
    budget, spent = Filter(dpsym.gdp(total)), Fraction(0)
    for step in steps:
        if spent + step**2 <= total**2:
            budget.spend(dpsym.gdp(step))
            spent += step**2
        else:
            with pytest.raises(Overspent):
                budget.spend(dpsym.gdp(step))
    assert budget.spent[0].args[0] ** 2 == sp.Rational(spent.numerator, spent.denominator)


def test_what_is_left_to_the_last_digit_can_be_spent() -> None:
    budget = Filter(dpsym.gdp(1))
    for _ in range(50):
        budget.spend(dpsym.gdp(sp.sqrt(2) / 10))

    assert budget.left == (dpsym.gdp(0),)
    with pytest.raises(Overspent):
        budget.spend(dpsym.gdp(Fraction(1, 10**12)))


def test_what_is_not_rational_is_rounded_against_whoever_spends() -> None:
    budget = Filter(dpsym.zcdp(sp.log(3)))
    budget.spend(dpsym.zcdp(sp.log(2)))
    spent, left = budget.spent[0].args[0], budget.left[0].args[0]

    assert spent > sp.log(2) and left < sp.log(sp.Rational(3, 2))
    assert spent - sp.log(2) < Fraction(1, 10**15)
    with pytest.raises(Overspent):
        budget.spend(dpsym.zcdp(sp.log(sp.Rational(3, 2))))


def test_several_budgets_are_kept_all_at_once_and_nothing_is_spent_of_one_alone() -> None:
    budget = Filter(dpsym.rdp(4, 1), dpsym.rdp(16, 2))
    budget.spend(dpsym.rdp(alpha, alpha / 16))  # a quarter of the first, half of the second
    before = budget.spent
    with pytest.raises(Overspent, match=r"rdp\(16, 2\) for rdp\(alpha, alpha/8\) is more than is left"):
        budget.spend(dpsym.rdp(alpha, alpha / 8))
    assert budget.spent == before == (dpsym.rdp(4, Fraction(1, 4)), dpsym.rdp(16, 1))


def test_a_guarantee_at_another_order_says_nothing() -> None:
    with pytest.raises(NoPrice, match="counted at alpha = 4"):
        Filter(dpsym.rdp(4, 1)).spend(dpsym.rdp(8, Fraction(1, 10)))


def test_a_mechanism_costs_what_is_derived_of_it() -> None:
    budget = Filter(dpsym.zcdp(1))
    (price,) = budget.spend(dpsym.gaussian(sigma=2) ** 3)

    assert price.costs == dpsym.zcdp(Fraction(3, 8))
    assert price.fact.rules == ("gaussian", "composition_zcdp")


def test_approximate_dp_adds_both_numbers() -> None:
    budget = Filter(dpsym.approx(1, Fraction(1, 10**6)))
    budget.spend(dpsym.approx(Fraction(1, 2), Fraction(9, 10**7)))
    budget.spend(dpsym.laplace(b=4))  # at delta = 0
    with pytest.raises(Overspent):
        budget.spend(dpsym.approx(Fraction(1, 8), Fraction(2, 10**7)))
    assert budget.left == (dpsym.approx(Fraction(1, 4), Fraction(1, 10**7)),)


KNOWN = (  # for which neighbours a step may be known, and for which of them budgets may be
    (Adjacency.ANY, set(Adjacency)),
    (Adjacency.ADD_REMOVE, {Adjacency.ADD_REMOVE, Adjacency.ADD, Adjacency.REMOVE}),
    (Adjacency.REPLACE, {Adjacency.REPLACE}),
)


@pytest.mark.parametrize(("known", "kept"), KNOWN, ids=lambda v: getattr(v, "name", None))
@pytest.mark.parametrize("fixed", Adjacency, ids=lambda relation: relation.name)
def test_a_step_counts_for_the_neighbours_it_is_known_for(known, kept, fixed) -> None:
    price = Price(dpsym.pure(1), dpsym.pure(1), None, known)
    if fixed in kept:
        about(fixed, [price])
    else:
        with pytest.raises(OtherNeighbours, match=f"adjacent={word_of(known)!r}"):
            about(fixed, [price])


@pytest.mark.parametrize(
    "made",
    [
        lambda **of: Filter(dpsym.pure(1), **of),
        pytest.param(lambda **of: Odometer(Fraction(1, 9), **of), marks=pytest.mark.slow),
    ],
    ids=["filter", "odometer"],
)
def test_neighbours_are_fixed_beforehand(made) -> None:
    """Otherwise an answer could decide between a step about one record removed and one about one replaced."""
    response = dpsym.randomized_response(epsilon=Fraction(1, 10))
    budget, replaced = made(), made(neighbours=Adjacency.REPLACE)
    before = budget.spent
    with pytest.raises(OtherNeighbours, match="fixed beforehand"):
        budget.spend(response)
    assert budget.spent == before and not budget.steps
    replaced.spend(response)
    assert replaced.spent != before


@pytest.mark.slow
def test_a_poisson_sample_is_for_a_record_added_or_removed() -> None:
    sampled = subsampled(dpsym.gaussian(sigma=5), q=Fraction(1, 10))
    budget = Filter(dpsym.rdp(2, 1), neighbours=Adjacency.ADD_REMOVE)
    budget.spend(dpsym.gaussian(sigma=5))
    budget.spend(sampled)
    with pytest.raises(OtherNeighbours):
        Filter(dpsym.rdp(2, 1)).spend(sampled)


@pytest.mark.parametrize(("step", "error", "said"), [(None, TypeError, "is no step"), (1, TypeError, "is no step"),
                                                      (dpsym.laplace, NoPrice, "give Delta a value")])  # fmt: skip
def test_what_is_no_step_is_refused(step, error, said) -> None:
    for one in (Filter(dpsym.zcdp(1)), Odometer(Fraction(1, 1000))):
        with pytest.raises(error, match=said):
            one.spend(step)


@pytest.mark.parametrize("target", [sp.Rational(1, 3), sp.sqrt(2)])
@pytest.mark.parametrize("by", [lambda: dpsym.zcdp(rho), lambda: dpsym.gdp(mu)], ids=["zcdp", "gdp"])
def test_a_target_at_an_order_is_met_at_that_order(by, target) -> None:
    """The budget is rounded, and it is the divergence at the target's order that is looked at then."""
    (found,) = Filter.meeting(dpsym.rdp(8, target), by()).budgets
    reached = 8 * (found.args[0] if found.definition is dpsym.zcdp else found.args[0] ** 2 / 2)

    assert reached <= target and target - reached < Fraction(1, 10**15)


@pytest.mark.slow
def test_a_target_that_is_not_rational_is_met() -> None:
    target = dpsym.approx(sp.log(3), sp.exp(-10))
    budget = Filter.meeting(target, dpsym.zcdp(rho))
    reached = budget.meets.evaluate(digits=25)["epsilon"].upper

    assert Fraction(reached) <= sp.log(3) and sp.log(3) - Fraction(reached) < Fraction(1, 10**9)


@pytest.mark.parametrize("made", [lambda: Filter(None), lambda: Filter(dpsym.gaussian(sigma=1)),
                                  lambda: Filter(dpsym.zcdp(1), adjacent="replaced"), lambda: Filter("approx"),
                                  lambda: Odometer(Fraction(1, 9), neighbours=3)])  # fmt: skip
def test_what_makes_no_filter_is_named(made) -> None:
    with pytest.raises((TypeError, ValueError), match="expected"):
        made()


def test_what_is_shown_of_a_target_is_shown_at_its_order() -> None:
    """A control: a budget that is a little too large gives the target's loss at a smaller order, and is refused."""
    with pytest.raises(NoPrice, match="was not shown"):
        _shown(dpsym.zcdp(Fraction(1, 8) + Fraction(1, 10**9)), dpsym.rdp(8, 1))
    assert _shown(dpsym.zcdp(Fraction(1, 8)), dpsym.rdp(8, 1)).guarantee == dpsym.rdp(8, 1)


def test_an_order_below_that_of_the_budget_is_refused() -> None:
    budget = Filter(dpsym.tcdp(1, 8))
    with pytest.raises(Overspent, match="says too little"):
        budget.spend(dpsym.tcdp(Fraction(1, 10), 4))
    budget.spend(dpsym.tcdp(Fraction(1, 10), 16))
    assert budget.spent == (dpsym.tcdp(Fraction(1, 10), 8),)


def test_what_holds_at_every_order_holds_up_to_that_of_the_budget() -> None:
    budget = Filter(dpsym.tcdp(1, 8))
    budget.spend(dpsym.gaussian(sigma=2))
    budget.spend(dpsym.zcdp(Fraction(1, 4)))

    assert budget.spent == (dpsym.tcdp(Fraction(3, 8), 8),)


@pytest.mark.parametrize(
    ("budget", "why"),
    [
        (lambda: dpsym.bounded_range(1), "no filter is known"),
        (lambda: dpsym.fdp(1 - a), "no filter is known"),
        (lambda: dpsym.zcdp(rho), "give rho a value"),
        (lambda: dpsym.pure(-1), "does not hold"),
    ],
)
def test_what_is_no_budget_is_refused(budget, why) -> None:
    with pytest.raises(NoPrice, match=why):
        Filter(budget())


@pytest.mark.slow
def test_the_budget_that_meets_a_target_is_the_largest() -> None:
    target = dpsym.approx(1, Fraction(1, 10**5))
    budget = Filter.meeting(target, dpsym.gdp(mu))
    (found,) = budget.budgets
    profile = dpsym.catalogue.theorems()["gdp_to_approx"].conclusion.args[1]
    at = {sp.Symbol("epsilon"): sp.S.One}
    just_above = dpsym.enclose(profile, {**at, mu: found.args[0] + Fraction(1, 10**12)}, digits=20)

    assert dpsym.enclose(profile, {**at, mu: found.args[0]}, digits=20).upper <= Fraction(1, 10**5) < just_above.lower


@pytest.mark.slow
def test_steps_of_approximate_dp_cost_what_pure_ones_do_and_their_deltas() -> None:
    """At the rate of advanced composition, where their sum would allow ten."""
    target, small = dpsym.approx(1, Fraction(1, 10**5)), Fraction(1, 10**8)
    budget = Filter.meeting(target, dpsym.zcdp(rho), leaks=Fraction(1, 10**6))
    (price,) = budget.price(dpsym.approx(Fraction(1, 50), small))
    rate = dpsym.enclose(sp.tanh(sp.Rational(1, 100)) / 50, {}, digits=20)  # epsilon tanh(epsilon/2)

    assert price.leak == sp.Rational(1, 10**8)
    assert dpsym.enclose(price.costs.args[0], {}, digits=20) == rate
    for _ in range(100):  # with deltas of 1e-8, and no more
        budget.spend(dpsym.approx(Fraction(1, 50), small))
    assert budget.leaked == sp.Rational(1, 10**6)
    with pytest.raises(Overspent, match="leaks more than is left"):
        budget.spend(dpsym.approx(Fraction(1, 50), small))
    budget.spend(dpsym.gaussian(sigma=50))
    with pytest.raises(NoPrice, match="set aside"):
        Filter.meeting(target, dpsym.zcdp(rho), leaks=Fraction(1, 10**4))


@pytest.mark.parametrize(
    "step", [lambda: dpsym.pure(-1), lambda: dpsym.approx(1, -1), lambda: dpsym.approx(-1, 0), lambda: dpsym.gdp(-1)]
)
def test_a_step_outside_its_domain_gives_nothing_back(step) -> None:
    budget = Filter(dpsym.zcdp(1))
    budget._leaks = sp.Rational(1, 10)
    with pytest.raises(NoPrice):
        budget.spend(step())
    assert budget.spent == (dpsym.zcdp(0),) and budget.leaked == 0


def test_without_a_share_for_leaks_a_leak_has_no_price() -> None:
    with pytest.raises(NoPrice):
        Filter(dpsym.zcdp(1)).spend(dpsym.approx(Fraction(1, 50), Fraction(1, 10**8)))


@pytest.mark.parametrize(("total", "leaks"), [(1, 1), (2, 2), (3, 3)])
def test_no_course_chosen_by_answers_beats_the_filter_of_approximate_dp(total, leaks) -> None:
    """Exactly, over all rules: randomized response at multiples of log 2, with or without a leak of 1/50."""
    small = Fraction(1, 50)

    @cache
    def most(loss: int, left: int, leaks: int) -> Fraction:
        """What an event adds to P - e^epsilon Q at most, as a share of P, from here on."""
        found = [max(Fraction(0), 1 - Fraction(2) ** (total - loss))]
        for cost in range(left + 1):
            right = Fraction(2**cost, 1 + 2**cost)
            if cost:
                found.append(
                    right * most(loss + cost, left - cost, leaks) + (1 - right) * most(loss - cost, left - cost, leaks)
                )
            if leaks:
                after = (most(loss + way * cost, left - cost, leaks - 1) for way in (1, -1))
                found.append(small + (1 - small) * sum(p * m for p, m in zip((right, 1 - right), after, strict=True)))
        return max(found)

    assert 0 < most(0, total, leaks) <= leaks * small
    assert most(0, total + 1, leaks) > leaks * small  # a control: with more than the budget it is exceeded


# --- what an accountant's best number is not -----------------------------------------------------------

THREE = Fraction(3)  # e^epsilon, and the ratio of the first answer's probabilities
FIRST = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))


def _delta(cells) -> Fraction:
    orders = (cells, [(q, p) for p, q in cells])
    return max(sum(max(Fraction(0), p - THREE * q) for p, q in cells) for cells in orders)


def test_stopping_where_the_best_composition_would_exceed_delta_is_no_filter() -> None:
    """Lemma 15, 4: each course is within the budget as a composition, and all of them together are not."""
    small = Fraction(1, 100)
    mild = ((3 * small / 2, small / 6), (1 - 3 * small / 2, 1 - small / 6))
    leak = ((small, Fraction(0)), (1 - small, Fraction(1)))

    def run(after_one, after_nought):
        return [(p * r, q * s) for (p, q), then in zip(FIRST, (after_one, after_nought), strict=True) for r, s in then]

    assert _delta(run(mild, mild)) == small
    assert _delta(run(leak, leak)) == small
    assert _delta(run(mild, leak)) == small * 5 / 4


def test_a_filter_admits_no_course_of_that_interaction() -> None:
    """By its rule the two steps cost (2 log 3, ...) or a leak: neither fits into (log 3, delta)."""
    budget = Filter(dpsym.approx(sp.log(3), Fraction(1, 100)))
    budget.spend(dpsym.pure(sp.log(3) - Fraction(1, 10**9)))
    with pytest.raises(Overspent):
        budget.spend(dpsym.approx(sp.log(3), Fraction(1, 1000)))


# --- odometers -----------------------------------------------------------------------------------------


def test_the_odometer_is_where_the_mixture_is_one_over_delta() -> None:
    mixture = dpsym.catalogue.results()["odometer_mixture"].relation.rhs
    x = sp.Symbol("x")
    at = {rho: sp.Rational(3, 7), gamma: sp.Rational(2, 9), delta: sp.Rational(1, 1000)}
    reached = mixture.subs({x: _LOSS - rho}) * delta
    found = dpsym.enclose(reached, at, digits=20)

    assert abs(found.upper - 1) < Fraction(1, 10**15)


@settings(max_examples=20, deadline=None)
@given(st.lists(amounts, min_size=1, max_size=5))
def test_an_odometer_never_goes_back(steps) -> None:
    odometer = Odometer(Fraction(1, 1000))
    losses = [odometer.loss.upper]
    for step in steps:
        odometer.spend(dpsym.zcdp(step))
        losses.append(odometer.loss.upper)

    assert losses == sorted(losses)
    assert odometer.spent == dpsym.zcdp(sum(steps))


def test_an_odometer_costs_more_than_a_filter_and_less_than_twice_at_its_best() -> None:
    """At the budget it is made for it is above 2 sqrt(rho L) + rho, the bound at one time that is fixed."""
    budget, small = sp.Rational(1, 10), Fraction(1, 10**6)
    odometer = Odometer(small, tightest=budget)
    odometer.spend(dpsym.zcdp(budget))
    fixed = dpsym.enclose(budget + 2 * sp.sqrt(budget * sp.log(1 / sp.Rational(1, 10**6))), {}, digits=15)

    assert fixed.upper < odometer.loss.upper < 2 * fixed.upper


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_delta_that_is_no_probability_of_failure_is_refused(wrong) -> None:
    with pytest.raises(NoPrice):
        Odometer(wrong)


@pytest.mark.parametrize("delta", [1 - Fraction(1, 10**20), Fraction(1, 10**400), Fraction(1, 2)])
@pytest.mark.parametrize("tightest", [Fraction(1, 10**400), 1, 10**400])
def test_an_odometer_may_be_tightest_anywhere(delta, tightest) -> None:
    odometer = Odometer(delta, tightest=tightest)
    odometer.spend(dpsym.zcdp(1))

    assert odometer.loss.upper > 1
