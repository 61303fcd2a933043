"""The same call has the same answer, however fast the machine is and whatever else it does."""

import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import dpsym
from dpsym import account, calibrate, derive, program, prove, sensitivity
from dpsym.checking import check_document
from dpsym.core import clocks
from dpsym.core.clocks import Work, asked
from dpsym.core.deadline import now
from dpsym.core.verdicts import Verdict
from dpsym.deciding.timeout import within
from dpsym.language import read_document

LATTICE = "subsampled(gaussian(sigma=141/100), q=173/10000) ** 412"
DOCUMENT = "let t > 0\nlet X: Laplace(1)\nE(x^4, x, X) = 24\nPr(x > t, x, X) <= 1/(1 + t)\n"
SOURCE = [
    (path, line.strip())
    for path in Path(dpsym.__file__).parent.rglob("*.py")
    for line in path.read_text(encoding="utf-8").splitlines()
]
PROGRAM = "x in [0, 1]^n, replace\na = laplace(b=10) on sum(x)\nb = gaussian(sigma=1/n) on mean(x)\n"


def verdict(claim, seconds, **said):
    found = prove(claim, time_limit=Work(seconds), **said).decision
    return found.verdict, found.why, found.points, found.witness


QUESTIONS = {
    "open at its limit": lambda: verdict("gamma(x)*gamma(1 - x) >= 3", 0.4, let=["0 < x < 1"]),
    "decided or not, as the limit falls": lambda: [
        verdict("cosh(x) <= exp(x^2/2)", seconds, let=["x: real"]) for seconds in (0.1, 0.3)
    ],
    "a calibration": lambda: str(
        calibrate("laplace(b=b) ** 20", for_="b", epsilon="1/2", delta="1e-6", time_limit=Work(0.2))
    ),
    "an enclosure by lattices": lambda: str(
        account(LATTICE, delta="1e-6", sampling="fixed-size", time_limit=Work(0.6))
    ),
    "a sensitivity": lambda: str(
        sensitivity("max(x)*sum(x)", let=["x in [0, 1]^n"], adjacent="replace", time_limit=Work(0.3))
    ),
    "a derivation": lambda: str(derive("gaussian(sigma=2) ** 10", to="approx(delta=1e-5)", time_limit=Work(0.3))),
    "a program": lambda: [(str(t), t.finished) for t in program(PROGRAM, time_limit=Work(0.5)).totals],
    "a document": lambda: [
        (step.decision.verdict, step.decision.why)
        for step in check_document(read_document(DOCUMENT, kind="plain"), time_limit=Work(0.3)).steps
    ],
}


def answer(ask):
    try:
        return ask()
    except ValueError as refused:  # it says what was not found in time
        return str(refused)


@pytest.mark.cases(2)
@pytest.mark.parametrize("question", QUESTIONS)
def test_neither_a_fast_nor_a_slow_processor_changes_an_answer(question, monkeypatch):
    for _ in range(3):  # a process's first question costs a little more: libraries make what they keep
        answer(QUESTIONS[question])
    found = []
    for pace in (1, 10, 1 / 10):
        monkeypatch.setattr(clocks, "_processor", lambda pace=pace: pace * time.process_time())
        monkeypatch.setattr(clocks, "_measured", [])
        found.append(answer(QUESTIONS[question]))

    assert found[0] == found[1] == found[2]


COUNTED = """
from dpsym.core.clocks import Work, asked
from dpsym.core.deadline import now
from dpsym.core.verdicts import Verdict
from dpsym.deciding.timeout import within

done = 0

def once():
    global done
    done += 1

def endless():
    global done
    done = 0
    while True:
        once()

def limits():
    assert within(0.2, lambda: 7, None) == 7
    return within(0.2, lambda: within(9, endless, "inner"), "outer")

assert asked(Work(1), limits) == "outer"
print(done)
"""


