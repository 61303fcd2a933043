"""The moment function M(s) = E exp(s L) of one step's privacy loss L, at complex s, with every error bounded.

On a contour Re s = c > 0 a moment function gives its logarithm with two derivatives (in floats, for planning only),
an enclosure of M(c), enclosures of M(c + itk)/M(c), and a bound of |M(c + it')|/M(c) for all t' >= t.
The proofs are in docs/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import acb, acb_mat, arb, ctx, fmpq

from dpsym.accounting.inversion.saddle_point import Planned
from dpsym.accounting.moments.fourier_decay import Layers
from dpsym.core.clocks import charge
from dpsym.core.deadline import TooCostly, leave_out, remaining, watched

_MOST_OF_ATOMS = 20_000  # atoms times points of the contour: where there are more, a lattice is quicker
_MOST_POINTS = 60_000  # of a contour for Laplace noise: about a second
_MOST_PRODUCTS = 100_000_000  # of matrices of quadrature nodes and of points: some twenty seconds
_SECONDS = 2e-7  # for one of them, roughly
_SHARE = 0.25  # of the time that is left, for one moment function
_PLANNING_BITS, _APART = 320, 64  # of logarithms whose differences are derivatives, and where these are taken
Decay = Callable[[arb], arb]  # a number that |M(c + it')|/M(c) does not exceed for any t' >= t, as a function of t


class Moment:
    """The moment function of one step's privacy loss under its first distribution.

    Unless said otherwise in closed form, its `value`.
    """

    __slots__ = ()

    def value(self, s: acb) -> acb:
        """M(s)."""
        raise NotImplementedError

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of M and its first two derivatives at c, approximately."""
        with ctx.workprec(_PLANNING_BITS):
            h = arb(min(1.0, abs(c) or 1.0)) / 2**_APART
            low, here, high = (self.at(c + i * h).log() for i in (-1, 0, 1))
            return float(here), float((high - low) / (2 * h)), max(float((high - 2 * here + low) / (h * h)), 0.0)

    def falls(self, c: float) -> Callable[[float], float]:
        """The logarithm of about what `decay` bounds, as a function of t."""
        decay = self.decay(arb(c))
        return lambda t: float(decay(arb(t)).log())

    def work(self, c: float, accuracy: float) -> float:
        """About how many operations a point of the contour takes."""
        return 1.0

    def at(self, c: arb) -> arb:
        """M(c), good enough for a bound."""
        return self.value(acb(c)).real

    def along(self, c: arb, step: arb, count: int, accuracy: float) -> tuple[arb, list[acb]]:
        """M(c), and M(c + i k step)/M(c) for k = 0..count, with relative errors of about exp(-accuracy).

        Raises:
            TooCostly: where that would take too long.
        """
        total = self.at(c)
        return total, [self.value(acb(c, k * step)) / total for k in watched(range(count + 1))]

    def decay(self, c: arb) -> Decay:
        """How |M(c + it)|/M(c) falls."""
        return lambda t: arb(1)


@dataclass(frozen=True, slots=True)
class GaussianMoment(Moment):
    """A Gaussian shifted by mu standard deviations: M(s) = exp(mu^2 s(s+1)/2)."""

    mu_squared: fmpq

    def value(self, s: acb) -> acb:
        """See `Moment`."""
        return (self.mu_squared * s * (s + 1) / 2).exp()

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        m = float(arb(self.mu_squared))
        return m * c * (c + 1) / 2, m * (c + 0.5), m

    def decay(self, c: arb) -> Decay:
        """See `Moment`: it is exp(-mu^2 t^2/2)."""
        return lambda t: (-self.mu_squared * t * t / 2).exp().upper()


@dataclass(frozen=True, slots=True)
class LaplaceMoment(Moment):
    """Laplace noise of shift/scale a: exp(-a/2) (cosh y + (a/2) sinh(y)/y), y = a(s + 1/2), of atoms and a density."""

    a: fmpq

    def value(self, s: acb) -> acb:
        """See `Moment`."""
        y = self.a * (s + fmpq(1, 2))
        return arb(-self.a / 2).exp() * (y.cosh() + y.sinh() / (2 * s + 1))

    def along(self, c: arb, step: arb, count: int, accuracy: float) -> tuple[arb, list[acb]]:
        """See `Moment`."""
        if count > _MOST_POINTS:
            raise TooCostly(f"{count} points for the moments")
        return Moment.along(self, c, step, count, accuracy)

    def decay(self, c: arb) -> Falling:
        """See `Moment`: the tilted density between the atoms rises to exp(ca)/4."""
        y = self.a * (c + fmpq(1, 2))
        return Falling(arb(-self.a / 2).exp() * y.cosh(), (c * self.a).exp() / 2, self.at(c))


@dataclass(frozen=True, slots=True)
class LogisticMoment(Moment):
    """Logistic noise, answers t scales apart: sinh((s + 1/2)t)/((2s + 1) sinh(t/2)) (docs/lemmas.md, Lemma 8)."""

    t: fmpq

    def value(self, s: acb) -> acb:
        """See `Moment`."""
        return ((s + fmpq(1, 2)) * self.t).sinh() / ((2 * s + 1) * (arb(self.t) / 2).sinh())

    def decay(self, c: arb) -> Decay:
        """See `Moment`: it is at most coth(m t) m/|m + iv|, m = c + 1/2, as |cos b + i coth(a) sin b| <= coth(a)."""
        middle = c + fmpq(1, 2)
        most = (middle * self.t).coth() * middle
        return lambda v: (most / (middle * middle + v * v).sqrt()).upper().min(arb(1))


@dataclass(frozen=True, slots=True)
class BoundedMoment(Moment):
    """A loss of atoms, as (loss, mass); `law` plans.  It does not fall: beside steps that do, it is harmless."""

    law: Planned
    atoms: Callable[[], Sequence[tuple[arb, arb]]]

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.law.cumulants(c)

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        return float(len(self.atoms()))

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return sum((mass * (c * loss).exp() for loss, mass in self.atoms()), arb(0))

    def along(self, c: arb, step: arb, count: int, accuracy: float) -> tuple[arb, list[acb]]:
        """See `Moment`."""
        tilted = [(loss, mass * (c * loss).exp()) for loss, mass in self.atoms()]
        if len(tilted) * count > _MOST_OF_ATOMS:
            raise TooCostly(f"{len(tilted)} x {count} operations for the moments")
        total = sum((weight for _, weight in tilted), arb(0))
        points = (acb(0, k * step) for k in watched(range(count + 1)))
        return total, [sum((w * (t * loss).exp() for loss, w in tilted), acb(0)) / total for t in points]


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

    def __call__(self, t: arb) -> arb:
        """See `Decay`."""
        found = ((self.atoms + self.variation / t) / self.total).upper().min(arb(1))
        return found if self.layers is None else found.min(self.layers.bound(t))


def rotated_sums(weights: list[acb], angles: list[acb], count: int) -> list[acb]:
    """The sums of weight exp(i k angle) for k = 0..count-1, as one product of matrices.

    With k = m block + l the exponential is a product of one of few in m and one of few in l, each computed afresh:
    repeated multiplication would widen the rectangular balls at every turn.

    Raises:
        TooCostly: where there are too many, or too many for the time that is left.
    """
    products = len(weights) * count
    late = products <= _MOST_PRODUCTS and products * _SECONDS > _SHARE * remaining()
    if late:
        leave_out()
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
