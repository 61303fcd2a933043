"""A missing condition: a bound on one symbol inside of which a refuted claim holds, as far out as it can be shown."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from dpsym.checking.refuted import Refuted
from dpsym.core.clocks import Work
from dpsym.core.deadline import over, portion, timed
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.numbers import NotNumeric, compare

_POINTS = 40  # of the domain at which a bound is tried before it is asked for
_HALVINGS = 24  # more digits than are shown
_DIGITS = 4  # after the point
_EACH = Work(2.5)  # seconds
_SLACK = tuple(map(sp.Rational, ("0.999", "0.99", "0.9")))
_TYPICAL_DELTA = sp.Rational(1, 10**5)

Point = dict[sp.Symbol, sp.Rational]


def boundary(refuted: Refuted) -> str | None:
    """Such as `it holds when x <= 1.2564`, with a second bound at delta = 10^-5 where there is a delta."""
    delta = next((s for s in _symbols(refuted.claim) if "delta" in s.name), None)
    with timed(portion(1.0 if delta is None else 0.5)):
        found = _outermost(refuted, ())
    typical = None
    if delta is not None and (found is None or found.lhs != delta):
        typical = _outermost(refuted, (Relation(delta, "=", _TYPICAL_DELTA),))
    if found is None:
        return None if typical is None else f"at {delta} = 10^-5 it holds when {_written(typical)}"
    said = f"it holds when {_written(found)}"
    if typical is not None and typical.lhs == found.lhs and typical.rhs != found.rhs:
        said += f"; at {delta} = 10^-5 when {_written(typical)}"
    return said


def _symbols(claim: Relation) -> list[sp.Symbol]:
    return sorted(claim.free_symbols, key=lambda s: s.name)


def _written(condition: Relation) -> str:
    """With a decimal fraction where that is shorter than the quotient."""
    value = condition.rhs
    digits = 10**_DIGITS
    if isinstance(value, sp.Rational) and value.q > 12 and digits % value.q == 0:
        text = f"{value.p / value.q:.{_DIGITS}f}".rstrip("0")
        if sp.Rational(text) == value:
            return f"{plain(condition.lhs)} {condition.op} {text}"
    return str(condition)


def _outermost(refuted: Refuted, given: tuple[Relation, ...]) -> Relation | None:
    claim = refuted.claim
    try:
        domain = Domain((*refuted.assume, *given))
        points = list(domain.points(claim.free_symbols, most=_POINTS))
    except EmptyDomain:
        return None
    for symbol in _symbols(claim):
        if symbol in domain.integers or any(symbol in g.free_symbols for g in given):
            continue
        truth = _truth(claim, points, symbol)
        for op, reach, outer in _gaps(truth):
            for bound in _bounds(claim, symbol, domain, points, reach, outer):
                condition = Relation(symbol, op, bound)
                if refuted.holds(claim, *given, condition, seconds=_EACH):
                    return condition
                if over():
                    return None
    return None


def _truth(claim: Relation, points: list[Point], symbol: sp.Symbol) -> list[tuple[sp.Rational, bool]]:
    found = []
    for point in points:
        try:
            holds = compare(claim, point, most_bits=512).holds
        except NotNumeric:
            return []
        if holds is not None:
            found.append((point[symbol], holds))
    return found


def _gaps(truth: list[tuple[sp.Rational, bool]]) -> Iterator[tuple[Operator, sp.Rational, sp.Rational]]:
    """From where it was seen to hold to where it was seen to fail: below the failures, then above them."""
    good = [value for value, holds in truth if holds]
    bad = [value for value, holds in truth if not holds]
    if not good or not bad:
        return
    below, above = [g for g in good if g < min(bad)], [g for g in good if g > max(bad)]
    if below:
        yield "<=", max(below), min(bad)
    if above:
        yield ">=", min(above), max(bad)


def _bounds(
    claim: Relation, symbol: sp.Symbol, domain: Domain, points: list[Point], reach: sp.Rational, outer: sp.Rational
) -> Iterator[sp.Rational]:
    """From where it fails towards where it holds: an easy number, decimals, a little less, an integer."""
    coupled = bool(domain.coupled)
    low, high = reach, outer
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        try:
            moved = (p for p in ({**p, symbol: middle} for p in points) if not coupled or domain.contains(p))
            fails = any(compare(claim, p, most_bits=512).holds is False for p in moved)
        except NotNumeric:
            break
        low, high = (low, middle) if fails else (middle, high)
    near = Fraction(int(high.p), int(high.q)).limit_denominator(12)
    easy = sp.Rational(near.numerator, near.denominator)
    if abs(easy - high) < sp.Rational(1, 10**_DIGITS):
        yield easy
    inward = sp.floor if reach < outer else sp.ceiling
    scale = 10**_DIGITS
    yield sp.Rational(inward(low * scale), scale)
    for share in _SLACK:
        yield sp.Rational(inward((reach + share * (low - reach)) * scale), scale)
    if (whole := inward(low)) != 0:
        yield sp.Rational(whole)
    yield reach
