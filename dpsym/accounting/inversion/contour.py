"""Which contour the inversion integral takes: in floats.  Nothing here is trusted.

Any c > 0 will do.  At the saddle point no digits cancel, but where a step's loss is seldom large the moments there may
be those of its largest losses; further to the left more digits cancel and fewer points are needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpsym.accounting.inversion.saddle_point import Saddle, log_moment
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.core.deadline import TooCostly

_MOST_POINTS = 500_000  # of the contour
_CHEAP = 150_000  # operations: not worth looking for less
_MOST_ASTRAY = 3000.0
_FAR = 4096.0  # times the saddle point: further to the right nothing is looked for
_SPARE = 1.08  # what is certified falls a little later
_FURTHER = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0)
_SCALES = tuple(2.0**j for j in range(-24, 5))

Parts = Sequence[tuple[Moment, int]]


@dataclass(frozen=True, slots=True)
class Contour:
    """A contour, for which epsilon, and what is enough on it.

    Attributes:
        c: its real part.
        further: where the moments bound the aliases of larger epsilon.
        back: where those of the reversed pairs bound the aliases of smaller epsilon; 0 takes that delta is at most 1.
        period: the distance of aliases.
        end: the imaginary part of its last point.
        accuracy: minus the logarithm of the error aimed at, relative to M(c) exp(-c epsilon).
        cost: about how many operations it takes.
    """

    c: float
    further: float
    back: float
    period: float
    end: float
    accuracy: float
    cost: float


class Contours:
    """Contours for the epsilon and delta of a saddle point, or next to one, and a relative error of exp(-accuracy)."""

    def __init__(self, parts: Parts, at: Saddle, accuracy: float) -> None:
        self._parts, self._reversed = parts, [(moment.reverse, count) for moment, count in parts]
        self._epsilon, self._log_delta, self._accuracy, self._saddle = at.epsilon, at.log_delta, accuracy, at.c
        self._steps = sum(count for _, count in parts)
        self._known: dict[float, float] = {}
        scale = min((10 - at.log_delta) / max(abs(at.epsilon), 1e-300), _FAR * at.c)
        self._grid = [scale * factor for factor in _SCALES]
        self._backs = self._behind()

    def best(self, near: float | None = None) -> Contour:
        """The cheapest contour that was found: the one at the saddle point if that is cheap, or one about `near`.

        Raises:
            TooCostly: where there is none.
        """
        first = self.through(self._saddle)
        if first is not None and first.cost < _CHEAP:
            return first
        found = [contour for c in (self._grid[::2] if near is None else (near,)) if (contour := self.through(c))]
        found += [first] if first is not None else []
        if not found:
            if near is not None:
                return self.best()
            raise TooCostly("on no contour the integrand decays, with moments that can be computed")
        least = min(found, key=_cost)
        for factor in (0.5, 2.0, 0.7, 1.4):
            other = self.through(least.c * factor)
            if other is not None and other.cost < least.cost:
                least = other
        return least

    def through(self, c: float) -> Contour | None:
        """The contour at c; None where it is none, or too long."""
        astray = self.astray(c)
        if not -_MOST_ASTRAY < astray < _MOST_ASTRAY:
            return None
        period, further, back = self.aliases(c)
        accuracy = self._accuracy + max(astray, 0.0) + 3
        if not 0 < period < math.inf:
            return None
        end = self._end(c, 2 * math.pi / period, self._accuracy + astray)
        if end is None:
            return None
        inner = accuracy + math.log(self._steps)
        work = sum(moment.work(c, inner) for moment, _ in self._parts)
        cost = end * period / (2 * math.pi) * work * (1 + accuracy / 100)
        return Contour(c, further, back, period, end, accuracy, cost)

    def astray(self, c: float) -> float:
        """How much cancels at c, as a logarithm."""
        return self._log_moment(c) - c * self._epsilon - self._log_delta

    def aliases(self, c: float) -> tuple[float, float, float]:
        """The distance that aliases need, and where those of larger and of smaller epsilon are bounded."""
        wanted = self._accuracy - self._log_delta
        above = [
            ((self._log_moment(d) - 1 - math.log1p(d) - d * self._epsilon + wanted) / (d - c), d)
            for d in [*(c * (1 + f) for f in _FURTHER), *(d for d in self._grid if d > 2 * c)]
        ]
        period, further = min(above)
        below = [((moment + (1 + d) * self._epsilon + wanted) / (1 + c + d), d) for d, moment in self._backs.items()]
        least, back = min([(wanted / c, 0.0), *below])
        return max(period, least), further, back

    def _end(self, c: float, step: float, wanted: float) -> float | None:
        """Where the rest may be left out."""
        falls = [(moment.falls(c), count) for moment, count in self._parts]

        def enough(t: float) -> bool:
            return sum(count * fall(t) for fall, count in falls) - math.log(math.pi * t / step / step) < -wanted - 1

        end = step
        while not enough(end):
            end *= 4
            if end > _MOST_POINTS * step:
                return None
        for factor in (0.5, 0.7, 0.85):
            if end * factor > step and enough(end * factor):
                end *= factor
        return _SPARE * end

    def _log_moment(self, c: float) -> float:
        if c not in self._known:
            try:
                self._known[c] = log_moment(self._parts, c)
            except (TooCostly, OverflowError, ZeroDivisionError, ValueError):
                self._known[c] = math.inf
        return self._known[c]

    def _behind(self) -> dict[float, float]:
        """The logarithms of the reversed moments."""
        found: dict[float, float] = {}
        for d in self._grid[::2]:
            try:
                found[d] = log_moment(self._reversed, d)
            except (TooCostly, OverflowError, ZeroDivisionError, ValueError):
                continue
        return found


def _cost(contour: Contour) -> float:
    return contour.cost
