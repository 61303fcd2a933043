"""Bounds of a number from both sides, and where a decreasing function crosses a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from dpsym.core.deadline import check

_STEPS = 40  # of the secant method, of which a handful suffices
_DOUBLINGS = 80  # of a distance from where the crossing was guessed: beyond any float's error


@dataclass(frozen=True, slots=True)
class Bounds:
    """Exact numbers with `lower <= value <= upper`; the upper one may be infinite."""

    lower: arb
    upper: arb

    def __post_init__(self) -> None:
        if not (self.lower.is_exact() and self.upper.is_exact() and self.lower <= self.upper):
            raise ValueError(f"[{self.lower}, {self.upper}] is not an interval")

    def meet(self, other: Bounds) -> Bounds:
        """What both say; a contradiction is an error of this program.

        Raises:
            AssertionError: where the two have nothing in common.
        """
        lower, upper = larger(self.lower, other.lower), smaller(self.upper, other.upper)
        if not lower <= upper:
            raise AssertionError(f"two methods contradict each other: {self} and {other}")
        return Bounds(lower, upper)

    def join(self, other: Bounds) -> Bounds:
        """Bounds of the larger of two values."""
        return Bounds(larger(self.lower, other.lower), larger(self.upper, other.upper))

    def narrow(self, relative: float) -> bool:
        """Whether upper - lower is at most `relative` times the value."""
        if self.lower == self.upper:
            return True
        return bool(self.upper.is_finite() and self.upper - self.lower <= relative * self.lower)


def larger(one: arb, other: arb) -> arb:
    """The larger of two exact numbers; unlike `max` of balls it does not round."""
    return one if one >= other else other


def smaller(one: arb, other: arb) -> arb:
    """The smaller of two exact numbers; it does not round."""
    return one if one <= other else other


def endpoints(ball: arb) -> Bounds:
    """The ends of a ball; infinite where it could not be computed."""
    if ball.is_nan():
        return Bounds(arb.neg_inf(), arb.pos_inf())
    return Bounds(ball.lower(), ball.upper())


def crossing(function: Callable[[arb], arb], value: arb, guess: float, slope: float, relative: float) -> Bounds:
    """The smallest x >= 0 with function(x) <= value, for a function that decreases strictly while it is positive.

    Args:
        function: encloses the function at an exact point.
        value: what is to be crossed, positive.
        guess, slope: about where, and about how fast the function's logarithm falls there.
        relative: how narrow the bounds should be; the enclosures may not suffice for that.

    Raises:
        OutOfTime: when there is no time left.
    """
    if function(arb(0)) <= value:
        return Bounds(arb(0), arb(0))
    x, fall = arb(max(guess, 0.0)), arb(slope)
    noise = arb(0)
    before: tuple[arb, arb] | None = None
    for _ in range(_STEPS):
        check()
        found = function(x)
        if not found > 0 or found.rad() > found.mid() / 2:
            if before is None:
                break
            x = ((x + before[0]) / 2).mid()  # too far: nothing can be told there
            continue
        noise = (found.rad() / found.mid()).upper()
        gap = (found.mid() / value.mid()).log().mid()
        if before is not None and (x - before[0]) != 0:
            secant = (-(gap - before[1]) / (x - before[0])).mid()
            fall = secant if secant > 0 else fall
        before = x, gap
        step = (gap / fall).mid()
        if x == 0 and step < 0:
            break
        x = (x + step).mid().max(arb(0))
        if abs(step) <= relative * x / 16 or abs(step) * fall <= noise / 4:
            break
    width = (relative * (x if x > 0 else arb(1)) / 8 + 2 * noise / fall).upper()
    if not width.is_finite():
        width = arb(1)
    return _bisected(function, value, _bracketed(function, value, x, width), relative)


def _bracketed(function: Callable[[arb], arb], value: arb, x: arb, width: arb) -> Bounds:
    """Certified bounds at growing distances from x."""
    lower, upper = arb(0), arb.pos_inf()
    reach = width
    for _ in range(_DOUBLINGS):
        check()
        point = (x - reach).lower()
        if not point > 0:
            break
        if function(point) >= value:
            lower = point
            break
        reach *= 2
    for power in range(1, _DOUBLINGS):
        check()
        point = (x + width).upper()
        if function(point) <= value:
            upper = point
            break
        width *= arb(2) ** power  # faster and faster, for a guess may be off by any factor
    return Bounds(lower, upper)


def _bisected(function: Callable[[arb], arb], value: arb, found: Bounds, relative: float) -> Bounds:
    """The same, halved as long as the function can be told from the value in the middle."""
    while found.upper.is_finite() and not found.narrow(relative):
        check()
        middle = ((found.lower + found.upper) / 2).mid()
        there = function(middle)
        if there >= value:
            found = Bounds(middle, found.upper)
        elif there <= value:
            found = Bounds(found.lower, middle)
            if middle < arb(2) ** -1000:
                break
        else:
            break
    return found
