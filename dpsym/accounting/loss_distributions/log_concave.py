"""The privacy losses of log-concave noise on a number: the loss grows with the outcome, so masses are those of rays.

With noise of scale 1 and answers t apart, P is the noise around t and Q the noise around 0.  `edge` solves for the
outcome (or what stands for it) that has a loss, and gives the probabilities on either side (docs/accounting-bounds.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flint import arb, ctx, fmpq

from dpsym.accounting.effort import WIDENINGS
from dpsym.accounting.loss_distributions.lattice import Atom, Edge, LaplaceLaw, Law
from dpsym.accounting.moments.moment_generating import LogisticMoment
from dpsym.core.deadline import TooCostly

_WIDEST = 600.0  # the logarithm of an outcome: a float's exponential ends at 709


@dataclass(frozen=True, slots=True)
class LogisticLaw(Law):
    """Logistic noise: with g = exp((L - t)/2) the outcome is above with probability (1 - g)/(1 - exp(-t)) under P.

    And with (1/g - 1)/(exp(t) - 1) under Q; -t < L < t.
    """

    t: fmpq

    def moment(self) -> LogisticMoment:
        """See `Law`."""
        return LogisticMoment(self.t)

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Law`."""
        return self.moment().cumulants(c)

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        t, place = arb(self.t), (arb(loss) - arb(self.t)) / 2
        fall, rise = -(-t).expm1(), t.expm1()
        return Edge(
            share((arb(loss) / 2 + t / 2).expm1() / rise),
            share(-place.expm1() / fall),
            share(-(-(arb(loss) + t) / 2).expm1() / fall),
            share((-place).expm1() / rise),
        )

    def largest(self) -> arb:
        """See `Law`."""
        return arb(self.t)


@dataclass(frozen=True, slots=True)
class CauchyLaw(Law):
    """Cauchy noise: the same as hyperbolic-secant noise on answers 2 log r apart, r = half + sqrt(1 + half^2).

    That is noise whose odds are exp(u), in units of a quarter turn arctan(exp(u)) (docs/lemmas.md, Lemma 10).
    """

    half: fmpq  # shift/(2 scale)

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        r, ratio = self._r, arb(loss).exp()
        above = (r * r - ratio).nonnegative_part().sqrt()
        below = (ratio * r * r - 1).nonnegative_part().sqrt()
        quarter = arb.pi() / 2
        return Edge(
            share(arb.atan2(below, r * above) / quarter),
            share(arb.atan2(r * above, below) / quarter),
            share(arb.atan2(r * below, above) / quarter),
            share(arb.atan2(above, r * below) / quarter),
        )

    def largest(self) -> arb:
        """See `Law`."""
        return 2 * self._r.log()

    @property
    def _r(self) -> arb:
        return self.half + (1 + arb(self.half) ** 2).sqrt()


@dataclass(frozen=True, slots=True)
class GumbelLaw(Law):
    """Gumbel noise: exp(-outcome) is exponential, of rate exp(t) under P and 1 under Q (docs/lemmas.md, Lemma 11).

    `backwards` is Q against P, whose losses are unbounded; P against Q never loses more than t.
    """

    t: fmpq
    backwards: bool

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        t = arb(self.t)
        rate = t.exp()
        x = ((t + loss if self.backwards else t - loss) / t.expm1()).nonnegative_part()
        within, beyond = -(-x).expm1(), (-x).exp()  # under Q
        fast, faster = -(-rate * x).expm1(), (-rate * x).exp()  # under P
        if self.backwards:
            return Edge(within, beyond, fast, faster)
        return Edge(faster, fast, beyond, within)

    def largest(self) -> arb:
        """See `Law`."""
        return arb.pos_inf() if self.backwards else arb(self.t)

    def exchanged(self) -> GumbelLaw:
        """The other order."""
        return replace(self, backwards=not self.backwards)


