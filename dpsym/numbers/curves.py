"""A function of one variable on an interval: its values and slopes on pieces, which are cut ever closer to the ends.

What may be said of it: an operation has a jump where it is defined only if it is one of `_JUMPS`; all others that are
compiled are continuous wherever a range of theirs exists, and smooth but for those of which the records say
otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb

from dpsym.core import functions
from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN
from dpsym.core.balls.ranges import Range
from dpsym.core.notation import phi
from dpsym.numbers.factoring import factored

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder
    from dpsym.numbers.tape import Tape

_LONGEST_REWRITTEN, _LONGEST_NUMBER = 60, 100  # operations; bits of a number beside which factors take long
_FARTHEST = 1 << 12  # pieces are cut no closer to an end than 2 to the minus this, and no farther out than 2 to this
_NARROWEST = 2.0**-40  # relative to the place: what is narrower is no longer cut
_MOST_PIECES = 600  # each is an evaluation of values and slopes: a second or so in all

Position = Callable[[arb], arb]
Piece = tuple[float | None, float | None]  # between two exponents; None: up to the end of the interval


def continuous(e: sp.Expr) -> bool:
    """Whether it is continuous on every interval on which it is defined."""
    return functions.made_of(e, "continuous")


def smooth(e: sp.Expr) -> bool:
    """Whether it is continuous and has, wherever the derivative as written is defined, that one."""
    return functions.made_of(e, "smooth")


def analytic(e: sp.Expr) -> bool:
    """Whether it is, on every interval on which it is defined, constant or has isolated zeros of the slope."""
    return smooth(e) and all(power.exp.is_Integer or not power.base.free_symbols for power in e.atoms(sp.Pow))


class Curve:
    """A function of a variable and of what else it depends on, with some derivatives where it has them."""

    def __init__(self, tapes: Sequence[Tape], outside: Sequence[arb | Range]) -> None:
        self._value, self._slopes, *self._rewritten = tapes
        self._balls = [ranges.as_ball(v) if isinstance(v, Range) else v for v in outside]
        self._ranges = [v if isinstance(v, Range) else ranges.of_ball(v) for v in outside]

    @staticmethod
    def tapes(inner: Builder, f: sp.Expr, x: sp.Symbol, slopes: Sequence[sp.Expr]) -> list[Tape]:
        """What a curve is made of: the function, the derivatives, and other ways to write each of them."""
        return inner.tapes([f], slopes, *(_rewritten(e, x) for e in (f, *slopes)))

    def at(self, x: arb) -> arb:
        """The value at a point."""
        return self._value.balls([x, *self._balls])[0]

    def slope(self, x: arb) -> arb:
        """The derivative at a point; not a number where it is not known to exist."""
        return self._slopes.balls([x, *self._balls])[0] if self._slopes.outputs else NAN

    def values(self, span: Range) -> Range | None:
        """What is known of the values; None where it may be undefined."""
        return self._narrowed(self._value.ranges([span, *self._ranges])[0], span, 0)

    def slopes(self, span: Range) -> list[Range | None]:
        """What is known of each derivative."""
        known = self._slopes.ranges([span, *self._ranges])
        return [self._narrowed(value, span, which) for which, value in enumerate(known, 1)]

    def _narrowed(self, known: Range | None, span: Range, which: int) -> Range | None:
        """Also by the other ways to write it, where it is defined as it was written."""
        if known is not None:
            for other in self._rewritten[which].ranges([span, *self._ranges]):
                known = known if other is None else ranges.common(known, other)
        return known


def slope_of(f: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """The derivative, with both one-sided ones at corners; none where the function may jump or has no formula."""
    if not continuous(f):
        return []
    cases = {
        sp.Abs: lambda u: sp.Piecewise((u, u > 0), (-u, True)),
        sp.Max: lambda *u: _first_of(u, sp.Ge),
        sp.Min: lambda *u: _first_of(u, sp.Le),
    }
    for kind, made in cases.items():
        f = f.replace(kind, made)
    slope = sp.diff(f, x)
    return [] if slope.has(sp.Derivative, sp.Subs) else [slope]


def _first_of(values: Sequence[sp.Expr], relation: type[sp.Rel]) -> sp.Expr:
    best = values[0]
    for value in values[1:]:
        best = sp.Piecewise((best, relation(best, value)), (value, True))
    return best


def _rewritten(e: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Other ways to write it, with tighter ranges: in factors, by Horner's rule, normal densities as exponentials.

    These are expanded, so that what cancels is gone, as in the slope of the Gaussian mechanism's privacy profile.
    """
    if sp.count_ops(e) > _LONGEST_REWRITTEN:
        return []
    long = any(max(abs(n.p), n.q).bit_length() > _LONGEST_NUMBER for n in e.atoms(sp.Rational))
    found = [] if long else [factored(e)]
    if e.has(phi):
        written = e.replace(phi, lambda u: sp.exp(sp.expand(-(u**2) / 2)) / sp.sqrt(2 * sp.pi))
        terms = sp.Add.make_args(sp.expand(written, power_exp=False, power_base=False, log=False, func=False))
        found.append(sp.Add(*(sp.powsimp(term, combine="exp") for term in terms)))
    if e.is_polynomial(x):
        found.append(sp.horner(e, x))
    return [f for f in found if f != e]


# --- places and pieces
def everywhere(domain: Range, shown: Callable[[Range, bool], bool], most: int = _MOST_PIECES) -> bool:
    """Whether something is shown on all of an interval: piece by piece, each of them halved until it is shown there.

    `shown` is told whether a piece is too small to be cut.
    """
    position = positions(domain.below, domain.above)
    pieces: list[Piece] = [(None, None)]
    for _ in range(most):
        if not pieces:
            return True
        piece = pieces.pop()
        smaller = halves(piece)
        if not shown(part(domain, position, piece), smaller is None):
            if smaller is None:
                return False
            pieces.extend(smaller)
    return False


def positions(lower: arb, upper: arb) -> Position:
    """An increasing map of the real line onto the set between the ends, geometric towards each of them.

    Far out it is rounded to an end, which may not belong to the set: see `inside`.
    """
    two = arb(2)
    if lower.is_finite() and upper.is_finite():
        low, half = lower.upper(), (upper.lower() - lower.upper()) / 2
        high = upper.lower()
        return lambda t: (low + half * two**t if t <= 0 else high - half * two ** (-t)).mid()
    if lower.is_finite():
        low = lower.upper()
        return lambda t: (low + two**t).mid()
    if upper.is_finite():
        high = upper.lower()
        return lambda t: (high - two ** (-t)).mid()
    return lambda t: (two**t - 1 if t >= 0 else 1 - two ** (-t)).mid()


def inside(domain: Range, x: arb) -> bool:
    """Whether a point certainly belongs to an interval."""
    above = domain.below < x or (not domain.below_open and bool(domain.below <= x))
    return bool(above and (x < domain.above or (not domain.above_open and x <= domain.above)))


def part(domain: Range, position: Position, piece: Piece) -> Range:
    """The part of the interval that a piece stands for."""
    below, below_open, above, above_open = domain.below, domain.below_open, domain.above, domain.above_open
    if piece[0] is not None:
        below, below_open = position(arb(piece[0])), False
    if piece[1] is not None:
        above, above_open = position(arb(piece[1])), False
    return Range(below, above, below_open or not below.is_finite(), above_open or not above.is_finite())


def halves(piece: Piece) -> list[Piece] | None:
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