def test_a_limit_on_work_stops_at_the_same_call_each_time():
    line = [sys.executable, "-c", COUNTED]
    first, second = (
        subprocess.run(line, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own program
        for _ in range(2)
    )

    assert first == second
    assert int(first) > 1000


@pytest.mark.parametrize("share, runs", [(1.0, 2), (0.5, 1)])
def test_a_question_that_hands_its_limit_on_is_asked_again_from_its_start(share, runs):
    """So it is counted with nothing remembered; a part with a sooner limit of its own is asked again by itself."""
    begun = []

    def whole():
        begun.append(clocks.clock().kind)
        return asked(share * Work(0.2), lambda: within(share * 0.2, endless, "stopped"))

    assert asked(Work(0.2), whole) == "stopped"
    assert len(begun) == runs


def endless():
    while True:
        clocks.clock()


def test_nothing_compares_the_time_by_itself():
    """Whoever asks whether time is up asks `over`, so that a first run is given up."""
    own = {"deadline.py", "clocks.py", "timeout.py", "alarm.py"}
    by_itself = re.compile(
        r"now\(\) *[<>]|[<>]=? *now\(\)|\.remaining *[<>]|[^.]\bleft <=? 0|[^_]process_time|perf_counter"
    )

    assert not [f"{path.name}: {line}" for path, line in SOURCE if path.name not in own and by_itself.search(line)]


def test_a_limit_that_nobody_sets_is_work():
    """Else a function's own default would be kept on the wall's clock, as if a user had set it."""
    number = re.compile(r"time_limit(?:: float(?: \| None)?)? ?= ?\d")
    assert not [f"{path.name}: {line}" for path, line in SOURCE if number.search(line)]


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["gamma(x)*gamma(1 - x) >= 3", "x^x*exp(1/x) >= 9/4"])
def test_a_limit_that_is_set_is_kept_on_the_clock_of_the_wall(claim, monkeypatch):
    monkeypatch.setattr(clocks, "is_work", lambda limit: limit is None or isinstance(limit, Work))
    begun = time.monotonic()
    prove(claim, let=["0 < x < 1"], time_limit=3.0)

    assert time.monotonic() - begun < 2 * 3.0  # generous: others use this machine


@pytest.mark.cases(1)
@pytest.mark.parametrize("seconds", [0.05, 0.2, 0.4])
def test_what_was_stopped_leaves_nothing_behind(seconds):
    """SymPy notes which integrals are under way: one that was stopped must not count as a loop for ever."""
    claim = "integral(2/(pi*(y^2 + 1)^2), y, -oo, oo) = 1"
    prove(claim, time_limit=Work(seconds))

    assert prove(claim, time_limit=Work(20)).decision.verdict is Verdict.PROVED


def test_counted_work_that_calls_nothing_ends_and_the_clock_goes_on_from_its_limit(monkeypatch):
    monkeypatch.setattr(clocks, "GUARD", 0.5)

    def endless():
        while True:
            pass

    began = now()
    assert asked(Work(0.3), lambda: within(0.3, endless, "stopped")) == "stopped"
    assert now() - began < 10


@pytest.mark.parametrize("seconds", [0.0005, 10.0])
def test_the_clock_is_as_before_wherever_the_thread_is_stopped(monkeypatch, seconds):
    """What stops a thread may be raised between any two steps of it, those that put the clock back among them."""

    def looks(stopped_at):
        seen, shown = 0, clocks._processor

        def processor():
            nonlocal seen
            if threading.current_thread() is not threading.main_thread():
                return shown()  # to the thread that watches
            seen += 1
            if seen == stopped_at:
                raise clocks.Stopped
            return shown()

        with monkeypatch.context() as patched:
            patched.setattr(clocks, "_processor", processor)
            with suppress(clocks.Stopped):
                asked(Work(seconds), lambda: within(seconds, lambda: sum(map(abs, range(5000))), None))
        return seen

    kind = clocks.clock().kind
    for place in range(1, looks(None) + 1):
        looks(place)
        assert clocks.clock().kind is kind
    assert asked(Work(1), lambda: "an answer") == "an answer"
