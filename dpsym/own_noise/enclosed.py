"""Certified numbers for noise without a closed form: delta at an epsilon, and Rényi divergences from below.

The line is cut to a window; where p > gamma q there is settled by ranges, interval by interval, and integrated with
a proved error; an interval that is not settled counts for nothing below and for its whole P-mass above, and so does
all that lies outside the window, whose P-mass is what the window lacks to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import now, over
from dpsym.core.distributions import Density, Distribution, Finite, Pmf, shifted
from dpsym.core.relations import exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.deciding import Domain, vanishes
from dpsym.numbers import NotEnclosed, NotNumeric, Range, Tape, Undefined, compiled, decimals, enclose
from dpsym.own_noise.normalised import seen_to_be_a_distribution
from dpsym.own_noise.not_settled import NotSettled

_BITS = 160  # tails lose digits, and the answers have at most 30
_DEEPEST = 90  # halvings of an interval
_MOST_INTERVALS = 40_000  # some seconds
_FARTHEST = 2**60  # a density that reaches further is not settled
_MOST_MASSES = 50_000  # of a lattice that are enclosed one by one
_LARGEST_EPSILON = 1000  # beyond it nobody asks
_FINEST = sp.Rational(1, 10**7)  # of epsilon


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two densities, or masses, at exact parameters; their ends (None: infinite), and where they are not smooth."""

    p: sp.Expr
    q: sp.Expr
    variable: sp.Symbol
    of_p: tuple[sp.Rational | None, sp.Rational | None]
    of_q: tuple[sp.Rational | None, sp.Rational | None]
    corners: tuple[sp.Rational, ...]
    lattice: bool


