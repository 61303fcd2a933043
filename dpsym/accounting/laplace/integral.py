"""Equal Laplace steps of which many lose neither the most nor the least: an integral.

With z = c + 1/2 + it, A = 2 cosh(za) and B = sinh(za)/z, the moment function of T steps at c + it is
exp(-aT/2) 2^-T (A + B)^T.  What `laplace_terms` leaves out of delta(epsilon), the k >= few, has

    R(z) = (A + B)^T - sum over k < few of C(T, k) A^(T - k) B^k

in its place.  It falls like |z|^-few, and between its peaks at t = m pi/a, where |A| is smaller, it is negligible:
only points around the first peaks are evaluated, the rest is bounded (docs/accounting.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from flint import acb, acb_mat, arb, ctx, fmpq

from dpsym.accounting.chernoff import largest_share, simple
from dpsym.accounting.inversion.bromwich import clipped
from dpsym.accounting.laplace.finite_sums import binomial
from dpsym.accounting.laplace.splitting import Contour
from dpsym.core.deadline import Deadline, TooCostly

_BITS = 64  # of bounds


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

    def chernoff(self, c: arb, epsilon: arb) -> arb:
        """A bound of its part of delta(epsilon), for any c > 0."""
        x = c + fmpq(1, 2)
        atoms, between = 2 * (x * self.a).cosh(), (x * self.a).sinh() / x
        share = self.most(atoms, between) / (atoms + between) ** self.steps
        return self.whole(c) * share * (-c * epsilon).exp() * largest_share(c)


class Rest:
    """The part of delta(epsilon) that belongs to `many`, for epsilon near where the saddle point c is the best.

    Raises:
        TooCostly: where the plan does not hold what it should.
        OutOfTime: at the deadline.
    """

    def __init__(self, many: Many, c: float, contour: Contour, bits: int, deadline: Deadline) -> None:
        self._many, self.bits = many, bits
        with ctx.workprec(bits):
            self._c = arb(simple(c))
            self._step = arb(simple(2 * math.pi / contour.period))
            self._further = arb(simple(contour.further, 8))
            self._x = self._c + fmpq(1, 2)
            y = self._x * many.a
            self._cosh, self._sinh = y.cosh(), y.sinh()
            self._whole = 2 * self._cosh + self._sinh / self._x
            self._scale = many.whole(self._c)
            self._starts, self._values = self._sampled(self._blocks(contour), deadline)
            self._beyond = many.whole(self._c + self._further)

    def _blocks(self, contour: Contour) -> list[tuple[int, int]]:
        """Runs of points, first and last, around the peaks; what lies between and after them is bounded."""
        step, spacing = float(self._step), math.pi / float(arb(self._many.a))
        runs: list[tuple[int, int]] = []
        for m, width in enumerate(contour.widths):
            first = max(0, math.ceil((m * spacing - width) / step))
            last = max(first, math.floor((m * spacing + width) / step))
            if runs and first <= runs[-1][1] + 3:
                runs[-1] = (runs[-1][0], last)
            else:
                runs.append((first, last))
        end = max(runs[-1][1], math.floor((len(contour.widths) * spacing - contour.widths[-1]) / step))
        with ctx.workprec(_BITS):
            left_out = arb(0)
            ends = [*runs, (end + 1, end + 1)]
            for (_, before), (after, _) in pairwise(ends):
                if after - before > 1:
                    left_out += (after - before - 1) * self._in_a_gap(before + 1, after - 1)
            left_out += self._after(end)
            self._left_out = left_out.upper()
        if not self._left_out.is_finite():
            raise TooCostly("what the contour leaves out cannot be bounded")
        return runs

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
        return self._many.most(atoms, atoms / (2 * t)) / (self._step * t * (few + 1))

    def _sampled(self, runs: list[tuple[int, int]], deadline: Deadline) -> tuple[list[int], acb_mat]:
        """R/(N(x)^T s(s+1)) at the points, in rows of one length, and where each row starts."""
        length = max(32, math.isqrt(sum(last - first + 1 for first, last in runs)))
        starts, rows = [], []
        for first, last in runs:
            for start in range(first, last + 1, length):
                deadline.check()
                row = [self._value(k) for k in range(start, min(start + length, last + 1))]
                starts.append(start)
                rows.append(row + [acb(0)] * (length - len(row)))
        self._length = length
        return starts, acb_mat(rows)

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
        return (value / 2 if k == 0 else value) / (z * z - fmpq(1, 4))

    @cached_property
    def _ways(self) -> list[arb]:
        ways = [arb(1)]
        for k in range(self._many.few - 1):
            ways.append(ways[-1] * (self._many.steps - k) / (k + 1))
        return ways

    def delta(self, epsilon: arb) -> arb:
        """The part of delta(epsilon), enclosed."""
        with ctx.workprec(self.bits):
            c, step = self._c, self._step
            angle = step * epsilon
            fine = acb_mat([[_turned(-angle * k)] for k in range(self._length)])
            rows = (self._values * fine).entries()
            found = arb(0)
            for start, row in zip(self._starts, rows, strict=True):
                found += (row * _turned(-angle * start)).real
            slack = self._left_out
            rule = (found + arb(0, slack)) * self._scale * (-c * epsilon).exp() * step / arb.pi()
            aliases = (self._below() + self._above(epsilon)).upper()
            return clipped((rule - aliases).union(rule))

    def _below(self) -> arb:
        """The aliases of smaller epsilon: the part is at most 1 there."""
        return 1 / ((self._c * 2 * arb.pi() / self._step).exp() - 1)

    def _above(self, epsilon: arb) -> arb:
        """The aliases of larger epsilon: Chernoff's bound further to the right."""
        beyond = self._c + self._further
        bound = self._beyond * (-beyond * epsilon).exp() * largest_share(beyond)
        return bound / ((self._further * 2 * arb.pi() / self._step).exp() - 1)


def _turned(angle: arb) -> acb:
    sine, cosine = angle.sin_cos()
    return acb(cosine, sine)
