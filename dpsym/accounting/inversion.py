"""The privacy profile of a composition by the Bromwich integral, with every error enclosed.

For c > 0, delta(epsilon) = (1/2 pi i) times the integral over Re s = c of exp(-s epsilon) M(s)/(s(s+1)), where M is
the product of the steps' moment functions.  The trapezoidal rule errs to one side only; truncation, quadrature and
rounding are bounded (docs/accounting.md has the proofs).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from flint import acb, arb, ctx

from dpsym.accounting.limits import Deadline, TooCostly
from dpsym.accounting.moments import Moment
from dpsym.accounting.planning import Saddle, log_moment
from dpsym.accounting.tails import largest_share, simple

_MOST_POINTS = 200_000  # of the contour
Parts = Sequence[tuple[Moment, int]]
_ALIASES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0)


class Inversion:
    """delta(epsilon) of a composition for epsilon near where `at` lies.

    Args:
        parts: moment functions, each with how many steps have it.
        at: where the contour is put, and which epsilon it is best for.
        accuracy: minus the logarithm of the relative error that is aimed at.
        deadline: when to give up.

    Raises:
        TooCostly: where the integral would need too many points.
        OutOfTime: at the deadline.
    """

    def __init__(self, parts: Parts, at: Saddle, accuracy: float, deadline: Deadline) -> None:
        self._parts = parts
        steps = sum(count for _, count in parts)
        self.bits = math.ceil((accuracy + math.log(steps)) / math.log(2)) + 40
        with ctx.workprec(self.bits):
            self._c = arb(simple(at.c))
            self._plan(at, accuracy)
            deadline.check()
            self._values = self._sample(accuracy, deadline)
            self._bound_the_rest()

    def _period(self, at: Saddle, accuracy: float) -> float:
        """A period at which aliases are small enough, and how far to the right they are bounded."""
        c, parts = float(self._c), self._parts
        here = log_moment(parts, c)
        share = math.log(2 * math.pi * at.curvature) / 2 + math.log(c) + math.log1p(c) + accuracy + 3
        periods = []
        for factor in _ALIASES:
            further = factor * c
            try:
                rise = log_moment(parts, c + further) - here
            except (TooCostly, OverflowError):
                continue
            periods.append(((rise - further * at.epsilon + share) / further, further))
        if not periods:
            raise TooCostly("the moments grow too fast")
        period, further = min(periods)
        period = max(period, (accuracy - at.log_delta + 3) / c)
        if not 0 < period < math.inf:
            raise TooCostly("the moments are beyond what floats can plan")
        self._further = arb(simple(further, 8))
        return period

    def _plan(self, at: Saddle, accuracy: float) -> None:
        """Choose the step by the aliasing it causes and the number of points by the decay of the integrand."""
        c, parts = float(self._c), self._parts
        self._step = arb(simple(2 * math.pi / self._period(at, accuracy)))
        self._decays = [(moment.decay(self._c), count) for moment, count in parts]
        share = math.log(2 * math.pi * at.curvature) / 2 + math.log(c) + math.log1p(c) + accuracy + 1
        end = max(1 / math.sqrt(at.curvature), 2 * float(self._step))
        while self._fall(end) - math.log(math.pi * end) > -share:
            end *= 1.4
            if end / float(self._step) > _MOST_POINTS:
                raise TooCostly(f"more than {_MOST_POINTS} points on the contour: the integrand decays too slowly")
        while self._fall(end / 1.1) - math.log(math.pi * end / 1.1) <= -share:
            end /= 1.1
        self._count = math.ceil(end / float(self._step))

    def _fall(self, t: float) -> float:
        return sum(count * math.log(decay.estimate(t)) for decay, count in self._decays)

    def _sample(self, accuracy: float, deadline: Deadline) -> list[acb]:
        """M(s)/M(c) times the kernel at the points c + ikh, and the logarithm of M(c)."""
        c, step, count = self._c, self._step, self._count
        product = [acb(0)] * (count + 1)
        vanished = [arb(1)] * (count + 1)  # bounds of factors whose logarithm has no enclosure
        self._log_scale = arb(0)
        for moment, times in self._parts:
            deadline.check()
            total, ratios = moment.along(c, step, count, accuracy + math.log(times) + 3, deadline)
            self._log_scale += times * total.log()
            for k, ratio in enumerate(ratios):
                if ratio.abs_lower() > 0:
                    product[k] += times * _logarithm(ratio)
                else:
                    vanished[k] *= ratio.abs_upper() ** times
        values = []
        for k in range(count + 1):
            s = acb(c, k * step)
            value = product[k].exp()
            if vanished[k] != 1:
                size = (value.abs_upper() * vanished[k]).upper()
                value = acb(arb(0, size), arb(0, size))
            values.append(value * self._kernel(s))
        return values

    def _kernel(self, s: acb) -> acb:
        """By what the moment function is multiplied whatever epsilon is."""
        return 1 / (s * (s + 1))

    def _bound_the_rest(self) -> None:
        """What lies beyond the last point, relative to M(c), and M further to the right for the aliases."""
        c, step, count = self._c, self._step, self._count
        fall = arb(1)
        for decay, times in self._decays:
            fall *= decay.bound(count * step) ** times
        self._truncated = (fall / (step * step * count)).upper()
        beyond = c + self._further
        self._log_beyond = sum((times * moment.at(beyond).log() for moment, times in self._parts), arb(0))

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon), enclosed; narrow only near the epsilon that the contour is for."""
        with ctx.workprec(self.bits):
            c, step = self._c, self._step
            found = self._values[0].real / 2
            for k in range(1, self._count + 1):
                sine, cosine = (k * step * epsilon).sin_cos()
                value = self._values[k]
                found += value.real * cosine + value.imag * sine
            scale = (self._log_scale - c * epsilon).exp() * step / arb.pi()
            rule = (found + arb(0, self._truncated)) * scale
            aliases = (self._below() + self._above(epsilon)).upper()
            enclosed = (rule - aliases).union(rule)
            return clipped(enclosed)

    def _below(self) -> arb:
        """The aliases of smaller epsilon: delta is at most 1 there."""
        period = 2 * arb.pi() / self._step
        return 1 / ((self._c * period).exp() - 1)

    def _above(self, epsilon: arb) -> arb:
        """The aliases of larger epsilon: Chernoff's bound further to the right."""
        period = 2 * arb.pi() / self._step
        beyond = self._c + self._further
        bound = (self._log_beyond - beyond * epsilon).exp() * largest_share(beyond)
        return bound / ((self._further * period).exp() - 1)


def _logarithm(z: acb) -> acb:
    """A logarithm of z; which one does not matter to whole powers, but no ball may lie across the cut."""
    return (-z).log() + acb(0, arb.pi()) if z.real < 0 else z.log()


def clipped(delta: arb) -> arb:
    """The same number, known to be in [0, 1]."""
    lower, upper = delta.lower(), delta.upper()
    if lower.is_finite() and upper.is_finite():
        return lower.max(arb(0)).union(upper.min(arb(1)).max(lower.max(arb(0))))
    return arb(0).union(arb(1))
