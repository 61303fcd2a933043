"""The privacy profile of equal Laplace steps as a finite sum, where few steps lose neither the most nor the least.

With a = shift/scale, one step has, under the measure exp(-L/2) dP and times 2 exp(a/2), atoms of mass 1 at a and -a
and the density 1/2 between.  Of T steps let k lie between the atoms: T - k signs, of which j are negative, and k
uniform variables.  The part of delta(epsilon) with k < few is

    exp((epsilon - aT)/2) 2^-T  sum over k < few and j of C(T, k) C(T - k, j) g_k(a(T - k - 2j) - epsilon),
    g_k(y) = the mean of (2 sinh((y + V)/2))_+ times a^k, V a sum of k uniform variables on [-a, a].

For y >= ka, g_k(y) = (2 sinh(a/2))^k 2 sinh(y/2), summed as it falls; otherwise g_k is an alternating sum of few
iterated integrals of the hyperbolic sine.  The part with k >= few is bounded by Chernoff's bound: tilted by exp(cL),
it is less than C(T, few) p^few of all, p the share between the atoms of one step (docs/accounting.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import arb, arb_poly, ctx, fmpq, fmpz_poly

from dpsym.accounting.bounds import Bounds, crossing, endpoints
from dpsym.accounting.chernoff import chernoff, log_of, log_share, simple
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw
from dpsym.accounting.query import EXACT_SUM, GRACE, Found, Question
from dpsym.core.clocks import charge
from dpsym.core.deadline import TooCostly, check, portion, timed

_SPARE = (0, 64, 512, 4096)  # bits, at each attempt
_NEAR = 0.999  # of the largest loss
_MOST_FEW = 2.7  # for each unit of accuracy: where more would be summed the integral is quicker
_STEEPEST = 1e8  # a saddle point from which on floats do not tell epsilon from the largest loss
_FEW = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 56, 64, 96, 128, 192, 256)  # the first that is enough is summed
_MOST_INTEGRALS = 5_000  # at each epsilon, where all steps are summed: some milliseconds
_CHECK = 8  # terms of a geometric tail between looks at how small it is
_LOOK = 4096  # terms between looks at the clock
_TERM = 7e-7  # seconds for one of them, roughly
_EXACT = 3000  # steps up to which binomial coefficients are computed as integers


def by_laplace_sum(question: Question, found: Found) -> None:
    """Narrow what is found of equal Laplace steps; more accurate at each attempt.

    Lattices know eight digits, but take a hundred times as long: too long for calibrations and curves.

    Raises:
        TooCostly: for other steps, and where too many losses lie between the atoms: then the integral is the way.
        OutOfTime: when there is no time left.
    """
    (law, count), *others = question.laws
    if not isinstance(law, LaplaceLaw) or others:
        raise TooCostly("the steps are no equal Laplace steps")
    margin = 3.0
    for spare in _SPARE:
        at = _saddle(question)
        accuracy = margin - math.log(question.relative)
        if question.delta is not None:
            accuracy -= math.log(min(1.0, max(at.epsilon * at.c, 1e-6)))
        steps = LaplaceSteps(law, count, at, accuracy)
        with ctx.workprec(steps.bits + spare):
            if question.epsilon is not None:
                bounds = endpoints(steps.profile(arb(question.epsilon)))
            else:
                bounds = _crossing(steps, question, at, count * law.a)
        found.improve(bounds, EXACT_SUM, question)
        if found.finished:
            return
        check()
        margin = 2 * margin + 5


def _saddle(question: Question) -> Saddle:
    if question.epsilon is not None:
        return saddle_of_epsilon(question.laws, abs(float(arb(question.epsilon))))
    at = saddle_of_delta(question.laws, log_of(question.delta))
    return at if at.epsilon > 0 else saddle_of_epsilon(question.laws, 0.0)


def _crossing(steps: LaplaceSteps, question: Question, at: Saddle, most: fmpq) -> Bounds:
    """epsilon, which is no more than the largest loss; near that the profile falls too steeply for a search."""
    value, largest = arb(question.delta), arb(most)
    if at.epsilon > _NEAR * float(largest):
        below = (largest * (1 - question.relative / 2)).lower()
        if steps.delta(below) >= value:
            return Bounds(below, largest.upper())
    with timed(portion(1, GRACE)):
        bounds = crossing(steps.delta, value, at.epsilon, at.c, question.relative)
    return bounds if bounds.upper <= most else Bounds(bounds.lower, largest.upper())


class LaplaceSteps:
    """delta(epsilon) of equal Laplace steps for epsilon near where `at` lies.

    Args:
        law: of one step.
        count: how many steps.
        at: the saddle point.
        accuracy: minus the logarithm of the relative error that is aimed at.
        few: how many of the losses between the atoms are summed; as few as the accuracy asks for unless given.

    Raises:
        TooCostly: where they are too many.
    """

    def __init__(self, law: LaplaceLaw, count: int, at: Saddle, accuracy: float, few: int | None = None) -> None:
        self._law, self._steps, self._c = law, count, simple(at.c)
        a = float(arb(law.a))
        log_unit = -math.log(at.c) - math.log1p(at.c) - math.log(2 * math.pi * at.curvature) / 2
        self.few = _enough(a, count, at, log_unit, accuracy) if few is None else few
        self._terms = Terms(law.a, count, self.few)
        size = math.log2(count * (1 + a * (1 + at.c)) + 1)
        reach = max(0.0, (count - at.epsilon / a) / 2)
        self.bits = math.ceil((accuracy - log_unit) / math.log(2) + size) + 40
        self.bits += math.ceil(3 * min(self.few, 2 * reach + 2))  # what cancels in the sums

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon) for epsilon >= 0, enclosed at the working precision."""
        total = self._terms.delta(epsilon)
        if self.few <= self._steps:
            total += arb(0).union(self.rest(epsilon).upper().min(arb(1)))
        return total

    def rest(self, epsilon: arb) -> arb:
        """A bound of what is not summed."""
        c, x = arb(self._c), self._c + fmpq(1, 2)
        between = (x * arb(self._law.a)).tanh() / (2 * x)
        share = binomial(self._steps, self.few) * (between / (1 + between)) ** self.few
        return chernoff(moment_of(self._law).at(c) ** self._steps * share.min(arb(1)), c).at(epsilon)

    def profile(self, epsilon: arb) -> arb:
        """delta(epsilon) for any epsilon: the losses are symmetric, H_u = 1 - u + u H_(1/u)."""
        if epsilon < 0:
            return 1 - epsilon.exp() * (1 - self.delta(-epsilon))
        return self.delta(epsilon)


