"""The moment function of a Gaussian step on a Poisson sample, by the trapezoidal rule with its errors bounded.

The proofs are in docs/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flint import acb, arb, ctx, fmpq

from dpsym.accounting.chernoff import normal_above, simple
from dpsym.accounting.effort import ROUGH
from dpsym.accounting.inversion.float_estimates import Estimate, estimate
from dpsym.accounting.moments.gaussian_decay import SampledGaussianDecay, cells
from dpsym.accounting.moments.moment_generating import Moment, rotated_sums
from dpsym.core.deadline import TooCostly

_MOST_NODES = 20_000  # of the quadrature: with 5,000 points, as many products as are made at most
_MOST_PIECES = 4_000  # into which the bound of a tail is cut
_MOST_CELLS = 600  # of the bound of the decay, which is asked at every contour that is tried


@dataclass(frozen=True, slots=True)
class SubsampledMoment(Moment):
    """A Gaussian whose step sees each record with probability q; one record is removed, or added.

    With x normal of standard deviation sigma and r(x) = 1 - q + q exp((2x - 1)/(2 sigma^2)), M(s) is the mean of
    r(x)^a, where a = 1 + s for removing and a = -s for adding.  `variance` is sigma^2.
    """

    q: fmpq
    variance: fmpq
    adding: bool

    @property
    def sigma(self) -> arb:
        """The standard deviation, at the working precision."""
        return arb(self.variance).sqrt()

    @property
    def estimate(self) -> Estimate:
        """The same step in floats."""
        return estimate(self.q, self.variance, adding=self.adding)

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Moment`."""
        return self.estimate.cumulants(c)

    def falls(self, c: float) -> Callable[[float], float]:
        """See `Moment`."""
        return self.estimate.falls(c)

    def work(self, c: float, accuracy: float) -> float:
        """See `Moment`."""
        return self._plan(c, accuracy)[-1]

    def at(self, c: arb) -> arb:
        """See `Moment`."""
        return self._quadrature(c, ROUGH).total

    def decay(self, c: arb) -> SampledGaussianDecay:
        """See `Moment`."""
        rough, a, mass = self.estimate, self._exponent(c), self.at(c)
        low, high = rough.span(float(c), ROUGH)
        step = arb(simple(max(min(rough.sigma / 8, rough.sigma**2 / 12), (high - low) / _MOST_CELLS)))
        first, last = math.floor(low / float(step)), math.ceil(high / float(step))
        beyond = (self._tails(a, first, last, step, mass.upper() * arb(-ROUGH).exp()) / mass).upper()
        nodes = [j * step for j in range(first, last + 1)]
        return SampledGaussianDecay(cells(arb(self.q), self.sigma, a, mass, nodes), a, arb(self.variance), beyond)

    def along(self, c: arb, step: arb, count: int, accuracy: float) -> tuple[arb, list[acb]]:
        """See `Moment`; the trapezoidal rule with explicit bounds of the discretisation and of both tails."""
        rule = self._quadrature(c, accuracy)
        turn = -step if self.adding else step
        with ctx.workprec(ctx.prec + rule.guard):
            sums = rotated_sums(rule.weights, [loss * turn for loss in rule.losses], count + 1)
            reach = (rule.error + rule.tail / rule.total).upper()
            slack = acb(arb(0, reach), arb(0, reach))
            return rule.total, [value / rule.total + slack for value in sums]

    def _exponent(self, c: arb) -> arb:
        return -c if self.adding else 1 + c

    def _plan(self, c: float, accuracy: float) -> tuple[float, float, float, float, float]:
        """The distance of nodes, how far the strip reaches, between which points nodes are needed, and how many."""
        rough = self.estimate
        width, far = rough.strip(c, accuracy + 4)
        low, high = rough.span(c, accuracy + 8 + far**2 / (8 * rough.sigma**2))
        return width, far, low, high, (high - low) / width

    def _quadrature(self, c: arb, accuracy: float) -> Quadrature:
        """The trapezoidal rule for M along Re s = c, Im s >= 0, on a line that is no further than `far` from the reals.

        On the real line |w| is as for t = 0, on the far side of the strip it is too but for a factor: neither grows
        with t.  The line is where both sides count about the same.
        """
        near, aim = float(c), accuracy + 4
        width, reach, low, high, nodes = self._plan(near, accuracy)
        if not nodes < _MOST_NODES:
            raise TooCostly(f"{nodes:.0f} nodes for the moments")
        variance = self.variance
        step, far = arb(simple(width)), arb(simple(reach))
        shift = arb(simple(min(width * aim / (2 * math.pi), 0.9 * reach)))
        guard = math.ceil((float(shift) ** 2 / (2 * self.estimate.sigma**2) + 4) / math.log(2))
        with ctx.workprec(ctx.prec + guard):
            first, last = math.floor(low / float(step)), math.ceil(high / float(step))
            q, a, scale = arb(self.q), self._exponent(c), step / (self.sigma * (2 * arb.pi()).sqrt())
            weights, losses = [], []
            for j in range(first, last + 1):
                x = acb(j * step, -shift if self.adding else shift)
                loss = (1 - q + q * ((2 * x - 1) / (2 * variance)).exp()).log()
                losses.append(loss)
                weights.append((a * loss - x * x / (2 * variance)).exp() * scale)
            found = sum(weights, acb(0)).real
            lift = shift * shift / (2 * variance)
            enough = arb(self.estimate.cumulants(near)[0] - aim - 4 - float(lift)).exp()
            tail = (lift.exp() * self._tails(a, first, last, step, enough)).upper()
            if self.adding and shift > arb.pi() * variance / 2:
                raise AssertionError("beyond a right angle the tails have no bound")
            angle = far / variance
            if not (shift < far and angle < arb.pi()):
                raise TooCostly("the quadrature of the moments is too coarse to say anything")
            ends = 1 / ((2 * arb.pi() * shift / step).exp() - 1), 1 / ((2 * arb.pi() * (far - shift) / step).exp() - 1)
            swing = (far * far / (2 * variance)).exp()
            error, total = self._enclosed(found, tail, ends, swing, angle, a)
        return Quadrature(weights, losses, total, error, tail, step, shift, guard)

    def _enclosed(
        self, found: arb, tail: arb, ends: tuple[arb, arb], swing: arb, angle: arb, a: arb
    ) -> tuple[arb, arb]:
        """The relative error of the discretisation and M(c), from the sum of the nodes that were kept.

        The integrals of |w| over the two sides of the strip are at most M(c), and M(c) swing times what r^a grows by:
        nothing for removing; for adding cos(angle/2)^-c, and where the angle is no right one at most (1 - q)^-c/M(c).
        """
        half = (angle / 2).cos() ** a if self.adding else arb(1)
        error, flat = ends[0] + ends[1] * swing * half, arb(0)
        if self.adding and angle < arb.pi() / 2:
            other = ends[1] * swing * (1 - self.q) ** a  # this is absolute
            if not other / found > ends[1] * swing * half:
                error, flat = ends[0], other
        slack = (tail + flat).upper()
        if not error < fmpq(1, 2) or not found > slack:
            raise TooCostly("the quadrature of the moments is too coarse to say anything")
        total = ((found - slack) / (1 + error)).union((found + slack) / (1 - error))
        return (error + flat / total).upper(), total

    def _tails(self, a: arb, first: int, last: int, step: arb, enough: arb) -> arb:
        """What the trapezoidal rule on the real line leaves out before its first and after its last node, of |w|.

        Below 0 and above a the majorants are monotone; what is between is bounded piece by piece.
        """
        q, sigma = arb(self.q), self.sigma
        variance, low, high = arb(self.variance), first * step, last * step
        if self.adding:
            if not low <= 0 <= high:
                raise AssertionError("the tails begin where their bounds fall")
            return (1 - q) ** a * (normal_above(-low / sigma) + normal_above(high / sigma))
        start = min(first, 0) * step
        end = max(last, math.ceil(float(a / step)) + 2) * step
        if not end - step > a:
            raise AssertionError("the tails begin where their bounds fall")
        below = (1 - q + q * ((2 * start - 1) / (2 * variance)).exp()) ** a * normal_above(-start / sigma)
        ratio = q + (1 - q) * (-(2 * end - 1) / (2 * variance)).exp()
        above = ratio**a * ((a * a - a) / (2 * variance)).exp() * normal_above((end - a) / sigma)
        between = self._between(a, start, low, step, enough) + self._between(a, high, end, step, enough)
        return below + above + between

    def _between(self, a: arb, low: arb, high: arb, step: arb, enough: arb) -> arb:
        """At most what nodes between two points add to the rule, for removing.

        log r is convex, so that on a piece the logarithm of r^a times the normal density is at most a quadratic.
        Pieces that add more than `enough` are halved.
        """
        variance, q = arb(self.variance), arb(self.q)
        scale = 1 / (self.sigma * (2 * arb.pi()).sqrt())

        def height(x: arb) -> arb:
            return a * (1 - q + q * ((2 * x - 1) / (2 * variance)).exp()).log()

        total, pieces = arb(0), [(low, high, height(low), height(high))] if low < high else []
        for _ in range(_MOST_PIECES):
            if not pieces:
                return total
            u, w, at_u, at_w = pieces.pop()
            slope = (at_w - at_u) / (w - u)
            top = at_u - slope * u + slope * slope * variance / 2  # the quadratic's maximum anywhere
            if slope * variance < u:
                top = at_u - u * u / (2 * variance)
            elif slope * variance > w:
                top = at_w - w * w / (2 * variance)
            most = ((w - u + step) * scale * top.exp()).upper()
            if most < enough or w - u < step:
                total += most
            else:
                middle = ((u + w) / 2).mid()
                at_middle = height(middle)
                pieces += [(u, middle, at_u, at_middle), (middle, w, at_middle, at_w)]
        raise TooCostly("the moments have a tail that is too long")


@dataclass(frozen=True, slots=True)
class Quadrature:
    """The trapezoidal rule for a moment function on one contour.

    Attributes:
        weights, losses: r^a times the density times the step, and log r, at the nodes.
        total: M(c).
        error: of the discretisation, relative to M(c), at any t >= 0.
        tail: what the nodes that were left out can contribute, at any t >= 0.
        step, shift: the distance of nodes, and of their line from the reals.
        guard: how many bits cancel on that line.
    """

    weights: list[acb]
    losses: list[acb]
    total: arb
    error: arb
    tail: arb
    step: arb
    shift: arb
    guard: int
