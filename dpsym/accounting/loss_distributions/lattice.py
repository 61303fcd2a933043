"""The law of one step's privacy loss L = log(dP/dQ) under both distributions, for lattices.

A law tells atoms (losses that have a probability) and the rest by its masses on half-lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from flint import arb, fmpq

from dpsym.accounting.chernoff import log_of, normal_above
from dpsym.accounting.lattices.float_sketch import sketch
from dpsym.accounting.moments.moment_generating import BoundedMoment, GaussianMoment, LaplaceMoment, Moment
from dpsym.accounting.moments.sampled_gaussian import SubsampledMoment
from dpsym.accounting.moments.sampled_laplace import SampledLaplaceMoment
from dpsym.core.deadline import TooCostly


@dataclass(frozen=True, slots=True)
class Atom:
    """A loss with its probabilities; `exact` where the loss is rational, `ratio` where its exponential is."""

    loss: arb
    first: arb
    second: arb
    exact: fmpq | None = None
    ratio: fmpq | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """The masses of the part without atoms below and above a loss, under the first and the second distribution."""

    first_below: arb
    first_above: arb
    second_below: arb
    second_above: arb


def joined(one: Edge, other: Edge) -> Edge:
    """The masses beside a loss that lies between these two, or is one of them."""
    return Edge(
        one.first_below.union(other.first_below),
        one.first_above.union(other.first_above),
        one.second_below.union(other.second_below),
        one.second_above.union(other.second_above),
    )


class Law:
    """The privacy loss of one step in one direction; what is not said otherwise has a density and no bound.

    Atoms and edges tell of finite losses: of the outcomes that have both distributions' masses.
    """

    __slots__ = ()
    planned_by_moment: ClassVar[bool] = False  # whether its moment function plans as well, and sooner

    def atoms(self) -> Sequence[Atom]:
        """The losses that have a probability, at the working precision."""
        return ()

    def edge(self, loss: arb | fmpq) -> Edge | None:
        """The masses beside a loss; None where all of the law is atoms."""

    def infinite(self) -> arb:
        """The first distribution's mass where the second has none: at an infinite loss.  Exactly 0 where there is none.

        The second's mass where the first has none is not told; for a symmetric law it is the same.
        """
        return arb(0)

    def largest(self) -> arb:
        """The largest loss; may be infinite."""
        return arb.pos_inf()

    def exchanged(self) -> Law:
        """The law with the two distributions exchanged."""
        return self

    def moment(self) -> Moment:
        """The moment function, where nothing is infinite.

        Raises:
            TooCostly: where it has no closed form here.
        """
        if self.edge(arb(0)) is not None:
            raise TooCostly(f"the moments of {self} are not computed here")
        return BoundedMoment(self, lambda: [(atom.loss, atom.first) for atom in self.atoms()])

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """The logarithm of E exp(cL) and its first two derivatives, approximately."""
        return (self.moment() if self.planned_by_moment else sketch(self)).cumulants(c)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """Between which losses all but a negligible part of the law tilted by exp(cL) lies."""
        return sketch(self).reach(c, deviations)


@dataclass(frozen=True, slots=True)
class GaussianLaw(Law):
    """Gaussians mu standard deviations apart, mu^2 rational: L is normal of mean mu^2/2 and variance mu^2."""

    mu_squared: fmpq
    planned_by_moment = True

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        mu = arb(self.mu_squared).sqrt()
        loss = arb(loss)
        return Edge(*normal(loss / mu - mu / 2), *normal(loss / mu + mu / 2))

    def moment(self) -> GaussianMoment:
        """See `Law`."""
        return GaussianMoment(self.mu_squared)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        m = float(arb(self.mu_squared))
        return m * (c + 0.5) - deviations * math.sqrt(m), m * (c + 0.5) + deviations * math.sqrt(m)


@dataclass(frozen=True, slots=True)
class LaplaceLaw(Law):
    """Laplace noise with shift/scale = a: atoms of mass 1/2 at a and exp(-a)/2 at -a, in between exp((L - a)/2)/4."""

    a: fmpq
    planned_by_moment = True

    def atoms(self) -> Sequence[Atom]:
        """See `Law`."""
        half, less = arb(1) / 2, (-arb(self.a)).exp() / 2
        return Atom(arb(self.a), half, less, self.a), Atom(-arb(self.a), less, half, -self.a)

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        a, loss = arb(self.a), arb(loss)
        ends = (-a).exp() / 2
        whole, nothing = arb(1) / 2 - ends, arb(0)
        if loss >= a:
            return Edge(whole, nothing, whole, nothing)
        if loss <= -a:
            return Edge(nothing, whole, nothing, whole)
        x = loss.max(-a).min(a)
        rising, falling = ((x - a) / 2).exp() / 2, ((-x - a) / 2).exp() / 2
        return Edge(rising - ends, arb(1) / 2 - rising, arb(1) / 2 - falling, falling - ends)

    def largest(self) -> arb:
        """See `Law`."""
        return arb(self.a)

    def moment(self) -> LaplaceMoment:
        """See `Law`."""
        return LaplaceMoment(self.a)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        return -float(arb(self.a)), float(arb(self.a))


@dataclass(frozen=True, slots=True)
class LatticeLaw(Law):
    """Losses (2i - n) unit, i = 0..n, with the masses of geometric noise of ratio exp(-unit) shifted by n.

    L(y) = (|y| - |y - n|) unit for the outcome y of noise centred at n against noise centred at 0.
    """

    unit: fmpq
    n: int

    def atoms(self) -> Sequence[Atom]:
        """See `Law`."""
        ratio = (-arb(self.unit)).exp()
        mass = (1 - ratio) / (1 + ratio)
        found = []
        for i in range(self.n + 1):
            loss = (2 * i - self.n) * self.unit
            # 0 < y = i < n: one outcome; y <= 0 and y >= n: a geometric series
            first, second = mass * ratio ** (self.n - i), mass * ratio**i
            if i in (0, self.n):
                first, second = first / (1 - ratio), second / (1 - ratio)
            found.append(Atom(arb(loss), first, second, loss))
        return found

    def largest(self) -> arb:
        """See `Law`."""
        return arb(self.n * self.unit)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        end = float(arb(self.n * self.unit))
        return -end, end


@dataclass(frozen=True, slots=True)
class SubsampledLaw(Law):
    """A step that sees each record with probability q, 0 < q < 1, one record being removed or added.

    Removing compares (1 - q) Q + q P with Q, adding compares Q with (1 - q) Q + q P.  The base is symmetric, or says
    what its mirror image is.
    """

    base: Law
    q: fmpq
    adding: bool

    def moment(self) -> Moment:
        """See `Law`."""
        if isinstance(self.base, GaussianLaw):
            return SubsampledMoment(self.q, 1 / self.base.mu_squared, self.adding)
        if isinstance(self.base, LaplaceLaw):
            return SampledLaplaceMoment(self.base.a, self.q, self.adding, self)
        return Law.moment(self)

    def atoms(self) -> Sequence[Atom]:
        """See `Law`."""
        q = arb(self.q)
        found = []
        for atom in self.base.atoms():
            loss = log_mixed(self.q, atom.loss)
            mixed = (1 - q) * atom.second + q * atom.first
            exact = fmpq(0) if atom.exact == 0 else None
            found.append(
                Atom(-loss, atom.second, mixed, exact) if self.adding else Atom(loss, mixed, atom.second, exact)
            )
        unseen = self.base.exchanged().infinite()  # outcomes of Q that P never has
        if not unseen.is_zero():
            least, mixed = arb(1 - self.q).log(), (1 - self.q) * unseen
            found.append(Atom(-least, unseen, mixed) if self.adding else Atom(least, mixed, unseen))
        return found

    def edge(self, loss: arb | fmpq) -> Edge | None:
        """See `Law`."""
        q, loss = arb(self.q), arb(loss)
        inner = self._inner(((-loss if self.adding else loss).exp() - (1 - q)) / q)
        if inner is None:
            return None
        below = (1 - q) * inner.second_below + q * inner.first_below
        above = (1 - q) * inner.second_above + q * inner.first_above
        if self.adding:
            return Edge(inner.second_above, inner.second_below, above, below)
        return Edge(below, above, inner.second_below, inner.second_above)

    def infinite(self) -> arb:
        """See `Law`."""
        return arb(0) if self.adding else self.q * self.base.infinite()

    def largest(self) -> arb:
        """See `Law`."""
        if self.adding:
            return -log_mixed(self.q, -self.base.exchanged().largest())
        return log_mixed(self.q, self.base.largest())

    def _inner(self, ratio: arb) -> Edge | None:
        """The masses beside a likelihood ratio of the base; a ratio that is not positive has nothing below."""
        if ratio > 0:
            return self.base.edge(ratio.log())
        whole = self.base.edge(arb(0))
        if whole is None:
            return None
        first, second = whole.first_below + whole.first_above, whole.second_below + whole.second_above
        if ratio <= 0:
            return Edge(arb(0), first, arb(0), second)
        end = self.base.edge(ratio.upper().log()) or whole
        return Edge(
            end.first_below.union(arb(0)),
            end.first_above.union(first),
            end.second_below.union(arb(0)),
            end.second_above.union(second),
        )

    @property
    def planned_by_moment(self) -> bool:  # type: ignore[override]
        """See `Law`."""
        return isinstance(self.base, GaussianLaw)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        if isinstance(self.base, GaussianLaw):
            rough = SubsampledMoment(self.q, 1 / self.base.mu_squared, self.adding).estimate
            low, high = rough.window(c, deviations**2 / 2)
            ends = rough.log_ratio(low), rough.log_ratio(high)
        else:
            end = self.base.reach(c, deviations)[1]
            ends = _mixed(self.q, -end), _mixed(self.q, end)
        return (-ends[1], -ends[0]) if self.adding else ends


def log_mixed(q: fmpq, loss: arb) -> arb:
    """log(1 - q + q exp(loss)), precise also for q near 0 or 1; the loss may be infinite."""
    if loss > 0 and not loss.is_finite():
        return loss
    return (q * loss.expm1()).log1p() if q < fmpq(1, 2) else (1 - q + q * loss.exp()).log()


def normal(z: arb) -> tuple[arb, arb]:
    """The probabilities below and above z, the smaller one to full relative precision."""
    if z > 0:
        above = normal_above(z)
        return 1 - above, above
    below = normal_above(-z)
    return below, 1 - below


def _mixed(q: fmpq, loss: float) -> float:
    """log(1 - q + q exp(loss))."""
    rest, grown = log_of(1 - q), log_of(q) + loss
    return max(rest, grown) + math.log1p(math.exp(-abs(rest - grown)))
