"""Integers: the least value of one, or the greatest that a condition allows, is looked at by itself.

There 0**k, 1 - 1/k or a binomial coefficient is often another expression than at the values that follow.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_HEADS = (sp.binomial, sp.factorial, sp.gamma, sp.harmonic)


def prove(question: Question) -> Yes | None:
    """The relation at such a value, and where the integer is another."""
    if question.depth > question.limits.endpoints:
        return None
    for symbol, value, rest in _splits(question):
        answers = question.in_cases(_parts(question, symbol, value, rest))
        if answers is not None:
            why = f"at {symbol} = {value} and elsewhere: {answers[-1].why}"
            found = weakest([Yes(Verdict.PROVED, answers[-1].method, why), *answers])
            return found.by("integer endpoint", question, (symbol, value, rest), *answers)
    return None


def _parts(
    question: Question, symbol: sp.Symbol, value: sp.Expr, rest: Relation
) -> Iterator[tuple[Relation, tuple[Proposition, ...]]]:
    assume, table = question.domain.assume, {symbol: value}
    yield question.relation.subs(table), tuple(c.subs(table) for c in assume)
    yield question.relation, (*assume, rest)


def _splits(question: Question) -> Iterator[tuple[sp.Symbol, sp.Expr, Relation]]:
    """An integer, a value at an end of its range, and the condition that it is another."""
    domain, sides = question.domain, (question.relation.lhs, question.relation.rhs)
    heads = {e for side in sides for e in side.atoms(*_HEADS)}
    heads |= {e for side in sides for e in side.atoms(sp.Pow) if e.exp.free_symbols & domain.integers}
    concerned = set[sp.Symbol]().union(*(e.free_symbols for e in heads)) & domain.integers
    for condition in domain.coupled:
        for side in (condition, condition.swapped) if isinstance(condition, Relation) else ():
            symbol, other = side.lhs, side.rhs
            if symbol in concerned and other in domain.integers and side.op in ("<=", ">="):
                step = -1 if side.op == "<=" else 1
                yield symbol, other, Relation(symbol, side.op, other + step)
    for symbol in sorted(concerned, key=lambda s: s.name):
        least = domain.sharpened(symbol).lower
        if least is not None:
            yield symbol, least, Relation(symbol, ">=", least + 1)
