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

from dpsym.accounting.decay import Layers, minima
from dpsym.accounting.estimates import Estimate, estimate
from dpsym.accounting.limits import Deadline, TooCostly
from dpsym.accounting.planning import Planned
from dpsym.accounting.tails import normal_above, simple

_MOST_PRODUCTS = 100_000_000  # quadrature nodes times points of the contour
_SECONDS = 2e-7  # for one of them, roughly
_MOST_NODES = 20_000
_ROUGH = 45.0  # minus the logarithm of the relative error of a moment that only bounds something


class Decay(Protocol):
    """How |M(c + it)|/M(c) falls."""

    def estimate(self, t: float) -> float:
        """The bound in floats, for planning."""

    def bound(self, t: arb) -> arb:
        """A number that |M(c + it')|/M(c) does not exceed for any t' >= t."""


class Moment(Protocol):
    """The moment function of one step's privacy loss under its first distribution."""

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of M and its first two derivatives at c, approximately."""

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

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        m = float(arb(self.mu_squared))
        return m * c * (c + 1) / 2, m * (c + 0.5), m

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return (self.mu_squared * c * (c + 1) / 2).exp()

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`; exact up to rounding."""
        values = []
        for k in range(count + 1):
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

    def estimate(self, t: float) -> float:
        """See `Decay`."""
        return math.exp(-min(float(arb(self.mu_squared)) * t * t / 2, 600.0))

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

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.law.cumulants(c)

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return self._value(acb(c), self.atoms()).real

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`; exact up to rounding."""
        atoms = self.atoms()
        if len(atoms) * count > _MOST_NODES:
            raise TooCostly(f"{len(atoms)} x {count} operations for the moments")
        total = self._value(acb(c), atoms).real
        return total, [self._value(acb(c, k * step), atoms) / total for k in range(count + 1)]

    def decay(self, c: arb) -> Decay:
        """See `Moment`; the tilted density between Laplace atoms rises to exp(ca)/4."""
        if self.laplace is None:
            return NoDecay()
        atoms = sum((mass * (c * loss).exp() for loss, mass in self.atoms()), arb(0))
        return Falling(atoms, (c * self.laplace).exp() / 2, self.at(c))

    def _value(self, s: acb, atoms: Sequence[tuple[arb, arb]]) -> acb:
        total = sum((mass * (s * loss).exp() for loss, mass in atoms), acb(0))
        if self.laplace is not None:
            power = self.laplace * (s + fmpq(1, 2))
            total += (power.exp() - (-power).exp()) / (s + fmpq(1, 2)) * arb(-self.laplace / 2).exp() / 4
        return total


@dataclass(frozen=True, slots=True)
class NoDecay:
    """|M(c + it)|/M(c) <= 1."""

    def estimate(self, t: float) -> float:
        """See `Decay`."""
        return 1.0

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

    def estimate(self, t: float) -> float:
        """See `Decay`."""
        found = float(self.atoms / self.total) + float(self.variation / self.total) / t
        return min(1.0, found, 1.0 if self.layers is None else self.layers.estimate(t))

    def bound(self, t: arb) -> arb:
        """See `Decay`."""
        found = ((self.atoms + self.variation / t) / self.total).upper().min(arb(1))
        return found if self.layers is None else found.min(self.layers.bound(t))


@dataclass(frozen=True, slots=True)
class SubsampledMoment:
    """A Gaussian whose step sees each record with probability q; one record is removed, or added.

    With x normal of standard deviation sigma and r(x) = 1 - q + q exp((2x - 1)/(2 sigma^2)), M(s) is the mean of
    r(x)^a, where a = 1 + s for removing and a = -s for adding.
    """

    q: fmpq
    sigma: fmpq
    adding: bool

    @property
    def estimate(self) -> Estimate:
        """The same step in floats."""
        return estimate(self.q, self.sigma, adding=self.adding)

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.estimate.cumulants(c)

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return self._quadrature(c, _ROUGH, 0.0).total

    def decay(self, c: arb) -> Layers:
        """See `Moment`."""
        _, losses, least = minima(arb(self.q), arb(self.sigma), self._exponent(c), self.at(c))
        return Layers(losses, least)

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`; the trapezoidal rule with explicit bounds of the discretisation and of both tails."""
        rule = self._quadrature(c, accuracy, count * float(step))
        products = len(rule.weights) * count
        if products > _MOST_PRODUCTS or products * _SECONDS > 0.25 * deadline.left:
            raise TooCostly(f"{len(rule.weights)} x {count} operations for the moments")
        turn = -step if self.adding else step
        sums = rotated_sums(rule.weights, [loss * turn for loss in rule.losses], count + 1)
        total = rule.total
        growth = (step * rule.strip / (self.sigma * self.sigma)).exp()
        error, tail = rule.error, rule.tail / total
        values = []
        for value in sums:
            slack = arb(0, (error + tail).upper())
            values.append(value / total + acb(slack, slack))
            error *= growth
        return total, values

    def _exponent(self, c: arb) -> arb:
        return -c if self.adding else 1 + c

    def _quadrature(self, c: arb, accuracy: float, furthest: float) -> Quadrature:
        """The trapezoidal rule for M along Re s = c, |Im s| <= furthest."""
        sigma, near = float(arb(self.sigma)), float(c)
        variance = self.sigma * self.sigma
        aim = accuracy + 4
        # the strip |Im x| <= d in which r has no zero is |d| < pi sigma^2
        d = min((2.9 if self.adding else 3.05) * sigma * sigma, math.sqrt(2 * aim) * sigma)
        gain = -near * math.log(math.cos(d / (2 * sigma * sigma))) if self.adding else 0.0
        width = 2 * math.pi * d / (aim + gain + d * d / (2 * sigma * sigma) + furthest * d / (sigma * sigma))
        low, high = self.estimate.reach(near, aim)
        if not high - low < _MOST_NODES * width:
            raise TooCostly(f"{(high - low) / width:.0f} nodes for the moments")
        step, strip = arb(simple(width)), arb(simple(d))
        first, last = math.floor(low / float(step)), math.ceil(high / float(step))
        q, a, scale = arb(self.q), self._exponent(c), step / (arb(self.sigma) * (2 * arb.pi()).sqrt())
        weights, losses = [], []
        for j in range(first, last + 1):
            x = j * step
            loss = (1 - q + q * ((2 * x - 1) / (2 * variance)).exp()).log()
            losses.append(loss)
            weights.append((a * loss - x * x / (2 * variance)).exp() * scale)
        found = sum(weights, arb(0))
        tail = self._tails(a, first * step, last * step)
        factor = (strip / (2 * variance)).cos() ** a if self.adding else arb(1)
        error = (
            2 * factor * (strip * strip / (2 * variance)).exp() / ((2 * arb.pi() * strip / step).exp() - 1)
        ).upper()
        if not (strip < arb.pi() * variance and error < fmpq(1, 2)):
            raise TooCostly("the quadrature of the moments is too coarse to say anything")
        total = (found / (1 + error)).union((found + tail) / (1 - error))
        return Quadrature(weights, losses, total, error, tail, step, strip)

    def _tails(self, a: arb, low: arb, high: arb) -> arb:
        """What the trapezoidal rule leaves out below `low` and above `high`."""
        q, sigma = arb(self.q), arb(self.sigma)
        variance = sigma * sigma
        if not (low < 0 < high and (self.adding or high > a)):
            raise AssertionError("the tails begin where their bounds fall")
        if self.adding:
            return ((1 - q) ** a * (normal_above(-low / sigma) + normal_above(high / sigma))).upper()
        below = (1 - q + q * ((2 * low - 1) / (2 * variance)).exp()) ** a * normal_above(-low / sigma)
        ratio = q + (1 - q) * (-(2 * high - 1) / (2 * variance)).exp()
        above = ratio**a * ((a * a - a) / (2 * variance)).exp() * normal_above((high - a) / sigma)
        return (below + above).upper()


@dataclass(frozen=True, slots=True)
class Quadrature:
    """The trapezoidal rule for a moment function on one contour.

    Attributes:
        weights, losses: r^a times the density times the step, and log r, at the nodes.
        total: M(c).
        error: of the discretisation at t = 0, relative to M(c); at t it is exp(t strip/sigma^2) times as large.
        tail: what the nodes that were left out can contribute, at any t.
        step, strip: the distance of nodes, and the half-width of the strip of the bound.
    """

    weights: list[arb]
    losses: list[arb]
    total: arb
    error: arb
    tail: arb
    step: arb
    strip: arb


def rotated_sums(weights: list[arb], angles: list[arb], count: int) -> list[acb]:
    """The sums of weight exp(i k angle) for k = 0..count-1, as one product of matrices.

    With k = m block + l the exponential is a product of one of few in m and one of few in l, each computed afresh:
    repeated multiplication would widen the rectangular balls at every turn.
    """
    block = max(1, math.isqrt(count))
    blocks = -(-count // block)
    coarse = acb_mat([[w * z for w, z in zip(weights, _turned(angles, m * block), strict=True)] for m in range(blocks)])
    fine = acb_mat([_turned(angles, k) for k in range(block)]).transpose()
    return (coarse * fine).entries()[:count]


def _turned(angles: list[arb], k: int) -> list[acb]:
    turned = []
    for angle in angles:
        sine, cosine = (k * angle).sin_cos()
        turned.append(acb(cosine, sine))
    return turned
