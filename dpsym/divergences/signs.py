"""Questions of order, answered from the assumptions: which breakpoint comes first, which sum converges."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

import sympy as sp

from dpsym.core.relations import IsInteger, Proposition, Relation, propositions
from dpsym.deciding import Domain, EmptyDomain, Sign, settle, sign
from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Rational, Ring

_PAIRS = {
    Sign.ZERO: (0, True),
    Sign.POSITIVE: (1, True),
    Sign.NONNEGATIVE: (1, False),
    Sign.NEGATIVE: (-1, True),
    Sign.NONPOSITIVE: (-1, False),
}
_NOT_NEGATIVE = (Sign.ZERO, Sign.POSITIVE, Sign.NONNEGATIVE)


class Signs:
    """The signs of rational functions of the parameters and of exponential sums, wherever the assumptions hold.

    They are asked of the canonical form; what is known here is only which elements are integers.
    """

    def __init__(self, ring: Ring, assume: Iterable[object]) -> None:
        self.ring = ring
        self.assume = propositions(assume)
        self._integers = {
            index
            for index, generator in enumerate(ring.generators)
            if isinstance(generator, sp.floor | sp.ceiling) or IsInteger(generator) in self.assume
        }
        bases = (g.base if isinstance(g, sp.Pow) and g.exp.is_Rational else g for g in ring.generators)
        self._positive = {base: sp.Dummy() for base in bases if _is_positive_sum(base, self.assume)}
        self._known: dict[sp.Expr, Sign | None] = {}

    def suppose(self, condition: Relation) -> None:
        """From here on, take this for granted too."""
        self.assume += (condition,)
        self._known.clear()

    def of(self, value: Rational | ExpSum) -> int | None:
        """1, 0 or -1 where the sign is proved to be that everywhere, else None."""
        found = self._sign(value)
        if found is None or (found[0] != 0 and not found[1]):
            return None
        return found[0]

    def at_least_zero(self, value: Rational | ExpSum) -> bool:
        """Whether it is proved to be nowhere negative."""
        found = self._sign(value)
        return found is not None and found[0] >= 0

    def ascending(self, values: Iterable[Rational]) -> list[Rational]:
        """In order, the least first.

        Raises:
            NoClosedForm: where the order is not settled.
        """

        def compare(first: Rational, second: Rational) -> int:
            if self.at_least_zero(second - first):
                return -1
            if self.at_least_zero(first - second):
                return 1
            gap = self.ring.expression(first - second)
            raise NoClosedForm("the sign of {} is not settled by the assumptions", gap)

        return sorted(values, key=cmp_to_key(compare))

    def settles(self, relation: Relation) -> bool:
        """Whether a relation of expressions is settled; where the assumptions contradict each other nothing is."""
        lhs, rhs = (side.xreplace(self._positive) for side in (relation.lhs, relation.rhs))
        try:
            return settle(Relation(lhs, relation.op, rhs), self._domain()) is not None
        except EmptyDomain:
            return False

    def is_integer(self, element: Rational) -> bool:
        """Whether it is a polynomial with integer coefficients in integer symbols."""
        if element.denom != 1:
            return False
        for exponents, coefficient in element.numer.terms():
            if coefficient.denominator != 1:
                return False
            if any(power and index not in self._integers for index, power in enumerate(exponents)):
                return False
        return True

    def _sign(self, value: Rational | ExpSum) -> tuple[int, bool] | None:
        """(sign, strict): (1, False) is 'nowhere negative'."""
        if not isinstance(value, ExpSum):
            value = self.ring.term(value)  # also of a plain int, with which SymPy answers 0 + 1
        expression = value.expression
        if expression not in self._known:
            self._known[expression] = self._find(expression)
        found = self._known[expression]
        return None if found is None else _PAIRS[found]

    def _find(self, expression: sp.Expr) -> Sign | None:
        try:
            return sign(expression.xreplace(self._positive), self._domain())
        except EmptyDomain:
            return None

    def _domain(self) -> Domain:
        return Domain((*self.assume, *(Relation(name, ">", sp.S.Zero) for name in self._positive.values())))


def _is_positive_sum(generator: sp.Expr, assume: tuple[Proposition, ...]) -> bool:
    """Whether it is an endless sum of exponentials of real exponents, or of finitely many positive terms, not of none.

    Either is no function that signs are known of.
    """
    if not isinstance(generator, sp.Sum):
        return False
    if all(any(end.is_infinite for end in ends) for _, *ends in generator.limits):
        return isinstance(generator.function, sp.exp)
    if len(generator.limits) > 1:
        return False
    ((index, first, last),) = generator.limits
    name = sp.Dummy(index.name)
    between = (IsInteger(name), Relation(name, ">=", first), Relation(name, "<=", last))
    try:
        some = sign(last - first, Domain(assume)) in _NOT_NEGATIVE
        return some and sign(generator.function.xreplace({index: name}), Domain((*assume, *between))) is Sign.POSITIVE
    except EmptyDomain:
        return False
