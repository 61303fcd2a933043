"""Decimals with guaranteed digits, and comparisons at a point, by raising the precision until they are settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.enclosing.operations import NoSignChange, Undefined, Unresolved
from dpsym.enclosing.tape import NotNumeric, compare_with_zero, compiled
from dpsym.relations import Relation, exact
from dpsym.verdicts import Enclosure

Point = Mapping[sp.Symbol, object]

_MOST_BITS = 40_000
_LARGEST_EXPONENT = 10_000_000  # in bits: beyond that a decimal would be longer than a book


class NotEnclosed(ArithmeticError):
    """The precision limit was reached; `best` is the best enclosure so far, or None."""

    def __init__(self, message: str, best: Enclosure | None = None) -> None:
        super().__init__(message)
        self.best = best


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a relation holds at a point (None: could not be told), with both sides.

    A side is None where it is too large or too small for a decimal.  `obligation` is set where a side is not
    defined there, and says what was required.
    """

    holds: bool | None
    lhs: Enclosure | None = None
    rhs: Enclosure | None = None
    obligation: str | None = None


def enclose(
    expression: sp.Basic, at: Point | None = None, *, digits: int = 15, most_bits: int | None = None
) -> Enclosure:
    """The value at exact values of all symbols, with `upper - lower <= 10**(1 - digits) * |value|`.

    Raises:
        ValueError: for fewer than one digit.
        Undefined: where the expression has no real value.
        NotEnclosed: when the precision limit did not suffice (a value that cannot be told from zero, say).
        NotNumeric: for a free symbol or something without a number.
    """
    if digits < 1:
        raise ValueError(f"digits = {digits}: at least one digit is needed")
    point = _balls(at or {})
    tape = compiled((exact(expression),), tuple(point))
    wanted = int(digits * 3.3219281) + 16
    limit = most_bits if most_bits is not None else max(_MOST_BITS, 8 * wanted)
    bits, best, reason = wanted + 32, None, ""
    while bits <= limit:
        with ctx.workprec(bits):
            try:
                value = tape([arb(v) for v in point.values()])[0]
            except NoSignChange as error:
                raise NotEnclosed(str(error)) from None
            except Unresolved as error:
                reason = str(error)
            else:
                if value.is_zero():
                    return Enclosure(Decimal(0), Decimal(0))
                best, reason = value, f"{bits} bits left {value.str(5)}"
                if value.rel_accuracy_bits() >= wanted:
                    return decimals(value, digits)
        bits *= 2
    raise NotEnclosed(
        f"{digits} digits could not be guaranteed with {bits // 2} bits: {reason}",
        None if best is None else decimals(best, digits),
    )


def compare(relation: Relation, at: Point | None = None, *, most_bits: int = 2_000) -> Comparison:
    """Whether the relation holds at exact values of all its symbols, decided by enclosures of the difference.

    Raises:
        NotNumeric: for a free symbol or something without a number.
    """
    point = _balls(at or {})
    tape = compiled((relation.lhs, relation.rhs), tuple(point))
    bits = 64
    while bits <= most_bits:
        with ctx.workprec(bits):
            try:
                lhs, rhs = tape([arb(v) for v in point.values()])
            except Undefined as error:
                return Comparison(False, obligation=error.obligation)
            except NoSignChange:
                return Comparison(None)
            except Unresolved:
                bits *= 2
                continue
            holds = compare_with_zero(lhs - rhs, relation.op)
            if holds is not None:
                digits = _distinguishing_digits(lhs, rhs)
                try:
                    return Comparison(holds, decimals(lhs, digits), decimals(rhs, digits))
                except NotEnclosed:
                    return Comparison(holds)
        bits *= 2
    return _of_rationals(relation, at or {})


def _of_rationals(relation: Relation, at: Point) -> Comparison:
    """What enclosures cannot tell: the equality of two rational numbers."""
    there = relation.subs({symbol: exact(value) for symbol, value in at.items()})
    if not (isinstance(there.lhs, sp.Rational) and isinstance(there.rhs, sp.Rational)):
        return Comparison(None)
    value = enclose(there.lhs, digits=15)
    return (
        Comparison({"=": True, "<=": True, ">=": True}.get(relation.op, False), value, value)
        if (there.lhs == there.rhs)
        else Comparison(None)
    )


def decimals(value: arb, digits: int) -> Enclosure:
    """A finite ball as two decimals of about `digits` digits, rounded outward.

    Raises:
        NotEnclosed: for a number with more digits before or after the point than anyone could read.
    """
    if abs(value).upper() > arb(2) ** _LARGEST_EXPONENT or 0 < abs(value).lower() < arb(2) ** -_LARGEST_EXPONENT:
        raise NotEnclosed(f"the value {value.str(5)} is too large or too small to be written as a decimal")
    mantissa, radius, exponent = (int(i) for i in value.mid_rad_10exp(digits + 5))
    down = Context(prec=digits + 3, rounding=ROUND_FLOOR, Emin=-(10**15), Emax=10**15)
    up = Context(prec=digits + 3, rounding=ROUND_CEILING, Emin=-(10**15), Emax=10**15)
    shift = Decimal(1).scaleb(exponent, down)
    return Enclosure(
        down.multiply(down.create_decimal(mantissa - radius), shift),
        up.multiply(up.create_decimal(mantissa + radius), shift),
    )


def _distinguishing_digits(lhs: arb, rhs: arb) -> int:
    """Enough digits to see two different numbers differ, and not more than are known."""
    difference, size = abs(lhs - rhs), abs(lhs)
    if not (difference > 0 and size > 0):
        return 15
    digits = int(float((size / difference).log().mid()) / 2.302585) + 4
    return max(10, min(digits, 600))


def _balls(at: Point) -> dict[sp.Symbol, fmpq]:
    point = {}
    for symbol, value in at.items():
        number = exact(value)
        if not isinstance(number, sp.Rational):
            raise TypeError(f"{symbol} = {value} is not an exact rational number")
        point[symbol] = fmpq(int(number.p), int(number.q))
    return point


__all__ = [
    "Comparison",
    "NotEnclosed",
    "NotNumeric",
    "Undefined",
    "Unresolved",
    "compare",
    "decimals",
    "enclose",
]
