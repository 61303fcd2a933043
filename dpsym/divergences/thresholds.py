"""The log-likelihood ratio of a pair, cell by cell: where it exceeds a level, and which cells come first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise

from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.exponential_sums import Rational, log_of
from dpsym.divergences.pairs import Pair
from dpsym.divergences.pieces import Cell, LogDensity, Polynomial


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """A cell on which the log-likelihood ratio is `intercept + slope * x`.

    `top` and `bottom` are the distributions of which it is the ratio; the ratio grows, falls or is constant
    (direction 1, -1, 0) from `lowest` to `highest` (None: unbounded).  A cell of integers also owns the
    levels between its first integer and the one before, so that neighbours leave no gap.
    """

    cell: Cell
    top: LogDensity
    bottom: LogDensity
    intercept: Rational
    slope: Rational
    direction: int
    lowest: Rational | None
    highest: Rational | None

    def crossing(self, level: Rational) -> Rational:
        """Where the ratio takes the level."""
        return (level - self.intercept) / self.slope

    def above(self, crossing: Rational, *, lattice: bool) -> tuple[Rational | None, Rational | None]:
        """The part of the cell where the ratio exceeds the level that it takes at the crossing.

        On the integers the crossing must have been rounded down (direction 1) or up (direction -1).
        """
        step = 1 if lattice else 0
        if self.direction == 1:
            return crossing + step, self.cell.upper
        return self.cell.lower, crossing - step


def slope(cell: Cell, top: LogDensity, bottom: LogDensity, both: Pair) -> Slope:
    """The log-likelihood ratio of `top` over `bottom` on the cell.

    Raises:
        NoClosedForm: if it is not linear, or which way it goes is not settled.
    """
    c0, c1, c2 = log_ratio(top, bottom, both)
    if c2 != 0:
        raise NoClosedForm("a quadratic log-likelihood ratio (unequal variances) has no rule")
    direction = both.signs.of(c1)
    if direction is None:
        raise NoClosedForm("the sign of {} is not settled by the assumptions", both.ring.expression(c1))
    if direction == 0:
        return Slope(cell, top, bottom, c0, c1, 0, c0, c0)
    step = 1 if both.lattice else 0
    left = None if cell.lower is None else c0 + c1 * (cell.lower - step)
    right = None if cell.upper is None else c0 + c1 * cell.upper
    lowest, highest = (left, right) if direction == 1 else (right, left)
    return Slope(cell, top, bottom, c0, c1, direction, lowest, highest)


def log_ratio(top: LogDensity, bottom: LogDensity, both: Pair) -> Polynomial:
    """The log-likelihood ratio as a polynomial, the logarithms of constants being generators of the ring."""
    ratio = top.minus(bottom)
    c0, c1, c2 = ratio.polynomial
    return sum((x * both.ring.rational(log_of(base)) for base, x in ratio.powers), c0), c1, c2


@dataclass(frozen=True, slots=True)
class Band:
    """The levels between two neighbouring ones at which some cell begins or ends; None is infinite."""

    low: Rational | None
    high: Rational | None
    above: tuple[Slope, ...]  # the cells on which the ratio exceeds all levels of the band
    cut: tuple[Slope, ...]  # the cells on which it takes them


def bands(slopes: Iterable[Slope], both: Pair) -> Iterator[Band]:
    """From below."""
    slopes = tuple(slopes)
    levels = both.signs.ascending({level for s in slopes for level in (s.lowest, s.highest) if level is not None})
    rank = {level: i for i, level in enumerate(levels)}
    for i, (low, high) in enumerate(pairwise([None, *levels, None])):
        begin = [-1 if s.lowest is None else rank[s.lowest] for s in slopes]
        end = [len(levels) if s.highest is None else rank[s.highest] for s in slopes]
        above = tuple(s for s, first in zip(slopes, begin, strict=True) if first >= i)
        cut = tuple(s for s, first, last in zip(slopes, begin, end, strict=True) if first < i <= last)
        yield Band(low, high, above, cut)


def descending(slopes: Iterable[Slope], both: Pair) -> list[Slope]:
    """The cells ordered so that nowhere on a later one the ratio is larger.

    Raises:
        NoClosedForm: if there is no such order, or the assumptions do not settle it.
    """

    def compare(first: Slope, second: Slope) -> int:
        for one, other, answer in ((first, second, -1), (second, first, 1)):
            if one.lowest is None or other.highest is None:
                continue
            if both.signs.at_least_zero(one.lowest - other.highest):
                return answer
        raise NoClosedForm("the likelihood ratio takes the same levels on two pieces")

    return sorted(slopes, key=cmp_to_key(compare))
