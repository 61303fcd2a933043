"""The Bromwich integral by the trapezoidal rule, with every error enclosed; the privacy profile of a composition.

Let f be continuous with |f(y)| <= B exp(-ry) at every y, for one r > c and for another r < c, and let F(s) be the
integral of exp(sy) f(y) over all y.  If the F(c + ikh) can be summed, then by Poisson's formula, with Y = 2 pi/h,

    exp(-cy) (h/2 pi) sum over k of F(c + ikh) exp(-ikhy) = sum over m of exp(cmY) f(y + mY):

f and its aliases, m != 0.  The left side is a `TrapezoidalSum`, what is not f on the right side are `Aliases`.  An
`Inversion` has f = delta and F(s) = M(s)/(s(s+1)), M the product of the steps' moment functions; for lattices see
`lattice_inversion` (docs/accounting.md has the proofs).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from flint import acb, acb_mat, arb, ctx

from dpsym.accounting.chernoff import Exponential, chernoff
from dpsym.accounting.inversion.contour import Contour, Parts
from dpsym.core.deadline import TooCostly, check

_GUARD = 40  # bits, more than the sum over points and the kernel take away


class TrapezoidalSum:
    """exp(-cy) (h/pi) (F(c)/2 + the sum over k >= 1 of Re F(c + ikh) exp(-ikhy)), where F is real on the real line.

    Args:
        c, step: the line Re s = c, and h.
        values: F(c + ikh)/scale for k = 0, 1, ...
        left_out: no less than the sum of |F(c + ikh)|/scale over all other k > 0.
        scale: what F is relative to.
    """

    def __init__(self, c: arb, step: arb, values: Sequence[acb], left_out: arb, scale: arb) -> None:
        self.c, self.step, self.left_out = c, step, left_out
        self._scale = scale * step / arb.pi()
        self._width = width = math.isqrt(len(values)) + 1  # rows are as long as there are rows
        padded = [values[0] / 2, *values[1:], *[acb(0)] * (-len(values) % width)]
        self._rows = acb_mat([padded[i : i + width] for i in range(0, len(padded), width)])

    def at(self, y: arb) -> arb:
        """Its value, enclosed at the working precision."""
        angle = self.step * y
        rows = self._rows * acb_mat([[_turned(angle, k)] for k in range(self._width)])
        found = arb(0, self.left_out)
        for i, row in enumerate(rows.entries()):
            found += (row * _turned(angle, i * self._width)).real
        return found * self._scale * (-self.c * y).exp()


class Aliases:
    """The sum of exp(cmY) f(y + mY) over m != 0, where f is between 0 and 1.

    Args:
        c, period: of the trapezoidal rule, Y = `period`.
        above: bounds f as well, of a rate greater than c.

    Raises:
        TooCostly: where the rate is not greater.
    """

    def __init__(self, c: arb, period: arb, above: Exponential) -> None:
        if not above.rate > c > 0:
            raise TooCostly("the aliases cannot be bounded")
        self.above = Exponential(above.size / (((above.rate - c) * period).exp() - 1), above.rate)
        self.below = 1 / ((c * period).exp() - 1)

    def taken_from(self, rule: arb, y: arb) -> arb:
        """f(y), where `rule` is f(y) and its aliases."""
        return rule - arb(0).union((self.above.at(y) + self.below).upper())


def after(t: arb, size: arb, power: int, step: arb) -> arb:
    """A bound of the sum of |F(c + ikh)| over kh > t = Kh, where |F(c + iu)| <= size (t/u)^power for u >= t.

    h times the sum of (kh)^-power over k > K is at most the integral of u^-power from Kh on.
    """
    return size * t / ((power - 1) * step)


def precision(parts: Parts, accuracy: float) -> int:
    """Bits with which rounding is negligible beside exp(-accuracy)."""
    steps = sum(count for _, count in parts)
    return math.ceil((accuracy + math.log(steps)) / math.log(2)) + _GUARD


def moments_along(parts: Parts, c: arb, step: arb, count: int, accuracy: float) -> tuple[arb, list[acb]]:
    """log M(c), and M(c + ikh)/M(c) for k = 0..count."""
    logarithms = [acb(0)] * (count + 1)
    vanished = [arb(1)] * (count + 1)  # bounds of factors whose logarithm has no enclosure
    log_scale = arb(0)
    for moment, times in parts:
        check()
        total, ratios = moment.along(c, step, count, accuracy + math.log(times) + 3)
        log_scale += times * total.log()
        for k, ratio in enumerate(ratios):
            if ratio.abs_lower() > 0:
                logarithms[k] += times * _logarithm(ratio)
            else:
                vanished[k] *= ratio.abs_upper() ** times
    values = []
    for logarithm, bound in zip(logarithms, vanished, strict=True):
        value = logarithm.exp()
        if bound != 1:
            size = (value.abs_upper() * bound).upper()
            value = acb(arb(0, size), arb(0, size))
        values.append(value)
    return log_scale, values


def profile_aliases(parts: Parts, c: arb, period: arb, contour: Contour) -> Aliases:
    """The aliases of a composition's delta, which is at most 1, and at most what Chernoff's bound is."""
    further = arb(contour.rate)
    log_moment = sum((times * moment.at(further).log() for moment, times in parts), arb(0))
    return Aliases(c, period, chernoff(log_moment.exp(), further))


class Inversion:
    """delta(epsilon) of a composition for epsilon near that which the contour is for.

    Args:
        parts: moment functions, each with how many steps have it.
        contour: along which it is integrated, and how accurately.

    Raises:
        TooCostly: where the integral would need too many points.
        OutOfTime: when there is no time left.
    """

    def __init__(self, parts: Parts, contour: Contour) -> None:
        self.bits = precision(parts, contour.accuracy)
        with ctx.workprec(self.bits):
            c, step = arb(contour.line), arb(contour.step)
            last = contour.last
            log_scale, ratios = moments_along(parts, c, step, last, contour.accuracy)
            points = [acb(c, k * step) for k in range(last + 1)]
            values = [ratio / (s * (s + 1)) for ratio, s in zip(ratios, points, strict=True)]
            end, fall = last * step, arb(1)
            for moment, times in parts:
                fall *= moment.decay(c)(end) ** times
            left_out = after(end, fall / (end * end), 2, step).upper()
            self.rule = TrapezoidalSum(c, step, values, left_out, log_scale.exp())
            self.aliases = profile_aliases(parts, c, 2 * arb.pi() / step, contour)

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon), enclosed; narrow only near the epsilon that the contour is for."""
        with ctx.workprec(self.bits):
            return clipped(self.aliases.taken_from(self.rule.at(epsilon), epsilon))


def _turned(angle: arb, k: int) -> acb:
    """exp(-i k angle)."""
    sine, cosine = (k * angle).sin_cos()
    return acb(cosine, -sine)


def _logarithm(z: acb) -> acb:
    """A logarithm of z; which one does not matter to whole powers, but no ball may lie across the cut."""
    return (-z).log() + acb(0, arb.pi()) if z.real < 0 else z.log()


def clipped(delta: arb) -> arb:
    """The same number, known to be in [0, 1]."""
    lower, upper = delta.lower(), delta.upper()
    if lower.is_finite() and upper.is_finite():
        return lower.max(arb(0)).union(upper.min(arb(1)).max(lower.max(arb(0))))
    return arb(0).union(arb(1))
