"""`sweep`: the same question over a grid of parameters, as rows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpsym.api.accounting import READING
from dpsym.api.given_values import (
    digits_of,
    fractions,
    refuse_options,
    settled,
    values_by_name,
    values_of,
    with_usual_delta,
)
from dpsym.api.processes import workers
from dpsym.api.reading import Direction, Sampling
from dpsym.api.subjects import Described, between_of
from dpsym.api.tables import FLAG, Record, Table, as_object, table_in
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.nearest import why_not_opened
from dpsym.core.rounding import to_float
from dpsym.core.spelling import by_any_spelling
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import DONE, UNDECIDED, Answer

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import sympy as sp

    from dpsym.accounting.sweeping import Row, Task
    from dpsym.api.given_values import Values
    from dpsym.rendering.page import Page
    from dpsym.statements import Adjacency

_ANSWER = ("lower", "upper", "method", "finished", "error", "seconds", "safe")
_DECIMALS = Context(prec=17)  # as many digits as a float has
Point = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Answer):
    """A question answered over a grid.

    Attributes:
        records: one for each point, exact values and bounds as strings; see `columns`.
        swept: the names that vary.
        given: names with the same value everywhere.
        decided: a line for each thing that decides the answers: the neighbours, the sampling, …
    """

    records: tuple[Record, ...]
    swept: tuple[str, ...]
    given: tuple[str, ...]
    decided: tuple[str, ...] = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict for each point, for a data frame: `pandas.DataFrame(answer.rows)`.

        Parameters are the nearest floats; `lower` is rounded down and `upper` up, and `safe` says which of them is
        enough.  Exact strings are in `to_dict()`.
        """
        return [self._row(record) for record in self.records]

    def _row(self, record: Record) -> dict[str, Any]:
        row: dict[str, Any] = {name: float(Fraction(record[name])) for name in (*self.given, *self.swept)}
        row["asked"] = record["asked"]
        row |= {name: record[name] for name in ("adjacency",) if name in record}
        for end in ("lower", "upper"):
            row[end] = to_float(Decimal(record[end]), up=end == "upper") if record[end] else None
        row |= {"method": record["method"], FLAG: record[FLAG] == "true", "error": record["error"]}
        return row | {"seconds": float(record["seconds"]), "safe": record["safe"]}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    @property
    def status(self) -> int:
        """0 where every point is as narrow as asked, 3 otherwise."""
        return DONE if all(record[FLAG] == "true" for record in self.records) else UNDECIDED

    @property
    def brief(self) -> str:
        """How many points there are of what."""
        return f"{len(self.records)} points over {', '.join(self.swept)}"

    def to_dict(self) -> list[dict[str, Any]]:
        """The document of `--sweep --json`: an object for each point; numbers are strings."""
        return [as_object(record) for record in self.records]

    def to_csv(self, path: str | Path | None = None) -> str:
        """The table that the command prints, and writes with `-o`; into a file, where one is given."""
        text = self.written("csv") + "\n"
        if path is not None:
            Path(path).write_text(text, encoding="utf-8", newline="")
        return text

    def as_rows(self) -> list[Mapping[str, Any]]:
        """The records."""
        return list(self.records)

    def page(self) -> Page:
        """A table, and what decides it."""
        from dpsym.rendering.page import Page, Table, lines

        names = (*self.swept, self.records[0]["asked"] if self.records else "", "method")
        rows = tuple((*(r[n] for n in self.swept), _between(r), r["method"]) for r in self.records)
        return Page("", (Table(names, rows), *lines(self.decided)))


def _between(record: Record) -> str:
    if not record["lower"]:
        return record["error"]
    safe = record[record["safe"]]
    known = record["asked"] in ("epsilon", "delta") or not Decimal(safe).is_finite()
    return f"[{record['lower']}, {record['upper']}]" + ("" if known else f", {safe} is enough")


def records_in(path: Path) -> list[Record]:
    """The rows of a file that a sweep has written, CSV or JSON.

    Raises:
        ReadingError: where it is neither.
    """
    try:
        text = path.read_text(encoding="utf-8")
        rows = json.loads(text) if path.suffix == ".json" else list(csv.DictReader(io.StringIO(text)))
    except OSError as error:
        raise ReadingError(why_not_opened(path, error)) from None
    except (ValueError, RecursionError, csv.Error) as error:
        kind = "is no JSON document" if path.suffix == ".json" else "cannot be read"
        raise ReadingError(f"{path} {kind}: {error}") from None
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise ReadingError(f"{path} is not an array of records")
    return [{str(name): str(value or "") for name, value in row.items() if name} for row in rows]


def columns(same: Mapping[str, str], grid: Sequence[Task]) -> list[str]:
    """The names of a record's values, in order."""
    swept = [name for name, _ in grid[0].point]
    numbers = [name for name in (*same, *swept) if name in swept or name in _given(grid)]
    return [*same, *swept, "asked", *_ANSWER, *(f"{name}_decimal" for name in numbers)]


def _given(grid: Sequence[Task]) -> set[str]:
    return {"epsilon", "delta"} | {name for name, _ in grid[0].given}


def record_of(row: Row, same: Mapping[str, str], grid: Sequence[Task]) -> Record:
    """The answer at one point, with what is the same for all; beside each exact number its decimal."""
    finished = "true" if row.finished else "false"
    values = (row.lower, row.upper, row.method, finished, row.error, str(row.seconds), row.safe)
    point = dict(row.point)
    found = {**same, **point, "asked": grid[0].asked, **dict(zip(_ANSWER, values, strict=True))}
    for name in columns(same, grid)[len(found) :]:
        found[name] = decimal(found[name.removesuffix("_decimal")])
    return found


