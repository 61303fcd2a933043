"""Integrals by certified quadrature; infinite ends are cut where a proved exponential bound holds beyond."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import sympy as sp
from flint import acb, arb, ctx

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.core.relations import BINDERS
from dpsym.numbers.tails import bounds, log_derivative
from dpsym.numbers.tape import Tape

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder

_FARTHEST_CUT = 200  # steps of a quarter outward to the place at which an infinite end is cut
_MOST_EVALUATIONS_PER_BIT = 100  # an integrand that needs more is not analytic near the path
_SAMPLES = 64  # places at which it is looked whether the integrand is defined around them
_MOST_CORNERS = 2  # each doubles the smooth pieces that are compiled
_MOST_PASSES = 20  # of the estimate by the size that the one before had found
_ONE = arb(1)  # made once


def integral(inner: Builder, e: sp.Basic, function: sp.Lambda) -> Operation:
    """`Integral(f, (x, lower, upper))` as an operation on lower, upper and what else f depends on."""
    (x,) = function.variables
    f = function.expr
    to_right, to_left = e.limits[-1][2] is sp.oo, e.limits[-1][1] is -sp.oo
    corners, smooth = _smooth_pieces(f, x)
    body, right, left, places, *parts = inner.tapes(
        [f],
        bounds(f, x, log_derivative) if to_right else [],
        bounds(f.subs(x, -x), x, log_derivative) if to_left else [],
        corners,
        *([g] for g in smooth.values()),
    )
    pieces = _Pieces(body, places, dict(zip(smooth, parts, strict=True)))

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
        return _between(pieces, lower, upper, others) + arb(0, 1) * error

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


def _smooth_pieces(f: sp.Expr, x: sp.Symbol) -> tuple[list[sp.Expr], dict[tuple[int, ...], sp.Expr]]:
    """Where f has a corner and with what slope it is passed, and what f is by the sides of the corners.

    Of an absolute value, a maximum or a minimum of two, of what is linear in x; others stay, and only cost time.
    """
    if f.has(*BINDERS):
        return [], {}
    found: dict[sp.Expr, sp.Expr] = {}
    for e in f.atoms(sp.Abs, sp.Max, sp.Min):
        inside = e.args[0] if isinstance(e, sp.Abs) else e.args[0] - e.args[-1]
        if len(e.args) <= 2 and x in inside.free_symbols and inside.is_polynomial(x) and sp.degree(inside, x) == 1:
            found[e] = inside
    if not 0 < len(found) <= _MOST_CORNERS:
        return [], {}
    corners: list[sp.Expr] = []
    for inside in found.values():
        slope = sp.diff(inside, x)
        corners += [sp.expand(x - inside / slope), slope]

    def side(e: sp.Expr, sign: int) -> sp.Expr:
        if isinstance(e, sp.Abs):
            return sign * e.args[0]
        return e.args[0 if (sign > 0) == isinstance(e, sp.Max) else 1]

    return corners, {
        signs: f.xreplace({e: side(e, sign) for e, sign in zip(found, signs, strict=True)})
        for signs in product((-1, 1), repeat=len(found))
    }


@dataclass(frozen=True)
class _Pieces:
    """An integrand, where its corners are (place and slope, in turn), and what it is by the signs at each."""

    whole: Tape
    corners: Tape
    smooth: dict[tuple[int, ...], Tape]

    def quadrature(self, lower: arb, upper: arb, others: Any) -> arb:
        """Smooth pieces, and widths times means about corners; as a whole where their order is not known."""
        known = self.corners.balls([NAN, *others]) if self.smooth else []
        places, slopes = known[::2], known[1::2]
        about: list[tuple[arb, arb]] = []
        for p in sorted((p for p in places if not (p <= lower or p >= upper)), key=lambda p: float(p.mid())):
            start, end = p.lower(), p.upper()
            if about and start <= about[-1][1]:
                start, end = (start.min(about[-1][0]), end.max(about.pop()[1]))
            about.append((start, end))
        ends = [lower, *(end for pair in about for end in pair), upper]
        known_sides = all(slope > 0 or slope < 0 for slope in slopes)
        if not self.smooth or not known_sides or not all(a <= b for a, b in pairwise(ends)):
            return _quadrature(self.whole, lower, upper, others)
        total = arb(0)
        for number, (start, end) in enumerate(pairwise(ends)):
            if start == end:
                continue
            if number % 2:
                total += _by_mean(self.whole, start, end, others)
                continue
            signs = tuple(1 if (slope > 0) == (p <= start) else -1 for p, slope in zip(places, slopes, strict=True))
            total += _quadrature(self.smooth[signs], start, end, others)
        return total


def _between(pieces: _Pieces, lower: arb, upper: arb, others: Any) -> arb:
    """From the one to the other, whichever is larger; where that is not known, the width times a mean."""
    if lower.is_exact() and upper.is_exact() and lower == upper:
        return arb(0)
    if lower <= upper:
        return pieces.quadrature(lower, upper, others)
    if upper <= lower:
        return -pieces.quadrature(upper, lower, others)
    return _by_mean(pieces.whole, lower, upper, others)


def _by_mean(body: Tape, lower: arb, upper: arb, others: Any) -> arb:
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
