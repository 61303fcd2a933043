"""Guaranteed digits and comparisons at exact points, by raising the precision until they are settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.relations import IsInteger, Proposition, Relation, exact
from dpsym.core.verdicts import Enclosure
from dpsym.numbers.comparisons import RELATIONS
from dpsym.numbers.compiling import NotNumeric, compiled
from dpsym.numbers.decimals import TooExtreme, decimals
from dpsym.numbers.tape import Tape, Undefined

Point = Mapping[sp.Symbol, int | Fraction | sp.Rational]

_MOST_BITS = 1 << 15  # a value that is not known then is most likely an exact zero
_COSTLY_BITS = 1 << 12  # the same of integrals and long sums, which take minutes at more
_FIRST_BITS = 64  # enough for most, and doubled until it is


class NotEnclosed(ArithmeticError):
    """No enclosure that is good enough was found; `best` is the best one so far, or None."""

    def __init__(self, message: str, best: Enclosure | None = None) -> None:
        super().__init__(message)
        self.best = best


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a relation holds at a point (None: could not be told), with both sides.

    A side is None where it has no decimal of reasonable length.  `obligation` is set where a side is not
    defined at the point (`holds` is then False), and says what was required.
    """

    holds: bool | None
    lhs: Enclosure | None = None
    rhs: Enclosure | None = None
    obligation: str | None = None


def enclose(
    expression: sp.Basic, at: Point | None = None, *, digits: int = 15, most_bits: int | None = None
) -> Enclosure:
    """The value at exact values of all symbols, with `upper - lower <= 10**(1 - digits) * |value|`.

    A value that is zero is enclosed only where it is exactly computed to be zero.

    Raises:
        ValueError: for fewer than one digit.
        TypeError: for a value that is not an exact rational number.
        Undefined: where the expression has no real value; `obligation` says what was required.
        NotEnclosed: where `most_bits` of precision did not suffice (say, for a value that cannot be told from
            zero), or the value is of an astronomical size; `best` is the best enclosure found.
        NotNumeric: for a free symbol or something without a number.
    """
    if digits < 1:
        raise ValueError(f"digits = {digits}: at least one digit is needed")
    tape = _at_point((expression,), at)
    (rational,) = tape.exact()
    if isinstance(rational, fmpq):
        return decimals(rational, digits)
    wanted = int(digits * 3.3219281) + 5
    limit = most_bits if most_bits is not None else max(_COSTLY_BITS if tape.costly else _MOST_BITS, 8 * wanted)
    best: Enclosure | None = None
    reason = ""
    for bits, value in _at_growing_precision(tape, min(wanted + 24, limit), limit, wanted):
        if value.is_zero():
            return decimals(fmpq(0), digits)
        if value.is_nan():
            continue
        try:
            found = decimals(value, digits)
        except TooExtreme as error:
            reason = str(error)
            if value.is_finite() and value.rel_accuracy_bits() > 8:
                break  # known well enough: no precision will make it shorter
            continue
        if value.rel_accuracy_bits() >= wanted or value.is_exact():
            return found
        best, reason = found, f"{bits} bits of precision leave {value.str(5)}"
    with ctx.workprec(bits):
        reason = reason or tape.obstacle([]) or "no finite enclosure was found"
    raise NotEnclosed(f"{digits} digits of {_shortened(expression)} could not be guaranteed: {reason}", best)


def _at_growing_precision(tape: Tape, bits: int, limit: int, wanted: int) -> Iterator[tuple[int, arb]]:
    """The value of a tape without inputs at one precision after another, the limit last.

    Raises:
        Undefined: where it certainly has no value.
    """
    corrected, failures = False, 0
    while True:
        with ctx.workprec(bits):
            (value,) = tape.balls([])
            if value.is_nan():
                violation = tape.violations([])[0]
                if violation is not None:
                    raise Undefined(violation)
        yield bits, value
        failures += not value.is_finite()
        if bits >= limit or (tape.costly and failures >= 2):
            return
        known = value.rel_accuracy_bits() if value.is_finite() else 0
        nearly = known > wanted // 2 and not corrected
        bits, corrected = min(bits + wanted - known + 32 if nearly else 2 * bits, limit), nearly


