"""`sweep`: the same question over a grid of parameters, as rows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp

from dpsym.api.accounting import (
    DIRECTIONS,
    OPTIONS,
    READING,
    SAMPLINGS,
    described_by,
    read_composition,
)
from dpsym.api.answers import DONE, UNDECIDED, Answer
from dpsym.api.reading import neighbours_of, one_of, own_of, refuse_options, settled, value_of, values_of
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.nearest import why_not_opened
from dpsym.core.rounding import to_float
from dpsym.core.spelling import by_any_spelling
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from dpsym.accounting.sweeping import Row, Task
    from dpsym.statements import Adjacency

MOST_VALUES = 100_000  # of a range: a file of that many rows is still of use
FLAG = "finished"  # true or false
_ANSWER = ("lower", "upper", "method", "finished", "error", "seconds", "safe")
_DECIMALS = Context(prec=17)  # as many digits as a float has
Record = dict[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Answer):
    """A question answered over a grid.

    Attributes:
        records: one for each point, exact values and bounds as strings; see `columns`.
        swept: the names that vary.
        given: names with the same value everywhere.
    """

    records: tuple[Record, ...]
    swept: tuple[str, ...]
    given: tuple[str, ...]

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
        out = io.StringIO()
        writer = csv.DictWriter(out, list(self.records[0]) if self.records else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records)
        if path is not None:
            Path(path).write_text(out.getvalue(), encoding="utf-8", newline="")
        return out.getvalue()

    def __str__(self) -> str:
        from dpsym.rendering.text import neighbours, table

        names = [*self.swept, self.records[0]["asked"] if self.records else "", "method"]
        rows = table(names, [[*(r[n] for n in self.swept), _between(r), r["method"]] for r in self.records])
        return "\n".join([rows, *(line for said in self._related for line in neighbours(said))])

    @property
    def _related(self) -> list[str]:
        """The neighbours that were asked for, where some were."""
        return [self.records[0]["adjacency"]] if self.records and "adjacency" in self.records[0] else []

    def html(self) -> str | None:
        """A table."""
        from dpsym.rendering.notebook import table

        names = [*self.swept, self.records[0]["asked"] if self.records else "", "method"]
        return table(names, [[*(r[n] for n in self.swept), _between(r), r["method"]] for r in self.records])


def _between(record: Record) -> str:
    if not record["lower"]:
        return record["error"]
    safe = record[record["safe"]]
    known = record["asked"] in ("epsilon", "delta") or not Decimal(safe).is_finite()
    return f"[{record['lower']}, {record['upper']}]" + ("" if known else f", {safe} is enough")


def as_object(record: Record) -> dict[str, Any]:
    """A record as JSON has it; numbers are strings, as everywhere."""
    return {name: value == "true" if name == FLAG else value for name, value in record.items()}


def records_in(path: Path) -> list[Record]:
    """The rows of a file that a sweep has written, CSV or JSON.

    Raises:
        ReadingError: where it is neither.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ReadingError(why_not_opened(path, error)) from None
    except UnicodeDecodeError as error:
        raise ReadingError(f"{path} cannot be read: {error}") from None
    if path.suffix == ".json":
        try:
            rows = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ReadingError(f"{path} is no JSON document: {error}") from None
        if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
            raise ReadingError(f"{path} is not an array of records")
        return [{str(name): str(value) for name, value in row.items()} for row in rows]
    try:
        return [{n: v or "" for n, v in row.items() if n} for row in csv.DictReader(io.StringIO(text))]
    except csv.Error as error:
        raise ReadingError(f"{path} cannot be read: {error}") from None


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


def values_over(name: str, values: object) -> list[Fraction]:
    """Values that are swept: several, or text such as "10,100", "1:5:0.5" (from:to:step) or "100:1e6:*10" (times).

    What whole steps do not reach is not among them: "1:10:4" is 1, 5 and 9; "1:10:4,10" has the end as well.

    Raises:
        ReadingError: for what is no value, or goes nowhere.
    """
    if isinstance(values, str):
        return [value for piece in values.split(",") for value in _range(name, piece.strip())]
    if not isinstance(values, Iterable):
        return [_fraction(name, values)]
    return [_fraction(name, value) for value in values]


