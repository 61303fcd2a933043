"""The privacy losses of log-concave noise on the integers, from a table of its masses.

Shifted by n, the outcome y has the loss log(m(y - n)/m(y)), which grows with y: masses below a loss are masses below
an outcome.  A table ends where what follows is bounded by a geometric series (docs/accounting-bounds.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.lattices.float_sketch import Sketch
from dpsym.accounting.loss_distributions.lattice import Edge, Law, joined
from dpsym.core.deadline import TooCostly
from dpsym.numbers import compiled

_MOST_TERMS = 100_000  # masses of a table, a second
_MOST_BITS = 30_000_000  # of all of them
_RARE_BITS = 400  # by which the last mass of a table is smaller, beyond the working precision


class Noise:
    """Log-concave, symmetric noise on the integers: on all of them, with unbounded losses, unless said otherwise."""

    __slots__ = ()
    coins: int | None = None  # how many integers it has, less one; None for all of them

    @property
    def title(self) -> str:
        """What it is called."""
        return type(self).__name__.removesuffix("Noise")

    def table(self, shift: int) -> Table:
        """Its masses at the working precision, as far out as matters, also when it is shifted.

        Raises:
            TooCostly: for too many of them.
        """
        raise NotImplementedError

    def largest(self) -> arb:
        """The largest loss of it, shifted; may be infinite, and is not a number where it is not known."""
        return arb.pos_inf()


class Table:
    """Masses at first, first + 1, ...; at most `tail` is left out at either end, nothing if it is None."""

    def __init__(self, first: int, masses: Sequence[arb], tail: arb | None) -> None:
        self.first, self.masses, self.whole = first, masses, tail is None
        self.last = first + len(masses) - 1
        self._tail = arb(0) if tail is None else arb(0).union(tail)
        self._above = _running(masses[::-1], self._tail)
        self._below = _running(masses, self._tail)

    def above(self, y: int) -> arb:
        """The probability of y or more."""
        if y > self.last:
            return self._tail
        return self._above[self.last + 1 - y] if y >= self.first else self._above[-1] + self._tail

    def below(self, y: int) -> arb:
        """The probability of less than y."""
        if y < self.first:
            return self._tail
        return self._below[y - self.first] if y <= self.last + 1 else self._below[-1] + self._tail

    def __getitem__(self, y: int) -> arb:
        return self.masses[y - self.first]


def _running(masses: Sequence[arb], start: arb) -> list[arb]:
    sums = [start]
    for mass in masses:
        sums.append(sums[-1] + mass)
    return sums


@dataclass(frozen=True, slots=True)
class SkellamNoise(Noise):
    """The difference of two Poisson counts of mean mu/2: exp(-mu) I_j(mu)."""

    mu: fmpq

    def table(self, shift: int) -> Table:
        """See `Noise`; I_(j-1) = I_(j+1) + (2j/mu) I_j, downwards, so that all terms are positive."""
        mu, reach = self.mu, _reach(float(arb(self.mu)), shift)
        high, higher = ((-arb(mu)).exp() * arb(mu).bessel_i(arb(j)) for j in (reach, reach + 1))
        if not (high > 0 and higher > 0):
            raise TooCostly(f"the masses of Skellam noise of mu = {mu} beyond {reach}")
        ratio = higher / high  # of two that follow each other, which falls
        tail = (higher / (1 - ratio)).upper() if ratio < 1 else arb(1)
        found = [high]
        for j in range(reach, 0, -1):
            higher, high = high, higher + 2 * j / mu * high
            found.append(high)
        return Table(-reach, [*found, *found[-2::-1]], tail)


@dataclass(frozen=True, slots=True)
class BinomialNoise(Noise):
    """The number of heads among fair coins."""

    coins: int

    def table(self, shift: int) -> Table:
        """See `Noise`; from the middle outwards by the ratio (N - j)/(j + 1) of two that follow each other."""
        middle = self.coins // 2
        last = min(self.coins, middle + _reach(self.coins / 4, shift) + 1)
        here = _central(self.coins)
        found = [here]
        for j in range(middle, last):
            here *= fmpq(self.coins - j, j + 1)
            found.append(here)
        if self.coins % 2:  # two in the middle
            masses = [*found[:0:-1], *found[1:]]
            first = self.coins - last
        else:
            masses, first = [*found[:0:-1], *found], self.coins - last
        if last == self.coins:
            return Table(first, masses, None)
        ratio = fmpq(self.coins - last, last + 1)
        return Table(first, masses, (here * ratio / (1 - ratio)).upper())


@dataclass(frozen=True, slots=True)
class FormulaNoise(Noise):
    """Masses on all integers proportional to a formula; log-concave, and the same at n and -n."""

    expression: sp.Expr
    variable: sp.Symbol

    def table(self, shift: int) -> Table:
        """See `Noise`: outwards from 0, until the ratio of two that follow each other, which falls, leaves no tail."""
        tape = compiled((self.expression,), (self.variable,))
        rare = arb(2) ** (-ctx.prec - _RARE_BITS)
        found = [tape([arb(0)])[0]]
        beyond = 0
        while beyond <= 2 * shift + 2:
            found.append(tape([arb(len(found))])[0])
            ratio = found[-1] / found[-2]
            beyond += found[-1] < rare * found[0] and ratio < 1
            if len(found) > _MOST_TERMS or len(found) * ctx.prec > _MOST_BITS:
                raise TooCostly(f"{len(found)} masses of noise on the integers")
        tail = (found[-1] * ratio / (1 - ratio)).upper()
        total = found[0] + 2 * sum(found[1:], arb(0)) + arb(0).union(2 * tail)
        found = [mass / total for mass in found]
        return Table(1 - len(found), [*found[:0:-1], *found], (tail / total).upper())

    def largest(self) -> arb:
        """See `Noise`: how the ratio of two that follow each other ends is not known."""
        return arb.nan()

    @property
    def title(self) -> str:
        """What it is called."""
        return str(self.expression)


def _central(coins: int) -> arb:
    """The mass of coins // 2 heads."""
    if coins <= _MOST_TERMS:
        return arb(fmpz(math.comb(coins, coins // 2))) / arb(2) ** coins
    with ctx.workprec(ctx.prec + 2 * coins.bit_length()):
        n, k = arb(coins), arb(coins // 2)
        return ((n + 1).lgamma() - (k + 1).lgamma() - (n - k + 1).lgamma() - n * arb(2).log()).exp()


def _reach(variance: float, shift: int) -> int:
    """Beyond which, by Bernstein's inequality, far less lies than the working precision sees."""
    rare = 0.7 * (3 * ctx.prec + 200)
    reach = math.ceil(rare / 3 + math.sqrt(rare * rare / 9 + 2 * rare * variance)) + 2 * shift + 2
    if reach > _MOST_TERMS or reach * ctx.prec > _MOST_BITS:
        raise TooCostly(f"{reach} masses of noise on the integers")
    return reach


@dataclass(frozen=True, slots=True)
class IntegerNoiseLaw(Law):
    """Such noise, shifted by n >= 1.

    All its finite losses are atoms, told by the masses below, and not below, a loss.
    """

    noise: Noise
    n: int
    _known: dict[int, _Losses] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return f"{self.noise.title} noise shifted by {self.n}"

    @property
    def has_outcome_without_loss(self) -> bool:
        """Whether the middle between the two answers is an outcome."""
        return (self.n + (self.noise.coins or 0)) % 2 == 0

    def edge(self, loss: arb | fmpq) -> Edge:
        """See `Law`."""
        return self._at_precision().edge(arb(loss))

    def infinite(self) -> arb:
        """See `Law`."""
        return arb(0) if self.noise.coins is None else self._at_precision().only_first

    def largest(self) -> arb:
        """See `Law`; not a number where it is not known."""
        return self.noise.largest()

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Law`."""
        return self._sketch().cumulants(c)

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`: a little beyond the losses at its ends."""
        low, high = self._sketch().reach(c, deviations)
        return low - abs(low) / 2**20, high + abs(high) / 2**20

    def _sketch(self) -> Sketch:
        with ctx.workprec(ROUGH_BITS):
            return self._at_precision().sketch

    def _at_precision(self) -> _Losses:
        if ctx.prec not in self._known:
            self._known[ctx.prec] = _Losses(self.noise, self.n)
        return self._known[ctx.prec]


class _Losses:
    """The outcomes in the table with their losses."""

    def __init__(self, noise: Noise, n: int) -> None:
        self._table, self._n = table, _ = noise.table(n), n
        self._first = table.first + n  # the first outcome that both distributions are known to have
        middle = n + (noise.coins or 0)  # of the two answers, twice: there two equal masses meet
        self._losses = [
            (table[y - n] / table[y]).log() if 2 * y != middle else arb(0) for y in range(self._first, table.last + 1)
        ]
        self.only_first, self._only_second = table.above(table.last - n + 1), table.below(table.first + n)
        if not table.whole:
            unknown = arb(0).union(self.only_first.upper())
            self.only_first = arb(0) if noise.coins is None else unknown
            self._only_second = self.only_first

    @cached_property
    def sketch(self) -> Sketch:
        """The losses in floats."""
        both = zip(self._losses, self._table.masses, strict=False)
        points = sorted((float(loss), float(mass.log())) for loss, mass in both if mass > 0 and loss.is_finite())
        return Sketch(points, [(loss, loss) for loss, _ in points])

    def edge(self, loss: arb) -> Edge:
        """The masses of losses below, and of those not below."""
        low = self._first + _count(len(self._losses), lambda i: self._losses[i] < loss)
        high = self._first + _count(len(self._losses), lambda i: not self._losses[i] >= loss)
        one, other = self._beside(low), self._beside(high)
        inside = self._table.whole or (low > self._first and high <= self._table.last)
        if low == high and inside:
            return one
        if not self._table.whole and low == self._first:  # outcomes beyond the table may be on either side
            one = Edge(arb(0), one.first_below + one.first_above, arb(0), one.second_below + one.second_above)
        if not self._table.whole and high > self._table.last:
            first, second = other.first_below + other.first_above, other.second_below + other.second_above
            other = Edge(first, arb(0), second, arb(0))
        return joined(one, other)

    def _beside(self, y: int) -> Edge:
        """The masses of the outcomes below y, and not below."""
        table, n = self._table, self._n
        return Edge(
            table.below(y - n),
            (table.above(y - n) - self.only_first).nonnegative_part(),
            (table.below(y) - self._only_second).nonnegative_part(),
            table.above(y),
        )


def _count(length: int, small: Callable[[int], bool]) -> int:
    """How many at the beginning are small."""
    low, high = 0, length
    while low < high:
        middle = (low + high) // 2
        if small(middle):
            low = middle + 1
        else:
            high = middle
    return low
