"""Infima and suprema of a function of one variable over an interval, bounded from both sides.

The upper bound on an infimum is the function at a point.  The lower bound is a proof by cases: the interval is
cut into pieces, and on each the function is shown to stay above by its range, by its monotonicity, or by its
convexity around a place where the derivative changes sign.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb, ctx

from dpsym.enclosing import ranges
from dpsym.enclosing.factoring import factored
from dpsym.enclosing.operations import NAN, Operation, Violation
from dpsym.enclosing.ranges import Range
from dpsym.enclosing.roots import positions, sign_change
from dpsym.enclosing.tape import Tape
from dpsym.notation import Maximum, Minimum, Root
from dpsym.spelling import plain

if TYPE_CHECKING:
    from dpsym.enclosing.compiling import Builder

_NOT_SMOOTH = (
    sp.Piecewise, sp.floor, sp.ceiling, sp.sign, sp.Heaviside, sp.Abs, sp.Max, sp.Min, sp.Derivative,
    sp.Sum, sp.Product, sp.Integral, sp.Limit, Minimum, Maximum, Root,
)  # fmt: skip
_MOST_PIECES = 600
_LONGEST_REWRITTEN = 60
_FARTHEST = 1 << 12  # pieces are cut no closer to an end than 2 to the minus this, and no farther out than 2 to this
_GRID = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
_GOLDEN = 0.6180339887498949
_NARROWEST = 2.0**-40

Position = Callable[[arb], arb]
Piece = tuple[float | None, float | None]  # between two exponents; None: up to the end of the interval


def optimum(inner: Builder, e: sp.Basic, function: sp.Lambda, region: sp.Interval) -> Operation:
    """`Minimum` or `Maximum` as an operation on the ends of the interval and what else the function depends on."""
    (x,), body = function.variables, function.expr
    greatest = isinstance(e, Maximum)
    body = -body if greatest else body
    smooth = not body.has(*_NOT_SMOOTH)
    slopes = [sp.diff(body, x), sp.diff(body, x, 2)] if smooth else []
    tapes = inner.tapes([body], slopes, *(_rewritten(e, x) for e in (body, *slopes)))
    left_open, right_open = bool(region.left_open), bool(region.right_open)

    def bounds(lower: arb, upper: arb, outside: Sequence[arb]) -> Range | None:
        if not (lower.is_exact() and upper.is_exact()):
            return None  # an end that is only known within bounds
        f = _Function(tapes, outside)
        if lower < upper:
            found = _infimum(f, Range(lower, upper, left_open, right_open))
        else:
            found = ranges.of_ball(f.at(lower)) if lower == upper and not (left_open or right_open) else None
        return ranges.negate(found) if greatest and found is not None else found

    def on_ball(lower: arb, upper: arb, *outside: arb) -> arb:
        if any(v.is_nan() for v in (lower, upper, *outside)):
            return NAN
        return ranges.as_ball(bounds(lower, upper, outside))

    def on_range(lower: Range, upper: Range, *outside: Range) -> Range | None:
        balls = [ranges.as_ball(v) for v in outside]
        if not (ranges.is_point(lower) and ranges.is_point(upper) and all(b.is_finite() for b in balls)):
            return None
        return bounds(lower.below, upper.below, balls)

    def needs(lower: arb, upper: arb, *_: arb) -> Violation | None:
        if lower > upper or (lower == upper and (left_open or right_open)):
            return None, f"{plain(e)} needs an interval that is not empty"
        return None

    return Operation(on_ball, on_range, needs, costly=True, failure="only one side of it, or neither, could be bounded")


class _Function:
    """A function of a variable and of what else it depends on, with its first two derivatives where it has them."""

    def __init__(self, tapes: Sequence[Tape], outside: Sequence[arb]) -> None:
        self._value, self._slopes, *self._rewritten = tapes
        self._outside = list(outside)
        self._outside_ranges = [ranges.of_ball(v) for v in outside]

    def at(self, x: arb) -> arb:
        """The value at a point."""
        return self._value.balls([x, *self._outside])[0]

    def slope(self, x: arb) -> arb:
        """The derivative at a point; not a number where it is not known to exist."""
        return self._slopes.balls([x, *self._outside])[0] if self._slopes.outputs else NAN

    def values(self, span: Range) -> Range | None:
        """What is known of the values; None where it may be undefined."""
        return self._narrowed(self._value.ranges([span, *self._outside_ranges])[0], span, 0)

    def slopes(self, span: Range) -> tuple[Range | None, Range | None]:
        """What is known of the first and the second derivative."""
        if not self._slopes.outputs:
            return None, None
        first, second = self._slopes.ranges([span, *self._outside_ranges])
        return self._narrowed(first, span, 1), self._narrowed(second, span, 2)

    def _narrowed(self, known: Range | None, span: Range, which: int) -> Range | None:
        """Also by the other ways to write it, where it is defined as it was written."""
        if known is not None:
            for other in self._rewritten[which].ranges([span, *self._outside_ranges]):
                known = known if other is None else ranges.common(known, other)
        return known


def _rewritten(e: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Other ways to write it, with tighter ranges next to infinite ends: in factors, and by Horner's rule."""
    if sp.count_ops(e) > _LONGEST_REWRITTEN:
        return []
    found = [factored(e)]
    if e.is_polynomial(x):
        found.append(sp.horner(e, x))
    return [f for f in found if f != e]