@dataclass(frozen=True, slots=True)
class GeneralisedGaussianLaw(Law):
    """Noise of density proportional to exp(-|y|^beta), beta > 1.

    At u from the middle of the two answers the loss is (u + t/2)^beta - |u - t/2|^beta for u >= 0, odd in u.
    """

    t: fmpq
    beta: fmpq

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        low, high = self._place(arb(loss))
        place, half = low.union(high), arb(self.t) / 2
        return Edge(*self._beside_outcome(place - half), *self._beside_outcome(place + half))

    def loss(self, u: arb) -> arb:
        """The loss at u >= 0 from the middle."""
        half = arb(self.t) / 2
        if u > 2 * half:  # without cancellation
            up, down = (half / u).log1p(), (-half / u).log1p()
            return (self.beta * (u.log() + down)).exp() * (self.beta * (up - down)).expm1()
        return self._power(u + half, self.beta) - self._power(abs(u - half), self.beta)

    def _place(self, loss: arb) -> tuple[arb, arb]:
        """Exact numbers below and above every u that has a loss in the ball."""
        if loss < 0:
            low, high = self._place(-loss)
            return -high, -low
        most = abs(loss).upper()
        if most == 0:
            return most, most
        u = self._guess(most)
        high = self._beside(u, most, 1)
        return (self._beside(u, loss.lower(), -1) if loss > 0 else -high), high

    def _beside(self, u: arb, loss: arb, side: int) -> arb:
        """An exact number close to u, and surely on that side of where the loss is this one, loss >= 0."""
        step = (u if u > 0 else arb(1)) * arb(2) ** (8 - ctx.prec)
        for _ in range(WIDENINGS):
            found = (u + side * step).mid()
            if side < 0 and not found > 0:
                return arb(0)
            here = self.loss(found)
            if (here >= loss) if side > 0 else (here <= loss):
                return found
            step *= 2
        raise TooCostly(f"no outcome of generalised Gaussian noise with a loss of {loss}")

    def _guess(self, loss: arb) -> arb:
        """About where the loss is, by Newton's method; nothing is assumed of it."""
        u = arb(_approximate_place(float(self.t) / 2, float(self.beta), float(loss)))
        for _ in range(ctx.prec.bit_length()):
            gap, slope = (self.loss(u) - loss).mid(), self._slope(u)
            new = (u - gap / slope).mid() if slope > 0 else u
            if not (0 < new < 2 * u and abs(new - u) > u * arb(2) ** (6 - ctx.prec)):
                break
            u = new
        return u

    def _slope(self, u: arb) -> arb:
        half = arb(self.t) / 2
        near = self._power(abs(u - half), self.beta - 1)
        return (self.beta * (self._power(u + half, self.beta - 1) - (near if u > half else -near))).mid()

    def _beside_outcome(self, z: arb) -> tuple[arb, arb]:
        """The probabilities that the noise is below and above z."""
        exponent = 1 / arb(self.beta)
        if z >= 0 or z <= 0:
            tail = share(self._power(abs(z), self.beta).gamma_upper(exponent, 1)) / 2
            return (1 - tail, tail) if z >= 0 else (tail, 1 - tail)
        centre = 1 - share(self._power(z.abs_upper(), self.beta).gamma_upper(exponent, 1)).lower()
        about = (arb(1) / 2 - centre / 2).union(arb(1) / 2 + centre / 2)
        return about, about

    def _power(self, x: arb, exponent: fmpq) -> arb:
        """x^exponent for x >= 0 and an exponent > 0."""
        if exponent.q == 1:
            return x ** int(exponent.p)
        return x ** arb(exponent) if x > 0 else arb(0).union(x.abs_upper() ** arb(exponent))


@dataclass(frozen=True, slots=True)
class TruncatedLaplaceLaw(Law):
    """Laplace noise cut off at `end` from the answer, 0 < t <= end, as multiples of its scale.

    Where both distributions have outcomes it is Laplace noise divided by 1 - exp(-end), with smaller atoms.
    """

    t: fmpq
    end: fmpq

    def atoms(self) -> Sequence[Atom]:
        """See `Law`: none if the noise ends where the other answer is."""
        if self.t == self.end:
            return ()
        likely, unlikely = -arb(self.t - self.end).expm1() / self._whole, arb(-self.t).exp()
        return (
            Atom(arb(self.t), likely, likely * unlikely, self.t),
            Atom(arb(-self.t), likely * unlikely, likely, -self.t),
        )

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        found, whole = LaplaceLaw(self.t).edge(loss), self._whole / 2
        return Edge(
            found.first_below / whole, found.first_above / whole, found.second_below / whole, found.second_above / whole
        )

    def infinite(self) -> arb:
        """See `Law`."""
        return arb(-self.end).exp() * arb(self.t).expm1() / self._whole

    @property
    def _whole(self) -> arb:
        """Twice the integral of exp(-|y|)/2 over the noise."""
        return -2 * arb(-self.end).expm1()


def _approximate_place(half: float, beta: float, loss: float) -> float:
    """About the u > 0 for which (u + half)^beta - |u - half|^beta is the loss."""

    def gap(log_u: float) -> float:
        u = math.exp(log_u)
        if u > 2 * half:
            up, down = math.log1p(half / u), math.log1p(-half / u)
            return beta * (log_u + down) + math.log(math.expm1(beta * (up - down))) - math.log(loss)
        return float((u + half) ** beta - abs(u - half) ** beta) - loss

    low, high = -80.0, 80.0
    try:
        while gap(high) < 0 and high < _WIDEST:
            high *= 2
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if gap(middle) < 0 else (low, middle)
    except (OverflowError, ValueError):
        return half
    return math.exp(high)


def share(value: arb) -> arb:
    """A probability, of which more is known than was computed."""
    return value.nonnegative_part().min(arb(1)) if value.is_finite() else arb(0).union(arb(1))
