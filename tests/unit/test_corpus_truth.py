"""The corpus itself: its size, its truth by a reader and an evaluation of its own, and how it is counted."""

from fractions import Fraction

import pytest

from corpus import Entry, entries
from corpus.running import Result, report, run
from corpus.truth import check
from dpsym.core.verdicts import Verdict

ENTRIES = entries()


def test_it_is_large_enough_and_much_of_it_is_false():
    false = [e for e in ENTRIES if not e.true]

    assert len(ENTRIES) >= 200
    assert len(false) >= 80
    assert {e.kind.partition("-")[0] for e in ENTRIES} >= {
        "identity",
        "inequality",
        "optimum",
        "sum",
        "limit",
        "integral",
    }
    assert {e.kind for e in ENTRIES} >= {f"inequality-{n}" for n in (1, 2, 3, 4)}


def test_no_relation_is_listed_twice_with_another_truth():
    truths = {}
    for e in ENTRIES:
        assert truths.setdefault((e.relation, e.let, e.assume, e.where), e.true) == e.true, e


@pytest.mark.slow
@pytest.mark.parametrize("true", [False, True], ids=["false", "true"])
def test_its_truth_does_not_rest_on_dpsym(true):
    wrong = [found for e in ENTRIES if e.true == true and (found := check(e, 4))]

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_its_truth_withstands_many_points():
    wrong = [found for e in ENTRIES if (found := check(e, 300))]

    assert not wrong, "\n".join(wrong)


def entry(relation, true, **point):
    return Entry(
        "made", "made", true, ("x > 0",), (), (), relation, "", {n: Fraction(v) for n, v in point.items()} or None
    )


def test_the_check_of_truth_can_fail():
    assert check(entry("x >= 1", True)) is not None
    assert check(entry("x >= 1", False, x=2)) is not None
    assert check(entry("x >= 1", False, x="1/2")) is None
    assert check(entry("x >= 1", False, x=-1)) is not None


@pytest.mark.parametrize(
    ("true", "verdict", "unsound", "settled"),
    [
        (True, Verdict.PROVED, False, True),
        (True, Verdict.CERTIFIED, False, True),
        (True, Verdict.SUPPORTED, False, False),
        (True, Verdict.REFUTED, True, False),
        (True, None, False, False),
        (False, Verdict.REFUTED, False, True),
        (False, Verdict.OPEN, False, False),
        (False, Verdict.CITED, True, False),
        (False, Verdict.CERTIFIED, True, False),
        (False, None, False, False),
    ],
)
def test_what_counts_as_unsound_and_as_settled(true, verdict, unsound, settled):
    result = Result(entry("x >= 1", true, **({} if true else {"x": "1/2"})), verdict, "", 0.0)

    assert (result.unsound, result.settled) == (unsound, settled)
    assert ("UNSOUND: 1" in report([result])) == unsound


def test_a_run_reports_what_the_prover_says():
    assert run(entry("x >= 1", False, x="1/2"), 5).verdict is Verdict.REFUTED
    assert run(entry("x + 1 > 1", True), 5).verdict is Verdict.PROVED
    assert run(entry("x + > 1", True), 5).verdict is None