def holds_at(proposition: Proposition, point: Mapping[sp.Symbol, sp.Expr]) -> bool | None:
    """Whether it holds at these values, and has one; None where that is not told, or it speaks of other names."""
    here = proposition.subs(dict(point))
    if isinstance(here, IsInteger):
        return bool(here.expression.is_Integer) if here.expression.is_Rational else None
    if not isinstance(here, Relation) or here.free_symbols:
        return None
    try:
        return compare(here).holds
    except Undefined:
        return False
    except NotNumeric:
        return None


def compare(relation: Relation, at: Point | None = None, *, most_bits: int = 2_000) -> Comparison:
    """Whether the relation holds at exact values of all its symbols.

    Two sides are found equal only where both are rational or written alike.

    Raises:
        TypeError: for a value that is not an exact rational number.
        NotNumeric: for a free symbol or something without a number.
    """
    tape = _at_point((relation.lhs, relation.rhs), at)
    lhs, rhs = tape.exact()
    if isinstance(lhs, fmpq) and isinstance(rhs, fmpq):
        return Comparison(RELATIONS[relation.op](lhs, rhs), *_set_apart(lhs, rhs))
    bits, failures = _FIRST_BITS, 0
    while True:
        with ctx.workprec(bits):
            lhs, rhs = tape.balls([])
            failures += not (lhs.is_finite() and rhs.is_finite())
            if lhs.is_nan() or rhs.is_nan():
                violation = next((v for v in tape.violations([]) if v is not None), None)
                if violation is not None:
                    return Comparison(False, obligation=violation)
            else:
                holds = _told(relation, lhs, rhs)
                if holds is not None:
                    return Comparison(holds, *_set_apart(lhs, rhs))
        if bits >= most_bits or (tape.costly and failures >= 2):
            return Comparison(None)
        bits = min(2 * bits, most_bits)


def _told(relation: Relation, lhs: arb, rhs: arb) -> bool | None:
    if relation.lhs == relation.rhs and lhs.is_finite():
        return relation.op in ("=", "<=", ">=")
    holds: bool | None = RELATIONS[relation.op](lhs, rhs)
    return holds


def _set_apart(lhs: arb | fmpq, rhs: arb | fmpq) -> tuple[Enclosure | None, Enclosure | None]:
    """Both sides in as few digits as show that they differ."""
    sides: list[Enclosure | None] = [None, None]
    for digits in (10, 15, 25, 50, 100, 200, 400, 800):
        for i, value in enumerate((lhs, rhs)):
            try:
                sides[i] = decimals(value, digits)
            except TooExtreme:
                return _or_none(lhs), _or_none(rhs)
        first, second = sides
        if first is None or second is None or first.upper < second.lower or second.upper < first.lower:
            break
        known = [v.rel_accuracy_bits() for v in (lhs, rhs) if isinstance(v, arb)]
        if lhs == rhs or (known and min(known) < 3 * digits):
            break
    return sides[0], sides[1]


def _or_none(value: arb | fmpq) -> Enclosure | None:
    try:
        return decimals(value, 15)
    except TooExtreme:
        return None


def _at_point(expressions: tuple[sp.Basic, ...], at: Point | None) -> Tape:
    """The tape of expressions at a point, everything rational in it computed."""
    used = set().union(*(e.free_symbols for e in map(exact, expressions)))
    rationals: dict[int, fmpq] = {}
    symbols: list[sp.Symbol] = []
    for symbol, value in (at or {}).items():
        number = exact(value)
        if not isinstance(number, sp.Rational):
            raise TypeError(f"{symbol} = {value} is not an exact rational number")
        if symbol in used:
            rationals[len(symbols)] = fmpq(int(number.p), int(number.q))
            symbols.append(symbol)
    return compiled(expressions, symbols).at(rationals)


def _shortened(expression: sp.Basic) -> str:
    from dpsym.core.plain_printer import plain

    text = plain(expression)
    return text if len(text) <= 60 else f"{text[:57]}..."
