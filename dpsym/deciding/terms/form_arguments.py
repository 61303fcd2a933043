"""From a form with the sign of the goal to the goal: logarithms, multiples, scales, ends of intervals."""

from __future__ import annotations

import sympy as sp
from flint import fmpq

from dpsym.core.relations import Relation
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.lines import Lines, gap_of
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    substituted,
    written,
)  # fmt: skip

_ZERO, _ONE = fmpq(0), fmpq(1)


class FormArguments(Lines):
    """From a form with the sign of the goal to the goal: logarithms, multiples, scales, ends of intervals."""

    def _form(self, term: Term, context: int, s: Statement) -> None:
        """From a form with the sign of the goal to the goal."""
        kind, *data = term.data
        given = self.show(term.parts[0], context)
        outside = self._expression(data[-1])
        if kind == "logarithm undone":
            logarithm, other, side, within = (self._expression(e) for e in data[:-1])
            inner = logarithm[1]
            larger, smaller = (inner, other) if side > 0 else (other, inner)
            larger, smaller = self._compared(context, given, larger, smaller, within)
            given = self._increasing(context, "log", given.op, larger, smaller)
        elif kind == "logarithms":
            larger, smaller = (self._expression(e) for e in data[:-1])
            sides = self._compared(context, given, ("log", larger), ("log", smaller), _ONE)
            given = self._increasing(context, "exp", given.op, *sides)
        self._scaled(context, s, given, outside)

    def _scaled(self, context: int, s: Statement, given: Statement, factor: Expression) -> None:
        """A statement of which the difference is a known one, times a factor that is not negative."""
        self.builder.define(context, factor)
        if factor != _ONE and not self.builder.tries(context, Statement(factor, ">", _ZERO)):
            self.builder.prove(context, Statement(factor, ">=", _ZERO))
        self.follows(context, s, given, factor)

    def _compared(
        self, context: int, given: Statement, larger: Expression, smaller: Expression, factor: Expression
    ) -> tuple[Expression, Expression]:
        """A known difference as a comparison of two sides."""
        s = Statement(larger, given.op, smaller)
        self.builder.define(context, larger, smaller)
        self._scaled(context, s, given, factor)
        return larger, smaller

    def _increasing(self, context: int, head: str, op: str, larger: Expression, smaller: Expression) -> Statement:
        """A logarithm or exponential of both sides."""
        s = Statement((head, larger), op, (head, smaller))
        for needed in (larger, smaller) if head == "log" else ():
            self.builder.prove(context, Statement(needed, ">", _ZERO))
        name = f"{head}_{'strict' if op == '>' else 'mono'}"
        self.builder.lemma(context, s, name, x=smaller, y=larger)
        return s

    def _multiple_of(self, context: int, s: Statement, given: Statement) -> bool:
        """Whether lines were found by which the statement is a positive multiple of what is known."""
        one, other = (self.builder.translator.sympy(gap_of(r)) for r in (s, given))
        candidates = [sp.Integer(1), sp.factor(sp.cancel(sp.together(one / other)))]
        candidates += [sp.powsimp(sp.simplify(c), combine="exp") for c in candidates[1:] if c.count_ops() < 200]
        for candidate in dict.fromkeys(candidates):
            factor = self._expression(candidate)
            try:
                self.builder.prove(context, Statement(factor, ">", _ZERO))
                self.follows(context, s, given, factor)
            except (Lacking, Rejected):
                continue
            return True
        return False

    def _scale(self, term: Term, context: int, s: Statement) -> None:
        """The relation at (1, x/s^w), times s^d."""
        scale, x, w, d = term.data
        answer = self.show(term.parts[0])
        value = self._expression(x / scale**w)
        name = self._expression(x)
        put = Statement(substituted(answer.left, {name: value}), answer.op, substituted(answer.right, {name: value}))
        self.builder.define(context, value)
        self._moved(self.of(term.parts[0].domain), answer, context, {name: value})
        factor = self._expression(scale**d)
        self.builder.prove(context, Statement(factor, ">", _ZERO))
        self.follows(context, s, put, factor)

    def _multiple(self, term: Term, context: int, s: Statement) -> None:
        """What remains of the goal, and a multiple of a condition."""
        condition, multiplier, rest = term.data
        for part in term.parts:
            self.show(part, context)
        given, factor, left = (
            self._statement(condition), self._expression(multiplier), self._expression(rest)
        )  # fmt: skip
        self.builder.prove(context, given)
        terms: list[list[object]] = [["1", [written(left), 1]]]
        if given.op == "=":
            terms.append(["zero", written(factor), self.builder.number(context, given)])
        else:
            terms.append(["1", [written(factor), 1], [written(gap_of(given)), 1]])
        self.builder.line(context, s, "sum", [], terms)

    def _within(self, term: Term, context: int, s: Statement) -> None:
        """On a domain without ends, or with one sign of what occurs in even powers only."""
        opened, folded = (d for d in term.data if isinstance(d, Domain))
        goal = self.show(term.parts[0])
        if folded.assume != opened.assume:
            (x,) = {c.lhs for c in folded.assume if c not in opened.assume and isinstance(c, Relation)} or (None,)
            self._unfolded(self.of(opened), self.of(folded), self._expression(x), goal)
        there = self.of(opened)
        claim = Statement(*self._gap_of(s), _ZERO)
        if there == context:
            self.follows(context, s, goal)
            return
        self.follows(there, claim, goal)
        self.builder.define(context, claim.left)
        self.builder.line(context, claim, "closure", self.builder.number(there, claim))
        self.follows(context, s, claim)

    @staticmethod
    def _gap_of(s: Statement) -> tuple[Expression, str]:
        return gap_of(s), s.op if s.op in (">", ">=", "=") else {"<": ">", "<=": ">="}[s.op]

    def _unfolded(self, context: int, folded: int, x: str, s: Statement) -> None:
        """From x >= 0 (or > 0, and at 0) to all x, of an even function."""
        sides = [self._child(context, Statement(x, op, _ZERO)) for op in (">=", "<")]
        for child, image in zip(sides, (x, ("*", fmpq(-1), x)), strict=True):
            put = Statement(substituted(s.left, {x: image}), s.op, substituted(s.right, {x: image}))
            self._moved(folded, s, child, {x: image} if image != x else {})
            self.follows(child, s, put)
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "cases", *sides)