def _infimum(f: _Function, domain: Range) -> Range | None:
    """Bounds on the infimum; None where one of the two was not found."""
    position = positions(domain.below, domain.above)
    best = _good_point(f, position, domain)
    if best is None:
        return None
    lower = _proved(f, domain, position, best)
    return None if lower is None else Range(lower, best)


# --- a good point
def _good_point(f: _Function, position: Position, domain: Range) -> arb | None:
    """The least value found: an upper bound on the infimum."""
    grid = [*(-t for t in reversed(_GRID[1:])), *_GRID]
    found = [(value, n) for n, t in enumerate(grid) if (value := _above(f, position(arb(t)))) is not None]
    ends = ((domain.below, domain.below_open), (domain.above, domain.above_open))
    values = [_above(f, end) for end, is_open in ends if not is_open and end.is_finite()]
    if found:
        best, place = found[0]
        for value, n in found:
            if value < best:
                best, place = value, n
        left, right = arb(grid[max(0, place - 1)]), arb(grid[min(len(grid) - 1, place + 1)])
        turn = sign_change(f.slope, position(left), position(right))
        values += [best, *(_above(f, x) for x in (_golden(f, position, left, right) if turn is None else turn))]
    known = [v for v in values if v is not None]
    return _least(known) if known else None


def _golden(f: _Function, position: Position, left: arb, right: arb) -> list[arb]:
    """Golden-section search, without derivatives."""
    points: list[arb] = []
    for _ in range(min(200, ctx.prec)):
        a, b = (right - (right - left) * _GOLDEN).mid(), (left + (right - left) * _GOLDEN).mid()
        at_a, at_b = _above(f, position(a)), _above(f, position(b))
        if at_a is None or at_b is None:
            break
        points = [position(a), position(b)]
        left, right = (left, b) if at_a < at_b else (a, right)
    return points


# --- the proof
def _proved(f: _Function, domain: Range, position: Position, best: arb) -> arb | None:
    """A lower bound on the infimum over the interval."""
    target = (best - abs(best) * arb(2) ** (8 - ctx.prec)).lower()
    lower, pieces, count = best, [(None, None)], 0  # type: arb, list[Piece], int
    while pieces:
        piece, count = pieces.pop(), count + 1
        if count > _MOST_PIECES:
            return None
        span = _span(domain, position, piece)
        bound = _bound(f, span, target)
        if bound is not None:
            lower = _least([lower, bound])
            continue
        halves = _halves(piece)
        if halves is None:
            known = f.values(span)
            if known is None or not known.below.is_finite():
                return None
            lower = _least([lower, known.below])
            target = _least([target, known.below])  # no use in a better bound elsewhere
            continue
        pieces.extend(halves)
    return lower


def _span(domain: Range, position: Position, piece: Piece) -> Range:
    below, below_open, above, above_open = domain.below, domain.below_open, domain.above, domain.above_open
    if piece[0] is not None:
        below, below_open = position(arb(piece[0])), False
    if piece[1] is not None:
        above, above_open = position(arb(piece[1])), False
    return Range(below, above, below_open or not below.is_finite(), above_open or not above.is_finite())


def _halves(piece: Piece) -> list[Piece] | None:
    """Two parts; a part next to an end is cut off ever closer to it.  None where it is too small to cut."""
    start, stop = piece
    if start is None and stop is None:
        middle = 0.0
    elif start is None:
        middle = min(2 * (stop or 0.0), (stop or 0.0) - 1)
    elif stop is None:
        middle = max(2 * start, start + 1)
    else:
        middle = (start + stop) / 2
        if stop - start < _NARROWEST * max(1.0, abs(middle)):
            return None
    return None if abs(middle) > _FARTHEST else [(start, middle), (middle, stop)]


def _bound(f: _Function, span: Range, target: arb) -> arb | None:
    """A lower bound on a piece that is good enough, or None."""
    values = f.values(span)
    if values is None:
        return None
    if values.below >= target:
        return values.below
    slope, curvature = f.slopes(span)
    if slope is not None and slope.below >= 0 and not span.below_open:
        return _below(f, span.below)
    if slope is not None and slope.above <= 0 and not span.above_open:
        return _below(f, span.above)
    if curvature is None or not curvature.below >= 0 or span.below_open or span.above_open:
        return None
    return _of_convex(f, span.below, span.above)


def _of_convex(f: _Function, left: arb, right: arb) -> arb | None:
    """Of a convex function between two points: above its tangent where the slope turns."""
    if f.slope(left) >= 0:
        return _below(f, left)
    if f.slope(right) <= 0:
        return _below(f, right)
    turn = sign_change(f.slope, left, right)
    if turn is None:
        return None
    # falling before the first point, rising after the second, above the tangent at the first between the two
    with ctx.workprec(ctx.prec + 48):  # the signs were proved at a higher precision
        if not (f.slope(turn[0]) <= 0 and f.slope(turn[1]) >= 0):
            return None
        value = f.at(turn[0]) + f.slope(turn[0]) * (turn[1] - turn[0])
        return value.lower() if value.is_finite() else None


def _below(f: _Function, x: arb) -> arb | None:
    value = f.at(x)
    return value.lower() if value.is_finite() else None


def _above(f: _Function, x: arb) -> arb | None:
    value = f.at(x)
    return value.upper() if value.is_finite() else None


def _least(values: Sequence[arb]) -> arb:
    least = values[0]
    for value in values[1:]:
        least = value if value < least else least
    return least
