"""Sweeps on the command line: values of parameters, a file that grows row by row, and where to resume."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from dpsym.cli.arguments import DONE, UNDECIDED, Unreadable, refusing, shortened
from dpsym.cli.processes import workers

if TYPE_CHECKING:
    from fractions import Fraction

    from dpsym.accounting.sweeping import Task

_FLAG = "finished"  # true or false
Record = dict[str, str]
Point = tuple[tuple[str, str], ...]


def swept(sweeps: Sequence[str], option: str = "--sweep") -> dict[str, list[Fraction]]:
    """The values that all of an option together give: "T=10,100,1000", "sigma=1:5:0.5", "T=1e2:1e6:*10"."""
    from dpsym.api.sweeping import values_over

    over: dict[str, list[Fraction]] = {}
    for text in sweeps:
        with refusing(option, text):
            name, equals, values = text.partition("=")
            name = name.strip()
            if not equals or not name.isidentifier():
                raise Unreadable('expected NAME=VALUES, e.g. "T=10,100" or "sigma=1:5:0.5" or "T=100:1e6:*10"')
            if name in over:
                raise Unreadable(f"{name} has values already")
            over[name] = values_over(name, values)
    return over


class Table(Protocol):
    """A file of records that is readable after each of them."""

    def kept(self) -> list[Record]:
        """The complete records that are there."""

    def add(self, record: Record) -> None:
        """Write one more, now."""

    def write(self, records: Sequence[Record]) -> None:
        """Write these and no others."""


class CsvTable:
    """One record a line; a line that an interruption cut off is dropped."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path, self._names = path, list(names)

    def kept(self) -> list[Record]:
        """See `Table`."""
        text = _text(self._path)
        whole = text[: text.rfind("\n") + 1]
        try:
            rows = list(csv.reader(io.StringIO(whole)))
        except csv.Error as error:
            raise Unreadable(f"{shortened(str(self._path))} cannot be read: {error}") from None
        if not rows:
            return []
        if rows[0] != self._names:
            raise Unreadable(f"{shortened(str(self._path))} has other columns; move it away, or resume the same sweep")
        return [dict(zip(self._names, row, strict=True)) for row in rows[1:] if len(row) == len(self._names)]

    def add(self, record: Record) -> None:
        """See `Table`."""
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._line([record[name] for name in self._names]))

    def write(self, records: Sequence[Record]) -> None:
        """See `Table`."""
        lines = [self._names, *([record[name] for name in self._names] for record in records)]
        _replace(self._path, "".join(map(self._line, lines)))

    def _line(self, values: Sequence[str]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow(values)
        return buffer.getvalue()


class JsonTable:
    """One array, one record a line, closed again after each."""

    _END = "\n]\n"

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path, self._names = path, list(names)

    def kept(self) -> list[Record]:
        """See `Table`."""
        found: list[Record] = []
        for line in _text(self._path).splitlines()[1:]:
            try:
                record = json.loads(line.rstrip(","))
            except ValueError:  # the end, or what an interruption cut off
                continue
            except RecursionError:
                record = None
            if isinstance(record, dict) and isinstance(record.get(_FLAG), bool):
                record[_FLAG] = "true" if record[_FLAG] else "false"
            of_text = isinstance(record, dict) and all(isinstance(value, str) for value in record.values())
            if not of_text or list(record) != self._names:
                raise Unreadable(
                    f"{shortened(str(self._path))} has other records; move it away, or resume the same sweep"
                )
            found.append(record)
        return found

    def add(self, record: Record) -> None:
        """See `Table`."""
        with self._path.open("r+b") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(size - len(self._END))
            first = size == len("[" + self._END)
            file.write((("\n" if first else ",\n") + _json(record) + self._END).encode())

    def write(self, records: Sequence[Record]) -> None:
        """See `Table`."""
        _replace(self._path, "[" + ",".join("\n" + _json(record) for record in records) + self._END)


def _json(record: Record) -> str:
    """One object."""
    from dpsym.api.sweeping import as_object

    return json.dumps(as_object(record))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except UnicodeDecodeError as error:
        raise Unreadable(f"{shortened(str(path))} cannot be read: {error}") from None


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8", newline="")
    beside.replace(path)


def run_sweep(grid: Sequence[Task], same: Mapping[str, str], jobs: int, output: Path | None, as_json: bool) -> int:
    """Account at every point, into a file that can be read and resumed at any time, or onto standard output.

    Args:
        grid: the points.
        same: what is the same for all of them, as the first columns.
        jobs: how many processes.
        output: a .csv or .json file; None prints CSV.
        as_json: print one JSON document of all of them.
    """
    from dpsym.api.sweeping import as_object, columns
    from dpsym.rendering import data

    names = columns(same, grid)
    if output is not None and output.suffix not in (".csv", ".json"):
        raise Unreadable(f"-o {shortened(str(output))!r}: expected a name that ends in .csv or .json")
    done: dict[Point, Record] = {}
    table: Table | None = None
    if output is not None:
        table = CsvTable(output, names) if output.suffix == ".csv" else JsonTable(output, names)
        done = _done(table, grid, same, output)
        table.write(list(done.values()))
    elif not as_json:
        click.echo(",".join(names))
    done = _all_rows(grid, same, jobs, done, table, quiet=as_json)
    records = [done[task.point] for task in grid]
    if table is not None:  # as they came until here, in the order of the grid from here on
        table.write(records)
    if as_json:
        click.echo(data.document([as_object(record) for record in records]))
    return DONE if all(record[_FLAG] == "true" for record in records) else UNDECIDED


def _all_rows(
    grid: Sequence[Task],
    same: Mapping[str, str],
    jobs: int,
    done: dict[Point, Record],
    table: Table | None,
    quiet: bool,
) -> dict[Point, Record]:
    from dpsym.accounting import sweeping
    from dpsym.api.sweeping import record_of

    with workers(jobs) as executor, _bar(len(grid), len(done)) as advance:
        for row in sweeping.run(grid, executor, done=set(done)):
            record = record_of(row, same, grid)
            done[row.point] = record
            if table is not None:
                table.add(record)
            elif not quiet:
                click.echo(CsvTable(Path(), list(record))._line(list(record.values())), nl=False)
            advance()
    return done


def _done(table: Table, grid: Sequence[Task], same: Mapping[str, str], output: Path) -> dict[Point, Record]:
    """What an earlier run of the same sweep has left."""
    points = {task.point for task in grid}
    found: dict[Point, Record] = {}
    for record in table.kept():
        if any(record[name] != value for name, value in same.items()):
            raise Unreadable(f"{shortened(str(output))} is of another sweep; move it away, or resume that one")
        point = tuple((name, record[name]) for name, _ in grid[0].point)
        if point in points:
            found[point] = record
    return found


@contextmanager
def _bar(total: int, done: int) -> Iterator[_Advance]:
    """A progress bar on standard error."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(file=sys.stderr)
    columns = (TextColumn("accounting"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("accounting", total=total, completed=done)
        yield lambda: progress.advance(task)


class _Advance(Protocol):
    """One more is done."""

    def __call__(self) -> None:
        """Advance."""