def varies(values: object) -> bool:
    """Whether these are several values, and not one."""
    return any(sign in values for sign in ":,") if isinstance(values, str) else isinstance(values, Iterable)


def _range(name: str, piece: str) -> list[Fraction]:
    """One value, or from:to:step, as far as whole steps go; the step is added or, after a star, multiplied."""
    ends = piece.split(":")
    if len(ends) == 1:
        return [_fraction(name, piece)]
    if len(ends) != 3:
        raise ReadingError(f"{piece!r} is neither a value nor from:to:step, such as 1:5:0.5")
    first, last, step = (_fraction(name, end) for end in (ends[0], ends[1], ends[2].removeprefix("*")))
    times = ends[2].startswith("*")
    if (times and (step <= 1 or first <= 0)) or (not times and step <= 0) or last < first:
        raise ReadingError(f"{piece!r}: the values would not go up from {ends[0]} to {ends[1]}")
    found = [first]
    while (value := found[-1] * step if times else found[-1] + step) <= last:
        found.append(value)
        if len(found) > MOST_VALUES:
            raise ReadingError(f"{piece!r} has more than {MOST_VALUES} values")
    return found


def _fraction(name: str, value: object) -> Fraction:
    found = value_of(name, value)
    return Fraction(int(found.p), int(found.q))


def same_for_all(named: Mapping[str, str], given: Mapping[str, Fraction], grid: Sequence[Task]) -> dict[str, str]:
    """The columns that have one value."""
    same = {**named, **{name: str(value) for name, value in given.items()}}
    if (between := grid[0].adjacency) is not None:
        same["adjacency"] = between.value
    return same | {"direction": grid[0].direction, "sampling": grid[0].sampling, "digits": str(grid[0].digits)}


@by_any_spelling
@each_keeping_time
def sweep(
    mechanism: object | None = None,
    over: Mapping[str, object] | None = None,
    *,
    at: Mapping[str, object] | Mapping[sp.Symbol, object] | None = None,
    for_: str | sp.Symbol | None = None,
    direction: str = "both",
    sampling: str = "poisson",
    adjacent: str | Adjacency | None = None,
    digits: int | None = None,
    time_limit: float | None = Work(10),
    jobs: int = 1,
    executor: Executor | None = None,
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
        density, pmf, shift, support, variable, let: a noise of one's own, called `noise` in the mechanism.

    Raises:
        ReadingError: for what cannot be read.
        NotAccountable: for a question that is none; what cannot be accounted for at one point is said in its row.
    """
    from dpsym.accounting import sweeping

    if not over:
        raise ReadingError("nothing is swept (expected over={'sigma': [1, 2], …})")
    if "output" in values:
        raise ReadingError("output is for plots and maps; sweep(…).to_csv(FILE) writes the rows of a sweep")
    own = own_of(density, pmf, shift, support, variable, let, READING)
    of, text = read_composition(mechanism, own)
    of, point = settled(of, values_of(at, values))
    refuse_options(values, OPTIONS, {"epsilon", "delta", *map(str, of.free_symbols)})
    given = {str(symbol): Fraction(int(v.p), int(v.q)) for symbol, v in point.items()}
    grid = sweeping.tasks(
        of,
        {name: values_over(name, each) for name, each in over.items()},
        given=given,
        unknown=None if for_ is None else str(for_),
        direction=one_of("direction", direction, DIRECTIONS),  # type: ignore[arg-type]
        sampling=one_of("sampling", sampling, SAMPLINGS),  # type: ignore[arg-type]
        adjacency=neighbours_of(adjacent),
        digits=digits,
        time_limit=time_limit,
    )
    described = described_by(density=density, pmf=pmf, shift=shift, support=support, variable=variable, let=let)
    same = same_for_all({"mechanism": text, **described}, given, grid)
    with _workers(jobs, executor) as found:
        rows = {row.point: row for row in sweeping.run(grid, found)}
    records = tuple(record_of(rows[task.point], same, grid) for task in grid)
    return Sweep(records, tuple(over), tuple(given))


@contextmanager
def _workers(jobs: int, executor: Executor | None) -> Iterator[Executor | None]:
    if executor is not None or jobs == 1:
        yield executor
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as own:
        yield own
