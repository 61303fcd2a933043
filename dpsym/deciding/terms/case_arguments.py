"""In two cases, of a relation and its contrary."""

from __future__ import annotations

from collections.abc import Iterable

from flint import fmpq

from dpsym.core.relations import Relation
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.lines import Lines, gap_of
from dpsym.deciding.terms.rewriting import put_in
from dpsym.verifying.proofs.expressions import (
    CONTRARY,
    Expression,
    Statement,
    written,
)  # fmt: skip

_ZERO, _ONE = fmpq(0), fmpq(1)


class CaseArguments(Lines):
    """In two cases, of a relation and its contrary."""

    def _either_side(self, term: Term, context: int, s: Statement) -> None:
        x, at = (self._expression(e) for e in term.data)
        self._in_cases(context, s, Statement(x, "<=", at), term.parts)

    def _in_cases(
        self, context: int, s: Statement, h: Statement, parts: Iterable[Term], values: list[Statement] | None = None
    ) -> None:
        """Where h holds by the first part, elsewhere by the second; the values of a head that the parts have put in."""
        children = self._split(context, h)
        for child, part, value in zip(children, parts, values or (None, None), strict=True):
            given = self.show(part, child)
            if value is not None:
                self.builder.define(child, value.left, value.right)
                self.builder.prove(child, value)
                rules = [self.builder.number(child, value)]
                for side in (s.left, s.right):
                    put_in(self.builder, child, side, rules)
                if not self.builder.known(child, s):
                    self.builder.line(child, s, "sum", rules, [["1", [written(gap_of(given)), 1]]])
            self.follows(child, s, given)
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "cases", *children)

    def _split(self, context: int, h: Statement) -> list[int]:
        """Contexts in which it holds, and in which its contrary does."""
        self.builder.define(context, h.left, h.right)
        return [self._child(context, one) for one in (h, Statement(h.left, CONTRARY[h.op], h.right))]

    def _cases(self, term: Term, context: int, s: Statement) -> None:
        """A maximum, minimum or absolute value of which one case after the other is looked at."""
        head, cases, taken = term.data
        if len(cases) != 2 or len(taken) != 2 or any(len(c) != 1 for c in taken):
            raise Lacking("cases that are not two")
        h = self._statement(taken[0][0])
        self._in_cases(
            context, s, h, term.parts, [Statement(self._expression(head), "=", self._expression(v)) for v, _ in cases]
        )

    def _both_sides(self, term: Term, context: int, s: Statement) -> None:
        """Where x is not a number, it is below or above it."""
        (unequal,) = term.data
        if len(term.parts) != 2:
            raise Lacking("one side only")
        x, at = self._expression(unequal.lhs), self._expression(unequal.rhs)
        self._in_cases(context, s, Statement(x, "<", at), term.parts)

    def _contraposition(self, term: Term, context: int, s: Statement) -> None:
        """Where the claim does not hold, a condition does not either."""
        (condition,) = term.data
        children = self._split(context, s)
        other = children[1]
        against, assumed = self.show(term.parts[0], other), self._statement(condition)
        false = Statement(_ZERO, ">", _ZERO)
        terms = [["1", [written(gap_of(one)), 1]] for one in (against, assumed)]
        self.builder.line(other, false, "sum", [], terms)
        self.builder.define(context, s.left, s.right)
        self.builder.line(other, s, "absurd", self.builder.number(other, false))
        self.builder.line(context, s, "cases", *children)

    def _least_integer(self, term: Term, context: int, s: Statement) -> None:
        """At the least value of an integer, and beyond it for all reals."""
        k, least = (self._expression(e) for e in term.data)
        later, first = term.parts
        self._at_an_end(context, s, Statement(k, "<=", least), k, least, first, later)

    def _integer_endpoint(self, term: Term, context: int, s: Statement) -> None:
        k, at, rest = term.data
        if len(term.parts) != 2 or not isinstance(rest, Relation):
            raise Lacking("an end that is left out")
        name, value = self._expression(k), self._expression(at)
        op = "<=" if rest.op == ">=" else ">="
        self._at_an_end(context, s, Statement(name, op, value), name, value, *term.parts)

    def _at_an_end(
        self, context: int, s: Statement, h: Statement, k: str, at: Expression, first: Term, later: Term
    ) -> None:
        """In the one case k is the end, so that the claim is what was shown there."""
        children = end, rest = self._split(context, h)
        self.builder.prove(end, Statement(k, "=", at))
        self.follows(end, s, self.show(first, end))
        self.follows(rest, s, self.show(later, rest))
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "cases", *children)
