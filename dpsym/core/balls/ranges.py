"""Sets of real values as intervals with open, closed or infinite ends: tight where functions are monotone.

A `Range` contains every value of an expression on a box and promises that the expression is defined on all
of it; None stands for "not provably defined".  Its ends are exact (`ends`); an infinite end is never attained.
An end that had to be rounded outward may carry either mark.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flint import arb, fmpz

from dpsym.core.balls import ends
from dpsym.core.balls.ends import INFINITY, MINUS_INFINITY, End, down, negated, up

_ZERO, _ONE = End(0), End(1)
_LONG_INTEGER = arb(2) ** 4096  # beyond it digits are not worth their memory
Function = Callable[[arb], arb]


class _Ends(NamedTuple):
    below: End
    above: End
    below_open: bool
    above_open: bool


class Range(_Ends):
    """The values between two ends; `below_open` and `above_open` say that an end is not itself a value.

    Of balls the ends are rounded outward.
    """

    __slots__ = ()

    def __new__(cls, below: arb, above: arb, below_open: bool = False, above_open: bool = False) -> Range:  # noqa: D102
        return tuple.__new__(cls, (down(below), up(above), below_open, above_open))


REALS = Range(MINUS_INFINITY, INFINITY, True, True)


def of_ball(x: arb) -> Range | None:
    """A ball as a range; None for one that is not a number."""
    if x.is_finite():
        return Range(x, x)
    return None if x.is_nan() or x.is_exact() else REALS


def as_ball(x: Range | None) -> arb:
    """A range as a ball, rounded outward; not finite where it is unbounded or None."""
    if x is None or not (x.below.is_finite() and x.above.is_finite()):
        return arb.nan()
    return arb(x.below) if x.below == x.above else x.below.union(x.above)


def is_point(x: Range) -> bool:
    """Whether it is a single number."""
    return bool(x.below == x.above)


def positive(x: Range) -> bool:
    """All values exceed zero."""
    return bool(x.below > 0) or (x.below_open and x.below.is_zero())


def negative(x: Range) -> bool:
    """All values are below zero."""
    return bool(x.above < 0) or (x.above_open and x.above.is_zero())


def nonnegative(x: Range) -> bool:
    """No value is below zero."""
    return bool(x.below >= 0)


# --- arithmetic
def add(x: Range, y: Range) -> Range:
    """Sums."""
    return Range(
        x.below + y.below,
        x.above + y.above,
        x.below_open or y.below_open,
        x.above_open or y.above_open,
    )


def negate(x: Range) -> Range:
    """Negatives."""
    return Range(-x.above, -x.below, x.above_open, x.below_open)


def _times(x: arb, x_open: bool, y: arb, y_open: bool) -> tuple[arb, bool]:
    """The product of two ends, and whether it is left out."""
    if x.is_zero() or y.is_zero():  # also 0 * oo: the products next to it tend to zero or lie further out
        return _ZERO, not ((x.is_zero() and not x_open) or (y.is_zero() and not y_open))
    return x * y, x_open or y_open


def multiply(x: Range, y: Range) -> Range:
    """Products."""
    if nonnegative(x) and nonnegative(y):
        below, below_open = _times(x.below, x.below_open, y.below, y.below_open)
        above, above_open = _times(x.above, x.above_open, y.above, y.above_open)
        return Range(below, above, below_open, above_open)
    corners = [
        _times(x.below, x.below_open, y.below, y.below_open),
        _times(x.below, x.below_open, y.above, y.above_open),
        _times(x.above, x.above_open, y.below, y.below_open),
        _times(x.above, x.above_open, y.above, y.above_open),
    ]
    lows = [(down(value), is_open) for value, is_open in corners]
    highs = [(up(value), is_open) for value, is_open in corners]
    low, high = lows[0][0], highs[0][0]
    for value, _ in lows[1:]:
        low = value if value < low else low
    for value, _ in highs[1:]:
        high = value if value > high else high
    return Range(
        low,
        high,
        all(is_open for value, is_open in lows if value == low),
        all(is_open for value, is_open in highs if value == high),
    )


def reciprocal(x: Range) -> Range | None:
    """1/x where zero is not a value."""
    if positive(x):
        below = _ZERO if not x.above.is_finite() else down(1 / x.above)
        above = INFINITY if x.below.is_zero() else up(1 / x.below)
        return Range(below, above, x.above_open, x.below_open)
    if negative(x):
        mirrored = reciprocal(negate(x))
        return None if mirrored is None else negate(mirrored)
    return None


def divide(x: Range, y: Range) -> Range | None:
    """Quotients where zero is not a value of the divisor."""
    inverse = reciprocal(y)
    return None if inverse is None else multiply(x, inverse)


# --- monotone functions
def increasing(function: Function, at_minus_infinity: arb = MINUS_INFINITY, at_infinity: arb = INFINITY) -> (
    Callable[[Range], Range]
):  # fmt: skip
    """An increasing function on the reals with its two limits, which it does not attain."""

    def on_range(x: Range) -> Range:
        below = function(x.below) if x.below.is_finite() else at_minus_infinity
        above = function(x.above) if x.above.is_finite() else at_infinity
        return Range(below, above, x.below_open, x.above_open)

    return on_range


def decreasing(function: Function, at_minus_infinity: arb, at_infinity: arb) -> Callable[[Range], Range]:
    """A decreasing function on the reals with its two limits, which it does not attain."""
    mirrored = increasing(lambda t: negated(function(t)), negated(at_minus_infinity), negated(at_infinity))
    return lambda x: negate(mirrored(x))


def unimodal(
    function: Function, lowest_at: Callable[[], arb], least: Callable[[], arb], limits: tuple[arb, arb]
) -> Callable[[Range], Range]:
    """A function that decreases up to some point and increases after it; `limits` are those at -oo and oo."""

    def on_range(x: Range) -> Range:
        turn = lowest_at()
        left = function(x.below) if x.below.is_finite() else limits[0]
        right = function(x.above) if x.above.is_finite() else limits[1]
        if x.below >= turn:
            return Range(left, right, x.below_open, x.above_open)
        if x.above <= turn:
            return Range(right, left, x.above_open, x.below_open)
        left, right = up(left), up(right)
        if left > right:
            return Range(least(), left, False, x.below_open)
        return Range(least(), right, False, x.above_open and (right > left or x.below_open))

    return on_range


def exponential(x: Range) -> Range:
    """e**x."""
    below = x.below.exp() if x.below.is_finite() else _ZERO
    above = x.above.exp() if x.above.is_finite() else INFINITY
    below = down(below)
    if not below > 0:  # too small to be told from zero
        return Range(_ZERO, above, True, x.above_open)
    return Range(below, above, x.below_open, x.above_open)


def _open_at_zero(function: Function, at_zero: arb) -> Callable[[Range], Range | None]:
    """An increasing function on x > 0 with its limit at zero, unbounded at infinity."""

    def on_range(x: Range) -> Range | None:
        if not positive(x):
            return None
        below = function(x.below) if x.below > 0 else at_zero
        above = function(x.above) if x.above.is_finite() else INFINITY
        return Range(below, above, x.below_open, x.above_open)

    return on_range


logarithm = _open_at_zero(arb.log, MINUS_INFINITY)


def root(degree: int) -> Callable[[Range], Range | None]:
    """The root of x >= 0."""
    function: Function = arb.sqrt if degree == 2 else (lambda t: t.root(degree))

    def on_range(x: Range) -> Range | None:
        if not nonnegative(x):
            return None
        below = _ZERO if x.below.is_zero() else function(x.below)
        above = x.above if x.above.is_zero() or not x.above.is_finite() else function(x.above)
        return Range(below, above, x.below_open, x.above_open)

    return on_range


def integer_power(n: int) -> Callable[[Range], Range | None]:
    """x**n for n >= 1."""
    exponent = fmpz(n)

    def at(t: arb) -> arb:
        return t**exponent if t.is_finite() else (INFINITY if t > 0 or n % 2 == 0 else MINUS_INFINITY)

    def on_range(x: Range) -> Range | None:
        if n % 2 == 1 or nonnegative(x):
            return Range(at(x.below), at(x.above), x.below_open, x.above_open)
        if x.above <= 0:
            return Range(at(x.above), at(x.below), x.above_open, x.below_open)
        left, right = -x.below, x.above
        far, is_open = (left, x.below_open) if left > right else (right, x.above_open)
        if left == right:
            is_open = x.below_open and x.above_open
        return Range(_ZERO, at(far), False, is_open)

    return on_range


def integer(x: arb) -> int | None:
    """The integer that a ball is; None where it is none, or one of more than a few thousand bits."""
    return int(x.unique_fmpz()) if x.is_integer() and abs(x) < _LONG_INTEGER else None


def general_power(base: Range, exponent: Range) -> Range | None:
    """x**y = exp(y log x) for x > 0; with 0**y = 0 for y > 0, and 0**0 = 1 as SymPy has it."""
    n = integer(exponent.below) if is_point(exponent) else None
    if n is not None:
        if n == 0:
            return Range(_ONE, _ONE)
        if abs(n) < 2**64:
            power = integer_power(abs(n))(base)
            return power if n > 0 or power is None else reciprocal(power)
    log = logarithm(base)
    if log is not None:
        return exponential(multiply(exponent, log))
    if not nonnegative(base) or not positive(exponent):
        return None
    if base.above.is_zero():
        return Range(_ZERO, _ZERO)
    most = exponential(multiply(exponent, logarithm(Range(base.above, base.above)) or REALS))
    return Range(_ZERO, most.above)


def absolute(x: Range) -> Range:
    """|x|."""
    if nonnegative(x):
        return x
    if x.above <= 0:
        return negate(x)
    left, right = -x.below, x.above
    if left == right:
        return Range(_ZERO, right, False, x.below_open and x.above_open)
    return Range(_ZERO, left, False, x.below_open) if left > right else Range(_ZERO, right, False, x.above_open)


def maximum(x: Range, y: Range) -> Range:
    """The larger of two."""
    if y.below > x.below or (y.below == x.below and y.below_open):
        below, below_open = y.below, y.below_open
    else:
        below, below_open = x.below, x.below_open
    if x.above == y.above:
        return Range(below, x.above, below_open, x.above_open and y.above_open)
    high = x if x.above > y.above else y
    return Range(below, high.above, below_open, high.above_open)


def minimum(x: Range, y: Range) -> Range:
    """The smaller of two."""
    return negate(maximum(negate(x), negate(y)))


def hull(x: Range, y: Range) -> Range:
    """The least range that contains both."""
    if x.below == y.below:
        below, below_open = x.below, x.below_open and y.below_open
    else:
        low = x if x.below < y.below else y
        below, below_open = low.below, low.below_open
    if x.above == y.above:
        return Range(below, x.above, below_open, x.above_open and y.above_open)
    high = x if x.above > y.above else y
    return Range(below, high.above, below_open, high.above_open)


def common(x: Range, y: Range) -> Range:
    """What two ranges of the same thing say together."""
    if x.below == y.below:
        below, below_open = x.below, x.below_open or y.below_open
    else:
        low = x if x.below > y.below else y
        below, below_open = low.below, low.below_open
    if x.above == y.above:
        return Range(below, x.above, below_open, x.above_open or y.above_open)
    high = x if x.above < y.above else y
    return Range(below, high.above, below_open, high.above_open)


def floor(x: Range) -> Range:
    """The greatest integers at most x; an open integer end does not reach down to itself from above."""
    above = ends.floor(x.above)
    if x.above_open and x.above.is_finite() and x.above.is_integer():
        above = above - 1
    below = ends.floor(x.below)
    return Range(below, above, not x.below.is_finite(), not x.above.is_finite())


def ceiling(x: Range) -> Range:
    """The least integers at least x."""
    return negate(floor(negate(x)))


def through_balls(function: Function) -> Callable[[Range], Range | None]:
    """A continuous function through its ball extension; None wherever that is not finite."""

    def on_range(x: Range) -> Range | None:
        ball = as_ball(x)
        value = function(ball) if ball.is_finite() else ball
        return of_ball(value) if value.is_finite() else None

    return on_range
