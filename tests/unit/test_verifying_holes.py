"""Certificates of what is false, or of what has no value: each was written to be accepted, and none is."""

import pytest

from dpsym.verifying import Rejected, verify
from dpsym.verifying.proofs import replaying


def shown(contexts, lines, **more):
    """What the lines show, or None."""
    try:
        return verify({"format": "dpsym proof", "version": 1, "contexts": contexts, "lines": lines, **more})
    except Rejected:
        return None


def test_infinity_is_no_name_and_no_value():
    largest = [0, "renyi(oo, P, Q) = esssup(privacy_loss(P, Q))", "lemma", "max_loss", {"P": "P", "Q": "Q"}]
    assert shown([[None, ["renyi(oo, P, Q) >= 0"]]], [largest])
    given = ["renyi(oo, P, Q) >= 0", "renyi(2, P, Q) >= 0"]
    of_two = [0, "renyi(2, P, Q) = esssup(privacy_loss(P, Q))", "instance", 0, {"oo": "2"}]
    assert not shown([[None, given]], [largest, of_two])
    whole = [
        [1, "exp(-0) = 1", "lemma", "exp_zero", {}],
        [1, "Integral(exp(-x), x, 0, oo) = exp(-0)", "integral", "-exp(-x)", 2],
    ]
    contexts = [[None, ["Integral(exp(-x), x, 0, 1) >= 0"]], [None, []], [None, ["x > 0"]]]
    assert not shown(contexts, [*whole, [0, "Integral(exp(-x), x, 0, 1) = exp(-0)", "instance", 1, {"oo": "1"}]])
    for_all = [[None, [], [[["a"], [], "renyi(a, P, Q) >= 0"]]]]  # all real a: Gaussians
    assert shown(for_all, [[0, "renyi(7, P, Q) >= 0", "general", 0, {"a": "7"}]])
    assert not shown(for_all, [[0, "renyi(oo, P, Q) >= 0", "general", 0, {"a": "oo"}]])
    assert not shown([[None, [], [[["oo"], [], "renyi(oo, P, Q) >= 0"]]]], [[0, "1 = 1", "known"]])


@pytest.mark.parametrize(
    "text", ["oo - oo", "E(oo - oo, z, X)", "Integral(oo, x, 0, 1)", "exp(-oo)", "Sum(k, k, 1, 2*oo)"]
)
def test_infinity_stands_only_at_an_end(text):
    assert not shown([[None, [f"{text} >= 0"]]], [[0, "1 = 1", "known"]])
    assert not shown([[None, []]], [[0, f"{text} = {text}", "lemma", "reflexive", {"x": text}]])


@pytest.mark.parametrize("name", ["pi", "oo"])
def test_an_expectation_binds_a_name(name):
    """Otherwise E(pi + x, pi, X) with pi for x would be E(2 z) and E(z + pi) at once."""
    assert not shown(
        [[None, []]], [[0, f"E({name}, {name}, X) = E(z, z, X)", "lemma", "reflexive", {"x": "E(z, z, X)"}]]
    )


def test_what_is_assumed_of_a_name_binds_it_under_an_expectation():
    general = [[["y"], [], "z >= y**0"]]
    lines = [[1, "z >= 1", "general", 0, {"y": "5"}], [0, "E(z, z, X) >= 1", "expected", "z", 1]]
    assert not shown([[None, [], general], [0, []]], lines)


def test_a_name_that_is_bound_twice_hides_the_outer_one():
    sums = [f"Sum(Sum(Sum({e}, y, 0, 1), x, 0, 1), x, 0, 1)" for e in ("x*y", "y*y")]  # 2 and 4
    contexts = [[None, [f"{s} >= 0" for s in sums]]]
    same = ["lemma", "reflexive", {"x": sums[0]}]
    assert shown(contexts, [[0, f"{sums[0]} = {sums[0]}", *same]])
    assert not shown(contexts, [[0, f"{sums[0]} = {sums[1]}", *same]])
    renamed = sums[0].replace("y", "v")
    assert shown(contexts, [[0, f"{sums[0]} = {renamed}", *same]])


def test_a_divergence_has_no_value_where_its_order_has_none():
    one = {"x": "hockey_stick(1, P, Q)"}
    assert not shown([[None, []]], [[0, "hockey_stick(y/y, P, Q) = hockey_stick(1, P, Q)", "lemma", "reflexive", one]])
    assert shown(
        [[None, ["y > 0"]]], [[0, "hockey_stick(y/y, P, Q) = hockey_stick(1, P, Q)", "lemma", "reflexive", one]]
    )
    assert not shown([[None, ["renyi(2, P, Q) >= 0"]]], [[0, "renyi(1 + y/y, P, Q) >= 0", "known"]])


MEAN, CUT = "E(exp(y), y, X)", "E(Min(exp(z), exp(E(exp(y), y, X) + 1)), z, X)"
HEAVY = [[["n"], [], "E(Min(exp(z), exp(n)), z, X) >= n"]]  # so it is of z with P(z > t) = exp(-t)
CONTRADICTION = [
    [0, f"{CUT} >= {MEAN} + 1", "general", 0, {"n": f"{MEAN} + 1"}],
    [1, f"Min(exp(w), exp({MEAN} + 1)) <= exp(w)", "lemma", "min_below_left", {"x": "exp(w)", "y": f"exp({MEAN} + 1)"}],
    [0, f"{CUT} <= {MEAN}", "expected", "w", 1],
    [0, "0 >= 1", "sum", [], [["1", [f"{CUT} - ({MEAN} + 1)", 1]], ["1", [f"{MEAN} - {CUT}", 1]]]],
]


