"""Sweeps over parameters: the grid, the executors, the files, and what an interruption leaves."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dpsym import gaussian, laplace
from dpsym.accounting import NotAccountable, delta, epsilon, smallest_sigma, sweep, sweeping
from dpsym.api import sweep as api_sweep
from dpsym.api.given_values import values_by_name
from dpsym.api.tables import CsvTable, JsonTable
from dpsym.cli.running import run
from dpsym.language import ReadingError
from dpsym.statements import Subsampled
from kit.interrupting import interruptible

sigma, T, q, b = sp.symbols("sigma T q b")
D5 = Fraction(1, 10**5)
SAMPLED = Subsampled(gaussian(sigma), q) ** T
PURE = laplace(b) ** T


def test_every_point_of_a_grid_is_the_account_there():
    rows = sweep(SAMPLED, {"sigma": [1, 2], "T": [1000, 10_000]}, given={"delta": D5, "q": Fraction(1, 100)}, digits=6)

    assert [dict(row.point) for row in rows] == [{"sigma": s, "T": t} for s in ("1", "2") for t in ("1000", "10000")]
    for row in rows:
        at = {name: Fraction(value) for name, value in row.point}
        direct = epsilon(Subsampled(gaussian(at["sigma"]), Fraction(1, 100)) ** int(at["T"]), delta=D5, digits=6)
        assert (row.lower, row.upper, row.method) == (str(direct.lower), str(direct.upper), direct.method)
        assert row.finished
        assert not row.error


def test_what_is_swept_may_be_the_guarantee_and_what_is_asked_the_noise():
    rows = sweep(gaussian(sigma) ** 10, {"epsilon": [1, 2]}, given={"delta": D5}, unknown="sigma")

    for row, eps in zip(rows, (1, 2), strict=True):
        direct = smallest_sigma(epsilon=eps, delta=D5, steps=10)
        assert row.lower == str(direct.lower)
        assert row.upper == str(direct.upper)


def test_a_point_that_cannot_be_accounted_for_says_why_and_the_others_are_there():
    rows = sweep(PURE, {"b": [2, 0, -1]}, given={"delta": 0, "T": 3})

    assert [row.upper for row in rows] == ["1.5", "", ""]
    assert "b > 0 is needed" in rows[1].error
    assert not rows[2].finished


@pytest.mark.parametrize(
    ("over", "given", "message"),
    [
        ({"sigma": [1]}, {"delta": D5, "T": 3}, "q has no value"),
        ({"sigma": [1], "q": [D5]}, {"T": 3}, "epsilon or delta"),
        ({"sigma": [1], "q": [D5]}, {"T": 3, "delta": D5, "epsilon": 1}, "not both"),
        ({"x": [1]}, {"delta": D5}, "x does not occur"),
        ({"sigma": [1]}, {"sigma": 1, "delta": D5}, "swept and has a value"),
        ({"sigma": [], "q": [D5], "T": [1]}, {"delta": D5}, "no values of sigma"),
        ({"sigma": [0.5], "q": [D5], "T": [1]}, {"delta": D5}, "float"),
    ],
)
def test_questions_that_are_none_are_refused(over, given, message):
    with pytest.raises(NotAccountable, match=message):
        sweep(SAMPLED, over, given=given)


def test_any_executor_will_do():
    grid = {"b": [Fraction(n) for n in range(1, 9)], "T": [1, 5]}
    given = {"delta": Fraction(1, 1000)}
    with ThreadPoolExecutor(1) as executor:
        there = sweep(PURE, grid, given=given, digits=6, executor=executor)
    here = sweep(PURE, grid, given=given, digits=6)

    assert [(row.point, row.lower, row.upper) for row in there] == [(row.point, row.lower, row.upper) for row in here]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.needs("cluster")
def test_a_dask_cluster_will_do():
    import distributed

    grid = {"b": [Fraction(n) for n in range(1, 9)], "T": [1, 5]}
    given = {"delta": Fraction(1, 1000)}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        there = sweep(PURE, grid, given=given, digits=6, executor=executor)
    here = sweep(PURE, grid, given=given, digits=6)

    assert [(row.point, row.lower, row.upper) for row in there] == [(row.point, row.lower, row.upper) for row in here]


def test_no_more_than_some_tasks_wait_in_an_executor():
    class Counting(ThreadPoolExecutor):
        submitted = 0

        def submit(self, *arguments, **options):
            self.submitted += 1
            return super().submit(*arguments, **options)

    tasks = sweeping.tasks(PURE, {"T": list(range(1, 300))}, given={"delta": 0, "b": 1})
    with Counting(1) as executor:
        rows = sweeping.run(tasks, executor)
        next(rows)
        rows.close()
        assert executor.submitted <= 64


def test_samples_of_fixed_size_may_be_swept():
    of, given = Subsampled(laplace(b), q) ** T, {"epsilon": Fraction(1, 2), "q": Fraction(1, 5)}
    rows = sweep(of, {"b": [1, 2], "T": [1, 2]}, given=given, sampling="fixed-size", digits=3)

    for row in rows:
        at = {name: Fraction(value) for name, value in row.point}
        there = Subsampled(laplace(at["b"]), Fraction(1, 5)) ** int(at["T"])
        fixed = delta(there, epsilon=Fraction(1, 2), sampling="fixed-size", digits=3)
        assert max(Decimal(row.lower), fixed.lower) <= min(Decimal(row.upper), fixed.upper)
    poisson = sweep(of, {"b": [1], "T": [2]}, given=given, digits=3)
    assert Decimal(rows[1].upper) > Decimal(poisson[0].upper)


# --- what is written on the command line ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("T=10,100,1e3", [10, 100, 1000]),
        ("sigma=1:2:0.25", [1, Fraction(5, 4), Fraction(3, 2), Fraction(7, 4), 2]),
        ("q = 1/8:1:*2", [Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), 1]),
        ("T=1:10:4,20", [1, 5, 9, 20]),
    ],
)
def test_values_of_a_sweep(text, values):
    assert list(values_by_name("sweep", [text]).values()) == [values]


@pytest.mark.parametrize("text", ["T", "T=", "T=1:2", "T=3:1:1", "T=1:5:0", "T=1:5:*1", "T=a", "T=1:1e9:1", "=3"])
def test_senseless_sweeps_are_refused(text):
    with pytest.raises(ReadingError):
        values_by_name("sweep", [text])


SWEEP = ["account", "laplace(b) ** T", "--at", "delta=1e-3", "--sweep", "b=1,2", "--sweep", "T=1:3:1", "--digits", "4"]


def read(path):
    if path.suffix == ".json":
        return json.loads(path.read_text())
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_an_interrupted_sweep_leaves_its_rows_and_resumes(tmp_path, monkeypatch, capfd, kind):
    path = tmp_path / f"sweep.{kind}"
    answers = []

    def interrupted(task):
        if len(answers) == 4:
            raise KeyboardInterrupt
        answers.append(task.point)
        return original(task)

    original = sweeping.row_of
    monkeypatch.setattr(sweeping, "row_of", interrupted)
    assert run([*SWEEP, "-o", str(path)]) == 130
    assert len(read(path)) == 4

    with path.open("rb+") as file:  # as if the machine had stopped within the last row
        file.truncate(path.stat().st_size - 9)
    answers.clear()
    monkeypatch.setattr(sweeping, "row_of", lambda task: (answers.append(task.point), original(task))[1])
    assert run([*SWEEP, "-o", str(path)]) == 0
    rows = read(path)

    assert len(answers) == 3  # two that were missing, and the one that was cut off
    assert [(row["b"], row["T"]) for row in rows] == [(x, t) for x in ("1", "2") for t in ("1", "2", "3")]
    for row in rows:
        direct = epsilon(laplace(int(row["b"])) ** int(row["T"]), delta=Fraction(1, 1000), digits=4)
        assert (Decimal(row["lower"]), Decimal(row["upper"])) == (direct.lower, direct.upper)


NAMES = ["b", "T", "lower"]
KEPT = {
    "csv": "b,T,lower\n1,1,0.5\n2,1,0.25\n",
    "json": '[\n{"b": "1", "T": "1", "lower": "0.5"},\n{"b": "2", "T": "1", "lower": "0.25"}\n]\n',
}
PIECES = st.sampled_from(
    [
        "[" * 60_000,
        "{",
        "}",
        "]",
        '"',
        ",",
        "\n",
        "\r",
        "\x00",
        "null",
        "1e999",
        "NaN",
        '"b": ',
        "x" * 140_000,
        "\ud7ff",
    ]
)


@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", KEPT)
def test_whatever_the_file_holds_it_is_read_or_refused(tmp_path, kind):
    path = tmp_path / f"sweep.{kind}"

    @settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 20), PIECES | st.text(max_size=9)), max_size=4))
    @example([(2, 0, "[" * 60_000)])
    @example([(10, 0, "x" * 140_000)])
    def check(changes):
        text = KEPT[kind]
        for start, cut, piece in changes:
            text = text[:start] + piece + text[start + cut :]
        path.write_text(text, encoding="utf-8", newline="")
        with suppress(ReadingError):
            kept = (CsvTable if kind == "csv" else JsonTable)(path, NAMES).kept()
            assert all(list(record) == NAMES and set(map(type, record.values())) == {str} for record in kept)

    check()


def test_a_file_of_another_sweep_is_not_touched(tmp_path, capfd):
    path = tmp_path / "sweep.csv"
    assert run([*SWEEP, "-o", str(path)]) == 0
    before = path.read_text()

    assert run(["account", "laplace(b) ** T", "--at", "delta=1e-4", *SWEEP[4:], "-o", str(path)]) == 2
    assert run([*SWEEP[:4], "--sweep", "b=1,2", "--at", "T=1", "-o", str(path)]) == 2
    assert path.read_text() == before
    assert "another sweep" in capfd.readouterr().err


def test_without_a_file_rows_are_printed(capfd):
    assert run(SWEEP) == 0
    out, _ = capfd.readouterr()

    rows = list(csv.DictReader(out.splitlines()))
    assert len(rows) == 6


def test_an_option_that_a_sweep_does_not_take_is_named(capfd):
    assert run([*SWEEP, "--route", "rdp"]) == 2
    assert "--sweep does not go with --route" in capfd.readouterr().err


def test_what_python_writes_as_csv_is_what_the_command_prints(tmp_path, capfd):
    assert run(["account", "laplace(b) ** T", "--at", "delta=1e-5", "--sweep", "b=1,2", "--sweep", "T=1"]) == 0
    printed = list(csv.DictReader(capfd.readouterr().out.splitlines()))
    path = tmp_path / "rows.csv"
    text = api_sweep("laplace(b) ** T", {"b": "1,2", "T": "1"}, delta="1e-5").to_csv(path)
    written = list(csv.DictReader(text.splitlines()))

    assert list(written[0]) == list(printed[0])
    assert [row | {"seconds": ""} for row in written] == [row | {"seconds": ""} for row in printed]
    assert path.read_text() == text


@pytest.mark.parametrize("table", [CsvTable, JsonTable])
def test_a_table_is_readable_after_every_row(tmp_path, table):
    path = tmp_path / "rows"
    rows = table(path, ["a", "b"])
    rows.write([])
    for n in range(3):
        rows.add({"a": str(n), "b": 'a "quoted", value'})
        assert table(path, ["a", "b"]).kept() == [{"a": str(m), "b": 'a "quoted", value'} for m in range(n + 1)]


def test_a_file_says_what_samples_were_meant_and_is_not_resumed_for_others(tmp_path, capfd):
    path = tmp_path / "sweep.csv"
    line = ["account", "subsampled(laplace(b), 1/5)", "--at", "epsilon=1/2", "--sweep", "b=1,2", "--digits", "4"]
    assert run([*line, "-o", str(path), "--sampling", "fixed-size"]) == 0
    assert {row["sampling"] for row in read(path)} == {"fixed-size"}
    assert run([*line, "-o", str(path)]) == 2
    assert "another sweep" in capfd.readouterr().err


def test_json_says_whether_a_row_is_finished_as_a_truth_value(tmp_path):
    path = tmp_path / "sweep.json"
    assert run([*SWEEP, "-o", str(path)]) == 0

    assert {row["finished"] for row in read(path)} == {True}
    assert run([*SWEEP, "-o", str(path)]) == 0
    assert {row["finished"] for row in read(path)} == {True}


# what Python says of an exception in a callback of its own, as that of a lock of an import: nobody else hears of it
_LOST_BY_PYTHON = re.compile(r"^Exception ignored .*\n(?:Traceback .*\n(?:[ \t]+.*\n)*KeyboardInterrupt.*\n)?", re.M)


def _interrupted(process):
    """What the program says when it is interrupted until it ends: Python may lose an interruption."""
    for _ in range(30):  # five minutes, and each time long enough to end in
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=10)[1]
    pytest.fail("it goes on after 30 interruptions")


@pytest.mark.slow
def test_an_interruption_from_the_terminal_ends_all_processes_quietly(tmp_path):
    path = tmp_path / "sweep.csv"
    line = [sys.executable, "-m", "dpsym", "account", "gaussian(b) ** T", "--at", "delta=1e-5"]
    line += ["--sweep", "b=1:9:0.001", "--sweep", "T=10:1e4:*10", "--jobs", "2", "-o", str(path)]
    for working in (False, True):  # while the processes start, where Python may not hear yet, and while they work
        with interruptible(line, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(1.5)
            while working and not path.exists() and process.poll() is None:
                time.sleep(0.1)
            said = _interrupted(process)
        said = _LOST_BY_PYTHON.sub("", said)
        assert "Traceback" not in said
        if working or process.returncode != -signal.SIGINT:
            assert process.returncode == 130
            assert said.rstrip().endswith("dpsym: interrupted")
        path.unlink(missing_ok=True)
