"""Equal Laplace steps of which few lose neither the most nor the least: finite sums.

With a = shift/scale, one step has, under the measure exp(-L/2) dP and times 2 exp(a/2), atoms of mass 1 at a and -a
and the density 1/2 between.  Of T steps let k lie between the atoms: T - k signs, of which j are negative, and k
uniform variables.  The part of delta(epsilon) with k < few is

    exp((epsilon - aT)/2) 2^-T  sum over k < few and j of C(T, k) C(T - k, j) g_k(a(T - k - 2j) - epsilon),
    g_k(y) = the mean of (2 sinh((y + V)/2))_+ times a^k, V a sum of k uniform variables on [-a, a].

For y >= ka, g_k(y) = (2 sinh(a/2))^k 2 sinh(y/2), summed as it falls; otherwise g_k is an alternating sum of few
iterated integrals of the hyperbolic sine (docs/accounting.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import arb, arb_poly, ctx, fmpq, fmpz_poly

from dpsym.core.clocks import charge
from dpsym.core.deadline import Deadline

_CHECK = 8  # terms of a geometric tail between looks at how small it is
_LOOK = 4096  # terms between looks at the clock
_TERM = 7e-7  # seconds for one of them, roughly
_EXACT = 3000  # steps up to which binomial coefficients are computed as integers


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
        deadline: when to give up.
    """

    def __init__(self, a: fmpq, steps: int, few: int, deadline: Deadline) -> None:
        if not 0 < few <= steps + 1:
            raise ValueError(f"few = {few} is not between 1 and {steps + 1}")
        self._a, self._steps, self._few, self._deadline = a, steps, few, deadline
        self._cells: dict[tuple[int, int, int], _Cell] = {}

    def delta(self, epsilon: arb) -> arb:
        """The part, enclosed at the working precision.

        Raises:
            OutOfTime: at the deadline.
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
        for k in range(min(self._few, sure + 1)):
            high = _falling(sure - k, steps - sure, grown, self._deadline)
            low = _falling(sure - k, steps - sure, 1 / grown, self._deadline)
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
            self._deadline.check()
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


def _falling(j: int, others: int, factor: arb, deadline: Deadline) -> arb:
    """1 + r_0 + r_0 r_1 + ... with r_i = factor (j - i)/(others + i + 1), which decreases and ends at i = j."""
    total = term = arb(1)
    tiny = arb(2) ** -(ctx.prec + 5)
    for i in range(j):
        if i % _LOOK == 0:
            charge(_LOOK * _TERM)  # operators are no calls
            deadline.check()
        ratio = factor * (j - i) / (others + i + 1)
        if i % _CHECK == 0 and ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest < tiny * total:
                return total + arb(0).union(rest)
        term *= ratio
        total += term
    return total


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
    for i in (count, count + 1):
        scaled[i] = 2 * _exponential_tail(powers[i], half, i + 1)
    for i in range(count - 1, -1, -1):
        scaled[i] = scaled[i + 2] + 2 * powers[i]
    return scaled[: count + 1]


def _exponential_tail(first: arb, x: arb, power: int) -> arb:
    """The sum of x^m/m! over m = power, power + 2, ..., of which `first` is the first term; x >= 0."""
    total, term, m = first, first, power
    tiny = arb(2) ** (-ctx.prec - 10)
    while True:
        ratio = x * x / ((m + 1) * (m + 2))
        term *= ratio
        m += 2
        if ratio < fmpq(1, 2) and not term > tiny * total:
            # the later ratios are smaller still: what follows is at most the term again
            return total + (2 * term).union(arb(0))
        total += term
