"""A bound as a function of one unknown, compared with its target at exact points and on intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.deadline import over
from dpsym.core.notation import Maximum, Minimum
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain, settle
from dpsym.deriving.fact import Status, at_good_orders
from dpsym.deriving.intervals import defined
from dpsym.deriving.steps import status_of
from dpsym.numbers import NotNumeric, Range, Tape, Undefined, Unresolved, compare, compiled
from dpsym.numbers.curves import everywhere

_BITS = (128, 320)  # the second where boxes could not be told at the first
_MOST_BOXES = 20_000  # some seconds


@dataclass(slots=True)
class Bounded:
    """`bound <= target`, of one unknown.

    Attributes:
        conditions: what the bound rests on, of the unknown alone.
        domain: what is required of the unknown whatever the bound, of it alone.
    """

    bound: sp.Expr
    target: sp.Expr
    unknown: sp.Symbol
    conditions: Sequence[Proposition]
    domain: Sequence[Proposition]
    _tapes: tuple[Tape, Tape] | None = field(init=False, default=None)
    _known: dict[Fraction, bool | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if not self.bound.has(Minimum, Maximum):
            try:
                self._tapes = compiled((self.bound,), (self.unknown,)), compiled((self.target,), ())
            except NotNumeric:
                self._tapes = None

    def holds(self, x: Fraction) -> bool | None:
        """Whether the bound is at most the target at x; None where it is not told, or x is not allowed."""
        if x not in self._known:
            self._known[x] = self._holds(x)
        return self._known[x]

    def _holds(self, x: Fraction) -> bool | None:
        if not all(holds_at(c, self.unknown, x) for c in (*self.domain, *self.conditions)):
            return None
        at = {self.unknown: _rational(x)}
        for bits in _BITS:
            sides = self._sides(x, bits)
            if sides is None:
                break
            if sides[0] <= sides[1]:
                return True
            if sides[0] > sides[1]:
                return None if self.bound.has(Minimum) else False  # another order might do
        try:
            expression, orders = at_good_orders(self.bound, at)
            # put in first: SymPy may know that both sides are equal
            told = compare(Relation(expression, "<=", self.target), orders)
        except (Undefined, Unresolved, NotNumeric, ValueError, OverflowError):
            return None
        if told.holds is False and (told.obligation is not None or self.bound.has(Minimum)):
            return None
        return told.holds

    def gap(self, x: Fraction) -> float:
        """About the logarithm of the bound over the target; infinite where it is not known."""
        sides = self._sides(x, _BITS[0])
        if sides is None:
            return math.inf
        bound, target = sides
        with ctx.workprec(_BITS[0]):
            gap = (bound / target).log() if bound > 0 and target > 0 else bound - target
        return float(gap.mid()) if gap.is_finite() else math.inf

    def _sides(self, x: Fraction, bits: int) -> tuple[arb, arb] | None:
        with ctx.workprec(bits):
            try:
                if self._tapes is not None:
                    return self._tapes[0]([_ball(x)])[0], self._tapes[1]([])[0]
                expression, orders = at_good_orders(self.bound, {self.unknown: _rational(x)})
                values = [arb(fmpq(int(v.p), int(v.q))) for v in orders.values()]
                tape = compiled((expression, self.target), tuple(orders))
                bound, target = tape(values)
            except (Undefined, Unresolved, NotNumeric, ValueError, OverflowError):
                return None
        return bound, target

    def holds_between(self, lower: Fraction, upper: Fraction) -> bool:
        """Whether it is shown, by branch and bound, that the bound is at most the target on the whole interval."""
        if self._tapes is None or not self._required_between(lower, upper):
            return False
        with ctx.workprec(_BITS[0]):
            bound, (target,) = self._tapes[0], self._tapes[1].balls([])

            def shown(span: Range, _: bool) -> bool:
                values = None if over() else bound.ranges([span])[0]
                return values is not None and bool(values.above <= target)

            return everywhere(Range(_ball(lower), _ball(upper)), shown, _MOST_BOXES)

    def _required_between(self, lower: Fraction, upper: Fraction) -> bool:
        ends = (Relation(self.unknown, ">=", _rational(lower)), Relation(self.unknown, "<=", _rational(upper)))
        here, required = Domain(ends), (*self.domain, *self.conditions)
        try:
            return all(isinstance(c, Relation) and settle(c, here) and self._is_defined(c, here) for c in required)
        except EmptyDomain:
            return False

    def _is_defined(self, relation: Relation, here: Domain) -> bool:
        return all(defined(side, self.unknown, here) for side in (relation.lhs, relation.rhs))


def holds_at(condition: Proposition, unknown: sp.Symbol, x: Fraction) -> bool:
    """Whether a condition on the unknown is known to hold there."""
    try:
        return status_of(condition.subs({unknown: _rational(x)}), Domain()) in (None, Status.DISCHARGED)
    except OverflowError:  # 2^x, where that is too long to be written out
        return False


def _rational(x: Fraction) -> sp.Rational:
    return sp.Rational(x.numerator, x.denominator)


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


__all__ = ["Bounded", "holds_at"]
