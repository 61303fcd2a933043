"""The privacy loss of discrete Gaussian noise: atoms at all (2y - n) n/(2 sigma^2), y an integer.

Noise of mass w(j)/theta, w(j) = exp(-j^2/(2 sigma^2)), on answers that differ by n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from flint import acb, arb, ctx, fmpq

from dpsym.accounting.loss_distributions.gaussian_sums import half_line, whole_line
from dpsym.accounting.loss_distributions.lattice import Edge, Law, joined
from dpsym.accounting.moments.moment_generating import Moment


@dataclass(frozen=True, slots=True)
class DiscreteGaussianLaw(Law):
    """Discrete Gaussian noise of that sigma^2, shifted by n.

    All its losses are atoms; as there is no last one, they are told by the masses below, and not below, a loss.
    """

    variance: fmpq
    n: int
    planned_by_moment = True
    _sums: dict[int, Sums] = field(default_factory=dict, compare=False)

    @property
    def unit(self) -> fmpq:
        """All losses are `offset` and a multiple of this."""
        return self.n / self.variance

    @property
    def offset(self) -> fmpq:
        """0, or half a unit."""
        return self.unit / 2 if self.n % 2 else fmpq(0)

    def edge(self, loss: arb | fmpq) -> Edge:
        """The masses of losses below, and of those not below."""
        place = loss * self.variance / self.n + fmpq(self.n, 2)  # the outcome that has this loss
        if isinstance(place, fmpq):
            first = last = int(place.ceil())
        elif not place.is_finite():  # it could not be told which outcome
            anything = arb(0).union(arb(1))
            return Edge(anything, anything, anything, anything)
        else:
            first, last = int(place.lower().ceil().unique_fmpz()), int(place.upper().ceil().unique_fmpz())
        sums = self._at_precision()
        edges = [
            Edge(sums.below(y - self.n), sums.above(y - self.n), sums.below(y), sums.above(y))
            for y in ((first,) if first == last else (first, last))
        ]
        one, other = edges[0], edges[-1]
        return joined(one, other)

    def moment(self) -> DiscreteGaussianMoment:
        """See `Law`."""
        return DiscreteGaussianMoment(self.variance, self.n)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        m = self.n**2 / float(arb(self.variance))
        room = deviations * math.sqrt(m) + 2 * float(arb(self.unit))
        return m * (c + 0.5) - room, m * (c + 0.5) + room

    def _at_precision(self) -> Sums:
        if ctx.prec not in self._sums:
            self._sums[ctx.prec] = Sums(self.variance)
        return self._sums[ctx.prec]


class Sums:
    """Probabilities of the noise on half-lines, at the working precision."""

    def __init__(self, variance: fmpq) -> None:
        self._variance = variance
        self.total = (2 * arb.pi() * variance).sqrt() * whole_line(variance, acb(0)).real
        self._known: dict[int, arb] = {}

    def above(self, y: int) -> arb:
        """The probability of y or more, for noise around 0."""
        if y <= 0:
            return 1 - self.above(1 - y)
        if y not in self._known:
            self._known[y] = half_line(self._variance, y) / self.total
        return self._known[y]

    def below(self, y: int) -> arb:
        """The probability of less than y."""
        return self.above(1 - y)


@dataclass(frozen=True, slots=True)
class DiscreteGaussianMoment(Moment):
    """exp(s(s + 1) n^2/(2 sigma^2)) times the sum of w(j - sn) over all j, divided by that of w(j).

    Nothing is assumed of its decay.
    """

    variance: fmpq
    n: int

    def value(self, s: acb) -> acb:
        """See `Moment`."""
        growth = s * (s + 1) * fmpq(self.n**2) / (2 * self.variance)
        return growth.exp() * whole_line(self.variance, s * self.n) / whole_line(self.variance, acb(0))
