"""Deadlines inside deadlines: each is kept, no exception escapes, and nothing hangs."""

from __future__ import annotations

import random
import subprocess
import sys
import threading

import flint
import mpmath
import pytest
import sympy as sp

from dpsym.core.deadline import now
from dpsym.core.relations import Relation
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question, Yes, first_yes
from dpsym.deciding.timeout import within
from dpsym.numbers.digits import enclose


def busy(seconds: float) -> str:
    """Work that takes so long."""
    end = now() + seconds
    while now() < end:
        pass
    return "done"


def test_work_that_ends_in_time_gives_its_result() -> None:
    assert within(10, lambda: busy(0.01), "stopped") == "done"


def test_work_that_does_not_is_stopped() -> None:
    began = now()
    assert within(0.1, lambda: busy(60), "stopped") == "stopped"
    assert now() - began < 10


def test_the_outer_deadline_ends_work_under_a_later_one() -> None:
    def inner() -> str:
        return within(60, lambda: busy(60), "inner")

    assert within(0.1, inner, "outer") == "outer"


def test_a_stop_inside_a_callback_of_c_is_no_failure_of_a_strategy() -> None:
    """flint makes a SystemError of it."""

    def slow(_: Question) -> Yes | None:
        enclose(sp.Integral(sp.exp(-(s**2)) / (1 + sp.sin(s) ** 2), (s, 0, 3)), digits=1000)
        return None

    s = sp.Symbol("s")
    question = Question(Relation(s, ">", sp.Integer(0)), Domain(), depth=1)
    assert within(0.1, lambda: first_yes(question, (slow,)), "stopped") == "stopped"
    assert question.notes == []


def nested(depth: int, rng: random.Random) -> object:
    def work() -> list[object]:
        return [
            within(
                rng.uniform(0.01, 0.06),
                (lambda: nested(depth - 1, rng)) if depth else (lambda: busy(rng.uniform(0, 0.08))),
                None,
            )
            for _ in range(3)
        ]

    return within(rng.uniform(0.02, 0.15), work, None)


@pytest.mark.slow
def test_many_deadlines_at_about_the_same_time() -> None:
    escaped: list[BaseException] = []

    def run() -> None:
        rng = random.Random(0)  # noqa: S311 - no cryptography
        end = now() + 2
        try:
            while now() < end:
                nested(2, rng)
        except BaseException as error:  # noqa: BLE001 - nothing may come out
            escaped.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert not escaped


UNDER_A_TRACER = """
import sys, time
from dpsym import prove
from dpsym.core.deadline import now
from dpsym.core.verdicts import Verdict
from dpsym.deciding.timeout import within
assert within(30, lambda: 1, 0) == 1
assert within(0.05, lambda: [time.sleep(0.001) for _ in range(10**6)], 0) == 0
sys.settrace(lambda *_: None)
def called(): return 1
print(sum(called() for _ in range(1000)))
"""


@pytest.mark.slow
def test_nothing_is_left_behind_that_hangs_under_a_tracer() -> None:
    command = [sys.executable, "-c", UNDER_A_TRACER]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603
    assert done.stdout == "1000\n"


def test_working_precisions_are_restored():
    """Libraries set a precision and then begin a `try`: in between, what is stopped would leave it as it is."""
    before = (flint.ctx.prec, mpmath.mp.prec)

    def work():
        flint.ctx.prec, mpmath.mp.prec = 1000, 2000
        while True:
            pass

    assert within(0.1, work, "stopped") == "stopped"
    assert (flint.ctx.prec, mpmath.mp.prec) == before
