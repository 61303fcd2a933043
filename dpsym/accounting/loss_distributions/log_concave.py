"""The privacy losses of log-concave noise on a number: the loss grows with the outcome, so masses are those of rays.

With noise of scale 1 and answers t apart, P is the noise around t and Q the noise around 0.  `edge` solves for the
outcome (or what stands for it) that has a loss, and gives the probabilities on either side (docs/accounting-bounds.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flint import arb, ctx, fmpq

from dpsym.accounting.effort import WIDENINGS
from dpsym.accounting.loss_distributions.lattice import Atom, Edge, LaplaceLaw, Law
from dpsym.accounting.moments.moment_generating import LogisticMoment
from dpsym.core.deadline import TooCostly

_WIDEST = 2**512  # a factor between outcomes that are tried
_STEPS = 80  # of regula falsi, more than halving a double takes


@dataclass(frozen=True, slots=True)
class LogisticLaw(Law):
    """Logistic noise: with g = exp((L - t)/2) the outcome is above with probability (1 - g)/(1 - exp(-t)) under P.

    And with (1/g - 1)/(exp(t) - 1) under Q; -t < L < t.
    """

    t: fmpq
    planned_by_moment = True

    def moment(self) -> LogisticMoment:
        """See `Law`."""
        return LogisticMoment(self.t)

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
        place, half = place_of(self.loss, arb(loss)), arb(self.t) / 2
        return Edge(*self._beside_outcome(place - half), *self._beside_outcome(place + half))

    def loss(self, u: arb) -> arb:
        """The loss at u >= 0 from the middle."""
        half = arb(self.t) / 2
        if u > 2 * half:  # without cancellation
            up, down = (half / u).log1p(), (-half / u).log1p()
            return (self.beta * (u.log() + down)).exp() * (self.beta * (up - down)).expm1()
        return self._power(u + half, self.beta) - self._power(abs(u - half), self.beta)

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


def place_of(loss_at: Callable[[arb], arb], loss: arb, far: arb | None = None) -> arb:
    """All outcomes, as distances from the middle, with a loss in a ball; the loss is odd and grows with the outcome.

    Beyond `far` nothing is told of losses.

    Raises:
        TooCostly: where none is found.
    """
    if loss < 0:
        return -place_of(loss_at, -loss, far)
    most = abs(loss).upper()
    if most == 0:
        return most
    u = _about(loss_at, most, far)
    high = _beside(loss_at, u, most, 1, far)
    least = u if high.is_finite() else _about(loss_at, loss.lower(), far)
    return (_beside(loss_at, least, loss.lower(), -1, far) if loss > 0 else -high).union(high)


def _beside(loss_at: Callable[[arb], arb], u: arb, loss: arb, side: int, far: arb | None) -> arb:
    """An exact number close to u, and surely on that side of where the loss is this one; may be infinite."""
    step = u * arb(2) ** (12 - ctx.prec)
    for _ in range(WIDENINGS):
        found = (u + side * step).mid()
        if side < 0 and not found > 0:
            return arb(0)
        if side > 0 and far is not None and found > far:
            return arb.pos_inf()  # nothing is known to be beyond it
        here = loss_at(found)
        if (here >= loss) if side > 0 else (here <= loss):
            return found
        step *= 2
    raise TooCostly(f"no outcome with a loss of {loss}")


def _about(loss_at: Callable[[arb], arb], loss: arb, far: arb | None) -> arb:
    """About where the loss is this one, by regula falsi; nothing is assumed of it."""
    low = high = arb(1)
    factor = arb(2)
    while not loss_at(high) > loss:
        if (far is not None and high >= far) or factor > _WIDEST:
            return high if far is None else far
        low, high, factor = high, high * factor if far is None else (high * factor).min(far).mid(), factor**2
    factor = arb(2)
    while not loss_at(low) < loss:
        if factor > _WIDEST:
            return low
        high, low, factor = low, (low / factor).mid(), factor**2
    below, above = (loss_at(low) - loss).mid(), (loss_at(high) - loss).mid()
    u, last = high, 0
    for _ in range(_STEPS):
        steep = high > 4 * low or not above.is_finite()
        u = (low * high).sqrt().mid() if steep else ((low * above - high * below) / (above - below)).mid()
        gap = (loss_at(u) - loss).mid()
        if not (low < u < high and gap.is_finite()) or abs(gap) <= loss * arb(2) ** (8 - ctx.prec):
            break
        if gap > 0:
            high, above, below, last = u, gap, below / 2 if last > 0 else below, 1
        else:
            low, below, above, last = u, gap, above / 2 if last < 0 else above, -1
    return u


def share(value: arb) -> arb:
    """A probability, of which more is known than was computed."""
    return value.nonnegative_part().min(arb(1)) if value.is_finite() else arb(0).union(arb(1))
