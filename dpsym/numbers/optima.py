"""Infima and suprema of a function of one variable over an interval, bounded from both sides.

The upper bound on an infimum is the function at a point of the interval, never at an end that does not belong
to it: it may be continuous up to there or not.  The lower bound is a proof by cases: the interval is
cut into pieces, and on each the function is shown to stay above by its range, by its monotonicity, or by its
convexity around a place where the derivative changes sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb, ctx

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.core.notation import Maximum
from dpsym.core.plain_printer import plain
from dpsym.numbers.curves import Curve, Position, everywhere, inside, positions, slope_of, smooth
from dpsym.numbers.roots import sign_change

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder

_GRID = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
_GOLDEN = 0.6180339887498949  # the golden section


def optimum(inner: Builder, e: sp.Basic, function: sp.Lambda, region: sp.Interval) -> Operation:
    """`Minimum` or `Maximum` as an operation on the ends of the interval and what else the function depends on."""
    (x,), body = function.variables, function.expr
    greatest = isinstance(e, Maximum)
    body = -body if greatest else body
    slope = slope_of(body, x) if smooth(body) else []
    tapes = Curve.tapes(inner, body, x, [*slope, *(sp.diff(s, x) for s in slope)])
    left_open, right_open = bool(region.left_open), bool(region.right_open)

    def bounds(lower: arb, upper: arb, outside: Sequence[arb]) -> Range | None:
        if not (lower.is_exact() and upper.is_exact()):
            return None  # an end that is only known within bounds
        f = Curve(tapes, outside)
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


def _infimum(f: Curve, domain: Range) -> Range | None:
    """Bounds on the infimum; None where one of the two was not found."""
    best = _good_point(f, positions(domain.below, domain.above), domain)
    if best is None:
        return None
    lower = _proved(f, domain, best)
    return None if lower is None else Range(lower, best)


# --- a good point
def _good_point(f: Curve, position: Position, domain: Range) -> arb | None:
    """The least value found: an upper bound on the infimum."""
    grid = [*(-t for t in reversed(_GRID[1:])), *_GRID]
    found = [(value, n) for n, t in enumerate(grid) if (value := _above(f, domain, position(arb(t)))) is not None]
    values = [_above(f, domain, end) for end in (domain.below, domain.above)]
    if found:
        best, place = found[0]
        for value, n in found:
            if value < best:
                best, place = value, n
        left, right = arb(grid[max(0, place - 1)]), arb(grid[min(len(grid) - 1, place + 1)])
        turn = sign_change(f.slope, position(left), position(right))
        closer = _golden(f, domain, position, left, right) if turn is None else turn
        values += [best, *(_above(f, domain, x) for x in closer)]
    known = [v for v in values if v is not None]
    return _least(known) if known else None


def _golden(f: Curve, domain: Range, position: Position, left: arb, right: arb) -> list[arb]:
    """Golden-section search, without derivatives."""
    points: list[arb] = []
    for _ in range(min(200, ctx.prec)):
        a, b = (right - (right - left) * _GOLDEN).mid(), (left + (right - left) * _GOLDEN).mid()
        at_a, at_b = (_above(f, domain, position(t)) for t in (a, b))
        if at_a is None or at_b is None:
            break
        points = [position(a), position(b)]
        left, right = (left, b) if at_a < at_b else (a, right)
    return points


# --- the proof
def _proved(f: Curve, domain: Range, best: arb) -> arb | None:
    """A lower bound on the infimum over the interval."""
    target, lower = (best - abs(best) * arb(2) ** (8 - ctx.prec)).lower(), best

    def shown(span: Range, uncut: bool) -> bool:
        nonlocal lower, target
        bound = _bound(f, span, target)
        if bound is None and uncut:
            known = f.values(span)
            bound = known.below if known is not None and known.below.is_finite() else None
            target = target if bound is None else _least([target, bound])  # no use in a better bound elsewhere
        lower = lower if bound is None else _least([lower, bound])
        return bound is not None

    return lower if everywhere(domain, shown) else None


def _bound(f: Curve, span: Range, target: arb) -> arb | None:
    """A lower bound on a piece that is good enough, or None."""
    values = f.values(span)
    if values is None:
        return None
    if values.below >= target:
        return values.below
    slope, curvature, *_ = [*f.slopes(span), None, None]
    if slope is not None and slope.below >= 0 and not span.below_open:
        return _below(f, span.below)
    if slope is not None and slope.above <= 0 and not span.above_open:
        return _below(f, span.above)
    if curvature is None or not curvature.below >= 0 or span.below_open or span.above_open:
        return None
    return _of_convex(f, span.below, span.above)


def _of_convex(f: Curve, left: arb, right: arb) -> arb | None:
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


def _below(f: Curve, x: arb) -> arb | None:
    value = f.at(x)
    return value.lower() if value.is_finite() else None


def _above(f: Curve, domain: Range, x: arb) -> arb | None:
    """No less than the value at a point of the interval."""
    value = f.at(x) if x.is_finite() and inside(domain, x) else NAN
    return value.upper() if value.is_finite() else None


def _least(values: Sequence[arb]) -> arb:
    least = values[0]
    for value in values[1:]:
        least = value if value < least else least
    return least
