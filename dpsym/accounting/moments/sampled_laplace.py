"""The moment function of a Laplace step on a Poisson sample, by Gauss-Legendre quadrature with its error bounded.

With l the loss of the step without sampling and r(l) = 1 - q + q exp(l), the moment function is the mean of r^p under
the second distribution: p = 1 + s for removing a record, p = -s for adding one.  l has the atoms a and -a, of mass
exp(-a)/2 and 1/2, and between them the density exp(-(l + a)/2)/4 (docs/accounting-bounds.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from flint import acb, arb, ctx, fmpq

from dpsym.accounting.chernoff import log_of, simple
from dpsym.accounting.effort import ROUGH
from dpsym.accounting.inversion.saddle_point import Planned
from dpsym.accounting.moments.fourier_decay import Layers
from dpsym.accounting.moments.moment_generating import Falling, Moment, rotated_sums
from dpsym.core.deadline import TooCostly

_WIDEST = 1.0  # half of a cell: its ellipses then reach as high as they may, with few nodes
_TALLEST = 1.5  # half of an ellipse, less than pi/2
_SHARES = (0.15, 0.3, 0.5, 0.7, 0.85, 1.0)  # of the highest ellipse: lower ones cost nodes, and grow less with t
_CELLS, _LEAST_CELLS = 8, 24  # of the minorant of the density
_MOST_NODES = 3000  # of all cells: rules of more take seconds to make


@dataclass(frozen=True, slots=True)
class SampledLaplaceMoment(Moment):
    """A Laplace step of shift/scale a that sees each record with probability q; one is removed, or added.

    `law` plans.
    """

    a: fmpq
    q: fmpq
    adding: bool
    law: Planned

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.law.cumulants(c)

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        cells = math.ceil(float(arb(self.a)) / _WIDEST)
        return float(cells * self._planned(float(self._power(arb(c))), cells, accuracy, 0.0)[0])

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return self.rule(c, ROUGH, 0.0).total

    def along(self, c: arb, step: arb, count: int, accuracy: float) -> tuple[arb, list[acb]]:
        """See `Moment`."""
        rule = self.rule(c, accuracy, count * float(step))
        sums = rotated_sums(rule.weights, [loss * step for loss in rule.losses], count + 1)
        growth, error = (step * rule.turn).exp(), rule.error / rule.total
        values = []
        for value in sums:
            slack = arb(0, error.upper())
            values.append(value / rule.total + acb(slack, slack))
            error *= growth
        return rule.total, values

    def decay(self, c: arb) -> Falling:
        """See `Moment`.

        In the loss L the tilted density is, up to a constant, exp(-3l/2) r^(p + 1), which falls and then rises, or
        only does one of these: its variation with the jumps is at most twice the sum of both ends, or twice one end.
        """
        a, p, total = arb(self.a), self._power(c), self.at(c)
        low, high = self._density(-a, p), self._density(a, p)
        variation = 2 * (low + high)
        if self._slope(a, p) <= 0:
            variation = 2 * low
        elif p >= -1 and self._slope(-a, p) >= 0:
            variation = 2 * high
        atoms = (-a).exp() / 2 * self._ratio(a) ** p + self._ratio(-a) ** p / 2
        nodes, least = self.minima(p, total.upper())
        return Falling(atoms, variation, total, Layers([self._ratio(x).log() for x in nodes], least))

    def _density(self, loss: arb, p: arb) -> arb:
        """The tilted density of L = log r, or -log r, at the loss l of the step without sampling."""
        return (-(arb(self.a) + 3 * loss) / 2).exp() * self._ratio(loss) ** (p + 1) / (4 * self.q)

    def _slope(self, loss: arb, p: arb) -> arb:
        """The derivative of its logarithm in l: it rises with l for p >= -1, and is negative for p < -1."""
        return (p + 1) * self.q * loss.exp() / self._ratio(loss) - fmpq(3, 2)

    def minima(self, p: arb, mass: arb) -> tuple[list[arb], list[arb]]:
        """Cells of l, and for each a number that the tilted density, divided by M(c) <= mass, exceeds.

        It is least at an end of a cell, or where its slope changes sign: then width times slope bounds the fall.
        """
        count = max(_LEAST_CELLS, math.ceil(2 * float(arb(self.a)) * _CELLS))
        nodes = [arb(self.a) * fmpq(2 * i - count, count) for i in range(count + 1)]
        sizes, slopes = [self._density(x, p) / mass for x in nodes], [self._slope(x, p) for x in nodes]
        least = []
        for i, (left, right) in enumerate(pairwise(sizes)):
            end = left.lower().min(right.lower())
            if not (slopes[i + 1] <= 0 or (p >= -1 and slopes[i] >= 0)):
                steepest = abs(slopes[i]).max(abs(slopes[i + 1]))
                end *= (-(nodes[i + 1] - nodes[i]) * steepest).exp()
            least.append(end.lower())
        return nodes, least

    def _power(self, c: arb) -> arb:
        return -c if self.adding else 1 + c

    def _ratio(self, loss: arb) -> arb:
        return 1 - self.q + self.q * loss.exp()

    def rule(self, c: arb, accuracy: float, furthest: float) -> Rule:
        """The quadrature for Re s = c, |Im s| <= furthest.

        Raises:
            TooCostly: where it needs too many nodes.
        """
        a, p = arb(self.a), self._power(c)
        cells = math.ceil(float(a) / _WIDEST)
        half = a / cells
        count, height = self._planned(float(p), cells, accuracy, furthest)
        grown = arb(simple(height)).exp()  # of the ellipses, rho
        wide, tall = half * (grown + 1 / grown) / 2, half * (grown - 1 / grown) / 2
        if not (tall < arb.pi() / 2 and grown > 1):
            raise AssertionError("an ellipse reaches where r may vanish")
        nodes = _legendre(count, ctx.prec)
        weights = [(-a).exp() / 2 * self._ratio(a) ** p, self._ratio(-a) ** p / 2]
        losses = [self._ratio(a).log(), self._ratio(-a).log()]
        error = arb(0)
        scale = half * (-a / 2).exp() / 4
        for cell in range(cells):
            middle = -a + (2 * cell + 1) * half
            for node, weight in nodes:
                loss = middle + half * node
                log_ratio = self._ratio(loss).log()
                weights.append(weight * scale * (p * log_ratio - loss / 2).exp())
                losses.append(log_ratio)
            error += self._largest(p, middle - wide, middle + wide, tall)
        error *= 8 * scale / (grown ** (2 * count) * (1 - 1 / grown))
        error = error.upper()
        turn = (self.q * (a - half + wide).exp() / (1 - self.q)).min(arb(1)) * tall
        if self.adding:
            losses = [-loss for loss in losses]
        total = sum(weights, arb(0)) + arb(0, error)
        if not total > 0:
            raise TooCostly("the quadrature of the moments is too coarse to say anything")
        return Rule(weights, losses, total, error, turn.upper())

    def _largest(self, p: arb, low: arb, high: arb, tall: arb) -> arb:
        """A bound of |exp(-l/2) r^p| for low <= Re l <= high, |Im l| <= tall."""
        power = self._ratio(high) ** p if p >= 0 else (self._ratio(low) * (tall / 2).cos()) ** p
        return (-low / 2).exp() * power

    def _planned(self, p: float, cells: int, accuracy: float, furthest: float) -> tuple[int, float]:
        """How many nodes a cell, and log rho, by the bound of the error in floats."""
        a, log_q, log_rest = float(arb(self.a)), log_of(self.q), log_of(1 - self.q)
        half = a / cells

        def log_ratio(loss: float) -> float:
            one, other = log_rest, log_q + loss
            return max(one, other) + math.log1p(math.exp(-abs(one - other)))

        known = max(-a + p * log_ratio(a), p * log_ratio(-a)) - math.log(2)  # of M(c), at least
        best = (math.inf, 0.0)
        for share in _SHARES:
            log_rho = share * math.asinh(_TALLEST / half)
            wide, tall = half * math.cosh(log_rho), half * math.sinh(log_rho)
            turn = tall * min(1.0, math.exp(min(log_q + a - half + wide - log_rest, 0.0)))
            size = -math.inf
            for cell in range(cells):
                low, high = -a + (2 * cell + 1) * half - wide, -a + (2 * cell + 1) * half + wide
                power = p * log_ratio(high) if p >= 0 else p * (log_ratio(low) + math.log(math.cos(tall / 2)))
                size = max(size, power - low / 2)
            wanted = accuracy + 4 + size + math.log(cells * half) - a / 2 - known + furthest * turn
            wanted -= math.log1p(-math.exp(-log_rho))
            best = min(best, (max(wanted, 1.0) / (2 * log_rho), log_rho))
        if not best[0] * cells < _MOST_NODES:
            raise TooCostly(f"{best[0] * cells:.0f} nodes for the moments")
        return math.ceil(best[0]) + 1, best[1]


@lru_cache(maxsize=16)
def _legendre(count: int, bits: int) -> list[tuple[arb, arb]]:
    """Nodes and weights of Gauss-Legendre quadrature; `bits` is the working precision."""
    return [arb.legendre_p_root(count, k, weight=True) for k in range(count)]


@dataclass(frozen=True, slots=True)
class Rule:
    """A moment function along Re s = c as a sum of weight exp(i t loss), and an error.

    Attributes:
        weights, losses: of the nodes and the atoms.
        total: M(c), enclosed.
        error: of the sum at t = 0; at t it is at most exp(|t| turn) times as large.
        turn: how far the argument of r goes in the ellipses.
    """

    weights: list[arb]
    losses: list[arb]
    total: arb
    error: arb
    turn: arb
