"""Small bounds that several methods share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, fmpq

_LOWEST, _HIGHEST = -30.0, 30.0  # logarithms of the orders less 1 that are tried
_PLACES = 60  # of them that are tried first: what claims bound may have a second valley, at no order at all
_STEPS = 40  # of golden section, to a billionth of what is left


@dataclass(frozen=True, slots=True)
class Exponential:
    """size exp(-rate y): a bound of a function of y at every y, or a part of the function."""

    size: arb
    rate: arb

    def at(self, y: arb) -> arb:
        """Its value."""
        return self.size * (-self.rate * y).exp()


def chernoff(moment: arb, c: arb) -> Exponential:
    """A bound of delta(epsilon), as a function of epsilon, from M(c) = `moment`, for c > 0."""
    return Exponential(moment * largest_share(c), c)


def normal_above(z: arb) -> arb:
    """The probability that a standard normal variable exceeds z."""
    return (z / arb(2).sqrt()).erfc() / 2


def largest_share(c: arb) -> arb:
    """The maximum of (1 - exp(-y)) exp(-c y) over y > 0, which is c^c/(1+c)^(1+c).

    So delta(epsilon) <= M(c) exp(-c epsilon) times this: Chernoff's bound of a privacy profile.
    """
    return (c * c.log() - (1 + c) * (1 + c).log()).exp()


def log_share(c: float) -> float:
    """The logarithm of the same maximum, approximately."""
    return c * math.log(c) - (1 + c) * math.log1p(c)


def simple(value: float, bits: int = 12) -> fmpq:
    """A number with few bits near a positive float, as planning chooses steps and contours."""
    mantissa, exponent = math.frexp(value)
    return fmpq(round(math.ldexp(mantissa, bits))) * fmpq(2) ** (exponent - bits)


def log_of(value: fmpq) -> float:
    """The logarithm of a positive rational that may be out of a float's range."""
    return math.log(int(value.p)) - math.log(int(value.q))


def valley(function: Callable[[float], float]) -> float:
    """About the logarithm of c at which a function is least: next to the best of some, where it has one valley."""
    places = [_LOWEST + n * (_HIGHEST - _LOWEST) / _PLACES for n in range(_PLACES + 1)]
    values = [function(place) for place in places]
    best = min(range(len(places)), key=lambda n: math.inf if math.isnan(values[n]) else values[n])
    low, high = places[max(0, best - 1)], places[min(_PLACES, best + 1)]
    for _ in range(_STEPS):
        left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
        one, other = function(left), function(right)
        # beyond what can be evaluated it does not fall
        low, high = (low, right) if math.isnan(other) or one < other else (left, high)
    return (low + high) / 2
