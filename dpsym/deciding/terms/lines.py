"""What all arguments share when lines are made of them: contexts of domains, and what follows from others."""

from __future__ import annotations

import sympy as sp
from flint import fmpq

from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    substituted,
    written,
)  # fmt: skip

_ZERO, _ONE = fmpq(0), fmpq(1)


class Lines:
    """Lines for terms, each in the context of its own domain."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._contexts: dict[frozenset[Proposition], int] = {}

    def show(self, term: Term, context: int | None = None) -> Statement:
        """Lines that end with what the term shows, in a context in which its domain is known; by default its own."""
        raise NotImplementedError

    def of(self, domain: Domain) -> int:
        """The context of a domain."""
        key = frozenset(domain.assume)
        if key not in self._contexts:
            self._contexts[key] = self.builder.context(None, domain.assume)
        return self._contexts[key]

    def _statement(self, relation: Relation) -> Statement:
        s = self.builder.translator.statement(relation)
        if s is None:
            raise Lacking(f"{relation} is not of numbers")
        return s

    def _expression(self, e: sp.Basic) -> Expression:
        return self.builder.translator.expression(e)

    def _moved(self, own: int, s: Statement, context: int, values: dict[str, Expression] | None = None) -> None:
        """The statement, with values put in, in a context in which all hypotheses of its own are known."""
        table = values or {}
        put = Statement(substituted(s.left, table), s.op, substituted(s.right, table))
        if not table and self.builder.known(context, put):
            return
        for h in self.builder.replay.hypotheses(own):
            sides = (substituted(h.left, table), h.right if h.op == "in" else substituted(h.right, table))
            self.builder.define(context, *sides[: 1 if h.op == "in" else 2])
            self.builder.prove(context, Statement(sides[0], h.op, sides[1]))
        number = self.builder.number(own, s)
        self.builder.define(context, *table.values())
        self.builder.line(context, put, "instance", number, {x: written(e) for x, e in table.items()})

    def follows(self, context: int, s: Statement, given: Statement, factor: Expression = _ONE) -> None:
        """A statement whose difference is a positive multiple of that of one that is known."""
        if self.builder.known(context, s):
            return
        one, other = (gap_of(r) for r in (s, given))
        multiple = other if factor == _ONE else ("*", factor, other)
        terms: list[list[object]] = [["1", *([] if factor == _ONE else [[written(factor), 1]]), [written(other), 1]]]
        if s.op == "=":
            terms = [["zero", written(factor), self.builder.number(context, given)]]
        try:
            self.builder.line(context, s, "sum", [], terms)
        except Lacking:
            same = Statement(one, "=", multiple)
            self.builder.prove(context, same)
            self.builder.line(context, s, "sum", [], [["zero", "1", self.builder.number(context, same)], *terms])

    def _child(self, context: int, h: Statement) -> int:
        relation = self.builder.translator.relation(h)
        return self.builder.context(context, (relation,))


def gap_of(s: Statement) -> Expression:
    """The larger side less the smaller one."""
    large, small = (s.right, s.left) if s.op in ("<", "<=") else (s.left, s.right)
    return large if small == _ZERO else ("-", large, small)
