"""Curves of certified accounting: what was asked against one parameter, between its lower and its upper bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from dpsym.core import deadline
from dpsym.core.rounding import to_float
from dpsym.rendering.drawing import Curve, NoPlot, Plot, Toward
from dpsym.rendering.symbols import values, with_symbols

if TYPE_CHECKING:
    from dpsym.accounting.compositions import Composable, Exact
    from dpsym.accounting.sweeping import Row
    from dpsym.statements import Adjacency
    from dpsym.statements.adjacency import Sampling

_DIGITS = 6  # more than a picture shows
_WIDE = 50  # times: values further apart are on a logarithmic axis
_UNITS = {"epsilon": "ε", "delta": "δ (probability)"}
_NAMES = {"T": "number of steps T", "k": "number of compositions k", "q": "sampling rate q", "sigma": "noise σ"}
_LONGEST = 60.0  # seconds, for one point


def accounted(
    of: Composable, over: Mapping[str, Sequence[Exact]], *, given: Mapping[str, Exact], unknown: str | None = None,
    sampling: Sampling = "poisson", adjacency: Adjacency | None = None, logarithmic: bool | None = None,
) -> Plot:  # fmt: skip
    """Epsilon, delta or an unknown of a composition against the first name of `over`, a curve for each other value.

    Args:
        of: a composition in symbols, sampled or not.
        over: for each name that varies its values; the first is on the horizontal axis.
        given: values of everything else.
        unknown: the symbol for which the best value is drawn, as by `accounting.calibrate`.
        sampling, adjacency: as for `accounting.epsilon`.
        logarithmic: whether the vertical axis is; None decides by what is on it.

    Raises:
        NotAccountable: for a question that accounting cannot answer at all.
        NoPlot: where a point is no question for accounting (as half a step), or none has an answer in time.
    """
    from dpsym.accounting import sweeping

    between: dict[str, Any] = {"sampling": sampling, "adjacency": adjacency}
    grid = sweeping.tasks(of, over, given=given, unknown=unknown, **between, digits=_DIGITS)
    found = []
    for number, task in enumerate(grid):
        if deadline.over():
            break
        limit = min(_LONGEST, deadline.portion(1 / (len(grid) - number)))
        row = sweeping.row_of(replace(task, options={**task.options, "time_limit": limit}))
        if row.error:
            raise NoPlot(f"{_at(row.point)}: {row.error}")
        found.append(row)
    asked = grid[0].asked
    if not any(row.upper for row in found):
        raise NoPlot("no point was accounted for in the time there was")
    said = ", ".join(filter(None, [str(of), values({name: Fraction(str(value)) for name, value in given.items()})]))
    across = next(iter(over))
    return curves(found, asked, across, title=said, logarithmic=logarithmic, toward=_toward(of, across, sampling))


def _toward(of: Composable, across: str, sampling: Sampling) -> Toward | None:
    """On which side of a place the less private ones are, or the stronger guarantees that are wanted."""
    from dpsym.rendering.plots import less_private

    inside = {str(symbol) for symbol in of.free_symbols}
    if across in ("epsilon", "delta"):
        return None if across in inside else "left"
    return less_private(of, sp.Symbol(across), sampling=sampling) if across in inside else None


def curves(
    rows: Iterable[Row], asked: str, across: str, *, title: str, logarithmic: bool | None = None,
    toward: Toward | None = None,
) -> Plot:  # fmt: skip
    """What was asked against one name, a curve for each value of the others.

    The line is the safe one of both bounds: the lower one where the largest value is asked that is private (of a
    sampling rate, a number of steps).

    Raises:
        NoPlot: where there is nothing to draw.
    """
    lines: dict[str, list[tuple[Fraction, Row]]] = {}
    for row in rows:
        point = {name: Fraction(value) for name, value in row.point}
        others = values({with_symbols(n): v for n, v in point.items() if n != across})
        lines.setdefault(others or "certified, between both bounds", []).append((point[across], row))
    drawn = []
    for label, line in lines.items():
        line.sort(key=lambda each: each[0])
        ends = [(row.safe, _float(row.upper, up=True), _float(row.lower, up=False)) for _, row in line]
        safe, other = zip(*((low, high) if end == "lower" else (high, low) for end, high, low in ends), strict=True)
        if any(y is not None for y in safe):
            drawn.append(Curve(label, tuple(zip((x for x, _ in line), safe, strict=True)), other, toward))
    if not drawn:
        raise NoPlot(f"no finite {asked} is known anywhere")
    xs = [x for c in drawn for x, _ in c.points]
    ys = [y for c in drawn for _, y in c.points if y is not None and y > 0]
    wide_y = bool(ys) and max(ys) > _WIDE * min(ys)
    return Plot(
        with_symbols(title),
        _NAMES.get(across, with_symbols(across)),
        _UNITS.get(asked, _NAMES.get(asked, with_symbols(asked))),
        tuple(drawn),
        logarithmic=wide_y if logarithmic is None else logarithmic,
        logarithmic_x=min(xs) > 0 and max(xs) > _WIDE * min(xs),
    )


def from_records(
    table: Sequence[Mapping[str, str]], across: str | None, title: str, logarithmic: bool | None = None
) -> Plot:
    """The rows that `dpsym account --sweep -o FILE` has written, against one name that varies, or the first.

    Raises:
        NoPlot: where the records are not such rows, or nothing varies.
    """
    from dpsym.accounting.sweeping import Row

    if not table or not {"asked", "lower", "upper"} <= set(table[0]):
        raise NoPlot("expected rows with asked, lower and upper, as `dpsym account --sweep -o FILE` writes them")
    before = [n for n in table[0] if n not in _ANSWERS and n.removesuffix("_decimal") not in set(table[0]) - {n}]
    varying = [n for n in before if len({r[n] for r in table}) > 1 and all(_fraction(r[n]) is not None for r in table)]
    if not varying:
        raise NoPlot("nothing varies in these rows")
    if across is not None and across not in varying:
        raise NoPlot(f"{across} does not vary in these rows (what does: {', '.join(varying)})")
    found = [
        Row(tuple((n, r[n]) for n in varying), r["lower"], r["upper"], "", True, "", 0.0, safe=_safe(r)) for r in table
    ]
    across = across or varying[0]
    toward = _toward_of_file(table[0], across)
    return curves(found, table[0]["asked"], across, title=title, logarithmic=logarithmic, toward=toward)


def _safe(record: Mapping[str, str]) -> str:
    """Which end is enough."""
    known = "upper" if record["asked"] in ("epsilon", "delta") else record.get("safe", "")
    if known not in ("lower", "upper") and record["lower"]:
        raise NoPlot(f"the rows do not say which end is enough for {record['asked']} (expected safe: lower or upper)")
    return known


def _toward_of_file(record: Mapping[str, str], across: str) -> Toward | None:
    """The same, where the file says of which mechanism it is, in this notation."""
    from dpsym.language import ReadingError, read_source
    from dpsym.statements import Guarantee, StatementError

    if {"density", "pmf"} & set(record):
        return None
    try:
        of = read_source(record.get("mechanism", ""))
    except (ReadingError, StatementError):
        return None
    sampling: Sampling = "fixed-size" if record.get("sampling") == "fixed-size" else "poisson"
    return None if isinstance(of, Guarantee) else _toward(of, across, sampling)


_ANSWERS = {"asked", "lower", "upper", "method", "finished", "error", "seconds", "safe", "direction", "sampling",
            "digits", "adjacency"}  # fmt: skip


def _at(point: Iterable[tuple[str, str]]) -> str:
    return "at " + ", ".join(f"{name} = {value}" for name, value in point)


def _fraction(text: str) -> Fraction | None:
    with suppress(ValueError, ZeroDivisionError):
        return Fraction(text)
    return None


def _float(bound: str, *, up: bool) -> float | None:
    with suppress(InvalidOperation):
        return to_float(Decimal(bound), up=up) if Decimal(bound).is_finite() else None
    return None
