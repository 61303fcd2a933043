"""Which contour the inversion integral takes: in floats.  Nothing here is trusted.

Any c > 0 will do.  At the saddle point no digits cancel, but where a step's loss is seldom large the moments there may
be those of its largest losses; further to the left more digits cancel and fewer points are needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from dpsym.accounting.chernoff import log_share, simple
from dpsym.accounting.inversion.saddle_point import Saddle, log_moment
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.core.deadline import TooCostly

_MOST_POINTS = 500_000  # of the contour: some ten seconds
_CHEAP = 150_000  # operations: not worth looking for less
_MOST_ASTRAY = 3000.0  # a logarithm: as much may cancel, in 4,300 more bits
_FAR = 4096.0  # times the saddle point: further to the right nothing is looked for
_SPARE = 1.08  # what is certified falls a little later
_SCALES = tuple(2.0**j for j in range(-24, 5))  # of the real parts that are tried, where the saddle point is no good
_SLACK = 0.5  # in the logarithm of aliases: c and the step are rounded
_FURTHER = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0)  # multiples of c, by which larger rates are beyond it

Parts = Sequence[tuple[Moment, int]]


@dataclass(frozen=True, slots=True)
class Contour:
    """Where a Bromwich integral is evaluated, and what is enough there.

    Attributes:
        c: its real part.
        period: the distance of aliases.
        further: a rate greater than c, at which the aliases of larger epsilon are bounded.
        end: the imaginary part beyond which the integrand is only bounded.
        accuracy: minus the logarithm of the error aimed at, relative to M(c) exp(-c epsilon).
        work: how much a point takes, in the planner's units.
    """

    c: float
    period: float
    further: float
    end: float
    accuracy: float
    work: float = 1.0

    @property
    def line(self) -> fmpq:
        """The real part that is taken, a number of few bits."""
        return simple(self.c)

    @property
    def step(self) -> fmpq:
        """The distance of points that is taken."""
        return simple(2 * math.pi / self.period)

    @property
    def rate(self) -> fmpq:
        """`further` as an exact number."""
        return fmpq(*self.further.as_integer_ratio())

    @property
    def cost(self) -> float:
        """How much all points take, in the planner's units."""
        return (self.end * self.period / (2 * math.pi) + 1) * self.work

    @property
    def last(self) -> int:
        """The last k of the points c + ikh that are evaluated."""
        return math.ceil(self.end / float(arb(self.step)))


def spaced(c: float, epsilon: float, wanted: float, bounds: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """How far apart the aliases of a profile are to be, and the rate greater than c at which that is least.

    Args:
        c: the real part of the contour.
        epsilon: where the profile is asked for.
        wanted: minus the logarithm of what is negligible.
        bounds: the rate, greater than c, and the logarithm of the size of exponentials that bound the profile.
    """
    wanted += _SLACK
    apart, further = min(((size - rate * epsilon + wanted) / (rate - c), rate) for rate, size in bounds)
    return max(apart, wanted / c), further  # on the other side it is at most 1


class Contours:
    """Contours for the epsilon and delta of a saddle point, or next to one, and a relative error of exp(-accuracy)."""

    def __init__(self, parts: Parts, at: Saddle, accuracy: float) -> None:
        self._parts = parts
        self._epsilon, self._log_delta, self._accuracy, self._saddle = at.epsilon, at.log_delta, accuracy, at.c
        self._steps = sum(count for _, count in parts)
        self._known: dict[float, float] = {}
        scale = min((10 - at.log_delta) / max(abs(at.epsilon), 1e-300), _FAR * at.c)
        self._grid = [scale * factor for factor in _SCALES]

    def best(self) -> Contour:
        """The cheapest contour that was found; the one at the saddle point if that is cheap.

        Raises:
            TooCostly: where there is none.
        """
        first = self.through(self._saddle)
        if first is not None and first.cost < _CHEAP:
            return first
        found = [contour for c in self._grid[::2] if (contour := self.through(c))]
        found += [first] if first is not None else []
        if not found:
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
        period, further = self.aliases(c)
        accuracy = self._accuracy + max(astray, 0.0) + 3
        if not 0 < period < math.inf:
            return None
        end = self._end(c, 2 * math.pi / period, self._accuracy + astray)
        if end is None:
            return None
        inner = accuracy + math.log(self._steps)
        work = sum(moment.work(c, inner) for moment, _ in self._parts) * (1 + accuracy / 100)
        return Contour(c, period, further, end, accuracy, work)

    def astray(self, c: float) -> float:
        """How much cancels at c, as a logarithm."""
        return self._log_moment(c) - c * self._epsilon - self._log_delta

    def aliases(self, c: float) -> tuple[float, float]:
        """The distance that aliases need, and the rate at which those of larger epsilon are bounded."""
        further = [*(c * (1 + f) for f in _FURTHER), *(d for d in self._grid if d > 2 * c)]
        above = [(d, self._log_moment(d) + log_share(d)) for d in further]
        return spaced(c, self._epsilon, self._accuracy - self._log_delta, above)

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


def _cost(contour: Contour) -> float:
    return contour.cost
