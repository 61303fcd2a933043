"""Claims that mix neighbouring relations: the false are not accepted, and the nearest true ones are still answered."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp
from mpmath import mpf

from dpsym import accounting
from dpsym.accounting import NotAccountable
from dpsym.cli.running import run
from dpsym.core.notation import delta, epsilon, q
from dpsym.core.verdicts import Verdict
from dpsym.deriving import DerivationError, routes
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.entries.mechanisms.partition_selection import partition_selection
from dpsym.entries.mechanisms.randomized_response import randomized_response
from dpsym.entries.mechanisms.rappor import rappor
from dpsym.entries.mechanisms.set_union import set_union
from dpsym.entries.mechanisms.tree_aggregation import tree_aggregation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.satisfying import satisfies
from dpsym.statements import Adjacency, Subsampled
from dpsym.statements.adjacency import OtherNeighbours, covers, joined, together, towards
from dpsym.testing import Release
from dpsym.testing.truths import truth
from oracle.neighbouring import apart

YES = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
ANY, ADD_REMOVE, REPLACE = Adjacency.ANY, Adjacency.ADD_REMOVE, Adjacency.REPLACE
TINY, MOST, HALF = sp.Rational(1, 10**5), sp.Rational(99, 100), sp.Rational(1, 2)
select, respond = partition_selection(1, TINY), randomized_response(1)
NUMBERS = (mpf(1), mpf(10) ** -5)
D4 = Fraction(1, 10**4)


def derived(source, goal, at, **options):
    """The tightest number at values, and the fact."""
    fact = routes(source, goal, at=at, **options)[0]
    assert all(c.status == "discharged" for c in fact.all_conditions)
    return fact, {n: Fraction(v.upper) for n, v in fact.evaluate(at).items()}


# --- what was found ---------------------------------------------------------------------------------------------------


def test_samples_of_fixed_size_of_a_selection_lose_what_replacing_loses():
    """100 records, of which 99 are drawn; one of two kinds of 12 and 11 records goes over to the other."""
    sampled = Subsampled(select, MOST)
    steps = (("partition_selection", NUMBERS, Fraction(99, 100), "fixed-size"),)
    assert apart(steps, (12, 11, 77), (11, 12, 77), mpf("1.2")) > mpf("0.166")

    with pytest.raises(
        NotAccountable, match=r"partition_selection\(.*added or removed, a sample of fixed size .*replaced"
    ):
        accounting.delta(sampled, epsilon=Fraction(6, 5), sampling="fixed-size")
    with pytest.raises(DerivationError):  # the theorem says nothing at so small an epsilon
        routes(sampled, approx.goal(epsilon=epsilon), at={epsilon: sp.Rational(6, 5)}, sampling="fixed-size")
    fact, value = derived(sampled, approx.goal(epsilon=epsilon), {epsilon: sp.Rational(2)}, sampling="fixed-size")
    assert fact.adjacency is REPLACE
    assert fact.rules[:3] == ("partition_selection", "replacement_approx", "sampling_approx")
    assert (
        apart(steps, (12, 11, 77), (11, 12, 77), mpf(2)) <= mpf(value["delta"].numerator) / value["delta"].denominator
    )


@pytest.mark.slow
def test_a_selection_beside_randomized_response_is_no_more_private_than_replacing_allows():
    steps = (("partition_selection", NUMBERS, None, ""), ("randomized_response", (mpf(1),), None, ""))
    data = ((12, 11), (11, 12))
    assert apart(steps, *data, mpf(2)) > mpf("0.196")

    found = satisfies(select * respond, approx(2, sp.Rational(1, 10**4)))
    assert found.verdict is Verdict.OPEN
    assert found.adjacency == REPLACE.value
    with pytest.raises(NotAccountable, match=r"added or removed, randomized_response\(.*replaced; `derive`"):
        accounting.epsilon(select * respond, delta=D4)
    fact, value = derived(select * respond, approx.goal(delta=delta), {delta: sp.Rational(1, 10**4)})
    assert "replacement_approx" in fact.rules
    assert fact.adjacency is REPLACE
    assert apart(steps, *data, mpf(value["epsilon"].numerator) / value["epsilon"].denominator) <= mpf(10) ** -4


def test_what_is_refused_is_not_answered_by_the_next_who_is_asked(capfd):
    asked = ["subsampled(randomized_response(1), q=1/2) * laplace(1)", "--to", "approx", "--at", "delta=1e-4"]

    assert run(["derive", *asked]) == 2
    assert "a Poisson sample about one record added or removed" in capfd.readouterr().err


@pytest.mark.slow
def test_a_selection_that_was_refused_beside_a_response_is_answered_by_the_theorem(capfd):
    line = ["derive", "partition_selection(1, 1e-5) * randomized_response(1)", "--to", "approx", "--at", "delta=1e-4"]
    assert run([*line, "--json"]) == 0
    shown = json.loads(capfd.readouterr().out)

    assert shown["accounted"] is None
    assert {route["adjacency"] for route in shown["routes"]} == {REPLACE.value}
    assert all(any(rule.startswith("replacement_") for rule in route["rules"]) for route in shown["routes"])
    assert run(line) == 0
    assert "neighbours: one record replaced" in capfd.readouterr().out


# --- further members of the family ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "sampling"),
    [
        (Subsampled(set_union(1, TINY), MOST) ** 2, "fixed-size"),
        (set_union(1, TINY) * rappor(1), "poisson"),
        (Subsampled(gaussian(1), HALF) * respond, "poisson"),
        (Subsampled(gaussian(1), HALF) * select, "fixed-size"),
        (tree_aggregation(1, 4) * respond, "poisson"),
        (Subsampled(respond * laplace(1), HALF), "poisson"),
        (Subsampled(Subsampled(respond, HALF) ** 1, HALF), "poisson"),
    ],
)
def test_mixed_relations_are_accounted_for_nowhere(source, sampling):
    with pytest.raises(NotAccountable):
        accounting.epsilon(source, delta=D4, sampling=sampling)
    with pytest.raises(NotAccountable):
        accounting.calibrate(source ** sp.Symbol("T"), sp.Symbol("T"), epsilon=1, delta=D4, sampling=sampling)
    if sampling == "poisson":
        with pytest.raises(NotAccountable):
            accounting.route_bound(source, delta=D4, route="rdp")


def test_a_record_that_moves_to_another_step_of_a_tree_is_in_more_than_one_path():
    """Of 8 steps in a tree: the first and the fifth are in three dyadic blocks each that the other is not in."""
    apart = 6  # [1], [1, 2], [1, 4] and [5], [5, 6], [5, 8]
    (fact,) = routes(tree_aggregation(1, 8), gdp, adjacency=REPLACE)

    assert (
        fact.evaluate({})["mu"].upper ** 2
        >= apart
        > routes(tree_aggregation(1, 8), gdp)[0].evaluate({})["mu"].upper ** 2
    )


@pytest.mark.slow
def test_the_nearest_smaller_claim_than_the_theorem_gives_is_not_accepted():
    """By the theorem a sampled Laplace of epsilon 1 at q = 1/2 costs 2 log((e + 1)/2) where a record is replaced."""
    beside = Subsampled(laplace(1), HALF) * respond
    enough = 1 + 2 * sp.log((sp.E + 1) / 2)

    assert satisfies(beside, pure(enough)).verdict in YES
    assert satisfies(beside, pure(enough - sp.log((sp.E + 1) / 2))).verdict not in YES


def test_the_kit_knows_no_truth_about_releases_for_different_neighbours():
    sampled, told = (
        Release("gaussian", {"sigma": 2, "Delta": 1}, 0.5),
        Release("randomized_response", {"epsilon": 1, "m": 2}),
    )

    for quantity, given in (("epsilon", 1e-5), ("delta", 1.0), ("rdp", 2.0)):
        with pytest.raises(NotAccountable, match="a Poisson sample is about one record added or removed"):
            truth(quantity, (sampled, told), given)
        truth(quantity, (sampled, Release("gaussian", {"sigma": 2, "Delta": 1})), given)


def test_a_symbolic_rate_is_of_a_sample():
    found = satisfies(Subsampled(respond, q), pure(1))
    assert found.verdict is Verdict.OPEN
    assert "a Poisson sample about one record added or removed" in found.why


@pytest.mark.slow
def test_a_rate_in_symbols_is_not_accounted_for_as_if_it_were_written_as_one(capfd):
    line = ["derive", "subsampled(laplace(1), q) * randomized_response(1)", "--to", "approx", "--at", "delta=1e-4"]

    assert run([*line, "--at", "q=1", "--json"]) in (0, 2)
    out = capfd.readouterr().out
    assert not out or json.loads(out)["accounted"] is None


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_a_record_that_is_replaced_is_neither_added_nor_removed(direction):
    for source, sampling in ((respond, "poisson"), (Subsampled(laplace(1), HALF), "fixed-size")):
        with pytest.raises(NotAccountable, match="here neighbours are one record replaced"):
            accounting.epsilon(source, delta=D4, direction=direction, sampling=sampling)


def test_replacing_says_nothing_of_adding_and_removing():
    for source, goal, sampling in (
        (respond, pure, "poisson"),
        (Subsampled(laplace(1), HALF), pure, "fixed-size"),
        (select * respond, approx, "poisson"),
    ):
        with pytest.raises(DerivationError, match="says nothing about one record added or removed"):
            routes(source, goal, sampling=sampling, adjacency=ADD_REMOVE)


# --- the nearest true ones --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "sampling", "relation"),
    [
        (select * set_union(1, TINY) * gaussian(10), "poisson", ADD_REMOVE),
        (select * Subsampled(laplace(2), HALF), "poisson", ADD_REMOVE),
        (Subsampled(select, MOST), "poisson", ADD_REMOVE),
        (respond * rappor(1) * laplace(2), "poisson", REPLACE),
        (Subsampled(respond, HALF) * laplace(2), "fixed-size", REPLACE),
        (Subsampled(respond, 1) * laplace(2), "poisson", REPLACE),
        (Subsampled(select, 1) * Subsampled(laplace(2), 1), "fixed-size", ADD_REMOVE),
        (Subsampled(select, 0) * respond, "poisson", REPLACE),
        (Subsampled(respond, 0) * select, "poisson", ADD_REMOVE),
        (respond**0 * select, "poisson", ADD_REMOVE),
        (Subsampled(gaussian(10), 1) * laplace(2), "fixed-size", ANY),
        (laplace(2) * gaussian(10), "poisson", ANY),
    ],
)
def test_one_relation_is_accounted_for_and_named(source, sampling, relation):
    found = accounting.delta(source, epsilon=1, sampling=sampling, digits=3, time_limit=2)

    assert found.adjacency is relation
    assert found.upper < 1


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("source", "claim", "relation"),
    [
        (select * respond, approx(3, sp.Rational(1, 10**4)), REPLACE),
        (select * set_union(1, TINY), approx(2, 2 * TINY), ADD_REMOVE),
        (respond * laplace(1), pure(2), REPLACE),
        (Subsampled(select, HALF), approx(1, TINY), ADD_REMOVE),
        (Subsampled(respond, 1), pure(1), REPLACE),
        (laplace(1) * gaussian(1), approx(9, TINY), ANY),
    ],
)
def test_true_claims_are_answered_for_the_neighbours_that_are_meant(source, claim, relation):
    found = satisfies(source, claim)

    assert found.verdict in YES
    assert found.adjacency == relation.value


def test_a_part_that_is_about_other_neighbours_does_not_hide_what_another_loses():
    found = satisfies(select * respond, approx(sp.Rational(1, 2), sp.Rational(1, 10**4)))

    assert found.verdict is Verdict.REFUTED
    assert satisfies(select * respond, pure(sp.Rational(99, 100))).verdict is Verdict.REFUTED


def test_an_empty_sample_loses_nothing_whoever_runs_on_it():
    for source in (Subsampled(respond, 0), Subsampled(select, 0), Subsampled(gaussian(1), 0)):
        assert derived(source, pure, {})[1] == {"epsilon": 0}


# --- the lattice ------------------------------------------------------------------------------------------------------


def test_relations_join_along_the_arrows():
    assert joined([]) is ANY
    for below, above in pairwise((ANY, ADD_REMOVE, REPLACE)):
        assert joined([below, above]) is joined([above, below]) is above
    assert joined([ADD_REMOVE, Adjacency.ADD]) is joined([Adjacency.ADD, ANY]) is Adjacency.ADD
    for other in (Adjacency.REMOVE, REPLACE):
        with pytest.raises(OtherNeighbours):
            joined([Adjacency.ADD, other])
        assert together([Adjacency.ADD, other]) is None


def test_as_they_stand_only_any_neighbours_are_known_for_all():
    for known in Adjacency:
        for wanted in Adjacency:
            arrow = known is ADD_REMOVE and wanted in (Adjacency.ADD, Adjacency.REMOVE)
            assert covers(known, wanted) is (known is wanted or known is ANY or arrow)
    assert together([ADD_REMOVE, REPLACE]) is None
    assert towards(ANY, "add") is towards(ADD_REMOVE, "add") is towards(Adjacency.ADD, "add") is Adjacency.ADD
    with pytest.raises(OtherNeighbours):
        towards(Adjacency.ADD, "remove")
