"""Finite sums and products term by term, and infinite sums with a proved geometric bound on what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp
from flint import acb, arb, ctx

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.core.plain_printer import plain
from dpsym.numbers.tails import bounds, ratio
from dpsym.numbers.tape import Tape

if TYPE_CHECKING:
    from dpsym.numbers.compiling import Builder

_MOST_TERMS = 1_000_000  # that are added up: a few seconds
_MOST_RANGE_TERMS = 10_000  # on a range every term widens it
_FIRST_BLOCK = 16  # terms before the clock is looked at; then twice as many each time
_NO_RATIO_AFTER = 4_000  # terms after which the terms should fall geometrically


def total(inner: Builder, e: sp.Basic, function: sp.Lambda) -> Operation:
    """`Sum` or `Product` as an operation on first, last and what else its terms depend on."""
    is_sum = isinstance(e, sp.Sum)
    (i,), term = function.variables, function.expr
    first_end, last_end = e.limits[-1][1:]
    to_infinity = is_sum and bool(first_end.is_infinite or last_end.is_infinite)
    halves = [  # only where it is needed: a ratio may be undefined where the sum is not
        _with_ratios(term, i) if to_infinity and last_end.is_infinite else [],
        _with_ratios(term.subs(i, -i), i) if to_infinity and first_end.is_infinite else [],
    ]
    body, up, down, power = inner.tapes([term], *halves, _power(term, i) if is_sum and not to_infinity else [])
    endless = _Endless(up, down) if to_infinity else None

    def on_ball(first: arb, last: arb, *others: arb) -> arb:
        if any(v.is_nan() for v in others):
            return NAN
        if endless is not None:
            return endless.sum(first, last, others)
        count = _count(first, last)
        if count is None:
            return NAN
        start, value = int(first.unique_fmpz()), arb(0 if is_sum else 1)
        if count > 1 and (grown := power.balls([first, *others])) and grown[0] > 0 and not grown[1].contains(1):
            return body.balls([arb(start), *others])[0] * (1 - grown[1] ** count) / (1 - grown[1])
        if count > _MOST_TERMS:
            return NAN
        for i in range(start, start + count):
            term = body.balls([arb(i), *others])[0]
            value = value + term if is_sum else value * term
        return value

    def on_range(first: Range, last: Range, *others: Range) -> Range | None:
        if not (ranges.is_point(first) and ranges.is_point(last)):
            return None
        count = _count(first.below, last.below)
        if count is None or count > _MOST_RANGE_TERMS:
            return None
        start = int(first.below.unique_fmpz())
        value = Range(arb(0), arb(0)) if is_sum else Range(arb(1), arb(1))
        for i in range(start, start + count):
            term = body.ranges([Range(arb(i), arb(i)), *others])[0]
            if term is None:
                return None
            value = ranges.add(value, term) if is_sum else ranges.multiply(value, term)
        return value

    def on_complex(first: acb, last: acb, *others: acb) -> acb:
        count = _count(first.real, last.real)
        if count is None or count > _MOST_RANGE_TERMS:
            return acb(NAN)
        start, value = int(first.real.unique_fmpz()), acb(0 if is_sum else 1)
        for i in range(start, start + count):
            term = body.holomorphic([acb(i), *others])[0]
            value = value + term if is_sum else value * term
        return value

    def needs(first: arb, last: arb, *others: arb) -> Violation | None:
        for end, limit in ((first, "first"), (last, "last")):
            if end.is_exact() and end.is_finite() and not end.is_integer():
                return None, f"{plain(e)} needs an integer as its {limit} index"
        count = _count(first, last)
        if count is None:
            below = bool(last < first - 1)
            return (None, f"{plain(e)} needs its last index not below the first") if below else None
        start = int(first.unique_fmpz())
        for i in range(start, start + min(count, 1000)):
            violation = body.violations([arb(i), *others])[0]
            if violation is not None:
                return None, f"{violation}, at {function.variables[0]} = {i}"
        return None

    return Operation(
        on_ball,
        on_range,
        needs,
        complex=on_complex,
        costly=True,
        failure="the terms are too many, or no geometric bound on those left out could be proved",
    )


def _count(first: arb, last: arb) -> int | None:
    """How many integers there are from first to last; None where they are not integers or out of order."""
    start, end = ranges.integer(first), ranges.integer(last)
    return None if start is None or end is None or end < start - 1 else end - start + 1


def _power(term: sp.Expr, i: sp.Symbol) -> list[sp.Expr]:
    """The base of a power that is geometric in i, and the ratio of two terms in a row; nothing of other terms."""
    if not isinstance(term, sp.Pow) or term.base.has(i) or not term.exp.is_polynomial(i):
        return []
    exponent = sp.Poly(term.exp, i)
    return [term.base, term.base ** exponent.nth(1)] if exponent.degree() == 1 else []


def _with_ratios(term: sp.Expr, i: sp.Symbol) -> list[sp.Expr]:
    return [term, *bounds(term, i, ratio)]


class _Endless:
    """A sum to infinity, in one direction or in both."""

    def __init__(self, up: Tape, down: Tape) -> None:
        self._up, self._down = up, down

    def sum(self, first: arb, last: arb, others: Any) -> arb:
        if last.is_finite():
            end = ranges.integer(last)
            return NAN if end is None else self._to_infinity(self._down, -end, others)
        if first.is_finite():
            start = ranges.integer(first)
            return NAN if start is None else self._to_infinity(self._up, start, others)
        return self._to_infinity(self._up, 0, others) + self._to_infinity(self._down, 1, others)

    @staticmethod
    def _to_infinity(tape: Tape, first: int, others: Any) -> arb:
        parts = (tape.outputs - 1) // 2
        if parts == 0:
            return NAN
        total, i, block = arb(0), first, _FIRST_BLOCK
        outside = [ranges.of_ball(v) for v in others]
        while i - first <= _MOST_TERMS:
            for _ in range(block):
                total = total + tape.balls([arb(i), *others])[0]
                i += 1
            if not total.is_finite():
                return NAN
            if i > 0:
                rest = _tail(tape, parts, i, others, outside)
                if rest is None and i - first > _NO_RATIO_AFTER:
                    return NAN
                if rest is not None and (rest <= abs(total) * arb(2) ** -ctx.prec or total.rel_accuracy_bits() < 0):
                    return total + arb(0, 1) * rest
            block *= 2
        return NAN


def _tail(tape: Tape, parts: int, i: int, others: Any, outside: list[Range | None]) -> arb | None:
    """A bound on the sum of all terms from i on: |term|/(1 - largest ratio), for each product in a term."""
    found = tape.ranges([Range(arb(i), arb.pos_inf(), False, True), *outside])[1 + parts :]
    sizes = tape.balls([arb(i), *others])[1 : 1 + parts]
    rest = arb(0)
    for size, span in zip(sizes, found, strict=True):
        if span is None or not size.is_finite():
            return None
        largest = ranges.absolute(span).above
        if not largest < 1:
            return None
        rest = rest + abs(size) / (1 - largest)
    return arb(rest.upper())
