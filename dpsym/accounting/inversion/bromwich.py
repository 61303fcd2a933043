"""The privacy profile of a composition by the Bromwich integral, with every error enclosed.

For c > 0, delta(epsilon) = (1/2 pi i) times the integral over Re s = c of exp(-s epsilon) M(s)/(s(s+1)), where M is
the product of the steps' moment functions.  The trapezoidal rule errs to one side only; truncation, quadrature and
rounding are bounded (docs/accounting.md has the proofs).
"""

from __future__ import annotations

import math

from flint import acb, acb_mat, arb, ctx

from dpsym.accounting.chernoff import largest_share, simple
from dpsym.accounting.inversion.contour import Contour, Parts
from dpsym.core.deadline import Deadline


class Inversion:
    """delta(epsilon) of a composition for epsilon near that which the contour is for.

    Args:
        parts: moment functions, each with how many steps have it.
        contour: along which it is integrated, and how accurately.
        deadline: when to give up.

    Raises:
        TooCostly: where the integral would need too many points.
        OutOfTime: at the deadline.
    """

    def __init__(self, parts: Parts, contour: Contour, deadline: Deadline) -> None:
        self._parts = parts
        steps = sum(count for _, count in parts)
        self.bits = math.ceil((contour.accuracy + math.log(steps)) / math.log(2)) + 40
        with ctx.workprec(self.bits):
            self._c = arb(simple(contour.c))
            self._place(contour)
            self._further = arb(simple(contour.further - contour.c, 8))
            self._back = arb(simple(contour.back, 8)) if contour.back else None
            deadline.check()
            self._values = self._sample(contour.accuracy, deadline)
            self._rows = _folded(self._values)
            self._bound_the_rest()

    def _place(self, contour: Contour) -> None:
        """The distance of points, and how many there are."""
        self._step = arb(simple(2 * math.pi / contour.period))
        self._count = max(1, math.ceil(contour.end / float(self._step)))

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
        for moment, times in self._parts:
            fall *= moment.decay(c).bound(count * step) ** times
        self._truncated = (fall / (step * step * count)).upper()
        self._bound_the_aliases()

    def _bound_the_aliases(self) -> None:
        beyond, back = self._c + self._further, self._back
        self._log_beyond = sum((times * moment.at(beyond).log() for moment, times in self._parts), arb(0))
        self._log_behind, self._covered = arb(0), arb(1)
        for moment, times in self._parts:
            self._covered *= moment.covered**times
        if back is not None:
            self._log_behind = sum((times * moment.reverse.at(back).log() for moment, times in self._parts), arb(0))

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon), enclosed; narrow only near the epsilon that the contour is for."""
        with ctx.workprec(self.bits):
            c, step = self._c, self._step
            angle = step * epsilon
            rows = self._rows * acb_mat([[_turned(angle, k)] for k in range(self._rows.ncols())])
            found = -self._values[0].real / 2
            for m, row in enumerate(rows.entries()):
                found += (row * _turned(angle, m * self._rows.ncols())).real
            scale = (self._log_scale - c * epsilon).exp() * step / arb.pi()
            rule = (found + arb(0, self._truncated)) * scale
            known, rest = self._below(epsilon)
            aliases = (rest + self._above(epsilon)).upper()
            return clipped((rule - known - aliases).union(rule - known))

    def _below(self, epsilon: arb) -> tuple[arb, arb]:
        """The aliases of smaller epsilon: what is known of them, and what there may be besides.

        delta(y) is 1 - exp(y) M(-1) and E(exp(y - L) - 1)_+ more, which Chernoff's bound of the reversed pair bounds.
        """
        period = 2 * arb.pi() / self._step
        whole = 1 / ((self._c * period).exp() - 1)
        if self._back is None:
            return arb(0), whole
        known = whole - self._covered * epsilon.exp() / (((1 + self._c) * period).exp() - 1)
        beyond = 1 + self._back
        bound = (self._log_behind + beyond * epsilon).exp() * largest_share(self._back)
        return known, bound / (((self._c + beyond) * period).exp() - 1)

    def _above(self, epsilon: arb) -> arb:
        """The aliases of larger epsilon: Chernoff's bound further to the right."""
        period = 2 * arb.pi() / self._step
        beyond = self._c + self._further
        bound = (self._log_beyond - beyond * epsilon).exp() * largest_share(beyond)
        return bound / ((self._further * period).exp() - 1)


def _folded(values: list[acb]) -> acb_mat:
    """The values row by row, in about as many rows as columns."""
    width = math.isqrt(len(values)) + 1
    rows = [values[i : i + width] for i in range(0, len(values), width)]
    rows[-1] += [acb(0)] * (width - len(rows[-1]))
    return acb_mat(rows)


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
