"""The place where a function changes sign, between two proved signs."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, ctx

from dpsym.enclosing.operations import Undefined, Unresolved

_MOST_DOUBLINGS = 4000


def sign_change(function: Callable[[arb], arb], lower: arb | None, upper: arb | None) -> arb:
    """A ball that contains a sign change of a continuous function between two ends (None: infinite).

    The ball's two ends have proved opposite signs.  That there is only one such place is the caller's contract.

    Raises:
        Unresolved: when no two points of opposite sign were found.
    """
    target = ctx.prec

    def sign(x: arb) -> int:
        for factor in (1, 2, 4):
            with ctx.workprec(64 + factor * target):
                try:
                    value = function(x)
                except (Undefined, Unresolved):
                    continue
            if value > 0:
                return 1
            if value < 0:
                return -1
            if value.is_zero():
                return 0
        return 0

    left, left_sign, right, right_sign = _bracket(sign, lower, upper)
    if left_sign == 0:
        return left
    if right_sign == 0:
        return right
    if left_sign == right_sign:
        raise Unresolved("no sign change was found for root(...)")
    left, right = _bisect(sign, left, right, left_sign, 24)
    bits = 48
    while bits < target:
        bits = min(2 * bits, target + 8)
        left, right = _refine(function, sign, left, right, left_sign, bits)
    left, right = _bisect(sign, left, right, left_sign, target)
    return left.union(right)


def _bracket(sign: Callable[[arb], int], lower: arb | None, upper: arb | None) -> tuple[arb, int, arb, int]:
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
        raise Unresolved("root(...): both ends have the same sign")
    start = arb(lower.mid()) if lower is not None else (arb(upper.mid()) if upper is not None else arb(0))
    near: dict[int, arb] = {}
    for j in range(_MOST_DOUBLINGS):
        # from close to the start outward, both ways where both are allowed
        for direction in (1, -1):
            if (direction == 1 and upper is not None) or (direction == -1 and lower is not None):
                continue
            for size in {arb(2) ** j, arb(2) ** (-j)}:
                x = arb((start + direction * size).mid())
                s = sign(x)
                if s == 0:
                    continue
                if -s in near:
                    a, z = sorted(((x, s), (near[-s], -s)), key=lambda p: float(p[0]))
                    return a[0], a[1], z[0], z[1]
                near.setdefault(s, x)
                if abs(x) > abs(near[s]) and j < 8:
                    near[s] = x
    raise Unresolved("root(...): no sign change was found")


def _bisect(sign: Callable[[arb], int], left: arb, right: arb, left_sign: int, bits: int) -> tuple[arb, arb]:
    for _ in range(4 * bits + 4000):
        with ctx.workprec(bits + 80):
            middle = arb(((left + right) / 2).mid())
            if right - left <= abs(middle) * arb(2) ** (-bits):
                return left, right
        s = sign(middle)
        if s == 0:
            return left, right
        left, right = (middle, right) if s == left_sign else (left, middle)
    return left, right


def _refine(
    function: Callable[[arb], arb], sign: Callable[[arb], int], left: arb, right: arb, left_sign: int, bits: int
) -> tuple[arb, arb]:
    """One secant step inside the bracket, then a bracket around it with proved signs, about `bits` narrow."""
    with ctx.workprec(2 * bits + 64):
        try:
            f_left, f_right = function(left), function(right)
            guess = arb((left - f_left * (right - left) / (f_right - f_left)).mid())
        except (Undefined, Unresolved, ZeroDivisionError):
            return left, right
        radius = arb((abs(guess) * arb(2) ** (-bits + 4) + arb(2) ** (-4 * bits)).mid())
        for _ in range(12):
            a, z = arb((guess - radius).mid()), arb((guess + radius).mid())
            a = a if a > left else left
            z = z if z < right else right
            if not a < z:
                return left, right
            sa, sz = (left_sign if a is left else sign(a)), (-left_sign if z is right else sign(z))
            if sa == left_sign and sz == -left_sign:
                return a, z
            radius = radius * 16
    return left, right
