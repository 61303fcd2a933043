"""The one place where a continuous function changes sign, between two points with proved opposite signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb, ctx

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.core.notation import SoleRoot
from dpsym.core.plain_printer import plain
from dpsym.numbers.curves import Curve, analytic, continuous, everywhere, inside, positions, slope_of

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder

_COARSE = 64  # bits of the search for a bracket, and of showing that there is no other zero
_FARTHEST = 14  # points are tried as far as 2**(2**14) from an end, and as near as the reciprocal

Function = Callable[[arb], arb]


def root(inner: Builder, e: sp.Basic, function: sp.Lambda) -> Operation:
    """`Root(Lambda(x, f), lower, upper)` as an operation on lower, upper and what else f depends on.

    What a value rests on, always: opposite signs at two points, or an exact zero, in ball arithmetic.  That f has a
    zero there, and no other, between the ends is then shown by `_is_sole`, from ranges of f and of its slope; without
    that there is no value.  The one exception is a `SoleRoot`, which says that a theorem answers for the rest: only
    derivations make it, of functions they know to be continuous and strictly monotone (a privacy profile falls, a
    cleared slope was proved to rise), and a text cannot spell it.  Even there f has to be defined at all points
    between the two that were found, where that can be told.
    """
    (x,), f = function.variables, function.expr
    by_theorem, steady = isinstance(e, SoleRoot), continuous(f)
    tapes = inner.tapes([f], [], []) if by_theorem else Curve.tapes(inner, f, x, slope_of(f, x))
    body, strict = tapes[0], not analytic(f)

    def sole(curve: Curve, found: tuple[arb, arb] | None, lower: arb, upper: arb) -> bool:
        if found is None or by_theorem:
            return found is not None and (not steady or curve.values(Range(*found)) is not None)
        between = Range(lower.lower(), upper.upper(), True, True)
        with ctx.workprec(min(ctx.prec, _COARSE)):
            return steady and _is_sole(curve, found, between, strict=strict)

    def on_ball(lower: arb, upper: arb, *others: arb) -> arb:
        if lower.is_nan() or upper.is_nan() or any(v.is_nan() for v in others):
            return NAN
        curve = Curve(tapes, others)
        found = sign_change(curve.at, lower, upper)
        return found[0].union(found[1]) if found is not None and sole(curve, found, lower, upper) else NAN

    def on_range(lower: Range, upper: Range, *others: Range) -> Range | None:
        curve = Curve(tapes, others)
        found = sign_change(lambda x: ranges.as_ball(curve.values(Range(x, x))), lower.above, upper.below, loose=True)
        return Range(*found) if found is not None and sole(curve, found, lower.below, upper.above) else None

    def needs(lower: arb, upper: arb, *others: arb) -> Violation | None:
        if lower >= upper:
            return None, f"{plain(e)} needs its lower end below its upper end"
        if not (lower.is_finite() and upper.is_finite() and steady):
            return None
        signs = [_sign(body.balls([x, *others])[0]) for x in (lower, upper)]
        if signs in ([1, 1], [-1, -1]):
            side = "positive" if signs[0] == 1 else "negative"
            return None, f"{plain(e)} needs a single change of sign, but the function is {side} at both ends"
        return None

    return Operation(
        on_ball,
        on_range,
        needs,
        costly=True,
        failure="it was not shown that the function is continuous and changes sign exactly once between the ends",
    )


# --- that there is no other
def _is_sole(curve: Curve, found: tuple[arb, arb], domain: Range, *, strict: bool) -> bool:
    """Whether a continuous function has no zero in an open interval but one, between two points of opposite signs.

    Away from the two points the function is shown to have no zero; around them its slope has one sign throughout,
    `strict` or with isolated zeros.
    """
    left, right = found
    if not (domain.below <= left and right <= domain.above) or (left is right and not inside(domain, left)):
        return False
    direction = 0

    def shown(span: Range, _: bool) -> bool:
        nonlocal direction
        if _has_no_zero(curve, span):
            return True
        rises = _direction(curve, span, strict=strict)
        beside = right < span.below or left > span.above
        if rises and not beside and rises != -direction:
            direction = rises
            return True
        return bool(rises and beside) and _ends_on_one_side(curve, span, rises)

    return everywhere(domain, shown)


def _has_no_zero(curve: Curve, span: Range) -> bool:
    values = curve.values(span)
    return values is not None and (ranges.positive(values) or ranges.negative(values))


def _direction(curve: Curve, span: Range, *, strict: bool) -> int:
    """1 where it rises on all of a piece, -1 where it falls, 0 where neither is shown."""
    slope = next(iter(curve.slopes(span)), None) if curve.values(span) is not None else None
    if slope is None:
        return 0
    if ranges.positive(slope) or (not strict and slope.below >= 0):
        return 1
    return -1 if ranges.negative(slope) or (not strict and slope.above <= 0) else 0


def _ends_on_one_side(curve: Curve, span: Range, rises: int) -> bool:
    """Whether a monotone function begins beyond zero, or ends before it."""
    begins = NAN if span.below_open else rises * curve.at(span.below)
    ends = NAN if span.above_open else rises * curve.at(span.above)
    return begins > 0 or ends < 0


def _sign(value: arb) -> int | None:
    """The proved sign; 0 for an exact zero; None where it cannot be told."""
    if value > 0:
        return 1
    if value < 0:
        return -1
    return 0 if value.is_zero() else None


@dataclass(slots=True)
class _Bracket:
    """Two points with proved opposite signs, the values there, and a point between that could not be told."""

    function: Function
    left: arb
    right: arb
    at_left: arb
    at_right: arb
    untold: arb | None = None

    def put(self, x: arb) -> bool:
        """Narrow the bracket by a point inside; whether its sign could be told and is not zero."""
        value = self.function(x)
        sign = _sign(value)
        if sign == 0:
            self.left = self.right = x
        elif sign is None:
            self.untold = x
        elif sign == _sign(self.at_left):
            self.left, self.at_left = x, value
        else:
            self.right, self.at_right = x, value
        return sign not in (0, None)

    @property
    def middle(self) -> arb:
        return ((self.left + self.right) / 2).mid()

    def narrow(self, bits: int) -> bool:
        """Whether it is that narrow, relative to its size."""
        width = self.right - self.left
        return bool(width <= abs(self.middle) * arb(2) ** (-bits))


def sign_change(function: Function, lower: arb, upper: arb, *, loose: bool = False) -> tuple[arb, arb] | None:
    """Two points between the ends at which the function has proved opposite signs, or twice its exact zero.

    They are about as close as the working precision allows; with `loose`, where the function itself is known
    only within bounds, as close as some bisections bring them.  None where no such points were found.
    """
    bits = ctx.prec
    with ctx.workprec(max(_COARSE, min(bits, 2 * _COARSE))):
        bracket = _bracket(function, lower, upper)
        if bracket is None:
            return None
        _approach(bracket)
    with ctx.workprec(bits + 16):
        if loose:
            _trim(bracket)
        else:
            _approach(bracket)
            _confine(bracket, bits)
    return bracket.left, bracket.right


def _outward() -> Iterator[arb]:
    yield arb(0)
    for j in range(_FARTHEST + 1):
        yield arb(2**j)
        yield arb(-(2**j))


def _bracket(function: Function, lower: arb, upper: arb) -> _Bracket | None:
    position = positions(lower, upper)
    seen: dict[int, list[tuple[arb, arb]]] = {1: [], -1: []}  # by sign: exponents and values
    for t in _outward():
        x = position(t)
        value = function(x)
        sign = _sign(value)
        if sign == 0:
            return _Bracket(function, x, x, value, value)
        if sign is None:
            continue
        if seen[-sign]:
            s, other = min(seen[-sign], key=lambda pair: abs(pair[0] - t))
            left, right = sorted([(t, value), (s, other)], key=lambda pair: float(pair[0]))
            bracket = _Bracket(function, position(left[0]), position(right[0]), left[1], right[1])
            _close_in(bracket, position, left[0], right[0])
            return bracket
        seen[sign].append((t, value))
    return _between_ends(function, lower.upper(), upper.lower())


def _between_ends(function: Function, low: arb, high: arb) -> _Bracket | None:
    """For a root at an end, or closer to it than any point that was tried."""
    if not low < high:
        return None
    at_low, at_high = (function(x) if x.is_finite() else NAN for x in (low, high))
    for x, value in ((low, at_low), (high, at_high)):
        if value.is_zero():
            return _Bracket(function, x, x, value, value)
    signs = {_sign(at_low), _sign(at_high)}
    return _Bracket(function, low, high, at_low, at_high) if signs == {1, -1} else None


def _close_in(bracket: _Bracket, position: Callable[[arb], arb], t: arb, s: arb) -> None:
    """Bisect the exponent until the bracket spans about a factor of two."""
    while s - t > 1:
        middle = ((s + t) / 2).floor()
        x = position(middle)
        if not (bracket.left < x < bracket.right) or not bracket.put(x):
            return
        if bracket.left is x:
            t = middle
        else:
            s = middle


def _approach(bracket: _Bracket) -> None:
    """Regula falsi (Illinois) with bisections, until a point's sign cannot be told at this precision."""
    weights, kept, checkpoint = [1.0, 1.0], 0, bracket.right - bracket.left
    for step in range(1, 2000):
        if bracket.left is bracket.right or bracket.narrow(ctx.prec - 8):
            return
        width = bracket.right - bracket.left
        x = bracket.middle
        if step % 4 == 0:
            kept = 0 if width < checkpoint / 8 else -1  # too slow: bisect
            checkpoint = width
        if kept != -1:
            low, high = (abs(v).mid() * w for v, w in zip((bracket.at_left, bracket.at_right), weights, strict=True))
            guess = (bracket.left + width * low / (low + high)).mid()
            if bracket.left < guess < bracket.right:
                x = guess
        left = bracket.left
        if not (bracket.left < x < bracket.right) or not bracket.put(x):
            return
        moved = 0 if bracket.left is not left else 1  # the end that moved; the other keeps its value
        weights[moved] = 1.0
        weights[1 - moved] *= 0.5 if kept == 2 + moved else 1.0
        kept = 2 + moved