def test_an_infinite_expectation_is_not_used(monkeypatch):
    contexts = [[None, [], HEAVY], [0, []]]
    assert not shown(contexts, CONTRADICTION)
    assert shown([[None, [f"{MEAN} >= 0"], HEAVY], [0, []]], CONTRADICTION)  # there it is said to be finite
    elsewhere = [*CONTRADICTION, [2, "0 >= 1", "instance", 3, {}]]
    assert not shown([*contexts, [None, [], HEAVY]], elsewhere, claims=[4])
    claimed = [[0, f"{MEAN} = {MEAN}", "lemma", "reflexive", {"x": MEAN}], *CONTRADICTION]
    assert not shown([*contexts, [None, [], HEAVY]], [*claimed, [2, "0 >= 1", "instance", 4, {}]], claims=[0, 5])
    monkeypatch.setattr(replaying.Finiteness, "demand", lambda *_: None)
    assert shown(contexts, CONTRADICTION)  # nothing else is in the way


def test_an_infinite_essential_bound_is_not_used(monkeypatch):
    beyond = "E(Max(z - esssup(X), 0), z, X)"
    contexts = [[None, [], [[["n"], [], "E(Max(z - n, 0), z, X) > 0"]]], [0, ["w <= esssup(X)"]]]  # without bounds
    lines = [
        [0, f"{beyond} > 0", "general", 0, {"n": "esssup(X)"}],
        [1, "w - esssup(X) <= 0", "known"],
        [1, "Max(w - esssup(X), 0) = 0", "lemma", "max_right", {"x": "w - esssup(X)", "y": "0"}],
        [0, f"{beyond} = 0", "expected", "w", 1],
        [0, "0 > 0", "sum", [], [["1", [beyond, 1]], ["zero", "-1", 3]]],
    ]
    assert not shown(contexts, lines)
    monkeypatch.setattr(replaying.Finiteness, "demand", lambda *_: None)
    assert shown(contexts, lines)  # nothing else is in the way


def test_what_a_fact_says_of_an_expectation_is_used():
    of_loss = "E(exp((a - 1)*z), z, privacy_loss(P, Q))"
    given = [None, ["a > 1", "renyi(a, P, Q) >= 0"]]
    moment = [0, f"{of_loss} = exp((a - 1)*renyi(a, P, Q))", "lemma", "renyi_moment", {"a": "a", "P": "P", "Q": "Q"}]
    positive = [0, "exp((a - 1)*renyi(a, P, Q)) > 0", "lemma", "exp_positive", {"x": "(a - 1)*renyi(a, P, Q)"}]
    assert shown([given], [moment, positive])
    unknown = [0, "E(exp(9*z), z, privacy_loss(P, Q)) = E(exp(9*z), z, privacy_loss(P, Q))", "lemma", "reflexive",
               {"x": "E(exp(9*z), z, privacy_loss(P, Q))"}]  # fmt: skip
    assert not shown([given], [unknown, positive])


def contradiction(context, child):
    """The contradiction in other contexts than 0 and 1."""
    found = [[child if c else context, *rest] for c, *rest in CONTRADICTION]
    found[2][-1] = child
    return found


ZERO_OF_IT = f"({MEAN} - {MEAN})"
START, MORE = [None, ["x >= 0"], HEAVY], [None, ["x >= 0", f"{ZERO_OF_IT} >= 0"], HEAVY]
ON_THE_WAY = {
    "an instance": ([START, START, [1, []]], contradiction(1, 2), [[0, "0 >= 1", "instance", 3, {}]]),
    "a hypothesis there": ([START, MORE, [1, []]], contradiction(1, 2), [[0, "0 >= 1", "instance", 3, {}]]),
    "a monotone function": (
        [START, [None, [], HEAVY], [1, []]],
        contradiction(1, 2),
        [[1, "-y >= 0", "absurd", 3], [0, "-x*y >= 0", "rising", "x", "0", 1]],
    ),
    "an integral": (
        [START, [None, [], HEAVY], [1, []]],
        contradiction(1, 2),
        [[1, "0 = y", "absurd", 3], [0, "Integral(y, x, 0, 1) = 0", "integral", "0*x", 1]],
    ),
    "cases": (
        [START, [0, [f"{MEAN} >= 0"]], [1, []], [0, [f"{MEAN} < 0"]], [3, []]],
        [*contradiction(1, 2), *contradiction(3, 4)],
        [[1, "y >= 1", "absurd", 3], [3, "y >= 1", "absurd", 7], [0, "y >= 1", "cases", 1, 3]],
    ),
    "where it cancels": (
        [START, [0, []]],
        [[0, f"E(Min(exp(z), exp(5)), z, X) + {ZERO_OF_IT} >= 5", "general", 0, {"n": "5"}]],
        contradiction(0, 1),
    ),
}


@pytest.mark.parametrize("way", ON_THE_WAY)
def test_an_infinite_expectation_is_not_made_finite_on_the_way(way, monkeypatch):
    contexts, first, then = ON_THE_WAY[way]
    assert not shown(contexts, [*first, *then])
    monkeypatch.setattr(replaying.Finiteness, "demand", lambda *_: None)
    assert shown(contexts, [*first, *then])  # nothing else is in the way


def test_what_is_assumed_in_general_has_a_value():
    small = [[0, "E(Min(exp(z), exp(5)), z, X) >= 5", "general", 0, {"n": "5"}], [0, "1 >= 0", "known"]]
    assert shown([[None, [], HEAVY]], small)
