"""The record of what works: what was lost is found, what only differs is no loss, and work is a clock."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from record import compared  # noqa: E402

STEP = {"verdict": "proved", "method": "exact sign", "replayed": True}
NUMBER = {"lower": "1.25", "upper": "1.26", "method": "inversion"}
CHANGE = {"kind": "exact", "lower": "1", "upper": "1", "pairs": ["((0,), (1,))"], "known by": "proved (exact)"}
PAGE = {"status": 0, "lines": 2, "first": "b = k", "sha256": "00"}


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        (STEP, {**STEP, "verdict": "open"}),
        (STEP, {**STEP, "verdict": "raised TypeError: 1"}),
        (STEP, {**STEP, "replayed": False}),
        (STEP, None),
        (NUMBER, {**NUMBER, "upper": "1.2600001"}),
        (NUMBER, {**NUMBER, "upper": "Infinity"}),
        (CHANGE, {**CHANGE, "pairs": []}),
        (CHANGE, {**CHANGE, "kind": "enclosed", "upper": "2"}),
    ],
)
def test_what_is_lost_is_lost_and_the_other_way_round_gained(was, is_now):
    before, after = ({} if said is None else {"asked": said} for said in (was, is_now))

    there, back = compared({"part": before}, {"part": after}), compared({"part": after}, {"part": before})

    assert [len(there[g]) for g in ("lost", "gained", "changed")] == [1, 0, 0]
    assert [len(back[g]) for g in ("lost", "gained", "changed")] == [0, 1, 0]


def test_what_is_neither_better_nor_worse_has_changed():
    for was, is_now in ((STEP, {**STEP, "method": "lemma"}), (PAGE, {**PAGE, "sha256": "01"})):
        found = compared({"part": {"asked": was}}, {"part": {"asked": is_now}})

        assert [len(found[g]) for g in ("lost", "gained", "changed")] == [0, 0, 1]


def test_an_accepted_claim_that_is_refuted_now_is_lost_whatever_was_right():
    refuted = {"verdict": "refuted", "method": "enclosure", "at": {"x": "1"}}

    assert compared({"part": {"asked": STEP}}, {"part": {"asked": refuted}})["lost"]
    assert compared({"part": {"asked": refuted}}, {"part": {"asked": STEP}})["lost"]


def test_nothing_is_found_between_a_record_and_itself():
    both = {"part": {"a": STEP, "b": NUMBER, "c": CHANGE, "d": PAGE}}

    assert compared(both, both) == {"lost": [], "gained": [], "changed": []}


COUNTED = """
import sys
sys.path.insert(0, sys.argv[1])
from kit.work import WorkClock
from dpsym.core.deadline import now
from dpsym.deciding.timeout import within

done = 0

def once():
    global done
    done += 1

def endless():
    while True:
        once()

WorkClock().start()
assert within(now() + 0.2, lambda: 7, None) == 7
assert within(now() + 0.2, lambda: within(now() + 9, endless, "inner"), "outer") == "outer"
print(done)
"""


def test_a_limit_on_work_stops_at_the_same_call_each_time():
    line = [sys.executable, "-c", COUNTED, str(BENCHMARKS.parent / "tests")]
    first, second = (
        subprocess.run(line, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own program
        for _ in range(2)
    )

    assert first == second
    assert int(first) > 1000
