"""Conditions that bound no symbol by themselves: x != a is taken apart, a bound is shown by contraposition."""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.domain import Domain, possible
from dpsym.deciding.strategies.strategy import Question, Yes, weakest


def prove(question: Question) -> Yes | None:
    """By both sides of an inequation that is assumed, or from the contrary to the contrary of an assumption."""
    if question.depth > question.limits.conditions:
        return None
    return _on_both_sides(question) or _by_contraposition(question)


def _on_both_sides(question: Question) -> Yes | None:
    """Where x != a, either x > a or x < a."""
    assume = question.domain.assume
    unequal = next((c for c in assume if isinstance(c, Relation) and _excludes(c, question.domain)), None)
    if unequal is None:
        return None
    rest = [c for c in assume if c != unequal]
    sides = ((question.relation, (*rest, Relation(unequal.lhs, op, unequal.rhs))) for op in ("<", ">"))
    yes = question.in_cases(sides, question.ask)
    if yes is None:
        return None
    why = f"on both sides of {unequal.rhs}: {yes[0].why}"
    found = weakest([Yes(Verdict.PROVED, yes[0].method, why), *yes])
    return found.by("both sides of", question, (unequal,), *yes)


def _by_contraposition(question: Question) -> Yes | None:
    """From A and not R follows not C: so from A and C follows R, wherever R is defined.

    From exp(eps) - 1 <= q and q <= 1/2 follows eps < 1, by nothing else here.
    """
    relation, assume = question.relation, question.domain.assume
    if relation.op in ("=", "!=") or not _is_simple(relation):
        return None
    for condition in question.domain.coupled:
        if not isinstance(condition, Relation) or not relation.free_symbols <= condition.free_symbols:
            continue
        contrary = (*(c for c in assume if c != condition), relation.negated)
        if possible(contrary) is None:
            continue  # then the other conditions are enough, and that is for the other strategies to see
        found = question.ask(condition.negated, contrary)
        if found is not None:
            why = f"otherwise {condition.negated}: {found.why}"
            whole = weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, why), found])
            return whole.by("contraposition", question, (condition,), found)
    return None


def _excludes(condition: Relation, domain: Domain) -> bool:
    """Whether it is x != a, with an a that the bounds on x allow."""
    x, a = (condition.lhs, condition.rhs) if isinstance(condition.lhs, sp.Symbol) else (condition.rhs, condition.lhs)
    return condition.op == "!=" and _is_simple(condition) and a in domain.of(x)


def _is_simple(relation: Relation) -> bool:
    """A symbol beside a number."""
    sides = {isinstance(relation.lhs, sp.Symbol), isinstance(relation.rhs, sp.Symbol)}
    return sides == {True, False} and (isinstance(relation.lhs, sp.Rational) or isinstance(relation.rhs, sp.Rational))