def decimal(exact: str) -> str:
    """A fraction as the nearest decimal of 17 digits, for programs that read no fractions."""
    value = Fraction(exact)
    return str(_DECIMALS.divide(Decimal(value.numerator), Decimal(value.denominator)))


def same_for_all(named: Mapping[str, str], given: Mapping[str, Fraction], grid: Sequence[Task]) -> dict[str, str]:
    """The columns that have one value."""
    same = {**named, **{name: str(value) for name, value in given.items()}}
    how = grid[0].options
    if (relation := how["adjacency"]) is not None:
        same["adjacency"] = relation.value
    return same | {"direction": how["direction"], "sampling": how["sampling"], "digits": str(how["digits"])}


@by_any_spelling
@each_keeping_time
def sweep(
    mechanism: object | None = None,
    over: Mapping[str, object] | Iterable[str] = (),
    *,
    at: Values | None = None,
    for_: str | sp.Symbol | None = None,
    direction: Direction = "both",
    sampling: Sampling = "poisson",
    adjacent: str | Adjacency | None = None,
    digits: int | None = None,
    time_limit: float | None = Work(10),
    jobs: int = 1,
    executor: Executor | None = None,
    output: str | Path | None = None,
    each: Callable[[Record, int, int], object] | None = None,
    density: str | sp.Expr | None = None,
    pmf: str | sp.Expr | None = None,
    shift: object | None = None,
    support: str | None = None,
    variable: str | None = None,
    let: str | Iterable[str] = (),
    **values: object,
) -> Sweep:
    """Account, or calibrate, at every point of a grid; what `dpsym account --sweep` answers.

    >>> import dpsym
    >>> found = dpsym.sweep("gaussian(sigma) ** T", {"sigma": [10, 20], "T": "1:100:*10"}, delta="1e-5")
    >>> [(row["sigma"], row["T"], f"{row['upper']:.4f}") for row in found.rows][:2]
    [(10.0, 1.0, '0.3407'), (10.0, 10.0, '1.1994')]

    Args:
        mechanism: as for `account`.
        over: the values of each name that varies: a list, or text as the command takes it; every combination is asked.
        at, values, for_, direction, sampling, adjacent, digits, time_limit: as for `account`, at each point.
        jobs: that many processes.
        executor: another `concurrent.futures.Executor`, instead.
        output: a `.csv` or `.json` file that the rows are written to as they come; where it is there already, what it
            lacks is added.
        each: called with each row as it comes, with its number and how many there are.
        density, pmf, shift, support, variable, let: a noise of one's own, called `noise` in the mechanism.

    Raises:
        ReadingError: for what cannot be read.
        NotAccountable: for a question that is none; what cannot be accounted for at one point is said in its row.
    """
    import sympy as sp

    from dpsym.accounting import sweeping
    from dpsym.accounting.compositions import neighbours
    from dpsym.accounting.options import Options, usual_digits

    if not over:
        raise ReadingError("nothing is swept (expected over={'sigma': [1, 2], …})")
    described = Described(density, pmf, shift, support, variable, let)
    subject = described.of(mechanism, adjacent, Work(20) if time_limit is None else time_limit, READING)
    moving = values_by_name("sweep", over)
    point: Mapping[sp.Symbol, sp.Expr] = values_of(at, values)
    subject.refuse_outside(point)
    for name, each_value in ((name, value) for name, several in moving.items() for value in several):
        subject.refuse_outside({**point, sp.Symbol(name): sp.Rational(each_value)})
    if "delta" not in moving and (for_ is not None or not {"epsilon"} & {*moving, *map(str, point)}):
        point = with_usual_delta(at, point)
    of, left = settled(subject.runs, point)
    refuse_options(values, sweep, {"epsilon", "delta", *map(str, of.free_symbols)})
    given = fractions(left)
    between, unknown = between_of(adjacent, sampling, direction), None if for_ is None else str(for_)
    how: Options = {**between, "time_limit": time_limit, "digits": digits_of(digits, usual_digits(for_))}
    grid = sweeping.tasks(of, moving, given=given, unknown=unknown, **how)
    same = same_for_all({"mechanism": subject.text, **described.said}, given, grid)
    deciding = replace(subject, of=of).deciding(between)
    done: dict[Point, Record] = {}
    table: Table | None = None
    with given_for("output", output):
        if output is not None:
            table = table_in(Path(output), columns(same, grid))
            done = _done(table, grid, same, output)
            table.write(list(done.values()))
    with workers(jobs, executor) as found:
        for row in sweeping.run(grid, found, done=set(done)):
            record = done[row.point] = record_of(row, same, grid)
            if table is not None:
                table.add(record)
            if each is not None:
                each(record, len(done), len(grid))
    records = tuple(done[task.point] for task in grid)
    if table is not None:  # as they came until here, in the order of the grid from here on
        table.write(records)
    return Sweep(records, tuple(moving), tuple(given), tuple(deciding.about(neighbours(of, **between)).lines))


def _done(table: Table, grid: Sequence[Task], same: Mapping[str, str], output: str | Path) -> dict[Point, Record]:
    """What an earlier run of the same sweep has left."""
    points = {task.point for task in grid}
    found: dict[Point, Record] = {}
    for record in table.kept():
        if any(record[name] != value for name, value in same.items()):
            raise ReadingError(f"{output} is of another sweep; move it away, or resume that one")
        point = tuple((name, record[name]) for name, _ in grid[0].point)
        if point in points:
            found[point] = record
    return found
