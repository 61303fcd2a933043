"""Time limits: what is found by then is the answer, and it is said that there may be more."""

from __future__ import annotations

import json
import math
from decimal import Decimal

import pytest

from dpsym import prove
from dpsym.cli.running import run
from dpsym.comparison import comparisons
from dpsym.core import rounding
from dpsym.core.clocks import Work
from dpsym.core.deadline import OutOfTime, check, cut, portion, remaining, timed
from dpsym.core.verdicts import Enclosure, Verdict
from dpsym.deciding import decide
from dpsym.deciding.timeout import attempted, within
from dpsym.deriving import DerivationError, NotInTime, Routes, derive, routes
from dpsym.entries.notions.approx import approx
from dpsym.language import read_relations, read_source
from dpsym.rendering import data, text
from dpsym.satisfying import satisfies


def test_without_an_end_nothing_is_stopped() -> None:
    with timed(None), timed(portion(0.1)):
        assert attempted(remaining, 0.0) == math.inf
        assert not cut()


def test_where_no_time_is_left_nothing_is_begun() -> None:
    def accident() -> str:
        raise AssertionError

    with timed(0):
        assert attempted(accident, "otherwise") == "otherwise"
        assert cut()


def test_what_is_stopped_in_a_part_is_stopped_in_the_whole() -> None:
    with timed(3600):
        with timed(portion(0.5)):
            assert attempted(lambda: 1, 0) == 1
        assert not cut()
        with timed(portion(0)):
            assert attempted(lambda: 1, 0) == 0
        assert cut()


def test_what_work_returns_is_not_taken_for_being_stopped() -> None:
    with timed(3600):
        assert attempted(lambda: None, "otherwise") is None
        assert not cut()


def test_an_exception_passes_through() -> None:
    with pytest.raises(ZeroDivisionError), timed(3600):
        attempted(lambda: 1 // 0, 0)


def test_inside_a_limit_its_time_is_what_is_left() -> None:
    with timed(3600):
        assert 0 < attempted(lambda: within(7200, remaining, 0.0), 0.0, share=0.5) <= 1800


def test_a_deadline_that_is_over_gives_up() -> None:
    with pytest.raises(OutOfTime), timed(-1):
        check()
    check()


def test_without_a_limit_routes_are_finished() -> None:
    found = routes(read_source("gaussian(sigma=2)"), approx)
    assert found.finished
    assert isinstance(found, Routes)
    assert isinstance(found, tuple)


def test_without_time_there_is_no_route_and_that_is_no_verdict() -> None:
    with pytest.raises(NotInTime, match="allow more time"):
        derive(read_source("gaussian(sigma=2)"), approx, time_limit=0)
    with pytest.raises(DerivationError) as refused:  # there it is not for want of time
        derive(read_source("rdp(2, 1)"), read_source("gdp(1)").definition, time_limit=3600)
    assert not isinstance(refused.value, NotInTime)


def test_where_time_ran_out_before_the_next_question_was_asked_it_is_open_and_no_mistake() -> None:
    question = read_source("laplace(b=2, Delta=1)"), approx(1, 0)
    with timed(-1):
        assert satisfies(*question, time_limit=remaining()).verdict is Verdict.OPEN
        assert decide(*read_relations("exp(x) > x").relations, (), time_limit=remaining()).verdict is Verdict.OPEN
        assert decide(*read_relations("exp(x) > x").relations, (), time_limit=portion(0.5)).verdict is Verdict.OPEN


def test_without_time_nothing_is_compared() -> None:
    with timed(0):
        assert comparisons("pinsker") == ()
        assert cut()
    assert comparisons("pinsker")
    assert prove("max(product(2, i, 1, oo), 0) >= 0", time_limit=Work(0.2)).status == 3  # SymPy evaluates what is read


@pytest.mark.parametrize(
    "arguments",
    [
        ["derive", "gaussian(sigma=2)", "--to", "approx", "--at", "delta=1e-5"],
        ["evaluate", "sqrt(2)"],
        ["show", "pinsker"],
        ["account", "gaussian(sigma=2) ** 3", "--at", "delta=1e-5", "--route", "rdp"],
    ],
    ids=lambda a: a[0],
)
def test_without_time_a_command_is_undecided(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*arguments, "--time-limit", "1e-9"]) == 3
    told = capsys.readouterr()
    assert not told.out
    assert "undecided" in told.err
    assert len([line for line in told.err.splitlines() if "… (" not in line]) == 1  # not how far it got


@pytest.mark.parametrize("limit", ["0", "-1", "soon"])
def test_a_limit_is_a_positive_number(limit: str) -> None:
    assert run(["evaluate", "sqrt(2)", "--time-limit", limit]) == 2


def test_the_document_says_whether_it_is_finished(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", "zcdp(1)", "--to", "approx", "--at", "delta=1e-5", "--json", "--time-limit", "3600"]) == 0
    assert json.loads(capsys.readouterr().out)["finished"] is True


def test_no_bound_at_all_is_written_as_infinity() -> None:
    value = Enclosure(Decimal(0), Decimal("Infinity"))
    assert text.between("epsilon", value) == "0 <= epsilon <= Infinity"
    assert text.enclosure(value) == "lower 0\nupper Infinity"
    assert json.loads(data.document(value.to_dict())) == {"lower": "0", "upper": "Infinity"}
    assert rounding.decimal(Decimal("-Infinity")) == "-Infinity"
