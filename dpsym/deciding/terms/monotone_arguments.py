"""Along one variable: from an end, between two, and around a least value."""

from __future__ import annotations

import math

import sympy as sp
from flint import fmpq

from dpsym.deciding.calculus.slices import Slice
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.lines import Lines, gap_of
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    derivative,
    substituted,
    written,
)  # fmt: skip
from dpsym.verifying.proofs.limits import Limit

_ZERO, _ONE = fmpq(0), fmpq(1)


class MonotoneArguments(Lines):
    """Along one variable: from an end, between two, and around a least value."""

    def _climbing(self, term: Term, context: int, s: Statement) -> None:
        along, direction = term.data
        x, e = self._expression(along.variable), gap_of(s)
        inside = self.of(Domain(along.interior))
        slope = derivative(e, x)
        self.builder.define(inside, e, slope)
        sides = [side for side in (1, -1) if direction in (0, side)]
        ends = {side: self._end(along, side) for side in sides}
        for part in term.parts[1:]:
            if part.rule != "infinite":
                self._prepared(part, context)
        for side in sides:
            self._at_end(context, inside, e, x, ends[side], side, strict=s.op == ">")
        given = self.show(term.parts[0], inside)
        texts = ["oo" if end == math.inf else "-oo" if end == -math.inf else written(end) for end in ends.values()]
        if direction:
            self._sloping(inside, slope, given)
            self.builder.line(context, s, "rising" if direction > 0 else "falling", x, *texts, inside)
            return
        turn = derivative(slope, x)
        self.builder.define(inside, turn)
        self._sloping(inside, turn, given)
        self.builder.line(context, s, "turning", x, *texts, inside, written(_ONE), written(slope))

    def _least_at(self, term: Term, context: int, s: Statement) -> None:
        """It falls to a point at which it is not negative, and rises from there."""
        along, point, form = term.data
        x, at, e, g = self._expression(along.variable), self._expression(point), gap_of(s), self._expression(form)
        slope, change, interior = derivative(e, x), derivative(g, x), self.of(Domain(along.interior))
        for need in (e, slope, g, change):
            self.builder.define(interior, need)
        self._sloping(interior, change, self.show(term.parts[-1], interior))
        factor = self._ratio(slope, g)
        self.builder.define(context, at)
        children = [self._child(context, Statement(x, op, at)) for op in (">=", "<")]
        for child, side in zip(children, (1, -1), strict=True):
            rule, op = ("rising", ">=") if side > 0 else ("falling", "<=")
            beyond = Statement(x, ">" if side > 0 else "<", at)
            inside = self.of(Domain((*along.interior, self.builder.translator.relation(beyond))))
            self._value(inside, substituted(g if side > 0 else ("*", -_ONE, g), {x: at}), strict=False)
            self._bounded(inside, interior, x, at)
            signed = Statement(g if side > 0 else ("*", -_ONE, g), ">=", _ZERO)
            if side < 0:  # -g falls where g rises
                self.follows(
                    interior, Statement(derivative(signed.left, x), "<=", _ZERO), Statement(change, ">=", _ZERO)
                )
            self.builder.define(inside, e, slope, g)
            self.builder.line(inside, signed, rule, x, written(at), interior)
            self.builder.prove(inside, Statement(factor, ">=", _ZERO))
            self.builder.prove(inside, Statement(slope, "=", ("*", factor, g)))
            self.follows(inside, Statement(slope, op, _ZERO), signed, factor)
            self._value(child, substituted(e, {x: at}), strict=s.op == ">")
            self._bounded(child, inside, x, at)
            self.builder.line(child, s, rule, x, written(at), inside)
        self.builder.line(context, s, "cases", *children)

    def _ratio(self, above: Expression, below: Expression) -> Expression:
        """The quotient in lowest terms."""
        one, other = (self.builder.translator.sympy(e) for e in (above, below))
        return self._expression(sp.factor(sp.cancel(sp.together(one / other))))

    def _bounded(self, context: int, inside: int, x: str, end: Expression) -> None:
        """What the checker wants to know so that all points between an end and x satisfy a context."""
        for h in self.builder.replay.hypotheses(inside):
            bound = h.right if h.left == x else h.left
            if h.op == "in" or x not in (h.left, h.right):
                self.builder.tries(context, h)
                continue
            op = h.op if h.left == x else {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(h.op, h.op)
            for value in (end, x):
                self.builder.tries(context, Statement(value, op[0] + "=", bound))

    def _prepared(self, part: Term, context: int) -> None:
        """What was asked of an end, where that is more than a sign; it is looked up when the end is."""
        try:
            self.show(part, context)
        except (Lacking, Rejected):
            return

    def _sloping(self, inside: int, slope: Expression, given: Statement) -> None:
        """The sign of the derivative as the checker finds it, from that of the strategy's."""
        self.follows(inside, Statement(slope, given.op, _ZERO), given)

    def _end(self, along: Slice, side: int) -> Limit:
        ends = along.lower if side > 0 else along.upper
        if len(ends) > 1:
            raise Lacking("several ends on one side")
        return self._expression(ends[0]) if ends else -side * math.inf

    def _at_end(self, context: int, inside: int, e: Expression, x: str, end: Limit, side: int, *, strict: bool) -> None:
        """Lines for what the checker wants to know of an end."""
        builder = self.builder
        if not isinstance(end, float):
            builder.define(context, end)
            builder.prove(context, Statement(x, ">=" if side > 0 else "<=", end))
        found = builder.limit(context, inside, e, x, end)
        if not isinstance(end, float) and found != substituted(e, {x: end}):
            builder.prove(context, Statement(x, ">" if side > 0 else "<", end))
        if not isinstance(found, float):
            builder.define(context, found)
            self._value(context, found, strict=strict)

    def _value(self, context: int, e: Expression, *, strict: bool) -> None:
        if not (strict and self.builder.tries(context, Statement(e, ">", _ZERO))):
            self.builder.prove(context, Statement(e, ">=", _ZERO))