def _confine(bracket: _Bracket, bits: int) -> None:
    """Put points on both sides of one close to the root, ever farther, until the root is between them."""
    guess = bracket.untold if bracket.untold is not None else bracket.middle
    radius = arb(2) ** (-8 * bits) if guess.is_zero() else (abs(guess) * arb(2) ** (4 - bits)).mid()
    while bracket.left is not bracket.right:
        left, right = (guess - radius).mid(), (guess + radius).mid()
        inside = [x for x in (left, right) if bracket.left < x < bracket.right]
        for x in inside:
            if bracket.left < x < bracket.right:
                bracket.put(x)
        if not inside or bracket.right - bracket.left <= 4 * radius:
            return
        radius = 16 * radius


def _trim(bracket: _Bracket) -> None:
    """Bisect between each end and the points that cannot be told."""
    if bracket.untold is None or bracket.left is bracket.right:
        return
    left_untold = right_untold = bracket.untold
    for _ in range(60):
        x = ((bracket.left + left_untold) / 2).mid()
        if not bracket.left < x or not x < left_untold:
            break
        if not bracket.put(x):
            left_untold = x
    for _ in range(60):
        x = ((bracket.right + right_untold) / 2).mid()
        if not x < bracket.right or not right_untold < x:
            break
        if not bracket.put(x):
            right_untold = x