def _enough(a: float, steps: int, at: Saddle, log_unit: float, accuracy: float) -> int:
    """How many are to be summed until Chernoff's bound of the rest is negligible.

    `log_unit` is the logarithm of delta relative to M(c) exp(-c epsilon).
    """
    between = math.tanh((at.c + 0.5) * a) / (2 * at.c + 1)
    share = math.log(between) - math.log1p(between)
    for few in _FEW if at.c < _STEEPEST else ():
        ways = math.lgamma(steps + 1) - math.lgamma(few + 1) - math.lgamma(max(steps - few, 0) + 1)
        if few > min(steps, _MOST_FEW * accuracy):
            break
        if ways + few * share + log_share(at.c) <= log_unit - accuracy - 1:
            return few
    if steps * min(steps, (steps - at.epsilon / a) / 2 + 2) > _MOST_INTEGRALS:
        raise TooCostly("many losses lie between the atoms")
    return steps + 1


@dataclass(frozen=True, slots=True)
class _Cell:
    """What does not depend on where epsilon lies between two points b_l = a(T - 2l).

    Attributes:
        up, down: the sums over signs of exp(x/2) and exp(-x/2) for the points x at and above which g_k is closed.
        first: the least l in `edges`.
        edges: for each k the coefficients of 2^-k J_k(b_l - epsilon).
    """

    up: arb
    down: arb
    first: int
    edges: list[list[arb]]


