"""Few Laplace steps on samples: the expansion of the moment function at infinity as sums, the rest by an integral.

Where all losses may well be atoms, the moment function M(s)^T of T steps does not fall along a contour.  With
w = 1/(s + shift) and the polynomials of `sampled_laplace_ends`, it is (exp(s high) alpha(w) + exp(s low) beta(w))^T
but for what falls fast.  The terms up to w^order of that belong to sums of truncated powers of the losses of atoms less
epsilon; M(s)^T less these terms falls like w^(order + 1) and is integrated (docs/accounting-bounds.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import acb, acb_series, arb, arb_series, ctx, fmpq

from dpsym.accounting.chernoff import Exponential, chernoff, log_share, simple
from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.inversion.bromwich import Aliases, TrapezoidalSum, after, clipped
from dpsym.accounting.inversion.contour import FURTHER, Contour, spaced
from dpsym.accounting.inversion.saddle_point import Saddle
from dpsym.accounting.laplace.finite_sums import binomial
from dpsym.accounting.moments.sampled_laplace import SampledLaplaceMoment
from dpsym.accounting.moments.sampled_laplace_ends import ends
from dpsym.core.deadline import Deadline, TooCostly

_ORDERS, _SHIFTS = (4, 8, 12, 16, 24, 32), (0.0, 1.0, 4.0, 16.0)  # shifts as multiples of c
_NEARER = (0.9, 0.7, 0.5, 0.3, 0.1)  # the same: rates at which aliases of smaller epsilon are bounded
_APART = 5.0  # minus the logarithm of the share of the error that aliases have, which are of both signs
_RATIOS = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0)  # by which w in a majorant exceeds its largest value, see `left_out`
_LONGER, _MORE = 1.3, 2  # how the end of the contour is sought; orders beyond the one that is summed
_MOST_POINTS, _MOST_TERMS = 20_000, 60_000  # of the contour, and of the sums: a few seconds at most
_POINT, _POWER, _TERM = 60.0, 3.0, 6.0  # microseconds, roughly


@dataclass(frozen=True, slots=True)
class Plan:
    """How M(s)^T is split and integrated.

    Attributes:
        order, shift: of the expansion.
        contour: none where a bound of what is left out is enough.
        ratio: by how much w in the majorant exceeds its largest value where that is used.
        size: the logarithm of the expansion's majorant at c, relative to M(c)^T.
        cost: in microseconds, very roughly.
    """

    order: int
    shift: fmpq
    contour: Contour | None
    ratio: float
    size: float
    cost: float


class Expanded:
    """M(s)^T of `steps` steps, its expansion up to w^order, and bounds of both, at the working precision."""

    def __init__(self, moment: SampledLaplaceMoment, steps: int, order: int, shift: fmpq) -> None:
        self.moment, self.steps, self.order, self.shift = moment, steps, order, arb(shift)
        self.ends = ends(moment.a, moment.q, moment.adding, order + _MORE, self.shift)

    def majorant(self, c: arb) -> arb:
        """The expansion at c > 0 with all terms made positive, of all orders: no less than of some."""
        return self.ends.majorant(c, 1 / (c + self.shift)) ** self.steps

    def chernoff(self, c: arb) -> Exponential:
        """A bound of |delta - delta of the expansion| at every epsilon, c > 0."""
        return chernoff(self.moment.at(c) ** self.steps + self.majorant(c), c)

    def left_out(self, c: arb, w: arb, ratio: arb, mass: arb) -> tuple[arb, arb]:
        """Bounds of |M^T - expansion| for |1/(s + shift)| <= w, relative to mass^T, mass = M(c).

        The first is of terms of higher order, and falls with w^(order + 1), the second of the error of the expansion.
        """
        dropped = (self.ends.majorant(c, w * ratio) / mass) ** self.steps / ratio ** (self.order + 1)
        rest = self.ends.rest(c, w) / mass
        size = self.ends.majorant(c, w) / mass + rest
        return dropped, self.steps * rest * size ** (self.steps - 1)

    def beyond(self, c: arb, t: arb, step: arb, ratio: arb, mass: arb) -> arb:
        """A bound of the sum of |M^T - expansion|/|s(s + 1)| over the points after t, relative to mass^T."""
        dropped, changed = (size / (t * t) for size in self.left_out(c, 1 / t, ratio, mass))
        return after(t, dropped, self.order + 3, step) + after(t, changed, self.order + _MORE + 2, step)

    def anywhere(self, c: arb, epsilon: arb, ratio: arb, mass: arb) -> arb:
        """A bound of |delta - delta of the expansion|: the integral of 1/|s(s+1)| is at most pi/c."""
        dropped, changed = self.left_out(c, 1 / (c + self.shift), ratio, mass)
        return (dropped + changed) * mass**self.steps * (-c * epsilon).exp() / (2 * c)


def planned(moment: SampledLaplaceMoment, steps: int, at: Saddle, accuracy: float) -> Plan:
    """The cheapest plan around the saddle point.

    Raises:
        TooCostly: where there is none within reason.
    """
    found: list[Plan] = []
    unit = -math.log(at.c) - math.log1p(at.c) - math.log(2 * math.pi * at.curvature) / 2
    with ctx.workprec(ROUGH_BITS):
        mass = moment.at(arb(simple(at.c)))
        rates = [*(at.c * (1 + f) for f in FURTHER), *(at.c * f for f in _NEARER)]
        masses = [steps * moment.cumulants(d)[0] for d in rates]
        for order in _ORDERS:
            if order * steps > _MOST_TERMS:
                break
            for factor in _SHIFTS:
                shift = simple(max(factor * at.c, 2.0))
                expanded = Expanded(moment, steps, order, shift)
                size = max(0.0, _log(expanded.majorant(arb(at.c))) - steps * _log(mass))
                cost = _TERM * steps * order
                sure = [(_log(expanded.anywhere(arb(at.c), arb(at.epsilon), arb(x), mass)), x) for x in _RATIOS]
                if min(sure)[0] < at.log_delta - accuracy - 1:
                    found.append(Plan(order, shift, None, min(sure)[1], size, cost))
                    break
                try:
                    end, ratio = _end(expanded, at.c, mass, unit - accuracy - 3)
                    majorants = (_log(expanded.majorant(arb(d))) for d in rates)
                    sizes = (max(x, y) + log_share(d) for d, x, y in zip(rates, masses, majorants, strict=True))
                    bounds = zip(rates, sizes, strict=True)
                    period, further, nearer = spaced(at.c, at.epsilon, accuracy + _APART - at.log_delta, bounds)
                except (TooCostly, OverflowError, ValueError):
                    continue
                work = (_POINT + _POWER * order) * (1 + size / 200)
                contour = Contour(at.c, period, further, nearer, end, accuracy - unit + math.log(steps) + 5, work)
                if contour.cost <= _MOST_POINTS * work:
                    found.append(Plan(order, shift, contour, ratio, size, cost + contour.cost))
    if not found:
        raise TooCostly("the expansion of the moments is of no use")
    return min(found, key=lambda plan: plan.cost)


def _log(value: arb) -> float:
    return float(value.upper().log())


def _end(expanded: Expanded, c: float, mass: arb, aim: float) -> tuple[float, float]:
    """How far up what is left out is as little as that, and the best ratio in its bound there."""
    law, steps, order = expanded.ends, expanded.steps, expanded.order
    high = [float(abs(x) * (c * law.high).exp() / mass) for x in law.alpha]
    low = [float(abs(x) * (c * law.low).exp() / mass) for x in law.beta]
    both = [x + y for x, y in zip(high, low, strict=True)]
    spread = _log(law.spread * (c * law.high).exp() / mass) + math.log(steps)

    def log_majorant(w: float) -> float:
        total = 0.0
        for x in reversed(both):
            total = total * w + x
        return steps * math.log(total)

    t = 1 / float(law.high - law.low)
    while t < 1e12:
        dropped, ratio = min((log_majorant(x / t) - (order + 1) * math.log(x), x) for x in _RATIOS)
        changed = spread - (order + _MORE) * math.log(t) + log_majorant(1 / t)
        if max(dropped, changed) - math.log(t * math.pi * (order + 2)) + 1 <= aim:
            return t, ratio
        t *= _LONGER
    raise TooCostly("the expansion of the moments converges too slowly")


class SampledLaplaceSteps:
    """delta(epsilon) of equal sampled Laplace steps for epsilon near where the saddle point `at` lies.

    Raises:
        TooCostly: where the expansion is of no use.
        OutOfTime: at the deadline.
    """

    def __init__(
        self, moment: SampledLaplaceMoment, steps: int, at: Saddle, accuracy: float, deadline: Deadline
    ) -> None:
        self.plan = plan = planned(moment, steps, at, accuracy)
        needed = accuracy + math.log(at.c) + math.log1p(at.c) + math.log(2 * math.pi * at.curvature) / 2
        self.bits = math.ceil((needed + 1.5 * plan.size) / math.log(2) + math.log2(steps)) + 80
        with ctx.workprec(self.bits):
            self._expanded = Expanded(moment, steps, plan.order, plan.shift)
            self._c = arb(simple(at.c))
            if plan.contour is None:
                self._mass = moment.at(self._c)
            else:
                self._integrated(plan.contour, deadline)
            self._points = self._summed(deadline)

    def _integrated(self, contour: Contour, deadline: Deadline) -> None:
        expanded, steps = self._expanded, self._expanded.steps
        c, step = self._c, arb(contour.step)
        ((_, last),) = contour.runs()
        self._mass, ratios = expanded.moment.along(c, step, last, contour.accuracy, deadline)
        values = []
        for k, ratio in enumerate(deadline.watched(ratios)):
            s = acb(c, k * step)
            values.append((ratio**steps - self._expansion(s)) / (s * (s + 1)))
        left_out = expanded.beyond(c, last * step, step, arb(self.plan.ratio), self._mass).upper()
        self._rule = TrapezoidalSum(c, step, [(0, values)], left_out, self._mass**steps)
        above, below = (expanded.chernoff(arb(rate)) for rate in contour.rates)
        self._aliases = Aliases(c, 2 * arb.pi() / step, above, below, signed=True)

    def _expansion(self, s: acb) -> acb:
        """The terms up to the order, relative to M(c)^T."""
        law, order = self._expanded.ends, self._expanded.order
        first, second = (s * law.high).exp() / self._mass, (s * law.low).exp() / self._mass
        terms, power = [], acb(1)
        w = 1 / (s + self._expanded.shift)
        for x, y in zip(law.alpha[: order + 1], law.beta[: order + 1], strict=True):
            terms.append((first * x + second * y) * power)
            power *= w
        whole = _power(acb_series(terms, prec=order + 1), self._expanded.steps, order + 1)
        return sum((whole[i] for i in range(order + 1)), acb(0))

    def _summed(self, deadline: Deadline) -> list[tuple[arb, list[arb]]]:
        """Points x_j, and the coefficients of exp(s x_j) w^i in the expansion, from the largest x_j downwards."""
        law, order, steps = self._expanded.ends, self._expanded.order, self._expanded.steps
        one = arb_series([1], prec=order + 1)
        first, second = (arb_series(side[: order + 1], prec=order + 1) for side in (law.alpha, law.beta))
        before, ctx.cap = ctx.cap, order + 1
        try:
            high, low = [one], [one]
            for _ in range(steps):
                deadline.check()
                high.append(high[-1] * first)
                low.append(low[-1] * second)
            points = []
            for j in range(steps + 1):
                product = high[steps - j] * low[j] * binomial(steps, j)
                points.append(((steps - j) * law.high + j * law.low, [product[i] for i in range(order + 1)]))
        finally:
            ctx.cap = before
        return points

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon), enclosed; narrow only near the epsilon that the contour is for."""
        with ctx.workprec(self.bits):
            total = arb(0)
            for point, coefficients in self._points:
                reach = point - epsilon
                if reach <= 0:
                    break
                kernels = truncated(reach.nonnegative_part(), self._expanded.order, self._expanded.shift)
                total += sum((x * y for x, y in zip(coefficients, kernels, strict=True)), arb(0))
            return clipped(total + self._rest(epsilon))

    def _rest(self, epsilon: arb) -> arb:
        """delta less that of the expansion."""
        if self.plan.contour is None:
            ratio = arb(self.plan.ratio)
            return arb(0, self._expanded.anywhere(self._c, epsilon, ratio, self._mass).upper())
        return self._aliases.taken_from(self._rule.at(epsilon), epsilon)


