"""Rough probabilities of a privacy loss in floats, to plan a lattice: where it lies, also once it is tilted.

Nothing here is trusted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb, ctx

from dpsym.accounting.effort import ROUGH_BITS
from dpsym.core.deadline import TooCostly

if TYPE_CHECKING:
    from dpsym.accounting.loss_distributions.lattice import Law

_SHARE = 1 / 200  # the most that a cell should hold
_RAREST = -690.0  # the logarithm of a mass that is not looked at
_RARE = -120.0  # the same, at the lower end
_STEEPEST = 1.5  # by which the logarithm of a tail may fall in one cell
_MOST = 3000  # cells, some tens of milliseconds
_FINEST, _FARTHEST = 2.0**-45, 2.0**200  # the narrowest cell beside the whole, and the largest loss that is looked for
_NEGLIGIBLE = -60.0  # the logarithm of the largest share of a law that is left out at an end


@dataclass(frozen=True, slots=True)
class Sketch:
    """Losses with the logarithms of their probabilities, and the cells that they stand for; increasing."""

    points: Sequence[tuple[float, float]]
    cells: Sequence[tuple[float, float]]

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of E exp(cL) and its first two derivatives, of these points."""
        top = max(c * loss + mass for loss, mass in self.points)
        weights = [(math.exp(c * loss + mass - top), loss) for loss, mass in self.points]
        whole = sum(w for w, _ in weights)
        mean = sum(w * loss for w, loss in weights) / whole
        return top + math.log(whole), mean, sum(w * (loss - mean) ** 2 for w, loss in weights) / whole

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """Between which losses all of the tilted law lies but a share that a normal one has so many deviations out."""
        top = max(c * loss + mass for loss, mass in self.points)
        weights = [math.exp(max(c * loss + mass - top, -700.0)) for loss, mass in self.points]
        least = sum(weights) * math.exp(max(min(-deviations * deviations / 2, _NEGLIGIBLE), -690.0))
        first = _beyond(weights, least)
        last = len(weights) - 1 - _beyond(weights[::-1], least)
        return self.cells[first][0], self.cells[last][1]


def _beyond(weights: Sequence[float], least: float) -> int:
    """How many of the first weights are together less than `least`."""
    total = 0.0
    for i, weight in enumerate(weights):
        total += weight
        if total >= least:
            return i
    return len(weights) - 1


@lru_cache(maxsize=256)
def sketch(law: Law) -> Sketch:
    """Of a law's atoms and of what its edges tell, cut where it lies, also far out.

    Raises:
        TooCostly: where floats hold none of it.
    """
    with ctx.workprec(ROUGH_BITS):
        found = [(float(atom.loss), _log(atom.first), float(atom.loss), float(atom.loss)) for atom in law.atoms()]
        if law.edge(arb(0)) is not None:
            found += _Cut(law).cells()
    found = sorted(entry for entry in found if entry[1] > -math.inf and math.isfinite(entry[0]))
    if not found:
        raise TooCostly("no loss that floats can hold")
    return Sketch([(loss, mass) for loss, mass, _, _ in found], [(low, high) for _, _, low, high in found])


class _Cut:
    """What edges tell, in cells."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._known: dict[float, tuple[arb, arb]] = {}
        largest = law.largest()
        self._ends = self._end(-1, math.inf), self._end(1, float(largest) if largest.is_finite() else math.inf)

    def _at(self, loss: float) -> tuple[arb, arb]:
        """The masses below and above a loss."""
        if loss not in self._known:
            edge = self._law.edge(arb(loss))
            nothing = arb(0), arb(0)
            self._known[loss] = nothing if edge is None else (edge.first_below.lower(), edge.first_above.lower())
        return self._known[loss]

    def _end(self, side: int, largest: float) -> float:
        """Beyond which next to nothing lies."""
        reach = 2.0**-60
        while reach < min(_FARTHEST, largest):
            below, above = self._at(side * reach)
            if _log(above) < _RAREST if side > 0 else _log(below) < _RARE:
                return side * reach
            reach *= 1.5
        return side * min(reach, largest)

    def cells(self) -> list[tuple[float, float, float, float]]:
        low, high = self._ends
        finest = (high - low) * _FINEST
        whole = sum(self._at(0.0), arb(0))
        enough = _log(whole) + math.log(_SHARE)
        found: list[tuple[float, float, float, float]] = []
        stack = [(low, high)]
        while stack:
            left, right = stack.pop()
            (below, above), (further, rest) = self._at(left), self._at(right)
            mass = _log(further - below if further < above else above - rest)
            if len(found) + len(stack) < _MOST and right - left > finest and self._wide(left, right, mass, enough):
                middle = (left + right) / 2
                stack += [(left, middle), (middle, right)]
            else:
                found.append(((left + right) / 2, mass, left, right))
        return found

    def _wide(self, left: float, right: float, mass: float, enough: float) -> bool:
        if mass > enough:
            return True
        (below, above), (further, rest) = self._at(left), self._at(right)
        upper, lower = _log(above), _log(further)
        if rest < below:  # the upper tail
            return upper > _RAREST and mass > _RAREST and upper - max(_log(rest), _RAREST) > _STEEPEST
        return lower > _RARE and mass > _RARE and lower - max(_log(below), _RARE) > _STEEPEST


def _log(mass: arb) -> float:
    return float(mass.log()) if mass > 0 else -math.inf