class Terms:
    """The part of delta(epsilon) of `steps` Laplace steps where fewer than `few` losses lie between the atoms.

    Args:
        a: shift/scale.
        steps: how many, T.
        few: at most T + 1, which is everything.
    """

    def __init__(self, a: fmpq, steps: int, few: int) -> None:
        if not 0 < few <= steps + 1:
            raise ValueError(f"few = {few} is not between 1 and {steps + 1}")
        self._a, self._steps, self._few = a, steps, few
        self._cells: dict[tuple[int, int, int], _Cell] = {}

    def delta(self, epsilon: arb) -> arb:
        """The part, enclosed at the working precision.

        Raises:
            OutOfTime: when there is no time left.
        """
        least = (self._steps - epsilon / self._a) / 2  # b_l > epsilon for l below this
        last = min(int(least.upper().floor().unique_fmpz()), self._steps)
        sure = min(int(least.lower().floor().unique_fmpz()), self._steps)
        if last < 0:
            return arb(0)
        cell = self._cell(sure, last)
        total = cell.up * (-epsilon / 2).exp() - cell.down * (epsilon / 2).exp()
        for place in range(cell.first, last + 1):
            reach = (self._a * (self._steps - 2 * place) - epsilon).nonnegative_part()
            for k, integral in enumerate(integrals(reach, self._few - 1)):
                total += cell.edges[k][place - cell.first] * integral
        scale = ((epsilon - self._a * self._steps) / 2).exp() / arb(2) ** self._steps
        return (total * scale).nonnegative_part()

    def _cell(self, sure: int, last: int) -> _Cell:
        key = sure, last, ctx.prec
        if key not in self._cells:
            if len(self._cells) > 8:
                self._cells.clear()
            up, down = self._closed(sure)
            first = max(0, sure - self._few + 2)
            self._cells[key] = _Cell(up, down, first, self._edges(first, sure, last))
        return self._cells[key]

    def _closed(self, sure: int) -> tuple[arb, arb]:
        """Where all of the uniform variables' sum is above epsilon: j <= sure - k negative signs.

        C(T, k) C(T - k, j) = C(T, sure) C(sure, k) at j = sure - k; from there j falls.
        """
        up = down = arb(0)
        if sure < 0:
            return up, down
        steps, a = self._steps, arb(self._a)
        grown, uniform = a.exp(), 2 * (a / 2).sinh()
        weight = binomial(steps, sure)
        count = min(self._few, sure + 1)
        sums = [_falling(sure, count, steps - sure, factor) for factor in (grown, 1 / grown)]
        for k, high, low in zip(range(count), *sums, strict=True):
            top = (a * (steps - 2 * sure + k) / 2).exp()
            up += weight * high * top
            down += weight * low / top
            weight *= uniform * (sure - k) / (k + 1)
        return up, down

    def _edges(self, first: int, sure: int, last: int) -> list[list[arb]]:
        """For each k the sums over j = sure - k + 1..last and i, l = j + i, of C(T, k) C(T - k, j) (-1)^i C(k, i)."""
        ways = binomial(self._steps, first)
        weights: list[list[arb]] = []  # at j - first, for each k: C(T, j) C(T - j, k)
        for j in range(first, last + 1):
            row, weight = [], ways
            for k in range(self._few):
                row.append(weight)
                weight = weight * (self._steps - j - k) / (k + 1)
            weights.append(row)
            ways = ways * (self._steps - j) / (j + 1)
        edges = []
        signs = fmpz_poly([1])
        for k in range(self._few):
            check()
            begin = max(sure - k + 1 - first, 0)
            counted = [arb(0)] * min(begin, len(weights)) + [row[k] for row in weights[begin:]]
            product = arb_poly(counted) * arb_poly(signs.truncate(len(weights)))
            edges.append([product[i] for i in range(len(weights))])
            signs *= fmpz_poly([1, -1])
        return edges


def binomial(n: int, k: int) -> arb:
    """C(n, k), also of large numbers."""
    if n <= _EXACT:
        return arb(math.comb(n, k))
    with ctx.extraprec(math.ceil(math.log2(n * math.log(n))) + 10):
        return (arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()).exp()


def _falling(most: int, count: int, others: int, factor: arb) -> list[arb]:
    """F(most), F(most - 1), ...: so many of F(j) = 1 + r_0 + r_0 r_1 + ..., r_i = factor (j - i)/(others + i + 1).

    By Pascal's rule (j + others) F(j) = (factor + 1) j F(j - 1) + others, of positive terms; the ratios of the one sum
    that is added up decrease.
    """
    least = most - count + 1
    total = term = arb(1)
    tiny = arb(2) ** -(ctx.prec + 5)
    for i in range(least):
        if i % _LOOK == 0:
            charge(_LOOK * _TERM)  # operators are no calls
            check()
        ratio = factor * (least - i) / (others + i + 1)
        if i % _CHECK == 0 and ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest < tiny * total:
                total += arb(0).union(rest)
                break
        term *= ratio
        total += term
    found = [total]
    for j in range(least + 1, most + 1):
        found.append(((factor + 1) * j * found[-1] + others) / (j + others))
    return found[::-1]


def integrals(b: arb, count: int) -> list[arb]:
    """2^-i J_i(b) for i = 0..count, where J_i is the sum over n of b^(2n+1+i)/((2n+1+i)! 4^n).

    J_i is the i-fold integral of 2 sinh(y/2).  So J_i = J_(i+2)/4 + b^(i+1)/(i+1)!, all terms positive; only the last
    two are summed as series.  Where b is large beside i little cancels in the other direction, from J_0 and J_1.
    """
    half = b / 2
    powers = [half]  # half^(i+1)/(i+1)!
    for i in range(1, count + 2):
        powers.append(powers[-1] * half / (i + 1))
    scaled = [arb(0)] * (count + 3)  # 2^-i J_i = 2 sum over n of half^(2n+1+i)/(2n+1+i)!
    if half > 2 * count + 20:
        scaled[0], scaled[1] = 2 * half.sinh(), 2 * (half.cosh() - 1)
        for i in range(count - 1):
            scaled[i + 2] = scaled[i] - 2 * powers[i]
        return scaled[: count + 1]
    for i in (count, count + 1):  # the series of x^m/m! over m = i + 1, i + 3, ...
        scaled[i] = 2 * powers[i] * (half * half / 4).hypgeom([arb(1)], [arb(i + 2) / 2, arb(i + 3) / 2])
    for i in range(count - 1, -1, -1):
        scaled[i] = scaled[i + 2] + 2 * powers[i]
    return scaled[: count + 1]
