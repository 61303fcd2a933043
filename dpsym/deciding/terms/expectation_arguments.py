"""Expectations, by what holds for every value of the random variable."""

from __future__ import annotations

from typing import cast

import sympy as sp
from flint import fmpq

from dpsym.core.expanding import expand
from dpsym.core.notation import expectation
from dpsym.core.relations import Relation
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.expectations import collected
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.builder import Lacking
from dpsym.deciding.terms.divergences import as_expectation, as_moment, heads
from dpsym.deciding.terms.form_arguments import FormArguments
from dpsym.deciding.terms.lines import gap_of
from dpsym.deciding.terms.rewriting import from_put, put_in
from dpsym.verifying.proofs.expectations import integrand, linear
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    parts,
    substituted,
    written,
)  # fmt: skip

_ZERO, _ONE = fmpq(0), fmpq(1)


class ExpectationArguments(FormArguments):
    """Expectations, by what holds for every value of the random variable."""

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
        same = Statement(
            put_in(self.builder, context, s.left, rules), "=", put_in(self.builder, context, s.right, rules)
        )
        self.builder.define(there, same.left, same.right)
        self.builder.prove(there, same)
        self._moved(there, same, context)
        self.builder.define(context, s.left, s.right)
        self.builder.line(context, s, "sum", [*rules], [["zero", "1", self.builder.number(context, same)]])

    def over_the_loss(self, context: int, s: Statement) -> None:
        """With divergences as expectations over the privacy loss, these taken apart, and moments as divergences."""
        builder, rules = self.builder, list[int]()
        for head in heads(s.left, s.right):
            if (whole := as_expectation(builder, context, head)) is not None:
                rules.append(builder.number(context, Statement(head, "=", whole)))
        sides = [put_in(builder, context, side, rules) for side in (s.left, s.right)]
        if s.op == "=" and all(isinstance(side, tuple) and side[0] == "E" for side in sides):
            self._same_functions(context, Statement(sides[0], "=", sides[1]))
        else:
            rules += self._taken_apart(context, *(builder.translator.sympy(side) for side in sides))
            rules += self._moments(context, s, rules)
        put = s
        for _ in range(2):  # what is put in may contain moments
            sides = [put_in(builder, context, side, rules) for side in (put.left, put.right)]
            put = Statement(sides[0], s.op, sides[1])
        if put == s:
            raise Lacking("no expectation over a loss")
        from_put(builder, context, s, put, rules, builder.at_length)

    def _same_functions(self, context: int, s: Statement) -> None:
        """Two expectations of functions that are equal for every value."""
        if self.builder.known(context, s):
            return
        value = sp.Dummy("z")
        inside, name = self._outcomes(context, value), self._expression(value)
        bodies = [integrand(side, name)[0] for side in (s.left, s.right)]
        self.builder.define(inside, *bodies)
        self.builder.prove(inside, Statement(bodies[0], "=", bodies[1]))
        self.builder.line(context, s, "expected", name, inside)

    def _moments(self, context: int, s: Statement, rules: list[int]) -> list[int]:
        """Lines for exponential moments that are Rényi divergences; their numbers."""
        found, builder = list[int](), self.builder
        known = [line.statement.right for line in (builder.replay.lines[n] for n in rules)]
        for e in dict.fromkeys(part for side in (s.left, s.right, *known) for part in _expectations(side)):
            body, z, law = e[1], e[2], e[3]
            if not (
                isinstance(body, tuple) and body[0] == "exp" and isinstance(law, tuple) and law[0] == "privacy_loss"
            ):
                continue
            exponent, value_of_z = builder.translator.sympy(body[1]), builder.translator.sympy(z)
            slope = sp.diff(exponent, value_of_z)
            if expand(exponent - slope * value_of_z) != 0:
                continue
            order = self._expression(expand(slope + 1))
            moment = as_moment(builder, context, order, law)
            if moment is not None:
                self._same_functions(context, Statement(e, "=", moment.left))
                same = builder.number(context, Statement(e, "=", moment.left))
                value = Statement(e, "=", moment.right)
                other = builder.number(context, moment)
                found.append(builder.line(context, value, "sum", [], [["zero", "1", same], ["zero", "1", other]]))
        return found

    def _upper(self, term: Term, context: int, s: Statement) -> None:
        """A linear combination of expectations, by that of the functions."""
        value, law = term.data
        inside = self._outcomes(context, value, term.parts[0].domain)
        given = self.show(term.parts[0], inside)
        combination, name = s.left, self._expression(value)
        put, functions = linear(combination, name, self._expression(law))
        body = substituted(put, functions)
        whole = ("E", body, name, self._expression(law))
        self.follows(inside, Statement(body, s.op, _ZERO), given)
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
            self.builder.line(context, s, "sum", rules, [["1", [written(gap_of(given)), 1]]])
            return
        compared = Statement(
            sides[1], {"<": ">", "<=": ">="}[given.op], sides[0]
        )  # before the logarithm was taken away
        self.builder.define(context, *sides)
        self.builder.line(context, compared, "sum", rules, [["1", [written(gap_of(given)), 1]]])
        logarithms = self._increasing(context, "log", compared.op, *sides[::-1])
        if not self._multiple_of(context, s, logarithms):
            raise Lacking("a logarithm around an expectation")


def _expectations(e: Expression) -> list[Expression]:
    return [part for part in parts(e) if isinstance(part, tuple) and part[0] == "E" and len(part) == 4]


def _under(combination: sp.Expr, value: sp.Symbol) -> sp.Expr:
    """With the functions of a value in the place of their expectations."""
    table = {e: e.args[0].expr.xreplace({e.args[0].variables[0]: value}) for e in combination.atoms(expectation)}
    return combination.xreplace(table)
