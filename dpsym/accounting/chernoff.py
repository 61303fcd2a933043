"""Small bounds that several methods share."""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import arb, fmpq


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
