"""From the terms that strategies leave behind to lines of a certificate: one function for each rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import cast

import sympy as sp
from flint import fmpq

from dpsym.core.notation import expectation
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.calculus.slices import Slice
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.expectations import collected
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expectations import integrand, linear
from dpsym.verifying.proofs.expressions import (
    CONTRARY,
    Expression,
    Statement,
    derivative,
    is_opaque,
    substituted,
    written,
)  # fmt: skip
from dpsym.verifying.proofs.limits import Limit, Limits

_ZERO, _ONE = fmpq(0), fmpq(1)


class Arguments:
    """Lines for terms, each in the context of its own domain."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._contexts: dict[frozenset[Proposition], int] = {}
        self._rules: dict[str, Callable[[Term, int, Statement], None]] = {
            "exact": self._exact, "defined": self._defined, "within": self._within, "over reals": self._first_part,
            "form": self._form, "climbing": self._climbing, "either side": self._either_side, "cases": self._cases,
            "least integer": self._least_integer, "integer endpoint": self._integer_endpoint, "scale": self._scale,
            "least at": self._least_at, "both sides of": self._both_sides, "contraposition": self._contraposition,
            "multiple": self._multiple, "both ways": self._both_ways, "expected": self._expected,
            "same expectations": self._same_expectations, "pointwise": self._pointwise, "upper": self._upper,
        }  # fmt: skip

    def of(self, domain: Domain) -> int:
        """The context of a domain."""
        key = frozenset(domain.assume)
        if key not in self._contexts:
            self._contexts[key] = self.builder.context(None, domain.assume)
        return self._contexts[key]

    def show(self, term: Term, context: int | None = None) -> Statement:
        """Lines that end with what the term shows, in a context in which its domain is known; by default its own."""
        own, s = self.of(term.domain), self._statement(term.relation)
        if not self.builder.known(own, s):
            rule = self._rules.get(term.rule)
            if rule is None:
                raise Lacking(f"no lines for the rule {term.rule!r}")
            rule(term, own, s)
        if context is not None and context != own:
            self._moved(own, s, context)
        return s

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
        number = self._number(own, s)
        self.builder.define(context, *table.values())
        self.builder.line(context, put, "instance", number, {x: written(e) for x, e in table.items()})

    def _number(self, context: int, s: Statement) -> int:
        """The number of a line with this statement; one is added where it is known without."""
        lines = self.builder.replay.lines
        for number in range(len(lines) - 1, -1, -1):
            if lines[number].context == context and lines[number].statement == s:
                return number
        return self.builder.line(context, s, "known")

    def _follows(self, context: int, s: Statement, given: Statement, factor: Expression = _ONE) -> None:
        """A statement whose difference is a positive multiple of that of one that is known."""
        if self.builder.known(context, s):
            return
        one, other = (_gap(r) for r in (s, given))
        multiple = other if factor == _ONE else ("*", factor, other)
        terms: list[list[object]] = [["1", *([] if factor == _ONE else [[written(factor), 1]]), [written(other), 1]]]
        if s.op == "=":
            terms = [["zero", written(factor), self._number(context, given)]]
        try:
            self.builder.line(context, s, "sum", [], terms)
        except Lacking:
            same = Statement(one, "=", multiple)
            self.builder.prove(context, same)
            self.builder.line(context, s, "sum", [], [["zero", "1", self._number(context, same)], *terms])

    def _inside(self, context: int, e: Expression, rules: list[int]) -> Expression:
        """With what the lines say of atoms put in, also in arguments of functions; lines for these are added."""
        table = {line.statement.left: line.statement.right for line in (self.builder.replay.lines[n] for n in rules)}
        return self._put_in(context, e, table, rules)

    def _put_in(self, context: int, e: Expression, table: dict[Expression, Expression], rules: list[int]) -> Expression:
        if e in table:
            return table[e]
        if not isinstance(e, tuple) or is_opaque(e):
            return e
        inner = [self._put_in(context, a, table, rules) for a in e[1:]]
        if list(e[1:]) == inner:
            return e
        put = (e[0], *inner)
        if e[0] in ("+", "-", "*", "/") or (e[0] == "**" and isinstance(inner[1], fmpq) and inner[1].q == 1):
            return put
        for before, after in zip(e[1:], inner, strict=True):
            same = Statement(before, "=", after)
            if not self.builder.known(context, same):
                self.builder.line(context, same, "sum", list(rules), [])
        rules.append(self.builder.line(context, Statement(e, "=", put), "congruent"))
        table[e] = put
        return put

    def _try(self, context: int, s: Statement) -> bool:
        """Whether it is known, or lines for it are found."""
        try:
            self.builder.define(context, s.left, s.right)
            self.builder.prove(context, s)
        except (Lacking, Rejected):
            return False
        return True

    # --- rules

    def _exact(self, term: Term, context: int, s: Statement) -> None:
        self.builder.prove(context, s)

    def _defined(self, term: Term, context: int, s: Statement) -> None:
        main, *needed = term.parts
        for one in needed:
            self.show(one, context)
        self._follows(context, s, self.show(main, context))

    def _first_part(self, term: Term, context: int, s: Statement) -> None:
        self._follows(context, s, self.show(term.parts[0], context))

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
            self._follows(context, s, goal)
            return
        self._follows(there, claim, goal)
        self.builder.define(context, claim.left)
        self.builder.line(context, claim, "closure", self._number(there, claim))
        self._follows(context, s, claim)

    @staticmethod
    def _gap_of(s: Statement) -> tuple[Expression, str]:
        return _gap(s), s.op if s.op in (">", ">=", "=") else {"<": ">", "<=": ">="}[s.op]

    def _unfolded(self, context: int, folded: int, x: str, s: Statement) -> None:
        """From x >= 0 (or > 0, and at 0) to all x, of an even function."""
        sides = [self._child(context, Statement(x, op, _ZERO)) for op in (">=", "<")]
        for child, image in zip(sides, (x, ("*", fmpq(-1), x)), strict=True):
            put = Statement(substituted(s.left, {x: image}), s.op, substituted(s.right, {x: image}))
            self._moved(folded, s, child, {x: image} if image != x else {})
            self._follows(child, s, put)
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "cases", *sides)

    def _child(self, context: int, h: Statement) -> int:
        relation = self.builder.translator.relation(h)
        return self.builder.context(context, (relation,))

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
        if factor != _ONE and not self._try(context, Statement(factor, ">", _ZERO)):
            self.builder.prove(context, Statement(factor, ">=", _ZERO))
        self._follows(context, s, given, factor)

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
        one, other = (self.builder.translator.sympy(_gap(r)) for r in (s, given))
        candidates = [sp.Integer(1), sp.factor(sp.cancel(sp.together(one / other)))]
        candidates += [sp.powsimp(sp.simplify(c), combine="exp") for c in candidates[1:] if c.count_ops() < 200]
        for candidate in dict.fromkeys(candidates):
            factor = self._expression(candidate)
            try:
                self.builder.prove(context, Statement(factor, ">", _ZERO))
                self._follows(context, s, given, factor)
            except (Lacking, Rejected):
                continue
            return True
        return False

    def _climbing(self, term: Term, context: int, s: Statement) -> None:
        along, direction, falling = term.data
        x, e = self._expression(along.variable), _gap(s)
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
        g = slope if falling is None else self._expression(falling)
        factor: Expression = _ONE
        if falling is not None:
            translator = self.builder.translator
            factor = self._expression(sp.factor(sp.cancel(sp.together(translator.sympy(slope) / translator.sympy(g)))))
            self.builder.prove(inside, Statement(factor, ">=", _ZERO))
            self.builder.prove(inside, Statement(slope, "=", ("*", factor, g)))
        turn = derivative(g, x)
        self.builder.define(inside, g, turn)
        self._sloping(inside, turn, given)
        self.builder.line(context, s, "turning", x, *texts, inside, written(factor), written(g))

    def _least_at(self, term: Term, context: int, s: Statement) -> None:
        """It falls to a point at which it is not negative, and rises from there."""
        along, point, form = term.data
        if form is None:
            raise Lacking("a least value by the signs on both sides")
        x, at, e, g = self._expression(along.variable), self._expression(point), _gap(s), self._expression(form)
        slope, change, interior = derivative(e, x), derivative(g, x), self.of(Domain(along.interior))
        for need in (e, slope, g, change):
            self.builder.define(interior, need)
        self._sloping(interior, change, self.show(term.parts[-1], interior))
        translator = self.builder.translator
        factor = self._expression(sp.factor(sp.cancel(sp.together(translator.sympy(slope) / translator.sympy(g)))))
        self.builder.define(context, at)
        children = [self._child(context, Statement(x, op, at)) for op in (">=", "<")]
        for child, side in zip(children, (1, -1), strict=True):
            rule, op = ("rising", ">=") if side > 0 else ("falling", "<=")
            beyond = Statement(x, ">" if side > 0 else "<", at)
            inside = self.of(Domain((*along.interior, translator.relation(beyond))))
            self._value(inside, substituted(g if side > 0 else ("*", -_ONE, g), {x: at}), strict=False)
            self._bounded(inside, interior, x, at)
            signed = Statement(g if side > 0 else ("*", -_ONE, g), ">=", _ZERO)
            if side < 0:  # -g falls where g rises
                self._follows(
                    interior, Statement(derivative(signed.left, x), "<=", _ZERO), Statement(change, ">=", _ZERO)
                )
            self.builder.define(inside, e, slope, g)
            self.builder.line(inside, signed, rule, x, written(at), interior)
            self.builder.prove(inside, Statement(factor, ">=", _ZERO))
            self.builder.prove(inside, Statement(slope, "=", ("*", factor, g)))
            self._follows(inside, Statement(slope, op, _ZERO), signed, factor)
            self._value(child, substituted(e, {x: at}), strict=s.op == ">")
            self._bounded(child, inside, x, at)
            self.builder.line(child, s, rule, x, written(at), inside)
        self.builder.line(context, s, "cases", *children)

    def _bounded(self, context: int, inside: int, x: str, end: Expression) -> None:
        """What the checker wants to know so that all points between an end and x satisfy a context."""
        for h in self.builder.replay.hypotheses(inside):
            bound = h.right if h.left == x else h.left
            if h.op == "in" or x not in (h.left, h.right):
                self._try(context, h)
                continue
            op = h.op if h.left == x else {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(h.op, h.op)
            for value in (end, x):
                self._try(context, Statement(value, op[0] + "=", bound))

    def _prepared(self, part: Term, context: int) -> None:
        """What was asked of an end, where that is more than a sign; it is looked up when the end is."""
        try:
            self.show(part, context)
        except (Lacking, Rejected):
            return

    def _sloping(self, inside: int, slope: Expression, given: Statement) -> None:
        """The sign of the derivative as the checker finds it, from that of the strategy's."""
        self._follows(inside, Statement(slope, given.op, _ZERO), given)

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
            there = substituted(e, {x: end})
            if self._is_defined(context, there):
                self._value(context, there, strict=strict)
                return
            builder.prove(context, Statement(x, ">" if side > 0 else "<", end))
        limits = Limits(
            x, end, lambda s: self._try(context, s), lambda s: self._try(inside, s),
            lambda a: builder.replay.forms.of(a).above.is_zero(),
        )  # fmt: skip
        found = limits.of(e)
        if not isinstance(found, float):
            builder.define(context, found)
            self._value(context, found, strict=strict)

    def _is_defined(self, context: int, e: Expression) -> bool:
        try:
            self.builder.define(context, e)
        except (Lacking, Rejected):
            return False
        return self.builder.replay.undefined(context, e) is None

    def _value(self, context: int, e: Expression, *, strict: bool) -> None:
        if not (strict and self._try(context, Statement(e, ">", _ZERO))):
            self.builder.prove(context, Statement(e, ">=", _ZERO))

    def _either_side(self, term: Term, context: int, s: Statement) -> None:
        x, at = (self._expression(e) for e in term.data)
        self._in_cases(context, s, Statement(x, "<=", at), term.parts)

    def _in_cases(
        self, context: int, s: Statement, h: Statement, parts: Iterable[Term], values: list[Statement] | None = None
    ) -> None:
        """Where h holds by the first part, elsewhere by the second; the values of a head that the parts have put in."""
        self.builder.define(context, h.left, h.right)
        children = [self._child(context, one) for one in (h, Statement(h.left, CONTRARY[h.op], h.right))]
        for child, part, value in zip(children, parts, values or (None, None), strict=True):
            given = self.show(part, child)
            if value is not None:
                self.builder.define(child, value.left, value.right)
                self.builder.prove(child, value)
                rules = [self._number(child, value)]
                for side in (s.left, s.right):
                    self._inside(child, side, rules)
                if not self.builder.known(child, s):
                    self.builder.line(child, s, "sum", rules, [["1", [written(_gap(given)), 1]]])
            self._follows(child, s, given)
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "cases", *children)

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
        children = [self._child(context, one) for one in (s, Statement(s.left, CONTRARY[s.op], s.right))]
        other = children[1]
        against, assumed = self.show(term.parts[0], other), self._statement(condition)
        false = Statement(_ZERO, ">", _ZERO)
        terms = [["1", [written(_gap(one)), 1]] for one in (against, assumed)]
        self.builder.line(other, false, "sum", [], terms)
        self.builder.define(context, s.left, s.right)
        self.builder.line(other, s, "absurd", self._number(other, false))
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
        self.builder.define(context, h.left, h.right)
        children = [self._child(context, one) for one in (h, Statement(h.left, CONTRARY[h.op], h.right))]
        end, rest = children
        self.builder.prove(end, Statement(k, "=", at))
        self._follows(end, s, self.show(first, end))
        self._follows(rest, s, self.show(later, rest))
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "cases", *children)

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
        self._follows(context, s, put, factor)

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
            terms.append(["zero", written(factor), self._number(context, given)])
        else:
            terms.append(["1", [written(factor), 1], [written(_gap(given)), 1]])
        self.builder.line(context, s, "sum", [], terms)

    # --- expectations

    def _both_ways(self, term: Term, context: int, s: Statement) -> None:
        """x <= y and y <= x."""
        for part in term.parts:
            self.show(part, context)
        self.builder.lemma(context, s, "equal", x=s.left, y=s.right)

    def _expected(self, term: Term, context: int, s: Statement) -> None:
        """By the same relation under the expectation, for every value of the random variable."""
        (value,) = term.data
        inside = self._outcomes(context, value, term.parts[0].domain)
        self.show(term.parts[0], inside)
        self.builder.line(context, s, "expected", self._expression(value), inside)

    def _outcomes(self, context: int, value: sp.Symbol, domain: Domain | None = None) -> int:
        """A child of the context for the values of a random variable, between the bounds that a domain has for them."""
        assume = () if domain is None else domain.assume
        return self.builder.context(context, tuple(c for c in assume if value in c.free_symbols))

    def _taken_apart(self, context: int, *sides: sp.Expr) -> list[int]:
        """Lines that say what each expectation is by those of which it is a combination; their numbers."""
        found = []
        for e in sorted(set[sp.Basic]().union(*(side.atoms(expectation) for side in sides)), key=str):
            combination = collected(e, self.builder.domains[context])
            s = Statement(self._expression(e), "=", self._expression(combination))
            if combination != e:
                value = sp.Dummy("z")
                inside = self._outcomes(context, value)
                body = integrand(s.left, self._expression(value))[0]
                same = Statement(body, "=", self._expression(_under(combination, value)))
                self.builder.define(inside, same.left, same.right)
                self.builder.prove(inside, same)
                found.append(self.builder.line(context, s, "linear", self._expression(value), inside))
        return found

    def _same_expectations(self, term: Term, context: int, s: Statement) -> None:
        (heads,) = term.data
        rules = self._taken_apart(context, *(cast("sp.Expr", side) for side in (term.relation.lhs, term.relation.rhs)))
        positive = [e for e in heads if isinstance(e.args[0].expr, sp.exp)]
        for e in positive:
            value = sp.Dummy("z")
            inside = self._outcomes(context, value)
            body = integrand(self._expression(e), self._expression(value))[0]
            self.builder.prove(inside, Statement(body, ">", _ZERO))
            s_e = Statement(self._expression(e), ">", _ZERO)
            self.builder.line(context, s_e, "expected", self._expression(value), inside)
        domain = Domain((*self.builder.domains[context].assume, *(Relation(e, ">", sp.Integer(0)) for e in positive)))
        there = self.of(domain)
        same = Statement(self._inside(context, s.left, rules), "=", self._inside(context, s.right, rules))
        self.builder.define(there, same.left, same.right)
        self.builder.prove(there, same)
        self._moved(there, same, context)
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "sum", [*rules], [["zero", "1", self._number(context, same)]])

    def _upper(self, term: Term, context: int, s: Statement) -> None:
        """A linear combination of expectations, by that of the functions."""
        value, law = term.data
        inside = self._outcomes(context, value, term.parts[0].domain)
        given = self.show(term.parts[0], inside)
        combination, name = s.left, self._expression(value)
        put, functions = linear(combination, name, self._expression(law))
        body = substituted(put, functions)
        whole = ("E", body, name, self._expression(law))
        self._follows(inside, Statement(body, s.op, _ZERO), given)
        self.builder.line(context, Statement(whole, s.op, _ZERO), "expected", name, inside)
        other = self.builder.context(context, ())
        number = self.builder.line(context, Statement(whole, "=", combination), "linear", name, other)
        self.builder.line(context, s, "sum", [], [["zero", "1", number], ["1", [written(("*", -_ONE, whole)), 1]]])

    def _pointwise(self, term: Term, context: int, s: Statement) -> None:
        lhs, rhs = term.data
        rules = self._taken_apart(context, lhs, rhs)
        given = self.show(term.parts[0], context)
        sides = self._expression(lhs), self._expression(rhs)
        if (lhs, rhs) == (term.relation.lhs, term.relation.rhs):
            self.builder.line(context, s, "sum", rules, [["1", [written(_gap(given)), 1]]])
            return
        compared = Statement(
            sides[1], {"<": ">", "<=": ">="}[given.op], sides[0]
        )  # before the logarithm was taken away
        self.builder.define(context, *sides)
        self.builder.line(context, compared, "sum", rules, [["1", [written(_gap(given)), 1]]])
        logarithms = self._increasing(context, "log", compared.op, *sides[::-1])
        if not self._multiple_of(context, s, logarithms):
            raise Lacking("a logarithm around an expectation")


def _under(combination: sp.Expr, value: sp.Symbol) -> sp.Expr:
    """With the functions of a value in the place of their expectations."""
    table = {e: e.args[0].expr.xreplace({e.args[0].variables[0]: value}) for e in combination.atoms(expectation)}
    return combination.xreplace(table)


def _gap(s: Statement) -> Expression:
    """The larger side less the smaller one."""
    large, small = (s.right, s.left) if s.op in ("<", "<=") else (s.left, s.right)
    return large if small == _ZERO else ("-", large, small)
