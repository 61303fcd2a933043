"""Equal Laplace steps of which many lose neither the most nor the least: an integral.

With z = c + 1/2 + it, A = 2 cosh(za) and B = sinh(za)/z, the moment function of T steps at c + it is
exp(-aT/2) 2^-T (A + B)^T.  What `finite_sums` leaves out of delta(epsilon), the k >= few, has

    R(z) = (A + B)^T - sum over k < few of C(T, k) A^(T - k) B^k

in its place.  It falls like |z|^-few, and between its peaks at t = m pi/a, where |A| is smaller, it is negligible:
only points around the first peaks are evaluated, the rest is bounded (docs/accounting.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from flint import acb, arb, ctx, fmpq

from dpsym.accounting.chernoff import Exponential, chernoff
from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.inversion.bromwich import Aliases, TrapezoidalSum, after, clipped
from dpsym.accounting.inversion.contour import Contour
from dpsym.accounting.laplace.finite_sums import binomial
from dpsym.core.deadline import Deadline, TooCostly


@dataclass(frozen=True)
class Many:
    """The law of the sum of `steps` losses of which at least `few` lie between the atoms: a measure of mass <= 1."""

    a: fmpq
    steps: int
    few: int

    def whole(self, c: arb) -> arb:
        """M(c) of all the steps: (exp(-a/2) (cosh xa + sinh(xa)/(2x)))^T with x = c + 1/2."""
        x = c + fmpq(1, 2)
        return ((x * self.a).cosh() + (x * self.a).sinh() / (2 * x)) ** self.steps * (
            -arb(self.a * self.steps) / 2
        ).exp()

    @cached_property
    def ways(self) -> arb:
        """C(T, few)."""
        return binomial(self.steps, self.few)

    def most(self, atoms: arb, between: arb) -> arb:
        """A bound of |R| for |A| <= atoms, |B| <= between: C(T, few) |B|^few (|A| + |B|)^(T - few)."""
        return self.ways * between**self.few * (atoms + between) ** (self.steps - self.few)

    def chernoff(self, c: arb) -> Exponential:
        """A bound of its part of delta(epsilon), for any c > 0."""
        x = c + fmpq(1, 2)
        atoms, between = 2 * (x * self.a).cosh(), (x * self.a).sinh() / x
        share = (self.most(atoms, between) / (atoms + between) ** self.steps).min(arb(1))
        return chernoff(self.whole(c) * share, c)


class Rest:
    """The part of delta(epsilon) that belongs to `many`, for epsilon near where the contour is the best.

    Raises:
        TooCostly: where the plan does not hold what it should.
        OutOfTime: at the deadline.
    """

    def __init__(self, many: Many, contour: Contour, bits: int, deadline: Deadline) -> None:
        self._many, self.bits = many, bits
        with ctx.workprec(bits):
            self._c, self._step = arb(contour.line), arb(contour.step)
            self._x = self._c + fmpq(1, 2)
            y = self._x * many.a
            self._cosh, self._sinh = y.cosh(), y.sinh()
            self._whole = 2 * self._cosh + self._sinh / self._x
            runs = contour.runs()
            left_out = self._left_out(runs, contour)
            values = []
            for first, last in runs:
                deadline.check()
                values.append((first, [self._value(k) for k in range(first, last + 1)]))
            self.rule = TrapezoidalSum(self._c, self._step, values, left_out, many.whole(self._c))
            further, _ = contour.rates
            period = 2 * arb.pi() / self._step
            one = Exponential(arb(1), arb(0))  # the part is at most 1
            self._aliases = Aliases(self._c, period, many.chernoff(arb(further)), one)

    def _left_out(self, runs: list[tuple[int, int]], contour: Contour) -> arb:
        """A bound of what lies between and after the runs of points that are evaluated."""
        end = max(runs[-1][1], math.floor(contour.end / float(self._step)))
        with ctx.workprec(ROUGH_BITS):
            found = arb(0)
            for (_, before), (following, _) in pairwise([*runs, (end + 1, end + 1)]):
                middle = (before + following) // 2  # halves, as the kernel falls and the peaks get narrower
                for first, last in ((before + 1, middle), (middle + 1, following - 1)):
                    if first <= last:
                        found += (last - first + 1) * self._in_a_gap(first, last)
            found = (found + self._after(end)).upper()
        if not found.is_finite():
            raise TooCostly("what the contour leaves out cannot be bounded")
        return found

    def _in_a_gap(self, first: int, last: int) -> arb:
        """A bound of |R/(s(s+1))|/N(x)^T at the points from first to last, between two peaks.

        |sin(ta)| is concave there, so it is least at one end.
        """
        low, high = first * self._step, last * self._step
        phase = low * self._many.a / arb.pi()
        peak = phase.lower().floor().unique_fmpz()
        if not (phase >= arb(peak) and high * self._many.a < arb.pi() * (int(peak) + 1)):
            raise TooCostly("a peak lies between the points that are evaluated")
        sine = (low * self._many.a).sin().abs_lower().min((high * self._many.a).sin().abs_lower())
        atoms = 2 * (self._cosh**2 - sine**2).nonnegative_part().sqrt()
        between = (self._cosh / (self._x**2 + low**2).sqrt()).min(self._sinh / self._x)
        kernel = ((self._c**2 + low**2) * ((self._c + 1) ** 2 + low**2)).sqrt()
        return self._many.most(atoms / self._whole, between / self._whole) / kernel

    def _after(self, end: int) -> arb:
        """A bound of the sum of |R/(s(s+1))|/N(x)^T over all points after `end`."""
        t, few = end * self._step, self._many.few
        if not t > 0:
            raise TooCostly("the contour ends where it begins")
        atoms = 2 * self._cosh / self._whole
        return after(t, self._many.most(atoms, atoms / (2 * t)) / (t * t), few + 2, self._step)

    def _value(self, k: int) -> acb:
        t, many = k * self._step, self._many
        sine, cosine = (t * many.a).sin_cos()
        z = acb(self._x, t)
        atoms = acb(2 * self._cosh * cosine, 2 * self._sinh * sine) / self._whole
        between = acb(self._sinh * cosine, self._cosh * sine) / (z * self._whole)
        value = (atoms + between) ** many.steps
        if many.few:
            # sum over k < few of C(T, k) atoms^(few - 1 - k) between^k, times atoms^(T - few + 1)
            found, power = acb(0), acb(1)
            for ways in self._ways:
                found = found * atoms + ways * power
                power *= between
            value -= found * atoms ** (many.steps - many.few + 1)
        return value / (z * z - fmpq(1, 4))

    @cached_property
    def _ways(self) -> list[arb]:
        ways = [arb(1)]
        for k in range(self._many.few - 1):
            ways.append(ways[-1] * (self._many.steps - k) / (k + 1))
        return ways

    def delta(self, epsilon: arb) -> arb:
        """The part of delta(epsilon), enclosed."""
        with ctx.workprec(self.bits):
            return clipped(self._aliases.taken_from(self.rule.at(epsilon), epsilon))
