"""The same question over a grid of parameters, in as many processes or on as many machines as an executor has.

What is sent to a worker is a `Task`, the composition at a point with what is asked, and what comes back is a `Row`,
plain strings: both can be pickled, so any `concurrent.futures.Executor` will do (processes, Dask, MPI).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from fractions import Fraction
from typing import Unpack

import sympy as sp

from dpsym.accounting.calibration.calibrate import Calibrated, accounted
from dpsym.accounting.compositions import Composable, Exact
from dpsym.accounting.options import Given, InTime, Options, usual_digits
from dpsym.accounting.parameters import NotAccountable, exact_number
from dpsym.core.clocks import Work
from dpsym.core.nearest import did_you_mean, there_are

_LIMIT = Work(10)  # seconds for a point
_AHEAD = 64  # tasks that wait in an executor, so that an interruption does not leave many


@dataclass(frozen=True, slots=True)
class Task:
    """One point of a grid.

    Attributes:
        point: the values of what is swept, by name, in plain strings.
        of: the composition there.
        given: epsilon, delta or both, where they are known.
        asked: what is asked for: epsilon, delta, or the unknown of the composition.
        options: how.
    """

    point: tuple[tuple[str, str], ...]
    of: Composable
    given: tuple[tuple[str, str], ...]
    asked: str
    options: Options


@dataclass(frozen=True, slots=True)
class Row:
    """The answer at one point: both bounds as decimal strings, rounded outward, or why there is none.

    Attributes:
        point: the values of what was swept, by name.
        lower, upper: of what was asked; empty where it could not be accounted for.
        method, finished: as in `Accounted`.
        error: why there is no answer; else empty.
        seconds: how long it took.
        adjacency: the neighbours that it is about; empty where it could not be accounted for.
        safe: which of the two ends is enough, `lower` or `upper`; empty where it could not be accounted for.
    """

    point: tuple[tuple[str, str], ...]
    lower: str
    upper: str
    method: str
    finished: bool
    error: str
    seconds: float
    adjacency: str = ""
    safe: str = ""


def tasks(
    of: Composable,
    over: Mapping[str, Sequence[Exact]],
    *,
    given: Given,
    unknown: str | None = None,
    digits: int | None = None,
    **options: Unpack[InTime],
) -> list[Task]:
    """The points of a grid, the last name varying fastest.

    Args:
        of: a composition in symbols.
        over: for each swept name, a symbol of `of`, epsilon or delta, its values.
        given: values of epsilon, delta or both that are the same everywhere.
        unknown: the symbol for which the best value is asked, as by `calibrate`.
        digits: on which the ends of an answer should agree; None for 10 of epsilon and delta, 6 of an unknown.
        options: as for `epsilon`, for each point.

    Raises:
        NotAccountable: for names that do not occur or have two values, values that are not exact, or a question that
            is not one.
    """
    inside = {str(symbol) for symbol in of.free_symbols}
    names = {*over, *given}
    for name in over:
        if name in given:
            raise NotAccountable(f"{name} is swept and has a value as well")
        if name not in inside | {"epsilon", "delta"}:
            raise NotAccountable(f"{name} does not occur in {of}{did_you_mean(name, inside)}{there_are(inside)}")
        if not over[name]:
            raise NotAccountable(f"there are no values of {name}")
    missing = inside - names - {unknown}
    if missing:
        raise NotAccountable(f"{', '.join(sorted(missing))} has no value in {of}")
    goal = {"epsilon", "delta"} & names
    if len(goal) != (1 if unknown is None else 2):
        raise NotAccountable(
            "expected epsilon or delta, and not both, to have values"
            if unknown is None
            else f"expected epsilon and delta to have values, to find {unknown}"
        )
    asked = unknown if unknown is not None else ({"epsilon", "delta"} - goal).pop()
    to = usual_digits(unknown) if digits is None else digits
    how: Options = {"time_limit": _LIMIT, "digits": to, **options}
    exact = {name: [_text(name, value) for value in values] for name, values in over.items()}
    fixed = {name: _text(name, value) for name, value in given.items()}
    found = []
    for values in itertools.product(*exact.values()):
        point = dict(zip(exact, values, strict=True))
        known = {**fixed, **point}
        bare = {name: known[name] for name in ("epsilon", "delta") if name in known}
        inner = {sp.Symbol(name): sp.Rational(value) for name, value in known.items() if name in inside}
        found.append(Task(tuple(point.items()), of.subs(inner), tuple(bare.items()), asked, how))
    return found


def sweep(
    of: Composable,
    over: Mapping[str, Sequence[Exact]],
    *,
    given: Given,
    unknown: str | None = None,
    executor: Executor | None = None,
    digits: int | None = None,
    **options: Unpack[InTime],
) -> list[Row]:
    """Account at every point of a grid; see `tasks`.  The rows are in the order of the grid.

    `executor` may be any `concurrent.futures.Executor`, such as a `ProcessPoolExecutor`, or a Dask client's
    `get_executor()`; without one the points are computed here.
    """
    grid = tasks(of, over, given=given, unknown=unknown, digits=digits, **options)
    rows = {row.point: row for row in run(grid, executor)}
    return [rows[task.point] for task in grid]


def run(
    grid: Sequence[Task], executor: Executor | None = None, done: Collection[tuple[tuple[str, str], ...]] = ()
) -> Iterator[Row]:
    """The rows as they come, without those whose point is `done`; no more than a few tasks are ever submitted ahead."""
    remaining = iter(task for task in grid if task.point not in done)
    if executor is None:
        yield from map(row_of, remaining)
        return
    waiting: set[Future[Row]] = set()
    try:
        while True:
            for task in itertools.islice(remaining, _AHEAD - len(waiting)):
                waiting.add(executor.submit(row_of, task))
            if not waiting:
                return
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def row_of(task: Task) -> Row:
    """The answer at one point."""
    started = time.monotonic()
    try:
        given = {name: Fraction(value) for name, value in task.given}
        found = accounted(task.of, task.asked, given, **task.options)
    except NotAccountable as error:
        return Row(task.point, "", "", "", finished=False, error=str(error), seconds=_since(started))
    method = f"an upper bound by {found.method}" if found.upper_only else found.method
    ends = str(found.lower), str(found.upper)
    safe = found.safe if isinstance(found, Calibrated) else "upper"
    return Row(task.point, *ends, method, found.finished, "", _since(started), found.adjacency.value, safe)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 3)


def _text(name: str, value: Exact) -> str:
    return str(exact_number(name, value))
