"""How equal Laplace steps are split into finite sums and an integral.  Floats: nothing here is trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpsym.accounting.chernoff import log_share
from dpsym.accounting.inversion.contour import FURTHER, Contour, spaced
from dpsym.accounting.inversion.float_estimates import laplace_cumulants
from dpsym.accounting.inversion.saddle_point import Saddle
from dpsym.core.deadline import TooCostly

_FEW = (0, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256)  # the splits that are compared
_MOST_POINTS = 200_000  # around all peaks: some seconds
_STEEPEST = 1e8  # a saddle point from which on floats do not tell epsilon from the largest loss
_POINT, _POWER, _TERM, _INTEGRAL = 15.0, 0.6, 1.5, 2.5  # microseconds, roughly
_EVALUATIONS = 8  # of delta, until epsilon is found


@dataclass(frozen=True, slots=True)
class Split:
    """`few`: k < few is summed.  Of the rest there is nothing, or only a bound, or `contour`."""

    few: int
    contour: Contour | None
    cost: float


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans for T = `steps` steps of shift/scale `a` around the saddle point `at`.

    `accuracy` is minus the logarithm of the relative error of delta that is aimed at.
    """

    a: float
    steps: int
    at: Saddle
    accuracy: float

    def best(self) -> Split:
        """The cheapest way.

        Raises:
            TooCostly: where all are beyond reason.
        """
        ways: list[Split] = []
        found = self.at.c < _STEEPEST  # else the saddle point is beyond what is searched
        reach = max(0.0, min((self.steps - self.at.epsilon / self.a) / 2 + 1, self.steps + 1))
        for few in [few for few in _FEW if few <= self.steps] + [self.steps + 1]:
            cost = _EVALUATIONS * _INTEGRAL * few * min(few, reach) + _TERM * few * min(reach, self._falling())
            least = min((way.cost for way in ways), default=math.inf)
            if few > self.steps or (found and few > 0 and self._dropped(few)):
                ways.append(Split(few, None, cost))
            elif found and cost < least:
                each = _POINT + _POWER * few + _EVALUATIONS * 0.2
                try:
                    contour = self.contour(few, (least - cost) / each)
                except (TooCostly, OverflowError, ValueError, ZeroDivisionError):
                    continue
                ways.append(Split(few, contour, cost + contour.cost * each))
        if not ways:
            raise TooCostly("neither the sum nor the integral is within reach")
        return min(ways, key=lambda way: way.cost)

    @property
    def x(self) -> float:
        """Re z on the contour."""
        return self.at.c + 0.5

    @property
    def log_unit(self) -> float:
        """The logarithm of delta(epsilon) relative to M(c) exp(-c epsilon)."""
        c = self.at.c
        return -math.log(c) - math.log1p(c) - math.log(2 * math.pi * self.at.curvature) / 2

    @property
    def aim(self) -> float:
        """The logarithm of the absolute error of the integral that is aimed at, relative to M(c)."""
        return self.log_unit - self.accuracy - 3

    @property
    def log_atoms(self) -> float:
        """The logarithm of A(x)/N(x), the atoms' share."""
        return -math.log1p(math.tanh(self.x * self.a) / (2 * self.x))

    @property
    def log_between(self) -> float:
        """The logarithm of B(x)/N(x), the share between the atoms."""
        return self.log_atoms + math.log(math.tanh(self.x * self.a) / (2 * self.x))

    def _falling(self) -> float:
        """How many terms a sum over signs has, before what follows is negligible."""
        return self.accuracy / min(1.0, 2 * self.at.c * self.a) + 1

    def many(self, few: int, atoms: float, between: float) -> float:
        """The logarithm of C(T, few) B^few (A + B)^(T - few), from those of A and B (not both 0)."""
        whole = max(atoms, between) + math.log1p(math.exp(-abs(atoms - between)))
        ways = math.lgamma(self.steps + 1) - math.lgamma(few + 1) - math.lgamma(self.steps - few + 1)
        return ways + (few * between if few else 0.0) + (self.steps - few) * whole

    def _dropped(self, few: int) -> bool:
        """Whether Chernoff's bound of the rest is small enough."""
        return (
            self.many(few, self.log_atoms, self.log_between) + log_share(self.at.c) <= self.log_unit - self.accuracy - 1
        )

    def contour(self, few: int, dearest: float = math.inf) -> Contour:
        """Where to integrate.

        Raises:
            TooCostly: where that takes more than `dearest` points.
        """
        period, further, nearer = self._aliases()
        spacing = math.pi / self.a
        most = min(dearest, _MOST_POINTS)
        peaks = 1
        while self._beyond(few, (peaks + 0.5) * spacing) > self.aim:
            peaks *= 2
            if peaks > most:
                raise TooCostly("too many peaks")
        around: list[tuple[float, float]] = []
        points = 0.0
        while True:
            middle = len(around) * spacing
            width = self._width(few, len(around), period)
            around.append((middle - width, middle + width))
            points += width * period / math.pi + 2
            end = middle + spacing - width
            if self._beyond(few, end) <= self.aim:
                return Contour(self.at.c, period, further, nearer, end, -self.aim, around=tuple(around))
            if points > most:
                raise TooCostly("too many points")

    def _aliases(self) -> tuple[float, float, float]:
        c = self.at.c
        further = [(d, self.steps * laplace_cumulants(self.a, d)[0]) for d in (c * (1 + f) for f in FURTHER)]
        return spaced(c, self.at.epsilon, self.accuracy + 3 - self.at.log_delta, [*further, (0.0, 0.0)])

    def _width(self, few: int, peak: int, period: float) -> float:
        """Where the bound of what is left out around a peak reaches the aim; at most half the distance of peaks."""
        half = math.pi / (2 * self.a)
        t = max((2 * peak - 1) * half, 0.0)
        between = math.log(min(math.tanh(self.x * self.a) / self.x, 1 / math.hypot(self.x, t))) - math.log(2)
        between += self.log_atoms  # B = sinh(za)/z relative to N
        kernel = math.log(math.hypot(self.at.c, t)) + math.log(math.hypot(1 + self.at.c, t))
        aim = self.aim + kernel - math.log(2 * half + 4 * math.pi / period) - 2

        rest = aim - self.many(few, -math.inf, 0.0) - (few * between if few else 0.0)
        if few == self.steps:
            return half if rest < 0 else 0.0
        atoms = math.exp(min(rest / (self.steps - few), 0.0)) - math.exp(between)
        # |A|/A(x) is the root of 1 - sin^2/cosh^2
        y, ratio = self.x * self.a, atoms / math.exp(self.log_atoms)
        if not 0 < ratio < 1:
            return half if ratio <= 0 else 0.0
        fading = 2 * (math.log1p(math.exp(-2 * y)) + y - math.log(2)) + math.log1p(-(ratio**2))
        return half if fading >= 0 else math.asin(math.exp(fading / 2)) / self.a

    def _beyond(self, few: int, t: float) -> float:
        """The logarithm of the bound of what is left out beyond t."""
        between = self.log_atoms - math.log(2)  # times 1/t
        ways = self.many(few, self.log_atoms, between - math.log(t))
        return ways - math.log((few + 1) * t) - math.log(math.pi)
