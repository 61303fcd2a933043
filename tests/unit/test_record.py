"""The record of what works: what was lost is found, what only differs is no loss, and work is a clock."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from record import compared  # noqa: E402

STEP = {"verdict": "proved", "method": "exact sign", "replayed": True}
NUMBER = {"lower": "1.25", "upper": "1.26", "method": "inversion"}
CHANGE = {
    "kind": "exact",
    "lower": "1",
    "upper": "1",
    "pairs": ["((0,), (1,))"],
    "conditions": [],
    "known by": "proved",
}
PAGE = {"status": 0, "lines": 2, "first": "b = k", "sha256": "00"}


BOTH_WAYS = [  # what is lost one way is gained the other
    (STEP, {**STEP, "verdict": "open"}),
    (STEP, {"verdict": "raised TypeError: 1"}),
    (STEP, {**STEP, "replayed": False}),
    (STEP, {**STEP, "given": ["the expectation is finite"]}),
    (STEP, None),
    (NUMBER, {**NUMBER, "upper": "1.2600001"}),
    (NUMBER, {**NUMBER, "lower": "1.2499"}),
    (NUMBER, {**NUMBER, "upper": "Infinity"}),
    (NUMBER, {**NUMBER, "an upper bound only": ["no pair is known"]}),
    (NUMBER, {"verdict": "raised RuntimeError: lattice"}),
    (CHANGE, {**CHANGE, "pairs": []}),
    (CHANGE, {**CHANGE, "kind": "enclosed", "upper": "2"}),
    (CHANGE, {"kind": "refused: it has no value"}),
    (CHANGE, {**CHANGE, "kind": "open", "lower": "None"}),
    (CHANGE, {**CHANGE, "known by": "open"}),
    (PAGE, {"verdict": "raised KeyError: 'b'"}),
]
EITHER_WAY = [  # one of both is wrong, or nobody can say that it is as good
    (STEP, {"verdict": "refuted", "method": "enclosure", "at": {"x": "1"}}),
    (NUMBER, {**NUMBER, "lower": "7", "upper": "7.001"}),
    (NUMBER, {**NUMBER, "lower": "Infinity", "upper": "Infinity"}),
    (NUMBER, {**NUMBER, "lower": "1.258", "upper": "1.262"}),
    (CHANGE, {**CHANGE, "lower": "2", "upper": "2"}),
    (CHANGE, {**CHANGE, "upper": "2*C/n", "lower": "2*C/n"}),
    (CHANGE, {**CHANGE, "conditions": ["n > 1"]}),
    (PAGE, {**PAGE, "status": 1}),
]


def groups(was, is_now):
    """How many lines were lost, gained and changed."""
    before, after = ({} if said is None else {"asked": said} for said in (was, is_now))
    return [len(lines) for lines in compared({"part": before}, {"part": after}).values()]


@pytest.mark.cases(len(BOTH_WAYS))
@pytest.mark.parametrize(("was", "is_now"), BOTH_WAYS)
def test_what_is_lost_is_lost_and_the_other_way_round_gained(was, is_now):
    assert groups(was, is_now) == [1, 0, 0]
    assert groups(is_now, was) == [0, 1, 0]


@pytest.mark.cases(len(EITHER_WAY))
@pytest.mark.parametrize(("was", "is_now"), EITHER_WAY)
def test_what_contradicts_is_lost_either_way(was, is_now):
    assert groups(was, is_now) == groups(is_now, was) == [1, 0, 0]


def test_what_is_neither_better_nor_worse_has_changed():
    assert groups(STEP, {**STEP, "method": "lemma"}) == groups(PAGE, {**PAGE, "sha256": "01"}) == [0, 0, 1]


def test_nothing_is_found_between_a_record_and_itself():
    both = {"part": {"a": STEP, "b": NUMBER, "c": CHANGE, "d": PAGE}}

    assert compared(both, both) == {"lost": [], "gained": [], "changed": []}
