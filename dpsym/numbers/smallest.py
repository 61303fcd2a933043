"""The first point from a lower end on at which a function is not positive: the inverse of what falls, with plateaus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb, ctx

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.core.notation import SmallestOfProfile
from dpsym.core.plain_printer import plain
from dpsym.numbers.curves import Curve, continuous, everywhere, slope_of
from dpsym.numbers.roots import sign_change

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder

_GUARD = 16  # bits that `sign_change` has more at the end
_COARSE = 64  # bits for showing that the function is positive before
_RETURNS = 4  # to the beginning of a plateau on which a zero was found
_MOST_TERMS = 2_000  # of a sum that is written out
FAR = (0, 1, 2, 3, 4, 6, 8, 10)  # powers of two from which on a function may be near its limit


def smallest(inner: Builder, e: sp.Basic, function: sp.Lambda) -> Operation:
    """`Smallest(Lambda(x, f), lower, upper)` as an operation on lower, upper and what else f depends on.

    What a value rests on: a point where f <= 0, one before it where f > 0, and that f > 0 from the lower end up to
    that one, shown by ranges; of a `SmallestOfProfile`, which does not increase, that is known.
    """
    (x,), f = function.variables, function.expr
    falls, steady = isinstance(e, SmallestOfProfile), continuous(f)
    if not f.free_symbols - {x}:
        f = cleared(f)
    tapes = inner.tapes([f], [], []) if falls else Curve.tapes(inner, f, x, slope_of(f, x))

    def before(curve: Curve, lower: arb, left: arb) -> bool:
        """Whether f is positive from the lower end up to a point where it is."""
        if falls:
            return True
        with ctx.workprec(ctx.prec + _GUARD):
            return bool(left <= lower.lower()) or _positive(curve, Range(lower.lower(), left))

    def within(curve: Curve, lower: arb, found: tuple[arb, arb] | None) -> bool:
        if found is None or not before(curve, lower, found[0]):
            return False
        return not (falls and steady) or curve.values(Range(*found)) is not None

    def on_ball(lower: arb, upper: arb, *others: arb) -> arb:
        if lower.is_nan() or upper.is_nan() or any(v.is_nan() for v in others):
            return NAN
        curve = Curve(tapes, others)
        if curve.at(lower) <= 0:
            return lower
        found = _bracket(curve.at, lower, upper)
        return found[0].union(found[1]) if found is not None and within(curve, lower, found) else NAN

    def on_range(lower: Range, upper: Range, *others: Range) -> Range | None:
        curve = Curve(tapes, others)

        def at(x: arb) -> arb:
            return ranges.as_ball(curve.values(Range(x, x)))

        first = curve.values(lower)
        if first is not None and not first.above > 0:
            return lower
        found = _bracket(at, lower.above, upper.below, loose=True)
        if found is None or not within(curve, lower.below, found):
            return None
        positive = first is not None and ranges.positive(first)
        return Range(*found) if positive else Range(lower.below, found[1])

    def needs(lower: arb, upper: arb, *others: arb) -> Violation | None:
        if lower >= upper:
            return None, f"{plain(e)} needs its lower end below its upper end"
        if lower.is_finite() and nowhere(Curve(tapes, others), lower, upper, falls=falls):
            return None, f"{plain(e)} needs a point where the function is not positive, and it is positive everywhere"
        return None

    return Operation(
        on_ball,
        on_range,
        needs,
        costly=True,
        failure="no first point was found at which the function is not positive, nor was it shown that there is none",
    )


def cleared(f: sp.Expr) -> sp.Expr:
    """The same with products of sums expanded and finite sums that have constants written out, so that these cancel."""

    def terms(total: sp.Sum) -> sp.Expr:
        (index, first, last), *more = total.limits
        known = isinstance(first, sp.Integer) and isinstance(last, sp.Integer)
        if more or not known or not 0 <= last - first < _MOST_TERMS:
            return total
        if all(part.free_symbols - {index} for part in sp.Add.make_args(sp.expand_mul(total.function))):
            return total
        return sp.Add(*(total.function.xreplace({index: sp.Integer(i)}).doit() for i in range(first, last + 1)))

    return sp.expand_mul(f.replace(lambda e: isinstance(e, sp.Sum), terms)) if f.has(sp.Sum, sp.Max, sp.Min) else f


def nowhere(curve: Curve, lower: arb, upper: arb, *, falls: bool) -> bool:
    """Whether the function is positive at all points between the ends, the lower one included."""
    whole = Range(lower.lower(), upper.upper(), False, True)
    if falls:
        return bool(floor(curve, whole) > 0)
    with ctx.workprec(min(ctx.prec, _COARSE)):
        return _positive(curve, whole)


def floor(curve: Curve, whole: Range) -> arb:
    """What a function that does not increase is at least on a half-line, as an exact number: by its values far out."""
    best = arb.neg_inf()
    for k in FAR:
        start = whole.below + arb(2) ** k
        values = curve.values(Range(start, whole.above, False, True)) if start < whole.above else None
        if values is not None and values.below > best:
            best = values.below
    return best


def _positive(curve: Curve, domain: Range) -> bool:
    """Whether it is positive on an interval: by its values, or by its slope and an end."""

    def shown(span: Range, _: bool) -> bool:
        values = curve.values(span)
        return values is not None and (ranges.positive(values) or _from_an_end(curve, span))

    return everywhere(domain, shown)


def _from_an_end(curve: Curve, span: Range) -> bool:
    slope = next(iter(curve.slopes(span)), None)
    if slope is None:
        return False
    if slope.above <= 0 and not span.above_open:
        return bool(curve.at(span.above) > 0)
    return bool(slope.below >= 0 and not span.below_open and curve.at(span.below) > 0)


def _bracket(function: Callable[[arb], arb], lower: arb, upper: arb, *, loose: bool = False) -> tuple[arb, arb] | None:
    """Two points, the function positive at the first and not at the second, about as close as the precision allows."""
    flat = False

    def signed(x: arb) -> arb:
        nonlocal flat
        value = function(x)
        if value.is_zero():  # perhaps on a plateau, of which the beginning is looked for
            flat = True
            return arb(-1)
        return value

    for _ in range(_RETURNS):
        found = sign_change(signed, lower, upper, loose=loose)
        if found is None:
            return None
        with ctx.workprec(ctx.prec + _GUARD):  # as precisely as they were found
            left, right = map(signed, found)
            if left > 0 and right < 0:
                return _halved(signed, *found, ctx.prec - _GUARD) if flat else found
        upper = found[0]  # it rose there: before that it fell
    return None


def _halved(function: Callable[[arb], arb], left: arb, right: arb, bits: int) -> tuple[arb, arb]:
    while right - left > abs(right) * arb(2) ** (4 - bits):
        middle = ((left + right) / 2).mid()
        value = function(middle)
        if not left < middle < right or not (value > 0 or value < 0):
            break
        left, right = (middle, right) if value > 0 else (left, middle)
    return left, right
