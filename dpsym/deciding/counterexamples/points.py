"""The sampled strategy: both sides at exact points of the domain, in ball arithmetic at two precisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.deadline import over, remaining, timed
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Witness
from dpsym.deciding.counterexamples.objective import completed, fraction
from dpsym.deciding.counterexamples.search import search
from dpsym.deciding.domain import Bounds, Domain, EmptyDomain, Point
from dpsym.deciding.strategies.exact import settle
from dpsym.numbers import Comparison, NotEnclosed, NotNumeric, Undefined, Unresolved, compare, compiled, enclose

_PRECISIONS = (160, 480)  # in bits: nearly all is told at the first, cancellation at the second
_BITS, _MOST_BITS = 512, 4096  # for a point found by the search, and to tell sides that nearly agree
_INSISTING = 3  # points at which sides that agree are told apart at the highest precision, if at all
_MOST_EQUAL, _EQUALITY = 20, 0.2  # points at which an equality is looked for, and the seconds for each
_SIMPLIFYING = 0.5  # seconds
_LONG = 12  # digits
_LARGE = 1000  # coordinates from which on they are measured from zero, not from an end
_ANEW = 1_500  # evaluations
_EASY = (*map(sp.Integer, (1, 2, 0, 3, -1, 10)), sp.Rational(1, 2), sp.Rational(1, 10), sp.Rational(3, 2))


@dataclass(slots=True)
class Seen:
    """At how many points a relation was seen to hold, at how many it could not be told, or why at none."""

    held: int = 0
    untold: int = 0
    unseen: str = ""


def survey(relation: Relation, domain: Domain, points: Iterable[Point], seen: Seen | None = None) -> Witness | None:
    """A witness against the relation, if one of the points is one; the others are counted in `seen`.

    Points with numbers beyond reach count for nothing.

    Raises:
        NotNumeric: when the relation has no number at a point.
    """
    seen = Seen() if seen is None else seen
    insisted = equal = 0
    for point in points:
        outcome = compare(relation, point, most_bits=_BITS)
        if outcome.holds is None and insisted < _INSISTING and not _costly(relation, point):
            insisted += 1
            outcome = compare(relation, point, most_bits=_MOST_BITS)
        if _refutes(outcome):
            best = simplified(relation, domain, point)
            return witness(best, compare(relation, best, most_bits=_MOST_BITS))
        if outcome.holds is None and equal < _MOST_EQUAL:
            equal += 1
            found = equality(relation, point)
            if found is not None:
                return found
        close = True if outcome.holds is True else agrees(relation, point)
        seen.held += close is True
        seen.untold += close is False
        if over():
            break
    return None


def equality(relation: Relation, point: Point) -> Witness | None:
    """A witness against a strict relation where both sides are equal by their canonical form."""
    if relation.op not in ("<", ">", "!="):
        return None
    try:
        there = relation.subs(point)
    except OverflowError:
        return None
    with timed(_EQUALITY):
        if settle(Relation(there.lhs, "=", there.rhs), Domain()) is None:
            return None
    try:
        lhs, rhs = (enclose(side, point, most_bits=_MOST_BITS) for side in (relation.lhs, relation.rhs))
    except (Undefined, NotEnclosed):
        return None
    return Witness(exactly(point), lhs, rhs)


def _costly(relation: Relation, point: Point) -> bool:
    return compiled((relation.lhs, relation.rhs), tuple(point)).costly


def _refutes(outcome: Comparison) -> bool:
    """Whether it failed there for a reason that can be shown: both values, or an obligation."""
    return outcome.holds is False and (outcome.obligation is not None or None not in (outcome.lhs, outcome.rhs))


def agrees(relation: Relation, point: Point) -> bool | None:
    """Whether the sides cannot be told apart at either precision, where equality would do; None: no numbers."""
    tape = compiled((relation.lhs, relation.rhs), tuple(point))
    for bits in _PRECISIONS:
        with ctx.workprec(bits):
            try:
                lhs, rhs = tape([arb(fmpq(int(v.p), int(v.q))) for v in point.values()])
            except (Undefined, Unresolved):
                return None
            if relation.op in ("<", ">", "!="):
                return False
            gap, size = abs(lhs - rhs).upper(), max(abs(lhs).upper(), arb(2) ** (-bits))
            if gap > size * arb(2) ** (-bits // 2):
                return False
    return True


def simplified(relation: Relation, domain: Domain, point: Point) -> Point:
    """The most readable point near a witness at which the relation is still refuted."""
    with timed(min(_SIMPLIFYING, remaining())):
        return _readable(relation, domain, point)


def _readable(relation: Relation, domain: Domain, point: Point) -> Point:
    best, domain = _anchored(relation, domain, dict(point))

    def take(trial: Point) -> bool:
        nonlocal best
        found = completed(domain, trial)
        if found is None or _length(found) >= _length(best) or over():
            return False
        try:
            if domain.contains(found) and _refutes(compare(relation, found, most_bits=_BITS)):
                best = found
                return True
        except NotNumeric:
            pass
        return False

    for digits in range(8):  # all coordinates at once
        if any(take({s: r(v, digits, domain.of(s)) for s, v in best.items()}) for r in (_rounded, _decimal)):
            break
    for _ in range(2):
        before = best
        for symbol in sorted(best, key=lambda s: s.name):  # an anchored one may have lost some
            bounds = domain.of(symbol)
            any(take({**best, symbol: easy}) for easy in _EASY)
            while take({**best, symbol: _tamer(best[symbol], bounds)}):
                pass
            for rounded in (_rounded, _decimal):
                any(take({**best, symbol: rounded(best[symbol], digits, bounds)}) for digits in range(8))
        if best == before:
            break
    return best


def _anchored(relation: Relation, domain: Domain, point: Point) -> tuple[Point, Domain]:
    """A witness with simple values of some symbols, found anew where changing one of them alone is of no use."""
    for symbol in sorted(point, key=lambda s: s.name)[:-1]:
        if _digits(point[symbol]) < _LONG:
            continue
        for easy in _EASY:
            if easy not in domain.of(symbol) or over():
                continue
            try:
                there = Domain((*domain.assume, Relation(symbol, "=", easy)))
            except EmptyDomain:
                continue
            trials = search(relation, there, (), evaluations=_ANEW)
            found = next((p for p in trials if _refutes(compare(relation, p, most_bits=_BITS))), None)
            if found is not None:
                point, domain = found, there
            break  # the simplest value only: this is for looks
    return point, domain


def _length(point: Point) -> float:
    return sum(map(_digits, point.values()))


def _digits(value: sp.Rational) -> float:
    """How much there is to read: zeros at the end count little."""
    length = 0.0
    for part in (value.p, value.q):
        text = str(part)
        length += len(text.rstrip("0")) + len(text) / 10
    return length


def _base(bounds: Bounds, value: sp.Rational) -> sp.Rational:
    """The end of the bounds that the value is next to, or zero; large numbers are measured from zero, too."""
    if abs(value) >= _LARGE:
        return sp.Integer(0)
    ends = [end for end in (bounds.lower, bounds.upper) if end is not None]
    return min(ends, key=lambda end: abs(value - end)) if ends else sp.Integer(0)


def _rounded(value: sp.Rational, digits: int, bounds: Bounds) -> sp.Rational:
    """The simplest number whose distance from the nearest end differs by less than a part in 2*10^digits."""

    def simplest(away: sp.Rational) -> sp.Rational:
        size = fraction(away)
        slack = size / (2 * 10**digits)
        near = _simplest(size - slack, size + slack)
        return sp.Rational(near.numerator, near.denominator)

    return _as_far(value, bounds, simplest)


def _decimal(value: sp.Rational, digits: int, bounds: Bounds) -> sp.Rational:
    """The same with a decimal fraction of that many digits and one."""

    def decimal(away: sp.Rational) -> sp.Rational:
        unit = sp.Rational(10) ** (_digits_before(away) - digits)
        return sp.Integer(round(away / unit)) * unit

    return _as_far(value, bounds, decimal)


def _tamer(value: sp.Rational, bounds: Bounds) -> sp.Rational:
    """A power of ten away from the nearest end, with half as many zeros."""
    return _as_far(value, bounds, lambda away: sp.Rational(10) ** int(_digits_before(away) / 2))


def _as_far(value: sp.Rational, bounds: Bounds, distance: Callable[[sp.Rational], sp.Rational]) -> sp.Rational:
    """At another distance from the nearest end, on the same side of it."""
    base = _base(bounds, value)
    if value == base:
        return value
    return base + distance(value - base) if value > base else base - distance(base - value)


def _digits_before(size: sp.Rational) -> int:
    """How many digits the numerator has more than the denominator."""
    return len(str(size.p)) - len(str(size.q))


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator between two positive numbers."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    below = whole - 1
    return below + 1 / _simplest(1 / (high - below), 1 / (low - below))


def witness(point: Point, outcome: Comparison) -> Witness:
    """A comparison that failed, as evidence."""
    return Witness(exactly(point), outcome.lhs, outcome.rhs, outcome.obligation)


def exactly(point: Point) -> dict[str, Fraction | int]:
    """The point as a witness has it."""
    return {s.name: fraction(v) for s, v in point.items()}
