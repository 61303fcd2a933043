"""Routes through samples, groups, other neighbours and compositions of two kinds."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from dpsym import accounting, catalogue
from dpsym.core.notation import alpha, delta, epsilon, k, sigma
from dpsym.core.relations import IsInteger
from dpsym.deriving import DerivationError, routes
from dpsym.language import read_goal, read_source
from dpsym.numbers import enclose
from dpsym.statements import Adjacency

AT = {delta: sp.Rational(1, 10**5)}


def found(source, goal="approx", at=AT, **options):
    return routes(read_source(source), read_goal(goal), at=at, **options)


def best(source, **options):
    return min(fact.evaluate(AT, digits=12)["epsilon"].upper for fact in found(source, **options))


def test_the_sampled_gaussian_has_a_closed_route_above_its_certified_value():
    source = "subsampled(gaussian(sigma=1), q=1/100) ** 1000"
    fact = found(source)[0]
    true = accounting.epsilon(read_source(source), delta=AT[delta], digits=6, time_limit=20)
    value = fact.evaluate(AT, digits=12)["epsilon"]

    assert "subsampling_gdp_to_rdp" in fact.rules
    assert ("alpha", sp.Integer(8)) in fact.choices
    assert all(c.status == "discharged" for c in fact.all_conditions)
    assert true.value.upper < value.lower < true.value.upper * sp.Rational(6, 5)


def test_another_order_is_no_better_than_the_one_chosen():
    source = "subsampled(gaussian(sigma=1), q=1/100) ** 1000"
    chosen = found(source)[0].evaluate(AT, digits=12)["epsilon"].upper
    (curve,) = found(source, "rdp", at={})
    improved = catalogue.theorems()["rdp_to_approx_improved"].conclusion.args[0]
    for order in (2, 3, 6, 7, 9, 10, 30):
        budget = enclose(curve.epsilon, {alpha: sp.Integer(order)}, digits=20)
        there = enclose(improved, {alpha: order, epsilon: sp.Rational(str(budget.upper)), **AT}, digits=15)
        assert there.upper > chosen


def test_an_order_that_nobody_knows_to_be_an_integer_is_a_condition():
    (curve,) = found("subsampled(gaussian(sigma=1), q=1/100)", "rdp", at={})

    assert IsInteger(alpha) in {c.proposition for c in curve.all_conditions if c.status == "open"}


@pytest.mark.slow
def test_a_sampled_laplace_is_bounded_below_pure_amplification_and_above_the_truth():
    source = "subsampled(laplace(b=2), q=1/100) ** 1000"
    fact = found(source)[0]
    value = fact.evaluate(AT, digits=12)["epsilon"].upper

    assert fact.rules[1] == "subsampling_pure_to_rdp"
    assert sp.Rational("0.5304") < sp.Rational(str(value)) < sp.Rational("0.63")


@pytest.mark.slow
def test_two_kinds_compose_optimally():
    rules = {fact.rules[-2] for fact in found("laplace(b=20) ** 3 * randomized_response(epsilon=1/10) ** 2")}

    assert {"composition_optimal_mixed", "advanced_composition_kov_mixed", "composition_approx"} <= rules | {
        r for fact in found("laplace(b=20) ** 3 * randomized_response(epsilon=1/10) ** 2") for r in fact.rules
    }


@pytest.mark.slow
def test_two_kinds_that_are_alike_compose_like_one():
    mixed = best("laplace(b=20) ** 3 * laplace(b=20, Delta=1) ** 4")
    alike = best("laplace(b=20) ** 7")

    assert abs(mixed - alike) < 10**-9


@pytest.mark.slow
def test_a_group_of_k_is_gaussian_with_k_times_the_sensitivity():
    together = best("gaussian(sigma=10)", group=3)
    threefold = best("gaussian(sigma=10, Delta=3)")

    assert together == threefold


@pytest.mark.slow
def test_a_symbolic_group_is_a_positive_integer():
    (fact,) = found("gaussian(sigma)", "zcdp", at={}, group=k)

    assert fact.rho == k**2 / (2 * sigma**2)
    assert all(c.status == "discharged" for c in fact.all_conditions)


@pytest.mark.parametrize("size", [0, -1, "3/2"])
def test_a_group_of_no_integer_size_is_refused(size):
    with pytest.raises(DerivationError, match="positive integer"):
        found("laplace(b=2)", "pure", at={}, group=sp.Rational(size))


def test_replacing_a_record_costs_two_steps_of_adding_and_removing():
    (fact,) = found("subsampled(laplace(b=2), q=1/100)", "pure", at={}, adjacency=Adjacency.REPLACE)
    (added,) = found("subsampled(laplace(b=2), q=1/100)", "pure", at={})

    assert fact.epsilon == 2 * added.epsilon
    assert fact.adjacency is Adjacency.REPLACE


def test_what_is_known_for_any_neighbours_is_not_doubled():
    (fact,) = found("laplace(b=2)", "pure", at={}, adjacency=Adjacency.REPLACE)

    assert fact.epsilon == sp.Rational(1, 2)


@pytest.mark.parametrize(
    ("source", "goal", "options", "why"),
    [
        ("randomized_response(epsilon=1)", "pure", {"adjacency": Adjacency.ADD_REMOVE}, "one record replaced"),
        ("rdp(2, 1)", "rdp", {"group": 3}, "group_rdp needs 2 > 3, which is false here"),
        ("rdp(2, 1)", "tcdp", {}, "lacks a theorem from rdp to tcdp"),
        ("approx(1, 1/100)", "gdp", {}, "impossible: delta > 0"),
    ],
)
def test_where_there_is_no_route_it_says_what_failed(source, goal, options, why):
    with pytest.raises(DerivationError, match=why):
        found(source, goal, at={}, **options)


@pytest.mark.slow
def test_no_route_rests_on_an_open_condition_about_an_order_that_was_chosen():
    for fact in found("gaussian(sigma=10)", group=3):
        orders = [c for c in fact.all_conditions if c.status == "open" and alpha in c.proposition.free_symbols]
        assert not orders, fact.rules


@pytest.mark.parametrize("doublings", [1, 2, 3, 5])
def test_group_privacy_of_rdp_is_below_three_for_each_doubling(doublings):
    size = 2**doublings
    factor = catalogue.theorems()["group_rdp"].conclusion.args[1].subs({epsilon: 1, k: size})
    for order in (2 * size, 3 * size, 100 * size):
        assert enclose(factor, {alpha: sp.Integer(order)}, digits=10).upper < 3**doublings


@pytest.mark.slow
def test_a_float_as_a_parameter_does_not_end_the_process():
    # exp(order*epsilon) is, of what the two exponentials have in common, a power with an exponent of 16 digits
    small, large = (f"randomized_response(epsilon={sp.Rational(Fraction(e))})" for e in (0.005, 0.009))
    fact = found(f"{small} ** 6 * {large} ** 2", at={delta: sp.Rational(4, 7)})[0]
    assert fact.evaluate({delta: sp.Rational(4, 7)}, digits=5)["epsilon"].upper < Fraction(6 * 5 + 2 * 9, 1000)


def test_approximate_zcdp_is_zcdp_at_what_its_own_delta_leaves():
    own = sp.Rational(1, 10**6)
    left = (AT[delta] - own) / (1 - own)
    facts = found("approx_zcdp(1/2, 1e-6)")
    value = next(f for f in facts if "approx_zcdp_to_approx" in f.rules).evaluate(AT, digits=12)["epsilon"]
    expected = enclose(sp.Rational(1, 2) + 2 * sp.sqrt(sp.log(1 / left) / 2), {}, digits=12)

    assert value.lower <= expected.upper
    assert expected.lower <= value.upper
    assert facts[0].evaluate(AT, digits=12)["epsilon"].upper < value.lower  # by the best order
    with pytest.raises(DerivationError):
        found("approx_zcdp(1/2, 1e-6)", at={delta: own / 2})
