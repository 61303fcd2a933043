"""Accounts on samples for the neighbours that are asked for, against actual neighbouring data."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy as sp

import dpsym
from dpsym import catalogue
from dpsym.accounting import NotAccountable, calibrate, delta, epsilon, route_bound
from dpsym.core.distributions import Finite
from dpsym.core.notation import q, sigma
from dpsym.language import read_source
from dpsym.statements import Adjacency, Mechanism, Norm, Source, StatementError, Subsampled

M = catalogue.mechanisms()
T = sp.Symbol("T")
D5 = Fraction(1, 100_000)
BOTH, REPLACE, ADD, REMOVE = Adjacency.ADD_REMOVE, Adjacency.REPLACE, Adjacency.ADD, Adjacency.REMOVE
GRID = np.linspace(-12, 12, 801)


def drawn(text, rate):
    return dpsym.subsampled(text, q=rate)


def normal(*centre):
    """A density on the grid, of unit variance, times the width of its cells."""
    each = [np.exp(-((GRID - c) ** 2) / 2) / math.sqrt(2 * math.pi) * (GRID[1] - GRID[0]) for c in centre]
    return each[0] if len(each) == 1 else each[0][:, None] * each[1][None, :]


def beyond(P, Q, eps):
    """The hockey-stick divergence, by the trapezoidal rule; its error is far below the tolerance of the tests."""
    return float(np.maximum(P - math.exp(eps) * Q, 0).sum())


# --- Poisson samples, a record being replaced
@pytest.mark.parametrize("q", [Fraction(1, 20), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
@pytest.mark.parametrize("eps", [Fraction(-1, 2), Fraction(0), Fraction(1, 3), Fraction(2)])
def test_no_two_contributions_are_worse_than_opposite_ones(q, eps):
    most = delta(drawn("gaussian(sigma=1)", q), epsilon=eps, adjacency=REPLACE)
    rate, nobody = float(q), normal(0, 0)
    for length, other, angle in [(1, 1, 0), (1, 1, 1), (1, 1, 2), (1, 1, math.pi), (1, 0.5, 3), (0.7, 0, 0)]:
        one, two = normal(length, 0), normal(other * math.cos(angle), other * math.sin(angle))
        found = beyond((1 - rate) * nobody + rate * one, (1 - rate) * nobody + rate * two, float(eps))
        assert found <= float(most.upper) + 1e-4  # kinks of the positive part on the grid cost this much
        if angle == math.pi:
            assert found == pytest.approx(float(most.lower), abs=1e-4)


def test_two_steps_are_the_product_of_the_worst_ones():
    q, eps = 0.3, Fraction(1, 2)
    P, Q = ((1 - q) * normal(0) + q * normal(sign) for sign in (1, -1))
    exactly = beyond(np.outer(P, P), np.outer(Q, Q), float(eps))

    found = delta(drawn("gaussian(sigma=1)", Fraction(3, 10)) ** 2, epsilon=eps, adjacency=REPLACE, digits=3)

    assert float(found.lower) - 1e-4 < exactly < float(found.upper) + 1e-4
    assert found.finished


def test_adaptive_steps_on_one_sample_are_no_worse_than_one_gaussian():
    together = drawn("gaussian(sigma=3) * gaussian(sigma=4)", Fraction(1, 5))
    single = drawn("gaussian(sigma=12/5)", Fraction(1, 5))  # 1/9 + 1/16 = (5/12)^2

    both = [delta(of, epsilon=Fraction(1, 10), adjacency=REPLACE) for of in (together, single)]

    assert both[0].value == both[1].value
    first, q, eps = np.asarray(GRID), 0.2, 0.1
    turn = np.where(first > 0, 1.0, 0.6)  # the second query looks at the first answer
    one = normal(1 / 3)[:, None] * _moved(turn / 4)
    two = normal(-1 / 3)[:, None] * _moved(-turn / 4)
    assert (
        beyond((1 - q) * normal(0, 0) + q * one, (1 - q) * normal(0, 0) + q * two, eps) <= float(both[0].upper) + 1e-4
    )


def _moved(centres):
    return np.exp(-((GRID[None, :] - centres[:, None]) ** 2) / 2) / math.sqrt(2 * math.pi) * (GRID[1] - GRID[0])


def test_a_sample_of_everything_is_twice_as_far_and_nearly_everything_nearly_so():
    twice = epsilon(M["gaussian"](1), delta=D5).value
    whole = epsilon(drawn("gaussian(sigma=2)", 1), delta=D5, adjacency=REPLACE).value
    nearly = epsilon(drawn("gaussian(sigma=2)", Fraction(999_999, 1_000_000)), delta=D5, adjacency=REPLACE).value

    assert whole == twice
    assert nearly.upper < whole.lower < nearly.upper * Decimal("1.001")


def test_a_record_replaced_is_between_one_removed_and_two_of_them():
    of = drawn("gaussian(sigma=1)", Fraction(1, 10)) ** 3
    eps = Fraction(1)
    replaced = delta(of, epsilon=eps, adjacency=REPLACE, digits=4)

    assert delta(of, epsilon=eps, digits=4).upper < replaced.lower
    # by the triangle inequality, through the data without both records
    half = delta(of, epsilon=eps / 2, digits=4).upper
    assert float(replaced.upper) < (1 + math.exp(0.5)) * float(half)


def test_noise_and_rates_are_calibrated_for_a_record_replaced():
    noise = calibrate(drawn("gaussian(sigma)", Fraction(1, 10)), sigma, epsilon=1, delta=D5, adjacency=REPLACE)
    rate = calibrate(Subsampled(M["gaussian"](1), q), q, epsilon=1, delta=D5, adjacency=REPLACE)

    at = [drawn(f"gaussian(sigma={noise.upper})", Fraction(1, 10)), drawn("gaussian(sigma=1)", Fraction(rate.lower))]
    for of in at:
        found = delta(of, epsilon=1, adjacency=REPLACE)
        assert float(D5) * 0.999 < found.lower <= found.upper <= D5
    assert noise.adjacency is rate.adjacency is REPLACE


# --- samples of fixed size, a record being added or removed
def outputs_of_a_sum(records, size):
    samples = list(itertools.combinations(records, size))
    return sum(normal(sum(sample)) for sample in samples) / len(samples)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_data_of_four_and_five_records_are_worse(size):
    q = Fraction(size, 5)
    eps = [Fraction(-1, 3), Fraction(0), Fraction(1, 5), Fraction(1)]
    of = drawn("gaussian(sigma=1)", q)
    most = {
        (way, e): delta(of, epsilon=e, adjacency=way, sampling="fixed-size").upper for way in (ADD, REMOVE) for e in eps
    }
    reached = dict.fromkeys(most, 0.0)
    for smaller in itertools.combinations_with_replacement((0, 0.5, 1), 4):
        for record in (0, 1):
            P, Q = outputs_of_a_sum((*smaller, record), size), outputs_of_a_sum(smaller, size)
            for e in eps:
                reached[REMOVE, e] = max(reached[REMOVE, e], beyond(P, Q, float(e)))
                reached[ADD, e] = max(reached[ADD, e], beyond(Q, P, float(e)))

    for key, bound in most.items():
        assert reached[key] == pytest.approx(float(bound), abs=1e-4)


def test_a_response_of_one_record_drawn_is_exactly_as_private():
    of = drawn("randomized_response(epsilon=1)", Fraction(1, 4))  # one of four records
    found = delta(of, epsilon=Fraction(1, 10), adjacency=REMOVE, sampling="fixed-size")

    truth, lie = math.e / (1 + math.e), 1 / (1 + math.e)
    mixed = 0.75 * lie + 0.25 * truth  # three answer no, the fourth yes
    assert float(found.upper) == pytest.approx(mixed - math.exp(0.1) * lie, rel=1e-9)


@pytest.mark.slow
def test_compositions_have_two_sides_where_a_record_is_added_or_removed():
    of = drawn("laplace(b=1)", Fraction(1, 10)) ** 5
    ask = partial(epsilon, of, delta=D5, sampling="fixed-size")
    apart = {way: ask(adjacency=way) for way in (ADD, REMOVE, BOTH)}

    assert all(found.lower <= found.upper < found.lower * Decimal("1.001") for found in apart.values())
    assert apart[BOTH].upper == max(apart[ADD].upper, apart[REMOVE].upper)
    assert ask(digits=3).upper >= apart[BOTH].lower  # the same data, a record being replaced


# --- what is for other neighbours
def only(relation):
    """A response of two outcomes that is known for these neighbours."""
    often, seldom = Fraction(3, 4), Fraction(1, 4)
    outcomes = Finite((often, seldom)), Finite((seldom, often))
    return Mechanism(
        id="response", title="a response", params={}, domain=(), outputs=outcomes, norm=Norm.NONE,
        adjacency=relation, why_dominating="it has no other inputs", claims=(), source=Source("War65"),
    )()  # fmt: skip


G = "subsampled(gaussian(sigma=1), q=1/10)"
REFUSED = [
    ("subsampled(laplace(b=1), q=1/10)", "poisson", REPLACE),
    ("subsampled(gaussian(sigma=1) * noisy_iteration(sigma=1, t=3), q=1/10)", "poisson", REPLACE),
    ("subsampled(noisy_iteration(sigma=1, t=3), q=1/10)", "poisson", REPLACE),
    ("subsampled(exponential(epsilon=1), q=1)", "poisson", REPLACE),
    ("subsampled(randomized_response(epsilon=1), q=1/10)", "poisson", BOTH),
    ("subsampled(randomized_response(epsilon=1), q=1/10)", "poisson", REPLACE),
    ("subsampled(tree_aggregation(sigma=1, n=3), q=1/10)", "fixed-size", BOTH),
    ("subsampled(tree_aggregation(sigma=1, n=3), q=1/10)", "fixed-size", REPLACE),
    ("subsampled(partition_selection(epsilon=1, delta=1/100), q=1/10)", "fixed-size", BOTH),
    (f"{G} * tree_aggregation(sigma=1, n=3)", "poisson", REPLACE),
    (f"{G} * partition_selection(epsilon=1, delta=1/100)", "poisson", REPLACE),
    (f"{G} * randomized_response(epsilon=1)", "poisson", BOTH),
    (f"{G} * randomized_response(epsilon=1)", "fixed-size", BOTH),
    ("tree_aggregation(sigma=1, n=3)", "poisson", REPLACE),
    ("randomized_response(epsilon=1)", "poisson", ADD),
]


@pytest.mark.parametrize(("text", "sampling", "relation"), REFUSED)
@pytest.mark.cases(15)
def test_what_is_known_for_other_neighbours_is_refused(text, sampling, relation):
    of = read_source(text)

    with pytest.raises(NotAccountable, match="record"):
        delta(of, epsilon=1, sampling=sampling, adjacency=relation)
    with pytest.raises(NotAccountable, match="record"):
        calibrate(of ** T, T, epsilon=1, delta=D5, sampling=sampling,
                  adjacency=relation)  # fmt: skip


def test_only_shifted_noise_can_be_added_to_an_answer():
    with pytest.raises(StatementError, match="additive"):
        replace(M["exponential"], additive=True)


@pytest.mark.parametrize("known", [ADD, REMOVE])
def test_one_of_adding_and_removing_says_nothing_of_the_other(known):
    of = only(known)
    other = REMOVE if known is ADD else ADD

    assert delta(of, epsilon=0, adjacency=known).adjacency is known
    for wanted in (BOTH, REPLACE, other):
        with pytest.raises(NotAccountable, match=known.value):
            delta(of, epsilon=0, adjacency=wanted)
    for sampling, wanted in itertools.product(("poisson", "fixed-size"), (BOTH, REPLACE, known)):
        with pytest.raises(NotAccountable, match=known.value):
            delta(dpsym.accounting.subsampled(of, Fraction(1, 2)), epsilon=0, adjacency=wanted, sampling=sampling)


def test_a_direction_is_one_of_those_that_are_asked_for():
    of = drawn("gaussian(sigma=1)", Fraction(1, 10))
    adding = delta(of, epsilon=Fraction(1, 20), direction="add")

    assert delta(of, epsilon=Fraction(1, 20), adjacency=ADD).value == adding.value
    assert delta(of, epsilon=Fraction(1, 20), adjacency=BOTH, direction="add").adjacency is ADD
    for wanted, direction in ((ADD, "remove"), (REMOVE, "add"), (REPLACE, "add")):
        with pytest.raises(NotAccountable, match="direction"):
            delta(of, epsilon=1, adjacency=wanted, direction=direction)


@pytest.mark.slow
def test_what_is_known_by_a_claim_stands_beside_replaced_samples_where_it_is_for_them():
    alone = delta(drawn("gaussian(sigma=2)", Fraction(1, 10)), epsilon=1, adjacency=REPLACE)
    beside = read_source("subsampled(gaussian(sigma=2), q=1/10) * exponential(epsilon=1/2)")

    found = delta(beside, epsilon=1, adjacency=REPLACE, digits=2, time_limit=2)  # its ends need not meet

    assert found.adjacency is REPLACE
    assert found.upper_only
    assert alone.lower < found.upper


def test_orders_of_renyi_are_not_those_of_the_step_without_sampling():
    for route in ("rdp", "zcdp"):
        with pytest.raises(NotAccountable, match="replaced"):
            route_bound(drawn("gaussian(sigma=1)", Fraction(1, 10)), delta=D5, route=route, adjacency=REPLACE)


# --- what is said
def test_an_answer_says_which_sensitivity_it_takes():
    twice = dpsym.account(G, delta="1e-5", adjacency="replace")
    fixed = dpsym.account(G, delta="1e-5", adjacency="add-remove", sampling="fixed-size")

    assert twice.to_dict()["adjacency"] == "one record replaced"
    assert "added or removed" in twice.to_dict()["measured"]
    assert "assumed" not in twice.to_dict()  # nothing is assumed of replacing
    assert "replaced" in fixed.to_dict()["measured"]
    assert "measured" not in dpsym.account(G, delta="1e-5").to_dict()
    assert "sensitivity:" in str(twice)


def test_a_sweep_is_about_the_neighbours_that_are_asked_for():
    found = dpsym.sweep(G, {"epsilon": [1, 2]}, adjacency="replace")

    assert {record["adjacency"] for record in found.records} == {"one record replaced"}
    assert found.records[0]["upper"] == str(dpsym.account(G, epsilon=1, adjacency="replace").upper)


def test_a_word_is_no_neighbouring_relation_of_the_accountants():
    for ask in (partial(delta, epsilon=1), partial(epsilon, delta=D5), partial(route_bound, delta=D5, route="rdp")):
        with pytest.raises(NotAccountable, match="expected one, such as"):
            ask(drawn("gaussian(sigma=1)", Fraction(1, 2)), adjacency="replace")


def test_what_an_entry_asks_of_neighbours_is_said_of_samples():
    for of in ("exponential(epsilon=1)", "smooth_sensitivity(epsilon=1, delta=1/100)"):
        asked = dpsym.account(f"subsampled({of}, q=9/10)", delta="1/10", adjacency="remove", sampling="fixed-size")

        assert "else an entry asks" in asked.to_dict()["measured"]


def test_routes_and_accounts_agree_at_the_rate_1():
    whole = "subsampled(gaussian(sigma=1), q=1)"
    derived = dpsym.derive(whole, to="approx", adjacency="replace", at={"delta": "1/1000"})

    assert abs(float(derived) - float(dpsym.account(whole, delta="1/1000", adjacency="replace"))) < 1e-6