def truncated(b: arb, order: int, shift: arb) -> list[arb]:
    """K_i(b) for i = 0..order, of transform 1/(s (s+1) (s+shift)^i) = 1/(s (s+shift)^i) - 1/((s+1) (s+shift)^i)."""
    whole, faded = _gamma(b, order, shift, arb(1)), _gamma(b, order, shift - 1, (-b).exp())
    return [x - y for x, y in zip(whole, faded, strict=True)]


def _gamma(b: arb, order: int, rate: arb, factor: arb) -> list[arb]:
    """G_i = factor exp(-rate b) times the sum over n >= i of rate^(n - i) b^n/n!, i = 0..order, rate > 0.

    G_0 = factor and G_i = rate G_(i+1) + factor exp(-rate b) b^i/i!: from the last one down all terms are positive.
    """
    falling = [factor * (-rate * b).exp()]
    for i in range(1, order + 1):
        falling.append(falling[-1] * b / i)
    found = [factor]
    if rate * b > order:
        for i in range(order):
            found.append((found[-1] - falling[i]) / rate)
        return found
    total = term = falling[order]
    n, tiny = order, arb(2) ** (-ctx.prec - 10)
    while True:
        n += 1
        term *= rate * b / n
        if 2 * rate * b < n and not term > tiny * total:  # the ratio of terms is less than 1/2 from here
            break
        total += term
    found = [total + arb(0).union(2 * term)]
    for i in range(order - 1, -1, -1):
        found.append(rate * found[-1] + falling[i])
    return found[::-1]


def _power(series: acb_series, count: int, cap: int) -> acb_series:
    """A power by squaring, cut off."""
    before, ctx.cap = ctx.cap, cap
    try:
        result = acb_series([1], prec=cap)
        while count:
            if count & 1:
                result = result * series
            count >>= 1
            if count:
                series = series * series
        return result
    finally:
        ctx.cap = before
