"""The place where a function changes sign, between two proved signs."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, ctx

from dpsym.enclosing.operations import NoSignChange, Undefined, Unresolved

_MOST_DOUBLINGS = 60
_MOST_HALVINGS = 1200


def sign_change(function: Callable[[arb], arb], lower: arb | None, upper: arb | None) -> arb:
    """A ball that contains a sign change of a continuous function between two ends (None: infinite).

    The ball's two ends have proved opposite signs.  That there is only one such place is the caller's contract.

    Raises:
        NoSignChange: when no two points of opposite sign were found.
    """
    target = ctx.prec

    def sign(x: arb, bits: int = 64) -> int:
        """The sign at a point, from a low precision up; 0 where it stays unknown or the value is 0."""
        precision = bits + 64
        while precision <= 4 * (target + 64):
            with ctx.workprec(precision):
                try:
                    value = function(x)
                except (Undefined, Unresolved):
                    value = None
            if value is not None and (value > 0 or value < 0 or value.is_zero()):
                return 1 if value > 0 else (-1 if value < 0 else 0)
            precision *= 2
        return 0

    left, left_sign, right, right_sign = _bracket(sign, lower, upper)
    if left_sign == right_sign:
        raise NoSignChange("no sign change was found for root(...)")
    while (known := _bits(left, right)) < target:
        narrower = (
            _secant(function, sign, left, right, left_sign, min(2 * known - 6, target + 4)) if known > 16 else None
        )
        before = left, right
        left, right = narrower or _halved(sign, left, right, left_sign, known + 64)
        if left is before[0] and right is before[1]:
            break  # the sign in the middle stays unknown: as narrow as it gets
    return left.union(right)


def _bits(left: arb, right: arb) -> int:
    """How many leading bits the two ends share, about."""
    with ctx.workprec(64):
        width, size = right - left, abs(left + right) / 2
        if width.is_zero():
            return 10**9
        return -1 if not size > 0 else int(float((size / width).log().mid()) * 1.4426950408889634)


def _bracket(sign: Callable[..., int], lower: arb | None, upper: arb | None) -> tuple[arb, int, arb, int]:
    """Two points with their signs, moving outward from the middle to infinite or undefined ends."""
    if lower is not None and upper is not None:
        low, high = arb(lower.mid()), arb(upper.mid())
        first, last = sign(low), sign(high)
        if first * last == -1:
            return low, first, high, last
        # an end where the function is not defined, or zero by accident of an open end: step inside
        width = high - low
        for j in range(1, 200):
            step = width * arb(2) ** (-2 * j)
            a = low if first else low + step
            z = high if last else high - step
            sa, sz = first or sign(a), last or sign(z)
            if sa * sz == -1:
                return a, sa, z, sz
        raise NoSignChange("root(...): both ends have the same sign")
    start = arb(lower.mid()) if lower is not None else (arb(upper.mid()) if upper is not None else arb(0))
    near: dict[int, arb] = {}
    directions = [d for d, end in ((1, upper), (-1, lower)) if end is None]
    # outward from the start, both ways where both are allowed; then ever closer to it
    for j in (*range(_MOST_DOUBLINGS), *range(-1, -_MOST_HALVINGS, -4)):
        for direction in directions:
            x = arb((start + direction * arb(2) ** j).mid())
            s = sign(x)
            if s == 0:
                continue
            if -s in near:
                (a, first), (z, last) = sorted(((x, s), (near[-s], -s)), key=lambda p: float(p[0]))
                return a, first, z, last
            near[s] = x
    raise NoSignChange("root(...): no sign change was found")


def _halved(sign: Callable[..., int], left: arb, right: arb, left_sign: int, bits: int) -> tuple[arb, arb]:
    """Eight bisections, as far as the sign in the middle can be told."""
    for _ in range(8):
        with ctx.workprec(bits + 64):
            middle = arb(((left + right) / 2).mid())
        s = sign(middle, bits)
        if s == 0:
            return left, right
        left, right = (middle, right) if s == left_sign else (left, middle)
    return left, right


def _secant(
    function: Callable[[arb], arb], sign: Callable[..., int], left: arb, right: arb, left_sign: int, bits: int
) -> tuple[arb, arb] | None:
    """A bracket about `bits` narrow around where the secant vanishes, with proved signs; None where that fails."""
    with ctx.workprec(2 * bits + 64):
        try:
            f_left, f_right = function(left), function(right)
            guess = arb((left - f_left * (right - left) / (f_right - f_left)).mid())
        except (Undefined, Unresolved, ZeroDivisionError):
            return None
        if not guess.is_finite():
            return None
        radius = arb((abs(guess) * arb(2) ** (-bits)).mid())
        for _ in range(4):
            a, z = arb((guess - radius).mid()), arb((guess + radius).mid())
            if not (a > left and z < right):
                return None
            if sign(a, bits) == left_sign and sign(z, bits) == -left_sign:
                return a, z
            radius = radius * 16
    return None