@keeping_time
def delta(
    noise: Density | Pmf,
    shift: sp.Expr,
    epsilon: object,
    at: Mapping[sp.Symbol, object],
    *,
    time_limit: float = Work(20),
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
    noise, shift = _at(noise, shift, at)
    level, deadline = exact(epsilon), now() + time_limit
    P, Q = shifted(noise, shift)
    with ctx.workprec(_BITS):
        sides = [_excess(_pair(*sides), sp.exp(level), deadline) for sides in ((P, Q), (Q, P))]
        lower, upper = arb(0), arb(0)
        for low, high in sides:
            lower = lower.max(low) if low.is_finite() else lower
            upper = upper.max(high if high.is_finite() else arb(1))
        return _enclosure(lower.max(arb(0)), upper.min(arb(1)))


@keeping_time
def epsilon(
    noise: Density | Pmf,
    shift: sp.Expr,
    wanted: object,
    at: Mapping[sp.Symbol, object],
    *,
    time_limit: float = Work(60),
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
    target, deadline = exact(wanted), now() + time_limit
    limit = _enclosure(_number(target), _number(target))

    def profile(level: sp.Rational) -> Enclosure:
        return delta(noise, shift, level, at, time_limit=max(1.0, (deadline - now()) / 4))

    low, high = sp.S.Zero, sp.S.One
    if profile(low).upper <= limit.lower:
        return Enclosure(Decimal(0), Decimal(0))
    while not profile(high).upper <= limit.lower:
        if high > _LARGEST_EPSILON or over(deadline):
            raise NotSettled(f"no epsilon up to {high} was shown to be enough for delta = {target}")
        low, high = (high, 2 * high) if profile(high).lower > limit.upper else (low, 2 * high)
    while high - low > _FINEST * high and not over(deadline):
        middle = (low + high) / 2
        found = profile(middle)
        if found.upper <= limit.lower:
            high = middle
        elif found.lower > limit.upper:
            low = middle
        else:
            break
    with ctx.workprec(_BITS):
        return _enclosure(_number(low), _number(high))


@keeping_time
def renyi_at_least(
    noise: Density | Pmf, shift: sp.Expr, alpha: object, at: Mapping[sp.Symbol, object], *, time_limit: float = Work(20)
) -> Decimal:
    """A lower bound on the larger Rényi divergence of order alpha > 1, from the window alone.

    Raises:
        NotSettled: where nothing could be integrated.
    """
    noise, shift = _at(noise, shift, at)
    order, deadline = exact(alpha), now() + time_limit
    P, Q = shifted(noise, shift)
    best = arb(0)
    with ctx.workprec(_BITS):
        power = arb(fmpq(int(order.p), int(order.q)))
        for first, second in ((P, Q), (Q, P)):
            both = _pair(first, second)
            f = both.p**order * both.q ** (1 - order)
            window = _window(both, deadline)
            total = arb(0)
            for low, high in _smooth(both, *window, inner=True):
                part = _integral(f, both, low, high)
                total = total + part.lower() if part.is_finite() else total
            if total > 1:
                best = best.max((total.log() / (power - 1)).lower())
        return _enclosure(best, best).lower


def _at(noise: Density | Pmf, shift: sp.Expr, at: Mapping[sp.Symbol, object]) -> tuple[Density | Pmf, sp.Expr]:
    table = {symbol: exact(value) for symbol, value in at.items()}
    noise = noise.subs(table)
    found = seen_to_be_a_distribution(noise, (), 10.0)
    if found.open:
        raise NotSettled(f"whether it is a distribution there was not decided: {', '.join(map(str, found.open))}")
    return noise, substitute(shift, table)


def _pair(P: Distribution, Q: Distribution) -> _Pair:
    if isinstance(P, Finite) or isinstance(Q, Finite):
        raise NotSettled("finitely many outcomes are no additive noise")
    lattice = isinstance(P, Pmf)
    corners: set[sp.Rational] = set()
    for D in (P, Q):
        for part in D.expression.atoms(sp.Abs, sp.Max, sp.Min, sp.core.relational.Relational):
            sides = part.args if len(part.args) == 2 else (part.args[0], sp.S.Zero)
            zero = _corner(sides[0] - sides[1], D.variable)
            corners |= set() if zero is None else {zero}
    return _Pair(P.expression, Q.expression, P.variable, _ends(P), _ends(Q), tuple(sorted(corners)), lattice)


def _ends(D: Density | Pmf) -> tuple[sp.Rational | None, sp.Rational | None]:
    low, high = (D.lower, D.upper) if isinstance(D, Pmf) else (D.support.start, D.support.end)
    found = tuple(None if end.is_infinite else end for end in (low, high))
    if not all(end is None or end.is_Rational for end in found):
        raise NotSettled(f"the support ends at {low} and {high}, which is not rational there")
    return found  # type: ignore[return-value]


def _excess(both: _Pair, gamma: sp.Expr, deadline: float) -> tuple[arb, arb]:
    """Bounds on the integral of (p - gamma q)_+."""
    window = _window(both, deadline)
    if both.lattice:
        return _excess_of_masses(both, gamma, window)
    inside = _mass(both, *window)
    lower, upper = arb(0), (1 - inside).upper().max(arb(0))
    for a, b in _smooth(both, *window):
        if not _within((a, b), both.of_q):  # there q = 0
            mass = _integral(both.p, both, a, b)
            lower, upper = lower + mass.lower(), upper + mass.upper()
            continue
        settled, unsettled = _signs(both, gamma, a, b, deadline)
        for low, high in settled:
            gain = _integral(both.p - gamma * both.q, both, low, high)
            mass = gain if gain.is_finite() else arb(0).union(_integral(both.p, both, low, high).upper())
            lower, upper = lower + mass.lower().max(arb(0)), upper + mass.upper()
        for low, high in unsettled:
            upper = upper + _integral(both.p, both, low, high).upper().max(arb(0))
    return lower.lower(), upper.upper()


def _signs(
    both: _Pair, gamma: sp.Expr, low: sp.Rational, high: sp.Rational, deadline: float
) -> tuple[list[tuple[sp.Rational, sp.Rational]], list[tuple[sp.Rational, sp.Rational]]]:
    """Intervals on which p > gamma q, and such on which it is not settled; on the rest p <= gamma q."""
    gain = _resolved(both.p - gamma * both.q, both, low, high)
    if vanishes(gain, Domain()):
        return [], []
    tape = compiled((gain,), (both.variable,))
    waiting, settled, unsettled, looked = [(low, high, 0)], [], [], 0
    while waiting:
        a, b, depth = waiting.pop()
        looked += 1
        sign = _sign_on(tape, a, b)
        if sign == 1:
            settled.append((a, b))
        elif sign is None and (depth >= _DEEPEST or looked > _MOST_INTERVALS or over(deadline)):
            unsettled.append((a, b))
        elif sign is None:
            middle = (a + b) / 2
            waiting += [(middle, b, depth + 1), (a, middle, depth + 1)]
    return _merged(settled), _merged(unsettled)


def _sign_on(tape: Tape, a: sp.Rational, b: sp.Rational) -> int | None:
    found = tape.ranges([Range(_number(a).lower(), _number(b).upper())])[0]
    if found is None:
        return None
    return 1 if found.below > 0 else -1 if found.above <= 0 else None


def _merged(intervals: Iterable[tuple[sp.Rational, sp.Rational]]) -> list[tuple[sp.Rational, sp.Rational]]:
    found: list[tuple[sp.Rational, sp.Rational]] = []
    for a, b in sorted(intervals):
        if found and found[-1][1] == a:
            found[-1] = (found[-1][0], b)
        else:
            found.append((a, b))
    return found


def _window(both: _Pair, deadline: float) -> tuple[sp.Rational, sp.Rational]:
    """Finite ends between which nearly all of P lies."""
    low, high = both.of_p
    reach = sp.Integer(8) + max((abs(c) for c in (*both.corners, low, high) if c is not None), default=0)
    reach = sp.ceiling(reach)
    if low is not None and high is not None:
        return low, high
    ends = (low if low is not None else -reach, high if high is not None else reach)
    inside = _mass(both, *ends)
    while True:
        lacking = (1 - inside).upper()
        wide = both.lattice and reach >= _MOST_MASSES // 4
        if lacking < arb(2) ** -50 or reach > _FARTHEST or wide or over(deadline):
            if not inside.is_finite():
                raise NotSettled("the density could not be integrated over a finite window")
            return ends
        reach *= 2 if both.lattice else 4
        wider = (low if low is not None else -reach, high if high is not None else reach)
        step = 1 if both.lattice else 0
        inside = inside + (_mass(both, wider[0], ends[0] - step) if wider[0] < ends[0] else 0)
        inside = inside + (_mass(both, ends[1] + step, wider[1]) if wider[1] > ends[1] else 0)
        ends = wider


def _mass(both: _Pair, low: sp.Rational, high: sp.Rational) -> arb:
    """The P-probability of an interval."""
    return sum((_integral(both.p, both, a, b) for a, b in _smooth(both, low, high)), arb(0))


def _smooth(
    both: _Pair, low: sp.Rational, high: sp.Rational, *, inner: bool = False
) -> Iterator[tuple[sp.Rational, sp.Rational]]:
    """The window cut where the formulas change; `inner`: without what is outside the support of Q."""
    if both.lattice:
        yield low, high
        return
    cuts = {c for c in (*both.corners, *both.of_q) if c is not None and low < c < high}
    places = [low, *sorted(cuts), high]
    for a, b in pairwise(places):
        if not inner or _within((a, b), both.of_q):
            yield a, b


def _within(interval: tuple[sp.Rational, sp.Rational], support: tuple[sp.Rational | None, sp.Rational | None]) -> bool:
    (a, b), (low, high) = interval, support
    return (low is None or low <= a) and (high is None or b <= high)


def _resolved(f: sp.Expr, both: _Pair, low: sp.Rational, high: sp.Rational) -> sp.Expr:
    """Every |..| of a linear function decided as in the middle of an interval without corners."""
    middle = {both.variable: (low + high) / 2}

    def decided(e: sp.Basic) -> sp.Basic:
        (inner,) = e.args
        if _corner(inner, both.variable) not in both.corners:
            return e
        return inner if inner.subs(middle) >= 0 else -inner

    return f.replace(lambda e: isinstance(e, sp.Abs), decided)


def _corner(gap: sp.Expr, variable: sp.Symbol) -> sp.Rational | None:
    """The rational zero of a linear function; None for any other function."""
    if not gap.is_polynomial(variable) or sp.degree(gap, variable) != 1:
        return None
    zero = -gap.subs(variable, 0) / sp.diff(gap, variable)
    return zero if zero.is_Rational else None


def _integral(f: sp.Expr, both: _Pair, low: sp.Rational, high: sp.Rational) -> arb:
    """The integral, or the sum over the integers, as a ball; not finite where it was not found."""
    v = both.variable
    if both.lattice:
        return _sum(f, v, low, high)
    body = _resolved(f, both, low, high)
    try:
        found = enclose(sp.Integral(body, (v, low, high)), digits=15, most_bits=2 * _BITS)
    except NotEnclosed as error:
        if error.best is None:
            return arb.nan()
        found = error.best
    except (Undefined, NotNumeric):
        return arb.nan()
    return arb(str(found.lower)).union(arb(str(found.upper)))


def _sum(f: sp.Expr, v: sp.Symbol, low: sp.Rational, high: sp.Rational) -> arb:
    tape = compiled((f,), (v,))
    return sum((tape.balls([arb(i)])[0] for i in range(int(low), int(high) + 1)), arb(0))


def _excess_of_masses(both: _Pair, gamma: sp.Expr, window: tuple[sp.Rational, sp.Rational]) -> tuple[arb, arb]:
    tape = compiled((both.p, both.p - gamma * both.q), (both.variable,))
    lower, upper, inside = arb(0), arb(0), arb(0)
    for i in range(int(window[0]), int(window[1]) + 1):
        mass, gain = tape.balls([arb(i)])
        inside = inside + mass
        if not _within((sp.Integer(i), sp.Integer(i)), both.of_q):
            gain = mass
        lower, upper = lower + gain.lower().max(arb(0)), upper + gain.upper().max(arb(0))
    return lower.lower(), (upper + (1 - inside).upper().max(arb(0))).upper()


def _number(x: sp.Rational) -> arb:
    return arb(fmpq(int(x.p), int(x.q)))


def _enclosure(lower: arb, upper: arb) -> Enclosure:
    """Both bounds in fifteen digits, rounded outward."""
    return Enclosure(decimals(lower, 15).lower, decimals(upper, 15).upper)
