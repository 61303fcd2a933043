"""The moment function M(s) = E exp(s L) of one step's privacy loss L, at complex s, with every error bounded.

On a contour Re s = c > 0 a moment function gives its logarithm with two derivatives (in floats, for planning only),
an enclosure of M(c), enclosures of M(c + itk)/M(c), and a bound of |M(c + it')|/M(c) for all t' >= t.
The proofs are in docs/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from flint import acb, acb_mat, arb, fmpq

from dpsym.accounting.inversion.saddle_point import Planned
from dpsym.accounting.moments.fourier_decay import Layers
from dpsym.core.clocks import charge
from dpsym.core.deadline import Deadline, TooCostly

_MOST_OF_ATOMS = 20_000  # atoms times points of the contour: where there are more, a lattice is quicker
_MOST_PRODUCTS = 100_000_000  # of matrices of quadrature nodes and of points: some twenty seconds
_SECONDS = 2e-7  # for one of them, roughly
_SHARE = 0.25  # of the time that is left, for one moment function


class Decay(Protocol):
    """How |M(c + it)|/M(c) falls."""

    def bound(self, t: arb) -> arb:
        """A number that |M(c + it')|/M(c) does not exceed for any t' >= t."""


class Moment(Protocol):
    """The moment function of one step's privacy loss under its first distribution."""

    @property
    def reverse(self) -> Moment:
        """M(-1 - s), which is that of the pair the other way round."""

    @property
    def covered(self) -> arb:
        """M(-1): the second distribution's probability of what can happen under the first."""

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of M and its first two derivatives at c, approximately."""

    def falls(self, c: float) -> Callable[[float], float]:
        """The logarithm of about what `decay` bounds, as a function of t."""

    def work(self, c: float, accuracy: float) -> float:
        """About how many operations a point of the contour takes."""

    def at(self, c: arb) -> arb:
        """M(c), good enough for a bound."""

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """M(c), and M(c + i k step)/M(c) for k = 0..count, with relative errors of about exp(-accuracy).

        Raises:
            TooCostly: where that would take too long.
        """

    def decay(self, c: arb) -> Decay:
        """Its decay along Re s = c."""


@dataclass(frozen=True, slots=True)
class GaussianMoment:
    """A Gaussian shifted by mu standard deviations: M(s) = exp(mu^2 s(s+1)/2)."""

    mu_squared: fmpq

    @property
    def covered(self) -> arb:
        """See `Moment`."""
        return arb(1)

    @property
    def reverse(self) -> GaussianMoment:
        """See `Moment`."""
        return self

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        m = float(arb(self.mu_squared))
        return m * c * (c + 1) / 2, m * (c + 0.5), m

    def falls(self, c: float) -> Callable[[float], float]:
        """See `Moment`."""
        m = float(arb(self.mu_squared))
        return lambda t: -m * t * t / 2

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        return 1.0

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return (self.mu_squared * c * (c + 1) / 2).exp()

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`; exact up to rounding."""
        values = []
        for k in deadline.watched(range(count + 1)):
            t = k * step
            sine, cosine = (self.mu_squared * t * (2 * c + 1) / 2).sin_cos()
            size = (-self.mu_squared * t * t / 2).exp()
            values.append(acb(size * cosine, size * sine))
        return self.at(c), values

    def decay(self, c: arb) -> GaussianDecay:
        """See `Moment`."""
        return GaussianDecay(self.mu_squared)


@dataclass(frozen=True, slots=True)
class GaussianDecay:
    """|M(c + it)|/M(c) = exp(-mu^2 t^2/2)."""

    mu_squared: fmpq

    def bound(self, t: arb) -> arb:
        """See `Decay`."""
        return (-self.mu_squared * t * t / 2).exp().upper()


@dataclass(frozen=True, slots=True)
class BoundedMoment:
    """A loss of atoms, as (loss, mass), and where `laplace` is a, of the density exp((L - a)/2)/4 on [-a, a].

    `law` plans.  Atoms do not fall: beside steps that do, these are harmless.
    """

    law: Planned
    atoms: Callable[[], Sequence[tuple[arb, arb]]]
    laplace: fmpq | None = None

    @property
    def covered(self) -> arb:
        """See `Moment`."""
        if self.laplace is not None:
            return arb(1)
        return sum((mass * (-loss).exp() for loss, mass in self.atoms()), arb(0))

    @property
    def reverse(self) -> BoundedMoment:
        """See `Moment`."""
        atoms = self.atoms

        def turned() -> list[tuple[arb, arb]]:
            return [(-loss, mass * (-loss).exp()) for loss, mass in atoms()]

        return BoundedMoment(Reversed(self.law), turned, self.laplace)

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.law.cumulants(c)

    def falls(self, c: float) -> Callable[[float], float]:
        """See `Moment`."""
        return (lambda t: 0.0) if self.laplace is None else self._falling(arb(c), self.laplace).logarithm

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        return float(len(self.atoms()))

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return self._value(acb(c), self.atoms()).real

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`; exact up to rounding."""
        atoms = self.atoms()
        if len(atoms) * count > _MOST_OF_ATOMS:
            raise TooCostly(f"{len(atoms)} x {count} operations for the moments")
        total = self._value(acb(c), atoms).real
        return total, [self._value(acb(c, k * step), atoms) / total for k in deadline.watched(range(count + 1))]

    def decay(self, c: arb) -> Decay:
        """See `Moment`."""
        return NoDecay() if self.laplace is None else self._falling(c, self.laplace)

    def _falling(self, c: arb, a: fmpq) -> Falling:
        """The tilted density between Laplace atoms rises to exp(ca)/4."""
        atoms = sum((mass * (c * loss).exp() for loss, mass in self.atoms()), arb(0))
        return Falling(atoms, (c * a).exp() / 2, self.at(c))

    def _value(self, s: acb, atoms: Sequence[tuple[arb, arb]]) -> acb:
        total = sum((mass * (s * loss).exp() for loss, mass in atoms), acb(0))
        if self.laplace is not None:
            power = self.laplace * (s + fmpq(1, 2))
            total += (power.exp() - (-power).exp()) / (s + fmpq(1, 2)) * arb(-self.laplace / 2).exp() / 4
        return total


@dataclass(frozen=True, slots=True)
class Reversed:
    """The pair the other way round, for planning."""

    law: Planned

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Planned`."""
        value, slope, curvature = self.law.cumulants(-1 - c)
        return value, -slope, curvature


@dataclass(frozen=True, slots=True)
class NoDecay:
    """|M(c + it)|/M(c) <= 1."""

    def bound(self, t: arb) -> arb:
        """See `Decay`."""
        return arb(1)


@dataclass(frozen=True, slots=True)
class Falling:
    """Atoms, and a density of bounded variation: |M(c + it)| <= A + V/t.

    Attributes:
        atoms: A, the tilted mass of the atoms.
        variation: V, the total variation of the tilted density on the whole line, the jumps at its ends included.
        total: M(c).
        layers: another bound, better where the density has a spike; None where there is none.
    """

    atoms: arb
    variation: arb
    total: arb
    layers: Layers | None = None

    def logarithm(self, t: float) -> float:
        """The logarithm of about what it bounds."""
        found = float(self.atoms / self.total) + float(self.variation / self.total) / t
        return math.log(min(1.0, found, 1.0 if self.layers is None else self.layers.estimate(t)))

    def bound(self, t: arb) -> arb:
        """See `Decay`."""
        found = ((self.atoms + self.variation / t) / self.total).upper().min(arb(1))
        return found if self.layers is None else found.min(self.layers.bound(t))


def rotated_sums(weights: list[acb], angles: list[acb], count: int, deadline: Deadline) -> list[acb]:
    """The sums of weight exp(i k angle) for k = 0..count-1, as one product of matrices.

    With k = m block + l the exponential is a product of one of few in m and one of few in l, each computed afresh:
    repeated multiplication would widen the rectangular balls at every turn.

    Raises:
        TooCostly: where there are too many, or too many for the time that is left.
    """
    products = len(weights) * count
    late = products <= _MOST_PRODUCTS and products * _SECONDS > _SHARE * deadline.left
    if late:
        deadline.cut_short()
    if late or products > _MOST_PRODUCTS:
        raise TooCostly(f"{len(weights)} x {count} operations for the moments")
    charge(products * _SECONDS)
    block = max(1, math.isqrt(count))
    blocks = -(-count // block)
    coarse = acb_mat([[w * z for w, z in zip(weights, _turned(angles, m * block), strict=True)] for m in range(blocks)])
    fine = acb_mat([_turned(angles, k) for k in range(block)]).transpose()
    return (coarse * fine).entries()[:count]


def _turned(angles: list[acb], k: int) -> list[acb]:
    turn = acb(0, k)
    return [(turn * angle).exp() for angle in angles]
