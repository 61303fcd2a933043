"""Where another mechanism is first, as one or two parameters vary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import sympy as sp

from dpsym.choosing.question import Question
from dpsym.choosing.ranking import Ranking, ranking
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import Deadline
from dpsym.statements import Mechanism


@dataclass(frozen=True)
class Regions:
    """For each point of a grid the ranking there; None where the time was over.

    Attributes:
        axes: one or two symbols with their values, in ascending order.
        cells: of each value of the second axis (of one there is a single row) those of the first.
    """

    axes: tuple[tuple[sp.Symbol, tuple[sp.Rational, ...]], ...]
    cells: tuple[tuple[Ranking | None, ...], ...]

    @property
    def winners(self) -> tuple[tuple[tuple[str, ...] | None, ...], ...]:
        """Who is first in each cell; several where the enclosures do not tell them apart."""
        return tuple(tuple(None if r is None else _first(r) for r in row) for row in self.cells)

    @property
    def changes(self) -> tuple[tuple[Mapping[str, sp.Rational], Mapping[str, sp.Rational]], ...]:
        """Neighbouring points along the first axis at which others are first."""
        return tuple(
            (self.point(x, y), self.point(x + 1, y))
            for y, row in enumerate(self.winners)
            for x, (here, there) in enumerate(pairwise(row))
            if here is not None and there is not None and here != there
        )

    @property
    def finished(self) -> bool:
        """Whether there was time for every cell."""
        return all(r is not None and r.finished for row in self.cells for r in row)

    def point(self, x: int, y: int) -> Mapping[str, sp.Rational]:
        """The values at a cell."""
        places = (x, y)
        return {str(symbol): values[places[i]] for i, (symbol, values) in enumerate(self.axes)}


@keeping_time
def regions(
    question: Question, axes: Sequence[tuple[sp.Symbol, Sequence[object]]], *, measure: str = "absolute",
    beta: object = Fraction(1, 20), also: Iterable[Mechanism] = (), only: Sequence[str] = (),
    time_limit: float | None = Work(120),
) -> Regions:  # fmt: skip
    """The ranking at each point of a grid.

    Args:
        question: in which the symbols of the axes are free, and no others.
        axes: one or two symbols, each with its values.
        measure, beta, also, only: as for `compare`.
        time_limit: in seconds, for all of it.

    Raises:
        NotAnswered: where a symbol has no value, or a value is not what it has to be.
    """
    deadline, others = Deadline(time_limit), tuple(also)
    grid = tuple((s, tuple(sp.Rational(str(v)) for v in values)) for s, values in axes)
    (across, xs), ys = grid[0], grid[1][1] if len(grid) > 1 else (None,)
    cells = []
    for v in ys:
        row: list[Ranking | None] = []
        for u in xs:
            here = {across: u} if v is None else {across: u, grid[1][0]: v}
            if deadline.passed:
                row.append(None)
                continue
            left = None if time_limit is None else deadline.left
            options = {"measure": measure, "beta": beta, "also": others, "only": only, "time_limit": left}
            row.append(ranking(question.at(here), **options))  # type: ignore[arg-type]
        cells.append(tuple(row))
    return Regions(grid, tuple(cells))


def _first(found: Ranking) -> tuple[str, ...]:
    return tuple(c.mechanism for c in found.candidates if c.rank == 1)
