"""Pure differential privacy by number: the supremum of the likelihood ratio over all outputs and all smaller shifts.

For a positive density f = exp(g) on the line, answers that are at most d apart have the privacy loss g(y - s) - g(y),
|s| <= d, and its supremum over y and s is the least epsilon (both orders, since y - s and -s are such a pair too).

- *From below* by the loss at points.
- *From above* on a box of y and s by what ranges say of g at both places; and where g is continuous by the mean value
  theorem: |g(y - s) - g(y)| <= |s| sup |g'| over what lies between.  Branch and bound, the largest bound first.
  Where the loss is strictly monotone in the output or in the shift, a box is left to its neighbour (or to the tail).
- *In the tails* by the same theorem on a whole half-line, where log-derivatives are written in powers of 1/x or of a
  decaying exponential, so that their range over it is finite and tight.  Where |g'| is seen to grow without bound, or
  the support ends, the ratio is infinite.

Neither needs the total: a constant factor cancels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, pairwise

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.balls import ranges
from dpsym.core.balls.ranges import Range
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import over
from dpsym.core.distributions import Density, Pmf
from dpsym.core.relations import exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.divergences.smooth_pieces import NoPieces, Piece, smooth_pieces
from dpsym.numbers import NotNumeric, Tape, ball, compiled, decimals, tail_integrals
from dpsym.numbers.tails import NoTail, log_derivative, power_tail
from dpsym.own_noise.normalised import NotADistribution

_BITS = 128  # of every ball; what is rounded is in its radius
_CLOSE = 1e-8  # how far apart the two bounds may be, of themselves
_MOST_BOXES = 60_000  # that are looked at; with fewer the bounds are wider
_FARTHEST = 2**40  # where a tail may begin at the latest
_STEP = sp.Rational(1, 2**12)
_PLACES = (1, 16, 256)  # where a half-line begins on which it may grow
_FIRST = 24  # parts of the middle, at first


class NotSettled(ArithmeticError):
    """No number could be certified; the message says what was in the way."""


@dataclass(frozen=True)
class _Smooth:
    """A piece of log f with its derivative, between exact ends."""

    log: Tape
    slopes: tuple[Tape, ...]  # the same derivative, written in several ways
    low: arb
    high: arb


@keeping_time
def pure(
    noise: Density | Pmf, shift: sp.Expr, at: Mapping[sp.Symbol, object], *, time_limit: float = Work(20)
) -> Enclosure:
    """The least epsilon of pure DP for answers at most a shift apart; infinite where that is shown.

    Args:
        noise: a density, positive where it is not shown to end.
        shift: by how much answers differ at most.
        at: exact values of all parameters.
        time_limit: in seconds; what is found by then is wider, and as certain.

    Raises:
        NotADistribution: where the density certainly does not integrate to 1.
        NotSettled: where no bound above was found; the message says what was tried.
    """
    if isinstance(noise, Pmf):
        raise NotSettled("of masses the supremum of the ratio is not enclosed (a density's is)")
    table = {symbol: exact(value) for symbol, value in at.items()}
    here, by = noise.subs(table), substitute(shift, table)
    infinite = Enclosure(decimals(arb.pos_inf(), 10).lower, decimals(arb.pos_inf(), 10).upper)
    with ctx.workprec(_BITS):
        pieces = pieces_of(here)
        total_of(pieces, here.variable)
        if here.support != sp.Reals:
            return infinite  # beyond an end of the support only one of two answers is possible
        mirrored = pieces[0].formula.subs(here.variable, -here.variable)
        if any(_grows(f, here.variable) for f in (pieces[-1].formula, mirrored)):
            return infinite
        if _vanishes(pieces, here.variable, by):
            return infinite
        search = _Search(pieces, here.variable, _ball(by))
        low, high = search.run()
        if not high.is_finite():
            raise NotSettled(f"no bound on the likelihood ratio was found: {search.trouble}")
        return Enclosure(decimals(low, 12).lower, decimals(high.max(low), 12).upper)


def pieces_of(noise: Density) -> tuple[Piece, ...]:
    """Its smooth pieces, at numbers.

    Raises:
        NotSettled: where it is not seen to consist of some.
    """
    try:
        return smooth_pieces(noise.expression, noise.variable, noise.support.start, noise.support.end)
    except NoPieces as error:
        raise NotSettled(f"the density was not cut into smooth pieces: {error}") from None


def total_of(pieces: tuple[Piece, ...], x: sp.Symbol) -> arb:
    """The integral of all pieces, which has to contain 1.

    Raises:
        NotADistribution: where it certainly is not 1.
        NotSettled: where it was not found.
    """
    total = tail_integrals.total(((p.formula, p.low, p.high) for p in pieces), x)
    if total == arb.pos_inf():
        raise NotADistribution("the density is not one of a distribution: it integrates to infinity")
    if not total.is_finite():
        raise NotSettled("its total was not found: in a tail neither an exponential bound nor a power was seen")
    if not total.contains(1):
        value = decimals(total, 10).lower
        raise NotADistribution(f"the density is not one of a distribution: it integrates to {value}, not to 1")
    return total


def _ball(x: sp.Expr) -> arb:
    found = ball(x, {}, ctx.prec)
    if not found.is_finite():
        raise NotSettled(f"the shift {x} has no value")
    return arb(found.upper())  # a larger one is no better


def _end(x: sp.Expr) -> arb:
    return arb.pos_inf() if x == sp.oo else arb.neg_inf() if x == -sp.oo else arb(fmpq(int(x.p), int(x.q)))


def _vanishes(pieces: tuple[Piece, ...], x: sp.Symbol, shift: sp.Expr) -> bool:
    """Whether a piece is seen to be 0 at a place where it is continuous, and not all about it: there the ratio is not
    bounded, since the density is integrable and positive somewhere at any smaller distance."""
    for piece in pieces:
        for place in {piece.low, piece.high, sp.S.Zero}:
            if place.is_Rational and piece.low <= place <= piece.high and not piece.formula.atoms(sp.floor):
                value = piece.formula.subs(x, place)
                near = _near(piece, x, place)
                if value == 0 and near is not None and near > 0 and shift >= _STEP:
                    return True
    return False


def _near(piece: Piece, x: sp.Symbol, place: sp.Rational) -> arb | None:
    tape = _compiled([piece.formula.subs(x, place + (_STEP if piece.high > place else -_STEP))], x)
    return None if tape is None else tape.balls([arb(0)])[0]


def _grows(f: sp.Expr, x: sp.Symbol) -> bool:
    """Whether the log-derivative certainly goes to infinity, or to minus infinity, as x grows.

    Its own derivative is bounded away from 0 on a half-line; or it is a sum of terms that go like powers of x, of which
    the largest is positive, and its terms do not cancel.
    """
    rate = sp.expand(_rate(f, x))
    try:
        second = compiled((sp.diff(rate, x),), (x,))
        for place in _PLACES:
            span = second.ranges([Range(arb(place), arb.pos_inf(), False, True)])[0]
            if span is not None and (span.below > 0 or span.above < 0):
                return True
        tails = [power_tail(term, x) for term in sp.Add.make_args(rate)]
        if not tails or any(t is None for t in tails):
            return False
        powers = {-t.power for t in tails if t is not None}
        if not max(powers) > 0:
            return False
        leading = sum((t.at_infinity for t in tails if t is not None and -t.power == max(powers)), sp.S.Zero)
        found = compiled((leading,), ()).balls([])[0]
    except NotNumeric:
        return False
    return bool(found.is_finite() and not found.contains(0))


def _rate(f: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """The log-derivative, factor by factor, each written so that its range for large x is tight if that is known."""
    found = sp.S.Zero
    for factor in sp.Mul.make_args(sp.powsimp(f)):
        try:
            found += log_derivative(factor, x)
        except NoTail:
            found += sp.diff(factor, x) / factor
    return found


@dataclass
class _Search:
    """Branch and bound over outputs and shifts."""

    pieces: tuple[Piece, ...]
    x: sp.Symbol
    shift: arb
    trouble: str = ""

    def __post_init__(self) -> None:
        self.smooth = [self._smooth(p) for p in self.pieces]
        self.best = arb(0)  # a loss that is attained
        self.continuous = all(self._meet(a, b) for a, b in pairwise(self.pieces))

    def _smooth(self, piece: Piece) -> _Smooth:
        log = sp.expand_log(sp.log(piece.formula), force=True)
        mirrored = _rate(piece.formula.subs(self.x, -self.x), self.x).subs(self.x, -self.x)
        slopes = dict.fromkeys((sp.diff(log, self.x), _rate(piece.formula, self.x), -mirrored))
        tapes = []
        for e in (log, *slopes):
            try:
                tapes.append(compiled((e,), (self.x,)))
            except NotNumeric as error:
                if e == log:
                    raise NotSettled(f"the density is not a number at every place: {error}") from None
        return _Smooth(tapes[0], tuple(tapes[1:]), _end(piece.low), _end(piece.high))

    def _meet(self, left: Piece, right: Piece) -> bool:
        gap = sp.simplify(left.formula.subs(self.x, left.high) - right.formula.subs(self.x, right.low))
        return bool(gap == 0)

    def run(self) -> tuple[arb, arb]:
        """The largest loss that was found, and a bound on all of them."""
        corners = [arb(0), *(s.low for s in self.smooth[1:])]
        reach = max((float(abs(c).upper()) for c in corners), default=0.0)
        reach = arb(float(2 ** (4 + max(0, int(reach)).bit_length())) + float(self.shift.upper()) * 8)
        for place in (*corners, *(sign * reach / 2**k for k in range(12) for sign in (1, -1))):
            self._try(arb(place.mid()))
        beyond = [self._tail(side, reach) for side in (1, -1)]
        if not all(b[1].is_finite() for b in beyond):
            self.trouble = (
                "in a tail its log-derivative was neither bounded on a half-line nor seen to grow without bound"
            )
            return self.best, arb.pos_inf()
        (right, above), (left, below) = beyond
        inside = self._middle(-left, right)
        return self.best, inside.max(above).max(below).max(self.best)

    def _tail(self, side: int, start: arb) -> tuple[arb, arb]:
        """From where on, on this side, and the bound there: as far out as makes it no more than what is attained."""
        piece = self.pieces[-1] if side == 1 else self.pieces[0]
        f = piece.formula if side == 1 else piece.formula.subs(self.x, -self.x)
        terms = sp.Add.make_args(sp.expand_mul(f))
        ways = [[_rate(f, self.x)]]
        if len(terms) > 1 and all(_positive_beyond(t, self.x, start) for t in terms):
            ways.append([_rate(t, self.x) for t in terms])  # of a sum of positive terms it lies between theirs
        tapes = [tape for way in ways if (tape := _compiled(way, self.x)) is not None]
        place, found = start, (start, arb.pos_inf())
        while place < _FARTHEST and not over():
            self._try(side * place)
            bound = arb.pos_inf()
            for tape in tapes:
                spans = tape.ranges([Range((place - self.shift).lower(), arb.pos_inf(), False, True)])
                sizes = [abs(s.below).max(abs(s.above)) for s in spans if s is not None]
                if len(sizes) == len(spans) and all(z.is_finite() for z in sizes):
                    bound = bound.min(self.shift * _fold(iter(sizes))[1])
            if bound.is_finite() and not (found[1].is_finite() and found[1] <= bound):
                found = (place, arb(bound.upper()))
            if found[1] <= self.best * (1 + _CLOSE / 4):
                break
            place = arb((place * 4).mid())
        return found

    def _try(self, y: arb, *inner: arb) -> None:
        """The losses of this output at both of the largest shifts, and at others between them."""
        for s in (self.shift, -self.shift, *inner):
            loss = self._value(y - s) - self._value(y)
            if loss.is_finite():
                self.best = self.best.max(arb(loss.lower()))

    def _value(self, y: arb) -> arb:
        for s in self.smooth:
            if s.low <= y <= s.high:
                return s.log.balls([y])[0]
        return arb.nan()

    def _middle(self, low: arb, high: arb) -> arb:
        """A bound on the loss of outputs between these."""
        order, waiting = count(), list[tuple[float, int, Range, Range, float]]()
        corners = {float(s.low) for s in self.smooth[1:]}
        ends = [float(low) + (float(high) - float(low)) * i / _FIRST for i in range(_FIRST + 1)]
        places = sorted({*ends, *(c for c in corners if low < c < high)})
        places[0], places[-1] = min(places[0], float(low.lower())), max(places[-1], float(high.upper()))
        settled = arb(0)

        def put(ys: Range, ss: Range) -> None:
            nonlocal settled
            cut = self._left_to_neighbours(ys, ss, shift)
            if cut is None:
                return
            ss = cut
            bound = self._bound(ys, ss)
            if bound <= self.best * (1 + _CLOSE):
                settled = settled.max(bound)
                return
            size = float(bound.upper()) if bound.is_finite() else float("inf")
            heappush(waiting, (-size, next(order), ys, ss, size))

        shift = arb(self.shift.upper())
        for a, b in pairwise(places):
            for s in (Range(-shift, arb(0)), Range(arb(0), shift)):
                put(Range(arb(a), arb(b)), s)
        looked = 0
        while waiting:
            looked += 1
            if looked > _MOST_BOXES or over():
                self.trouble = "the time or the number of boxes was not enough where the density is not settled"
                return settled.max(arb(max(size for *_, size in waiting)))
            _, _, ys, ss, size = heappop(waiting)
            if size <= float(self.best.lower()) * (1 + _CLOSE):
                return settled.max(arb(size))
            width, wide = (float(r.above - r.below) for r in (ys, ss))
            middle, between = (arb(((r.below + r.above) / 2).mid()) for r in (ys, ss))
            self._try(middle, between)
            if width <= 1e-14 * (1 + abs(float(middle))) and wide <= 1e-14 * float(shift):
                self.trouble = "the likelihood ratio was not settled at a place: is the density 0 there?"
                return arb.pos_inf()
            if width >= wide:
                parts = [(Range(ys.below, middle), ss), (Range(middle, ys.above), ss)]
            else:
                parts = [(ys, Range(ss.below, between)), (ys, Range(between, ss.above))]
            for part in parts:
                put(*part)
        return settled

    def _left_to_neighbours(self, ys: Range, ss: Range, shift: arb) -> Range | None:
        """The part of a box on which the loss may be largest: the shifts that are left; None where there are none."""
        if not self.continuous:
            return ss
        moved = self._over(ranges.add(ys, ranges.negate(ss)), log=False)
        here = self._over(ys, log=False)
        if moved is None:
            return ss
        if here is not None and (moved.below > here.above or moved.above < here.below):
            return None  # it rises or falls with the output
        if moved.above < 0 and ss.below < ss.above:  # it rises with the shift
            return Range(ss.above, ss.above) if ss.above >= shift else None
        if moved.below > 0 and ss.below < ss.above:  # it falls
            return Range(ss.below, ss.below) if ss.below <= -shift else None
        return ss

    def _bound(self, ys: Range, ss: Range) -> arb:
        """On g(y - s) - g(y), in two ways."""
        moved = ranges.add(ys, ranges.negate(ss))
        found = arb.pos_inf()
        first, second = self._over(moved, log=True), self._over(ys, log=True)
        if first is not None and second is not None:
            found = found.min((first.above - second.below).upper())
        if self.continuous:
            hull = Range(ys.below.min(moved.below), ys.above.max(moved.above))
            slope = self._over(hull, log=False)
            if slope is not None:
                size = abs(slope.below).max(abs(slope.above)) * abs(ss.below).max(abs(ss.above))
                found = found.min(arb(size.upper()))
        return found if not found.is_nan() else arb.pos_inf()

    def _over(self, ys: Range, *, log: bool) -> Range | None:
        """The range of log f, or of its derivative, over an interval: of all pieces that it meets."""
        parts = []
        for s in self.smooth:
            low, high = ys.below.max(s.low.lower()), ys.above.min(s.high.upper())
            if low <= high:
                spans = [t.ranges([Range(low, high)])[0] for t in ((s.log,) if log else s.slopes)]
                known = [r for r in spans if r is not None and r.below.is_finite() and r.above.is_finite()]
                if not known:
                    return None
                parts.append(Range(_fold(r.below for r in known)[1], _fold(r.above for r in known)[0]))
        if not parts:
            return None
        return Range(_fold(p.below for p in parts)[0], _fold(p.above for p in parts)[1])


def _compiled(way: list[sp.Expr], x: sp.Symbol) -> Tape | None:
    try:
        return compiled(tuple(way), (x,))
    except NotNumeric:
        return None


def _positive_beyond(term: sp.Expr, x: sp.Symbol, start: arb) -> bool:
    found = compiled((term,), (x,)).ranges([Range(arb(start.lower()), arb.pos_inf(), False, True)])[0]
    return found is not None and ranges.positive(found)


def _fold(values: Iterator[arb]) -> tuple[arb, arb]:
    found = list(values)
    low = high = found[0]
    for v in found[1:]:
        low, high = low.min(v), high.max(v)
    return low, high
