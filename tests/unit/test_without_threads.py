"""Where no thread and no process can be started, as in a browser: the same limits, the same answers."""

import subprocess
import sys
import time

import pytest

WITHOUT_THREADS = """
import threading

def refuse(self):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse

import random, sys, time
import flint, mpmath
from dpsym.core.deadline import now, remaining
from dpsym.deciding.timeout import within
from dpsym.rendering.progress import progress

def busy(seconds):
    end = now() + seconds
    while now() < end:
        pass
    return "done"

assert within(10, lambda: busy(0.01), "stopped") == "done"
began = now()
assert within(0.05, lambda: busy(60), "stopped") == "stopped"
assert now() - began < 10
assert within(0.05, lambda: within(60, lambda: busy(60), "inner"), "outer") == "outer"
assert within(60, lambda: within(0.05, lambda: busy(60), "inner"), "outer") == "inner"
assert within(9, remaining, None) > 5 and remaining() == float("inf")

before = (flint.ctx.prec, mpmath.mp.prec)

def changing():
    flint.ctx.prec, mpmath.mp.prec = 1000, 2000
    busy(60)

assert within(0.05, changing, "stopped") == "stopped"
assert (flint.ctx.prec, mpmath.mp.prec) == before

def nested(depth, rng):
    def work():
        inner = (lambda: nested(depth - 1, rng)) if depth else (lambda: busy(rng.uniform(0, 0.04)))
        return [within(rng.uniform(0.01, 0.04), inner, None) for _ in range(3)]
    return within(rng.uniform(0.02, 0.08), work, None)

rng, end = random.Random(0), now() + 0.7
while now() < end:
    nested(2, rng)
busy(0.1)  # what was left in the midst of leaving would be raised here

with progress("deriving", first_after=0.0):
    busy(0.01)
print("kept")
"""


@pytest.mark.slow
def test_limits_are_kept_by_an_alarm():
    done = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", WITHOUT_THREADS], capture_output=True, text=True, timeout=120, check=False
    )

    assert done.stderr == ""
    assert done.stdout == "kept\n"


@pytest.fixture
def alone(monkeypatch):
    """No process can be started, and a limit is kept on the wall's clock."""
    from dpsym.checking import workers
    from dpsym.core import clocks

    monkeypatch.setattr(clocks, "is_work", lambda limit: False)
    monkeypatch.setattr(workers, "_PROCESSES", False)
    monkeypatch.setattr(workers, "_GRACE", 0.0)
    monkeypatch.setattr(workers, "_AND", 0.05)
    monkeypatch.setattr(workers, "_Worker", None)
    return workers


def slow(task):
    if task == "slow":
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pass
    return task.upper()


def test_tasks_are_done_in_turn_and_one_that_takes_too_long_loses_its_own_result_only(alone):
    counted = []
    found = list(alone.run(slow, ["a", "slow", "b"], [0, 0, 0], jobs=4, waiting=counted.append))

    assert found == [(0, "A"), (1, None), (2, "B")]
    assert counted == [0, 1, 2]


def test_what_was_found_is_kept_where_what_comes_then_takes_too_long(alone):
    def then(task, found):
        return found + slow("slow" if task == "b" else "!")

    assert list(alone.run(slow, ["a", "b"], [0, 0], jobs=1, then=then)) == [(0, "A!"), (1, "B")]


def test_nothing_is_begun_after_the_end(alone):
    assert list(alone.run(slow, ["a"], [0], jobs=1, until=time.monotonic() - 1)) == []


def test_a_document_has_the_same_verdicts(alone, monkeypatch):
    from dpsym.checking import check_document
    from dpsym.language import read_document

    monkeypatch.setattr(alone, "_AND", 20.0)
    document = read_document("---\nlet:\n  x: x > 0\n---\n\n$$x \\le e^x$$\n\n$$e^x \\le 1 + x$$\n", kind="markdown")
    found = [str(step.decision.verdict) for chain in check_document(document, jobs=2).chains for step in chain.steps]

    assert found == ["proved", "refuted"]
