"""Sampled Gaussian and Laplace steps in floats: what planning needs.  Nothing here is trusted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from flint import arb, fmpq

from dpsym.accounting.chernoff import log_of
from dpsym.core.deadline import TooCostly

_MOST_NODES = 20_000  # of a quadrature in floats, some milliseconds
_CELLS = 25  # of the bulk, where a decay is only estimated
_ANGLES, _TURNS = 9, 4  # among which the best shift is looked for, and how closely
_RIGHT_ANGLE = math.pi / 2  # beyond which a shift bounds nothing of a record that is added


@dataclass(frozen=True)
class Estimate:
    """The step of `SubsampledMoment`: sigma, log q, log(1 - q), and the direction."""

    sigma: float
    log_q: float
    log_rest: float
    adding: bool

    def power(self, c: float) -> float:
        """The power of the likelihood ratio r in the moment at c."""
        return -c if self.adding else 1 + c

    def log_odds(self, x: float) -> float:
        """The logarithm of q exp(v)/(1 - q), v = (2x - 1)/(2 sigma^2): how much of r(x) is due to the record."""
        return self.log_q + (2 * x - 1) / (2 * self.sigma**2) - self.log_rest

    def log_ratio(self, x: float) -> float:
        """log r(x)."""
        odds = self.log_odds(x)
        return self.log_rest + max(odds, 0.0) + math.log1p(math.exp(-abs(odds)))

    def height(self, x: float, c: float) -> float:
        """The logarithm of r^a times the normal density, up to its constant."""
        return self.power(c) * self.log_ratio(x) - x * x / (2 * self.sigma**2)

    def peaks(self, c: float) -> tuple[float, float]:
        """The first and the last maximum of the height; one and the same unless the bulk and the tail part."""
        a = self.power(c)

        def pull(x: float) -> float:
            return a * _logistic(self.log_odds(x))

        if self.adding:  # the pull falls from 0: one maximum
            low, high = -c, 0.0
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if pull(middle) > middle else (low, middle)
            return high, high
        ends = []
        for x in (0.0, a):  # the pull rises: iterates go to the least and to the greatest solution
            for _ in range(200):
                before, x = x, pull(x)
                if abs(x - before) <= 1e-3 * self.sigma:
                    break
            ends.append(x)
        return ends[0], max(ends)

    def window(self, c: float, drop: float) -> tuple[float, float]:
        """An interval outside of which the height is lower than its maximum by more than `drop`."""
        first, last = self.peaks(c)
        top = max(self.height(first, c), self.height(last, c))
        if not math.isfinite(top) or top - drop == top:
            raise TooCostly("the moments are beyond floats")
        relevant = [x for x in (first, last) if self.height(x, c) > top - drop]
        return self._end(min(relevant), c, top - drop, -1), self._end(max(relevant), c, top - drop, 1)

    def _end(self, x: float, c: float, level: float, way: int) -> float:
        """Where the height falls to the level, going from x."""
        reach = self.sigma / 4
        while self.height(x + way * reach, c) > level:
            reach *= 2
        near, far = reach / 2 if reach > self.sigma / 4 else 0.0, reach
        for _ in range(8):
            middle = (near + far) / 2
            near, far = (middle, far) if self.height(x + way * middle, c) > level else (near, middle)
        return x + way * far

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of the moment and its first two derivatives, by the trapezoidal rule.

        Raises:
            TooCostly: where that needs too many nodes.
        """
        return _cumulants(self, c)

    def span(self, c: float, aim: float) -> tuple[float, float]:
        """An interval outside of which there is less than about exp(-aim) M(c).

        For adding that is bounded by (1 - q)^-c times the tails of the normal distribution.
        """
        if not self.adding:
            return self.window(c, aim)
        reach = self.sigma * math.sqrt(2 * (aim + self.excess(c)))
        return -reach, reach

    def excess(self, c: float) -> float:
        """The logarithm of (1 - q)^-c/M(c)."""
        return max(0.0, -c * self.log_rest - self.cumulants(c)[0])

    def strip(self, c: float, aim: float) -> tuple[float, float]:
        """The widest distance of nodes for a relative error of exp(-aim), and how far the strip for it reaches."""
        sigma, best = self.sigma, (0.0, 0.0)
        for i in range(1, 60):
            angle = min(3.05, 2 * math.sqrt(aim) / sigma) * i / 60
            far = angle * sigma**2
            grown = far**2 / (2 * sigma**2) + self._swell(c, angle)
            best = max(best, (2 * math.pi * far / (2 * aim + grown), far))
        return best

    def _swell(self, c: float, angle: float) -> float:
        """The logarithm of how much larger |r|^a can be on the line at this angle."""
        if not self.adding:
            return 0.0
        half = -c * math.log(math.cos(angle / 2))
        return min(half, self.excess(c)) if angle <= _RIGHT_ANGLE else half

    def falls(self, c: float) -> Callable[[float], float]:
        """The logarithm of a bound of |M(c + it)|/M(c), as a function of t."""
        low, high = self.window(c, 20.0)
        power, tilted = self.power(c), []
        top = max(self.height(x, c) for x in self.peaks(c))
        for i in range(_CELLS):
            x = low + (high - low) * (i + 0.5) / _CELLS
            tilted.append((math.exp(self.height(x, c) - top), math.exp(min(self.log_odds(x), 600.0))))
        whole = sum(mass for mass, _ in tilted)
        swing = self.sigma**2 / 2

        def size(t: float, angle: float) -> float:
            sine, cosine, half = math.sin(angle), math.cos(angle), math.sin(angle / 2) ** 2
            total = 0.0
            for mass, odds in tilted:
                turn = t * math.atan2(odds * sine, 1 + odds * cosine)
                total += mass * math.exp(power / 2 * math.log1p(-4 * odds / (1 + odds) ** 2 * half) - turn)
            return swing * angle**2 + math.log(total / whole) if total > 0 else -math.inf

        return lambda t: best_angle(lambda angle: size(t, angle), adding=self.adding)[1]


