"""The moment function of logistic noise, which has a closed form (docs/lemmas.md, Lemma 8).

M(s) = sinh((s + 1/2)t)/((2s + 1) sinh(t/2)) for answers t scales apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb, fmpq

from dpsym.core.deadline import Deadline

_SMALL = 1e-3  # below it the closed forms lose half of a float's digits, and their series have them all


@dataclass(frozen=True, slots=True)
class LogisticMoment:
    """See `Moment`."""

    t: fmpq

    @property
    def covered(self) -> arb:
        """See `Moment`."""
        return arb(1)

    @property
    def reverse(self) -> LogisticMoment:
        """See `Moment`."""
        return self

    def falls(self, c: float) -> Callable[[float], float]:
        """See `Moment`."""
        return self.decay(arb(c)).logarithm

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        return 1.0

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return logistic_cumulants(float(arb(self.t)), c)

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        t = arb(self.t)
        return ((c + fmpq(1, 2)) * t).sinh() / ((2 * c + 1) * (t / 2).sinh())

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`; exact up to rounding: sinh(a + ib)/sinh(a) = cos b + i coth(a) sin b."""
        middle = c + fmpq(1, 2)
        slope = (middle * self.t).coth()
        values = []
        for k in deadline.watched(range(count + 1)):
            sine, cosine = (k * step * self.t).sin_cos()
            values.append(acb(cosine, slope * sine) * middle / acb(middle, k * step))
        return self.at(c), values

    def decay(self, c: arb) -> LogisticDecay:
        """See `Moment`."""
        return LogisticDecay(c + fmpq(1, 2), ((c + fmpq(1, 2)) * self.t).coth())


@dataclass(frozen=True, slots=True)
class LogisticDecay:
    """|M(c + iv)|/M(c) is at most coth(m t) m/|m + iv|, m = c + 1/2, as |cos b + i coth(a) sin b| <= coth(a)."""

    middle: arb
    most: arb

    def logarithm(self, t: float) -> float:
        """The logarithm of about what it bounds."""
        middle = float(self.middle)
        return min(0.0, math.log(float(self.most) * middle / math.hypot(middle, t)))

    def bound(self, t: arb) -> arb:
        """See `Decay`."""
        return (self.most * self.middle / (self.middle * self.middle + t * t).sqrt()).upper().min(arb(1))


def logistic_cumulants(t: float, c: float) -> tuple[float, float, float]:
    """The logarithm of M and its first two derivatives, approximately."""
    z = (c + 0.5) * t
    if z < _SMALL:  # where the closed forms cancel
        first, second = z / 3 - z**3 / 45, 1 / 3 - z * z / 15
    else:
        first, second = 1 / math.tanh(z) - 1 / z, 1 / z**2 - (1 / math.sinh(z) ** 2 if z < 300 else 0.0)
    return _log_sinhc(z) - _log_sinhc(t / 2), t * first, t * t * second


def _log_sinhc(x: float) -> float:
    """log(sinh(x)/x)."""
    if x < _SMALL:
        return x * x / 6 - x**4 / 180
    return x + math.log1p(-math.exp(-2 * x)) - math.log(2 * x)
