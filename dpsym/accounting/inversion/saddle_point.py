"""Saddle points in floats, through which the contour of the inversion integral is laid.  Nothing here is trusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dpsym.core.deadline import TooCostly
from dpsym.numbers.bracketing import closed_in

_WIDEST = 1e9  # the largest c that is tried


class Planned(Protocol):
    """What has a moment function, roughly."""

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of M and its first two derivatives at c, approximately."""


Parts = Sequence[tuple[Planned, int]]


@dataclass(frozen=True, slots=True)
class Saddle:
    """The saddle point of exp(-s epsilon) M(s)/(s(s+1)) on the real axis, and Laplace's estimate there.

    Attributes:
        c: where it is.
        epsilon: for which epsilon it is there.
        log_delta: the logarithm of delta(epsilon), approximately.
        curvature: the second derivative of the integrand's logarithm.
    """

    c: float
    epsilon: float
    log_delta: float
    curvature: float


def log_moment(parts: Parts, c: float) -> float:
    """The logarithm of the whole composition's moment function at c."""
    return sum(count * moment.cumulants(c)[0] for moment, count in parts)


def saddle(parts: Parts, c: float) -> Saddle:
    """The saddle point that lies at c."""
    total = [0.0, 0.0, 0.0]
    for moment, count in parts:
        total = [t + count * k for t, k in zip(total, moment.cumulants(c), strict=True)]
    epsilon = total[1] - 1 / c - 1 / (1 + c)
    curvature = total[2] + 1 / c**2 + 1 / (1 + c) ** 2
    if not (math.isfinite(epsilon) and 0 < curvature < math.inf):
        raise TooCostly("the moments are beyond floats")
    log_delta = total[0] - c * epsilon - math.log(c) - math.log1p(c) - math.log(2 * math.pi * curvature) / 2
    return Saddle(c, epsilon, log_delta, curvature)


def saddle_of_delta(parts: Parts, log_delta: float) -> Saddle:
    """The saddle point for the epsilon at which delta(epsilon) has this logarithm, approximately."""
    return _found(lambda s: log_delta - s.log_delta, parts)


def saddle_of_epsilon(parts: Parts, epsilon: float) -> Saddle:
    """The saddle point for this epsilon."""
    return _found(lambda s: s.epsilon - epsilon, parts)


def _found(gap: Callable[[Saddle], float], parts: Parts) -> Saddle:
    """Where an increasing function of the saddle point vanishes: bracketed in log c, then regula falsi (Illinois)."""
    here = saddle(parts, 1.0)
    value = gap(here)
    factor = 0.25 if value > 0 else 4.0
    while True:
        there = saddle(parts, here.c * factor)
        other = gap(there)
        if (value > 0) != (other > 0):
            break
        here, value = there, other
        if not 1 / _WIDEST < here.c < _WIDEST:
            return here
    found = there

    def ask(log_c: float) -> tuple[bool, float]:
        nonlocal found
        found = saddle(parts, math.exp(log_c))
        return gap(found) <= 0, gap(found)

    def near(above: float, below: float) -> bool:
        return above - below < 1e-4 or abs(gap(found)) < 1e-6 * (1 + abs(found.log_delta))

    below, above = sorted([(math.log(here.c), value), (math.log(there.c), other)])
    closed_in(ask, below, above, lambda high, low, share: high + (low - high) * share, near, 60)
    return found