def best_angle(size: Callable[[float], float], *, adding: bool) -> tuple[float, float]:
    """An angle at which a function of it is about least, and its value there; at no angle it is 0."""
    found = (0.0, 0.0)
    highest = _RIGHT_ANGLE if adding else 3.0
    for i in range(_ANGLES):
        angle = highest * 4.0**-i
        value = size(angle)
        if value < found[1]:
            found = angle, value
        elif found[1] < 0:
            break
    if found[0] == 0.0:
        return found
    low, high = found[0] / 4, min(found[0] * 4, highest)
    for _ in range(_TURNS):  # parabolas would be quicker, and less sure
        for angle in (math.sqrt(low * found[0]), math.sqrt(found[0] * high)):
            value = size(angle)
            if value < found[1]:
                low, high = (low, found[0]) if angle < found[0] else (found[0], high)
                found = angle, value
                break
        else:
            low, high = math.sqrt(low * found[0]), math.sqrt(found[0] * high)
    return found


@lru_cache(maxsize=4096)
def _cumulants(step: Estimate, c: float) -> tuple[float, float, float]:
    sigma = step.sigma
    low, high = step.window(c, 40.0)
    width = min(0.6 * sigma, sigma * sigma, (high - low) / 12)
    if not high - low < _MOST_NODES * width:
        raise TooCostly("the noise is too small for the integral")
    nodes = [low + i * width for i in range(int((high - low) / width) + 2)]
    points = [(step.height(x, c), step.log_ratio(x)) for x in nodes]
    top = max(w for w, _ in points)
    tilted = [(math.exp(weight - top), loss) for weight, loss in points]
    whole = sum(w for w, _ in tilted)
    mean = sum(w * loss for w, loss in tilted) / whole
    variance = sum(w * (loss - mean) ** 2 for w, loss in tilted) / whole
    total = top + math.log(whole * width / (sigma * math.sqrt(2 * math.pi)))
    return total, -mean if step.adding else mean, variance


def _logistic(z: float) -> float:
    return 1 / (1 + math.exp(-z)) if z > -700 else 0.0


def estimate(q: fmpq, variance: fmpq, *, adding: bool) -> Estimate:
    """The step with these parameters."""
    return Estimate(math.sqrt(float(arb(variance))), log_of(q), log_of(1 - q), adding)
