"""The privacy loss of discrete Gaussian noise: atoms at all (2y - n) n/(2 sigma^2), y an integer.

Noise of mass w(j)/theta, w(j) = exp(-j^2/(2 sigma^2)), on answers that differ by n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flint import acb, arb, ctx, fmpq

from dpsym.accounting.loss_distributions.gaussian_sums import SMOOTH, half_line, whole_line
from dpsym.accounting.loss_distributions.lattice import Atom, Edge, joined
from dpsym.accounting.moments.moment_generating import NoDecay
from dpsym.core.deadline import Deadline, TooCostly

_MOST_TERMS = 200_000  # twenty times as many terms take some seconds


@dataclass(frozen=True, slots=True)
class DiscreteGaussianLaw:
    """Discrete Gaussian noise of that sigma^2, shifted by n.

    All its losses are atoms; as there is no last one, they are told by the masses below, and not below, a loss.
    """

    variance: fmpq
    n: int
    _sums: dict[int, Sums] = field(default_factory=dict, compare=False)

    @property
    def unit(self) -> fmpq:
        """All losses are `offset` and a multiple of this."""
        return self.n / self.variance

    @property
    def offset(self) -> fmpq:
        """0, or half a unit."""
        return self.unit / 2 if self.n % 2 else fmpq(0)

    def atoms(self) -> Sequence[Atom]:
        """See `Law`: none are listed."""
        return ()

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

    def infinite(self) -> arb:
        """See `Law`."""
        return arb(0)

    def largest(self) -> arb:
        """See `Law`."""
        return arb.pos_inf()

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Law`."""
        variance = float(arb(self.variance))
        centre, reach = self.n * (1 + c), 12 * math.sqrt(variance) + 3
        if self.variance >= SMOOTH:  # hardly discrete
            m = self.n**2 / variance
            return m * c * (c + 1) / 2, m * (c + 0.5), m
        ys = range(math.floor(centre - reach), math.ceil(centre + reach) + 1)
        weights = [math.exp(-((y - centre) ** 2) / (2 * variance)) for y in ys]
        whole = sum(weights)
        theta = sum(math.exp(-(j * j) / (2 * variance)) for j in range(-math.ceil(reach), math.ceil(reach) + 1))
        losses = [(2 * y - self.n) * self.n / (2 * variance) for y in ys]
        mean = sum(w * loss for w, loss in zip(weights, losses, strict=True)) / whole
        second = sum(w * (loss - mean) ** 2 for w, loss in zip(weights, losses, strict=True)) / whole
        return self.n**2 * c * (c + 1) / (2 * variance) + math.log(whole / theta), mean, second

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
        if variance >= 1:
            self.total = (2 * arb.pi() * variance).sqrt() * whole_line(variance, acb(0)).real
        else:
            self.total = 1 + 2 * half_line(variance, 1)
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
class DiscreteGaussianMoment:
    """M(s) = exp(s n^2/(2 sigma^2)) times the mean of exp(s n j/sigma^2); nothing is assumed of its decay."""

    law: DiscreteGaussianLaw

    @property
    def covered(self) -> arb:
        """See `Moment`."""
        return arb(1)

    @property
    def reverse(self) -> DiscreteGaussianMoment:
        """See `Moment`."""
        return self

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.law.cumulants(c)

    def falls(self, c: float) -> Callable[[float], float]:
        """See `Moment`."""
        return lambda t: 0.0

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        return 12 * math.sqrt(float(arb(self.law.variance)) * accuracy)

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return self._along(c, arb(0), 0, Deadline(None))[0]

    def along(self, c: arb, step: arb, count: int, accuracy: float, deadline: Deadline) -> tuple[arb, list[acb]]:
        """See `Moment`: finite sums, with the geometric bound of what is left out at either end."""
        return self._along(c, step, count, deadline)

    def decay(self, c: arb) -> NoDecay:
        """See `Moment`."""
        return NoDecay()

    def _along(self, c: arb, step: arb, count: int, deadline: Deadline) -> tuple[arb, list[acb]]:
        if self.law.variance >= SMOOTH:
            return self._by_poisson(c, step, count, deadline)
        variance, n = self.law.variance, self.law.n
        shift, spread = float(c) * n, math.sqrt(float(arb(variance)))
        reach = math.ceil(spread * math.sqrt(1.4 * (ctx.prec + 30))) + 2
        low, high = math.floor(shift) - reach, math.ceil(shift) + reach
        if (high - low) * (count + 1) > 20 * _MOST_TERMS:
            raise TooCostly(f"{high - low} x {count} operations for the moments")
        js = range(low, high + 1)
        # times exp(-c^2 n^2/(2 sigma^2)), so that the largest is about 1
        weights = [(-((j - c * n) ** 2) / (2 * variance)).exp() for j in js]
        rest = arb(0).union((_beyond(high + 1 - c * n, variance) + _beyond(c * n - low + 1, variance)).upper())
        total = sum(weights, arb(0)) + rest
        theta = Sums(variance).total
        scale = (c * (c + 1) * n * n / (2 * variance)).exp() / theta
        values = []
        for k in deadline.watched(range(count + 1)):
            turn = k * step * n / variance
            found = acb(0)
            for j, weight in zip(js, weights, strict=True):
                sine, cosine = (turn * (j + fmpq(n, 2))).sin_cos()
                found += acb(weight * cosine, weight * sine)
            slack = arb(0, rest.upper())
            values.append((found + acb(slack, slack)) / total)
        return total * scale, values

    def _by_poisson(self, c: arb, step: arb, count: int, deadline: Deadline) -> tuple[arb, list[acb]]:
        """The same, with exp(s(s+1) n^2/(2 sigma^2)) times the sum of w(j - sn) over all j, by Poisson summation."""
        variance, n = self.law.variance, self.law.n
        growth = fmpq(n * n) / (2 * variance)
        here = whole_line(variance, acb(c * n)).real
        values = []
        for k in deadline.watched(range(count + 1)):
            s = acb(c, k * step)
            values.append(((s * (s + 1) - c * (c + 1)) * growth).exp() * whole_line(variance, s * n) / here)
        return (c * (c + 1) * growth).exp() * here / whole_line(variance, acb(0)).real, values


def _beyond(distance: arb, variance: fmpq) -> arb:
    """More than the sum of exp(-(d + i)^2/(2 sigma^2)) over i >= 0, d > 0: ratios fall below exp(-(2d + 1)/...)."""
    return (-distance * distance / (2 * variance)).exp() / (1 - (-(2 * distance + 1) / (2 * variance)).exp())
