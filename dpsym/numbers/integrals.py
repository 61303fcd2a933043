"""Integrals by certified quadrature; infinite ends are cut where a proved exponential bound holds beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp
from flint import acb, arb, ctx

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.numbers.tails import bounds, log_derivative
from dpsym.numbers.tape import Tape

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder

_FARTHEST_CUT = 200  # steps of a quarter outward to the place at which an infinite end is cut
_MOST_EVALUATIONS_PER_BIT = 100  # an integrand that needs more is not analytic near the path
_SAMPLES = 64  # places at which it is looked whether the integrand is defined around them
_MOST_PASSES = 20  # of the estimate by the size that the one before had found
_ONE = arb(1)  # made once


def integral(inner: Builder, e: sp.Basic, function: sp.Lambda) -> Operation:
    """`Integral(f, (x, lower, upper))` as an operation on lower, upper and what else f depends on."""
    (x,) = function.variables
    f = function.expr
    to_right, to_left = e.limits[-1][2] is sp.oo, e.limits[-1][1] is -sp.oo
    body, right, left = inner.tapes(
        [f],
        bounds(f, x, log_derivative) if to_right else [],
        bounds(f.subs(x, -x), x, log_derivative) if to_left else [],
    )

    def on_ball(lower: arb, upper: arb, *others: arb) -> arb:
        if any(v.is_nan() for v in (lower, upper, *others)):
            return NAN
        error = arb(0)
        if not upper.is_finite():
            upper, beyond = _cut(right, lower, others)
            error = error + beyond
        if not lower.is_finite():
            mirrored, beyond = _cut(left, -upper, others)
            lower, error = -mirrored, error + beyond
        if not (error.is_finite() and lower.is_finite() and upper.is_finite()):
            return NAN
        return _between(body, lower, upper, others) + arb(0, 1) * error

    def on_range(lower: Range, upper: Range, *others: Range) -> Range | None:
        balls = [ranges.as_ball(r) for r in (lower, upper, *others)]
        if not all(b.is_finite() for b in balls):
            return None
        value = on_ball(*balls)
        return ranges.of_ball(value) if value.is_finite() else None

    def needs(lower: arb, upper: arb, *others: arb) -> Violation | None:
        """Undefined where the integrand is, on some interval: single points do not matter to an integral."""
        if upper < lower:
            lower, upper = upper, lower
        if not (lower.is_finite() and upper.is_finite() and lower < upper):
            return None
        low, width = lower.mid(), (upper - lower).mid() / _SAMPLES
        for j in range(_SAMPLES):
            place = (low + width * (j + arb(1) / 2)).mid()
            violation = body.violations([place + width * arb(0, 1) / 1024, *others])[0]
            if violation is not None:
                return None, f"{violation}, about {x} = {place.str(5, radius=False)}"
        return None

    return Operation(
        on_ball,
        on_range,
        needs,
        costly=True,
        failure="the quadrature did not converge, or no exponential bound beyond a cut could be proved",
    )


def _cut(tape: Tape, start: arb, others: Any) -> tuple[arb, arb]:
    """A place and a bound on the integral of |f| beyond it, below the working precision or nearly."""
    best = NAN, NAN
    parts = tape.outputs // 2
    if parts == 0:
        return best
    outside = [ranges.of_ball(v) for v in others]
    place = arb(1) if not start.is_finite() else (abs(start).upper() + 1).floor() + 1
    highest = arb(0)
    for _ in range(_FARTHEST_CUT):
        place = (place + place / 4).ceil().mid()
        spans = tape.ranges([Range(place, arb.pos_inf(), False, True), *outside])[parts:]
        sizes = tape.balls([place, *others])[:parts]
        beyond = arb(0)
        for size, span in zip(sizes, spans, strict=True):
            highest = highest.max(abs(size)) if size.is_finite() else highest
            if span is None or not span.above < 0 or not size.is_finite():
                beyond = NAN
                break
            beyond = beyond + abs(size) / -span.above  # |f(x)| <= |f(place)| exp(-rate (x - place))
        if beyond.is_finite():
            best = place, arb(beyond.upper())
            if beyond <= arb(2) ** (-2 * ctx.prec) or beyond <= highest * arb(2) ** (-2 * ctx.prec):
                return best
    return best


def _between(body: Tape, lower: arb, upper: arb, others: Any) -> arb:
    """From the one to the other, whichever is larger; where that is not known, the width times a mean."""
    if lower.is_exact() and upper.is_exact() and lower == upper:
        return arb(0)
    if lower <= upper:
        return _quadrature(body, lower, upper, others)
    if upper <= lower:
        return -_quadrature(body, upper, lower, others)
    ends = Range(lower.lower().min(upper.lower()), lower.upper().max(upper.upper()))
    mean = body.ranges([ends, *(ranges.of_ball(v) for v in others)])[0]
    return NAN if mean is None else (upper - lower) * ranges.as_ball(mean)


def _quadrature(body: Tape, lower: arb, upper: arb, others: Any) -> arb:
    outside = [acb(v) for v in others]
    spans = [ranges.of_ball(v) for v in others]
    between = Range(lower.lower(), upper.upper())
    if not between.below < between.above:
        return NAN

    def integrand(z: acb, analytic: bool) -> acb:
        if analytic:
            return body.holomorphic([z, *outside])[0]
        piece = ranges.of_ball(z.real) if z.imag.is_zero() else None
        if piece is None:
            return acb(NAN)
        return acb(ranges.as_ball(body.ranges([ranges.common(piece, between), *spans])[0]))

    tolerance, known = arb(2) ** -ctx.prec, _ONE
    for _ in range(_MOST_PASSES):
        value = acb.integral(
            integrand,
            acb(lower),
            acb(upper),
            rel_tol=tolerance,
            abs_tol=tolerance * known,
            eval_limit=_MOST_EVALUATIONS_PER_BIT * ctx.prec,
        )
        size = abs(value.real).upper()
        if not (value.is_finite() and value.imag.contains(0)):
            return NAN
        if value.real.rel_accuracy_bits() > ctx.prec // 2 or not size < known / 2:
            break
        known = size  # the integral is that much smaller than the tolerance took it to be
    return value.real
