"""Certified numbers of two answers a shift apart, for noise without a closed form: delta, epsilon, Rényi's, zCDP's.

The line is cut where either density has a corner or ends.

- *delta*: in a window, where p > gamma q is settled by ranges, interval by interval, and integrated with a proved
  error; an interval that is not settled counts for nothing below and for its whole P-mass above, and so does all that
  lies outside the window, whose P-mass is what the window lacks to 1.
- *The Rényi divergence* of order alpha is log of the integral of p^alpha q^(1 - alpha), over alpha - 1.  The formula is
  divided by its own total, which is enclosed: the numbers are those of the distribution that it is proportional to.
- *The zCDP budget* is the supremum of D_alpha/alpha over alpha > 1.  D_alpha does not fall as alpha grows [vEH14,
  Theorem 3], so that on an interval of orders it is at most D at the upper end over the lower end; beyond the last one
  it is at most the pure budget over that order.  Branch and bound over intervals.

Of the two orders of the answers the larger number counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise

import sympy as sp
from flint import arb, ctx

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import over, portion
from dpsym.core.distributions import Density, Pmf
from dpsym.core.relations import exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.deciding import Domain, vanishes
from dpsym.divergences.smooth_pieces import Piece
from dpsym.numbers import Range, Tape, compiled, decimals, rational_ball, tail_integrals
from dpsym.numbers.bracketing import halved
from dpsym.own_noise import supremum
from dpsym.own_noise.normalised import seen_to_be_a_distribution
from dpsym.own_noise.supremum import NotSettled, pieces_of, total_of

_BITS = 160  # tails lose digits, and the answers have at most 30
_DEEPEST = 90  # halvings of an interval
_MOST_INTERVALS = 40_000  # some seconds
_FARTHEST = 2**60  # a density that reaches further is not settled
_MOST_MASSES = 50_000  # of a lattice that are enclosed one by one
_LARGEST_EPSILON = 1000  # beyond it nobody asks
_FINEST, _HALVINGS = Fraction(1, 10**7), 200  # of epsilon; more halvings than that takes
_LAST = Fraction(64)  # the order beyond which the pure budget is used
_CLOSE = 1e-3  # how far apart the bounds on a zCDP budget may be, of themselves
_MOST_ORDERS = 200  # that are looked at; with fewer the bounds are wider
_Values = Mapping[sp.Symbol, object]


@keeping_time
def delta(
    noise: Density | Pmf, shift: sp.Expr, epsilon: object, at: _Values, *, time_limit: float = Work(20)
) -> Enclosure:
    """The larger of the hockey-stick divergences at exp(epsilon) of the two orders of answers a shift apart.

    Args:
        noise: its distribution.
        shift: by how much the answers differ, exactly.
        epsilon: an exact number.
        at: exact values of all parameters.
        time_limit: in seconds; what is found by then is wider, and as certain.

    Raises:
        NotSettled: where not even the total at these parameters is known to be 1.
    """
    level = exact(epsilon)
    with ctx.workprec(_BITS):
        lower, upper = arb(0), arb(0)
        for sides in _both(noise, shift, at):
            low, high = sides.excess(sp.exp(level))
            lower = lower.max(low) if low.is_finite() else lower
            upper = upper.max(high if high.is_finite() else arb(1))
        return _enclosure(lower.max(arb(0)), upper.min(arb(1)))


@keeping_time
def epsilon(
    noise: Density | Pmf, shift: sp.Expr, wanted: object, at: _Values, *, time_limit: float = Work(60)
) -> Enclosure:
    """The smallest epsilon with delta(epsilon) <= wanted, between two numbers: halving, since a profile falls.

    Args:
        noise: its distribution.
        shift: by how much the answers differ, exactly.
        wanted: an exact number in (0, 1).
        at: exact values of all parameters.
        time_limit: in seconds; what is found by then is wider, and as certain.

    Raises:
        NotSettled: where not even the total at these parameters is known to be 1, or no epsilon was found to be enough.
    """
    target = exact(wanted)
    limit = _enclosure(rational_ball(target), rational_ball(target))

    def profile(level: sp.Rational) -> Enclosure:
        return delta(noise, shift, level, at, time_limit=portion(1 / 4, least=1.0))

    low, high = sp.S.Zero, sp.S.One
    if profile(low).upper <= limit.lower:
        return Enclosure(Decimal(0), Decimal(0))
    while not profile(high).upper <= limit.lower:
        if high > _LARGEST_EPSILON or over():
            raise NotSettled(f"no epsilon up to {high} was shown to be enough for delta = {target}")
        low, high = (high, 2 * high) if profile(high).lower > limit.upper else (low, 2 * high)

    def enough(level: Fraction) -> bool | None:
        found = profile(sp.Rational(level))
        return True if found.upper <= limit.lower else False if found.lower > limit.upper else None

    ends = halved(
        enough, Fraction(high), Fraction(low), _HALVINGS, lambda bad, good: good - bad <= _FINEST * good or over()
    )
    with ctx.workprec(_BITS):
        return _enclosure(*map(rational_ball, reversed(ends)))


@keeping_time
def renyi(
    noise: Density | Pmf, shift: sp.Expr, alpha: object, at: _Values, *, time_limit: float = Work(20)
) -> Enclosure:
    """The larger Rényi divergence of order alpha > 1 of answers exactly a shift apart; infinite where that is shown.

    Args:
        noise: a density.
        shift: by how much answers differ.
        alpha: an exact order.
        at: exact values of all parameters.
        time_limit: in seconds, looked at before each integral.

    Raises:
        NotADistribution: where the density certainly does not integrate to 1.
        NotSettled: where an integral was not found.
    """
    order = exact(alpha)
    if not (order.is_Rational and order > 1):
        raise NotSettled(f"an order of a Rényi divergence is above 1 here, not {order}")
    with ctx.workprec(_BITS):
        found = decimals(_divergence(_proportional(noise, shift, at), Fraction(order)), 12)
        return Enclosure(max(found.lower, Decimal(0)), found.upper)


@keeping_time
def zcdp(noise: Density | Pmf, shift: sp.Expr, at: _Values, *, time_limit: float = Work(20)) -> Enclosure:
    """The least zCDP budget of answers exactly a shift apart.

    Raises:
        NotADistribution: where the density certainly does not integrate to 1.
        NotSettled: where the privacy loss is not shown to be bounded: then large orders are not settled by number.
    """
    level = supremum.pure(noise, shift, at, time_limit=time_limit / 3)
    if not level.upper.is_finite():
        raise NotSettled("its privacy loss is not bounded, so that large orders are not settled by number")
    with ctx.workprec(_BITS):
        both = _proportional(noise, shift, at)
        most = rational_ball(Fraction(level.upper))
        known: dict[Fraction, arb | None] = {}

        def at_order(order: Fraction) -> arb | None:
            if order not in known:
                try:
                    known[order] = _divergence(both, order)
                except NotSettled:
                    known[order] = None
            return known[order]

        best, order, waiting = arb(0), count(), list[tuple[float, int, Fraction, Fraction]]()

        def put(low: Fraction, high: Fraction) -> None:
            nonlocal best
            value = at_order(high)
            if value is not None:
                best = best.max(arb((value / rational_ball(high)).lower()))
            bound = most if value is None else most.min(value)
            heappush(waiting, (-float((bound / rational_ball(low)).upper()), next(order), low, high))

        for low, high in pairwise((Fraction(1), Fraction(2), Fraction(4), Fraction(16), _LAST)):
            put(low, high)
        while waiting and len(known) < _MOST_ORDERS and not over():
            if -waiting[0][0] <= float(best) * (1 + _CLOSE):
                break
            _, _, low, high = heappop(waiting)
            middle = (low + high) / 2 if low == 1 else Fraction(float(low * high) ** 0.5).limit_denominator(10**6)
            put(low, middle)
            put(middle, high)
        upper = max([-bound for bound, *_ in waiting], default=0.0)
        high = arb(upper).max(arb((most / rational_ball(_LAST)).upper())).max(best)
        return Enclosure(decimals(best, 12).lower, decimals(high * (1 + arb(2) ** -50), 12).upper)


@keeping_time
def renyi_at_least(
    noise: Density | Pmf, shift: sp.Expr, alpha: object, at: _Values, *, time_limit: float = Work(20)
) -> Decimal:
    """A lower bound on the larger Rényi divergence of order alpha > 1, from the window alone.

    Raises:
        NotSettled: where nothing could be integrated.
    """
    order, best = exact(alpha), arb(0)
    with ctx.workprec(_BITS):
        for sides in _both(noise, shift, at):
            total = arb(0)
            for p, q, low, high in sides.within(*sides.window()):
                part = (
                    arb(0) if 0 in (p, q) else sides.integral(_powers(((p, order), (q, 1 - order)), sides.x), low, high)
                )
                total = total + part.lower() if part.is_finite() else total
            if total > 1:
                best = best.max((total.log() / (rational_ball(order) - 1)).lower())
        return _enclosure(best, best).lower


# --- two answers


@dataclass(frozen=True, slots=True)
class _Answers:
    """The densities p and q of two answers, or their masses, cut where either has a corner; 0 beyond an end."""

    x: sp.Symbol
    cells: tuple[tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr], ...]  # p, q, from, to
    lattice: bool
    total: arb

    @property
    def swapped(self) -> _Answers:
        return _Answers(self.x, tuple((q, p, *ends) for p, q, *ends in self.cells), self.lattice, self.total)

    def integral(self, f: sp.Expr, low: sp.Expr, high: sp.Expr) -> arb:
        """The integral, or the sum over the integers; not finite where it was not found."""
        if not self.lattice:
            return tail_integrals.integral(f, self.x, low, high)
        tape = compiled((f,), (self.x,))
        return sum((tape.balls([arb(i)])[0] for i in range(int(low), int(high) + 1)), arb(0))

    def within(self, low: sp.Expr, high: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]]:
        """The cells, or what of them is between two places."""
        for p, q, start, end in self.cells:
            a, b = max(start, low), min(end, high)
            if a < b or (self.lattice and a == b):
                yield p, q, a, b

    def mass(self, low: sp.Expr, high: sp.Expr) -> arb:
        """How likely p is between two places."""
        return sum((self.integral(p, a, b) for p, _, a, b in self.within(low, high)), arb(0))

    def window(self) -> tuple[sp.Expr, sp.Expr]:
        """Finite ends between which nearly all of p lies."""
        low = next(a for p, _, a, _ in self.cells if p != 0)
        high = next(b for p, _, _, b in reversed(self.cells) if p != 0)
        places = [abs(e) for _, _, *ends in self.cells for e in ends if e.is_finite]
        reach, step = sp.ceiling(8 + max(places, default=sp.S.Zero)), 1 if self.lattice else 0
        ends, inside = (max(low, -reach), min(high, reach)), None
        while ends != (low, high):
            inside = self.mass(*ends) if inside is None else inside
            wide = self.lattice and reach >= _MOST_MASSES // 4
            if (1 - inside).upper() < arb(2) ** -50 or reach > _FARTHEST or wide or over():
                if not inside.is_finite():
                    raise NotSettled("the density could not be integrated over a finite window")
                break
            reach *= 2 if self.lattice else 4
            wider = max(low, -reach), min(high, reach)
            inside += self.mass(wider[0], ends[0] - step) + self.mass(ends[1] + step, wider[1])
            ends = wider
        return ends

    def excess(self, gamma: sp.Expr) -> tuple[arb, arb]:
        """Bounds on the integral of (p - gamma q)_+."""
        window = self.window()
        if self.lattice:
            return self._excess_of_masses(gamma, window)
        lower, upper = arb(0), (1 - self.mass(*window)).upper().max(arb(0))
        for p, q, a, b in self.within(*window):
            if q == 0:
                mass = self.integral(p, a, b)
                lower, upper = lower + mass.lower(), upper + mass.upper()
            if 0 in (p, q):
                continue
            settled, unsettled = _signs(p - gamma * q, self.x, a, b)
            for low, high in settled:
                gain = self.integral(p - gamma * q, low, high)
                mass = gain if gain.is_finite() else arb(0).union(self.integral(p, low, high).upper())
                lower, upper = lower + mass.lower().max(arb(0)), upper + mass.upper()
            for low, high in unsettled:
                upper = upper + self.integral(p, low, high).upper().max(arb(0))
        return lower.lower(), upper.upper()

    def _excess_of_masses(self, gamma: sp.Expr, window: tuple[sp.Expr, sp.Expr]) -> tuple[arb, arb]:
        lower, upper, inside = arb(0), arb(0), arb(0)
        for p, q, low, high in self.within(*window):
            tape = compiled((p, p - gamma * q), (self.x,))
            for i in range(int(low), int(high) + 1):
                mass, gain = tape.balls([arb(i)])
                inside = inside + mass
                lower, upper = lower + gain.lower().max(arb(0)), upper + gain.upper().max(arb(0))
        return lower.lower(), (upper + (1 - inside).upper().max(arb(0))).upper()


def _both(noise: Density | Pmf, shift: sp.Expr, at: _Values) -> tuple[_Answers, _Answers]:
    """Both orders, of what is known to be a distribution.

    Raises:
        NotSettled: where it is not.
    """
    table = {symbol: exact(value) for symbol, value in at.items()}
    found = seen_to_be_a_distribution(noise.subs(table), (), 10.0)
    if found.open:
        raise NotSettled(f"whether it is a distribution there was not decided: {', '.join(map(str, found.open))}")
    here = _answers(noise.subs(table), substitute(shift, table), None)
    return here, here.swapped


def _proportional(noise: Density | Pmf, shift: sp.Expr, at: _Values) -> _Answers:
    """Two answers with a density, which is enclosed up to a factor."""
    if isinstance(noise, Pmf):
        raise NotSettled("of masses the divergence is not enclosed in this way (a density's is)")
    table = {symbol: exact(value) for symbol, value in at.items()}
    here = noise.subs(table)
    return _answers(here, substitute(shift, table), total_of(pieces_of(here), here.variable))


def _answers(noise: Density | Pmf, by: sp.Expr, total: arb | None) -> _Answers:
    """Both answers, at numbers; without a total it is 1."""
    x, lattice = noise.variable, isinstance(noise, Pmf)
    ends = (noise.lower, noise.upper) if isinstance(noise, Pmf) else (noise.support.start, noise.support.end)
    if not all(e.is_infinite or e.is_Rational for e in ends):
        raise NotSettled(f"the support ends at {ends[0]} and {ends[1]}, which is not rational there")
    whole: tuple[Piece, ...] = (Piece(noise.expression, *ends),)
    try:
        own = pieces_of(noise) if isinstance(noise, Density) else whole
        if not by.is_Rational:
            raise NotSettled(f"the shift is {by}, which is not rational there")
    except NotSettled:  # corners are left to the ranges
        if total is not None or not (by.is_Rational or all(e.is_infinite for e in ends)):
            raise
        own = whole
    moved = tuple(Piece(p.formula.subs(x, x - by), p.low + by, p.high + by) for p in own)
    step = 1 if lattice else 0  # cells of integers have both ends
    starts = sorted({p.low for p in (*moved, *own)} | {p.high + step for p in (*moved, *own)})
    cells = []
    for low, high in ((a, b - step) for a, b in pairwise(starts)):
        p, q = (
            next((o.formula for o in pieces if o.low <= low and high <= o.high), sp.S.Zero) for pieces in (moved, own)
        )
        cells.append((p, q, low, high))
    return _Answers(x, tuple(cells), lattice, arb(1) if total is None else total)


def _divergence(both: _Answers, order: Fraction) -> arb:
    """The larger Rényi divergence of the two orders, a ball."""
    if any(0 in (p, q) for p, q, *_ in both.cells):
        return arb.pos_inf()
    alpha, found = sp.Rational(order), arb(0)
    for sides in (both, both.swapped):
        if over():
            raise NotSettled("the time was over before all orders were integrated")
        parts = ((_powers(((p, alpha), (q, 1 - alpha)), both.x), *ends) for p, q, *ends in sides.cells)
        value = tail_integrals.total(parts, both.x)
        if value == arb.pos_inf():
            return value
        loss = (value / both.total).log() / (rational_ball(order) - 1)
        if not (value.is_finite() and loss.is_finite() and loss.rad() < _CLOSE):
            raise NotSettled(f"the integral of order {order} was not found")
        found = found.max(loss)
    return found


def _powers(of: tuple[tuple[sp.Expr, sp.Expr], ...], x: sp.Symbol) -> sp.Expr:
    """The product of positive formulas to these powers, exponentials together; nothing is taken out of a power that
    might be negative inside."""
    real = sp.Dummy("x", real=True)
    exponent, rest = sp.S.Zero, sp.S.One
    for f, power in of:
        for factor in sp.Mul.make_args(sp.powsimp(f.subs(x, real))):
            if isinstance(factor, sp.exp):
                exponent += power * factor.args[0]
            else:
                rest *= sp.powdenest(factor**power)
    return (rest * sp.exp(sp.expand(exponent))).subs(real, x)


_Intervals = list[tuple[sp.Rational, sp.Rational]]


def _signs(gain: sp.Expr, x: sp.Symbol, low: sp.Rational, high: sp.Rational) -> tuple[_Intervals, _Intervals]:
    """Intervals on which it is positive, and such on which that is not settled; on the rest it is not."""
    if vanishes(gain, Domain()):
        return [], []
    tape = compiled((gain,), (x,))
    waiting, settled, unsettled, looked = [(low, high, 0)], [], [], 0
    while waiting:
        a, b, depth = waiting.pop()
        looked += 1
        sign = _sign_on(tape, a, b)
        if sign == 1:
            settled.append((a, b))
        elif sign is None and (depth >= _DEEPEST or looked > _MOST_INTERVALS or over()):
            unsettled.append((a, b))
        elif sign is None:
            middle = (a + b) / 2
            waiting += [(middle, b, depth + 1), (a, middle, depth + 1)]
    return _merged(settled), _merged(unsettled)


def _sign_on(tape: Tape, a: sp.Rational, b: sp.Rational) -> int | None:
    found = tape.ranges([Range(rational_ball(a).lower(), rational_ball(b).upper())])[0]
    if found is None:
        return None
    return 1 if found.below > 0 else -1 if found.above <= 0 else None


def _merged(intervals: Iterable[tuple[sp.Rational, sp.Rational]]) -> _Intervals:
    found: _Intervals = []
    for a, b in sorted(intervals):
        if found and found[-1][1] == a:
            found[-1] = (found[-1][0], b)
        else:
            found.append((a, b))
    return found


def _enclosure(lower: arb, upper: arb) -> Enclosure:
    """Both bounds in fifteen digits, rounded outward."""
    return Enclosure(decimals(lower, 15).lower, decimals(upper, 15).upper)
