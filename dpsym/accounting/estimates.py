"""Sampled Gaussian and Laplace steps in floats: what planning needs.  Nothing here is trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import arb, fmpq

from dpsym.accounting.limits import TooCostly
from dpsym.accounting.tails import log_of

_MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """The step of `SubsampledMoment`: sigma, log q, log(1 - q), and the direction."""

    sigma: float
    log_q: float
    log_rest: float
    adding: bool

    def power(self, c: float) -> float:
        """The power of the likelihood ratio r in the moment at c."""
        return -c if self.adding else 1 + c

    def log_ratio(self, x: float) -> float:
        """log r(x)."""
        grown = self.log_q + (2 * x - 1) / (2 * self.sigma**2)
        top = grown if grown > self.log_rest else self.log_rest
        return top + math.log1p(math.exp(-abs(grown - self.log_rest)))

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of the moment and its first two derivatives, by the trapezoidal rule.

        Raises:
            TooCostly: where that needs too many nodes.
        """
        sigma, a = self.sigma, self.power(c)
        low, high = self.bulk(c, 10.0)
        step = min(0.6 * sigma, sigma * sigma)
        if not high - low < _MOST_NODES * step:
            raise TooCostly("the noise is too small for the integral")
        points = []
        for i in range(int((high - low) / step) + 2):
            x = low + i * step
            loss = self.log_ratio(x)
            points.append((a * loss - x * x / (2 * sigma**2), loss))
        top = max(w for w, _ in points)
        tilted = [(math.exp(weight - top), loss) for weight, loss in points]
        whole = sum(w for w, _ in tilted)
        mean = sum(w * loss for w, loss in tilted) / whole
        variance = sum(w * (loss - mean) ** 2 for w, loss in tilted) / whole
        total = top + math.log(whole * step / (sigma * math.sqrt(2 * math.pi)))
        return total, -mean if self.adding else mean, variance

    def bulk(self, c: float, deviations: float) -> tuple[float, float]:
        """An interval outside of which r^a times the density is negligible, as seen from that many deviations."""
        sigma = self.sigma
        if not self.adding:
            return -deviations * sigma, self.power(c) + deviations * sigma
        # here the integrand is log-concave, with its mode at x = -c sigma^2 (log r)'(x) between -c and 0
        mode, right = -c, 0.0
        for _ in range(25):
            middle = (mode + right) / 2
            pull = c * (1 - math.exp(self.log_rest - self.log_ratio(middle)))
            mode, right = (middle, right) if -middle > pull else (mode, middle)
        return mode - deviations * sigma, deviations * sigma

    def reach(self, c: float, accuracy: float) -> tuple[float, float]:
        """Where a quadrature may stop, by the bounds of its tails, for a relative error of exp(-accuracy)."""
        sigma, a, whole = self.sigma, self.power(c), self.cumulants(c)[0]
        if self.adding:
            reach = sigma * math.sqrt(2 * (accuracy + max(0.0, -c * self.log_rest - whole)))
            return -reach, reach
        beyond = sigma * math.sqrt(2 * accuracy)
        high = a + beyond

        def tail(x: float) -> float:
            ratio = self.log_rest - self.log_q - (2 * x - 1) / (2 * sigma**2)
            larger = max(ratio, 0.0) + math.log1p(math.exp(-abs(ratio))) + self.log_q
            return a * larger + (a * a - a) / (2 * sigma**2) - ((x - a) / sigma) ** 2 / 2 - whole

        while tail(high) > -accuracy:
            high += max(sigma, 0.01 * high)
        return -beyond, high


def estimate(q: fmpq, sigma: fmpq, *, adding: bool) -> Estimate:
    """The step with these parameters."""
    return Estimate(float(arb(sigma)), log_of(q), log_of(1 - q), adding)


def laplace_cumulants(a: float, c: float) -> tuple[float, float, float]:
    """The logarithm of the moment of a Laplace step with shift/scale a, and its first two derivatives.

    M(s) = exp(-a/2) (cosh y + (a/2) sinh(y)/y) with y = a(s + 1/2); all is relative to cosh y.
    """
    z = c + 0.5
    y = z * a
    slope = math.tanh(y)
    if y < 0.3:  # sinh(y)/y and its derivatives, relative to cosh y
        series = [y ** (2 * n) / math.factorial(2 * n + 1) for n in range(8)]
        spread = sum(series) / math.cosh(y)
        first = sum(2 * n * w for n, w in enumerate(series)) / y / math.cosh(y)
        second = sum(2 * n * (2 * n - 1) * w for n, w in enumerate(series)) / y**2 / math.cosh(y)
    else:
        spread = slope / y
        first = (1 - slope / y) / y
        second = (slope - 2 * (1 - slope / y) / y) / y
    whole = 1 + a * spread / 2
    mean = a * (slope + a * first / 2) / whole
    log_cosh = y + math.log1p(math.exp(-2 * y)) - math.log(2)
    return -a / 2 + log_cosh + math.log(whole), mean, max(a * a * (1 + a * second / 2) / whole - mean * mean, 0.0)
