"""A relation by a lemma: a term is replaced by its bound, where the relation is monotone in that term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core.deadline import over, portion, timed
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Relation, substitute
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import NOT_SMOOTH, linear
from dpsym.deciding.domain import Point
from dpsym.deciding.lemmas import Lemma, library
from dpsym.deciding.lemmas.in_other_variables import LEMMAS as IN_OTHER_VARIABLES
from dpsym.deciding.lemmas.matching import Match, matches
from dpsym.deciding.strategies.exact import Sign, settle
from dpsym.deciding.strategies.sign_equivalents import (
    Goal,
    compared_by_logarithms,
    exponentials,
    goal_of,
    logarithm,
    sample,
    signs_at,
)
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_ZERO = sp.Integer(0)
_LARGEST = 120  # operations: with a term replaced, the relation gets longer still
_MOST_LOGARITHMS = 4  # forms with logarithms that are looked at
_AT_A_GLANCE = 4  # uses of which it is asked whether what remains has an exact sign
_MOST = 12  # uses that are tried, the shortest results first


def prove(question: Question) -> Yes | None:
    """The relation with one term replaced by its bound from the library, asked again."""
    goal = _apt(question)
    if goal is None:
        return None
    with timed(portion(question.limits.part)):
        for use in _promising(_uses(goal, library()), goal)[:_MOST]:
            if over():
                return None
            if (found := use.carried_out(question)) is not None:
                return found
    return None


def at_a_glance(question: Question) -> Yes | None:
    """The same by a lemma that is proved in other variables, also of logarithms, where what remains has an exact sign.

    Derivatives do not find those, and take long to fail.
    """
    goal = _apt(question)
    if goal is None:
        return None
    of_logarithms = (replace(goal, expression=e) for e in islice(_of_logarithms(goal), _MOST_LOGARITHMS))
    for form in (goal, *of_logarithms):
        for use in _promising(_uses(form, IN_OTHER_VARIABLES), goal)[:_AT_A_GLANCE]:
            left = Relation(use.result, ">" if goal.strict else ">=", _ZERO)
            if settle(left, question.domain) and (found := use.carried_out(question)) is not None:
                return found
    return None


def _apt(question: Question) -> Goal | None:
    """The question as a goal, where its size allows replacements."""
    goal = goal_of(question)
    if goal is None or question.depth > question.limits.lemmas or goal.expression.count_ops() > _LARGEST:
        return None
    return goal


def _promising(uses: Iterable[_Use], goal: Goal) -> list[_Use]:
    """Those that the samples do not speak against, the shortest results first."""
    found = list(uses)
    points = sample(goal.question, goal.expression.free_symbols) if found else []
    if not points or -1 in signs_at(goal.expression, points):
        return []
    return sorted((use for use in found if use.may_do(points)), key=lambda u: u.result.count_ops())


def _of_logarithms(goal: Goal) -> Iterator[sp.Expr]:
    """The difference of the logarithms of both sides, with exponentials taken out of a sum."""
    relation = goal.question.relation
    above = relation if relation.op.startswith(">") else relation.swapped
    for form in compared_by_logarithms(above.lhs, above.rhs, goal):
        yield form
        for term in form.atoms(sp.log):
            (inner,) = term.args
            for factor in sorted(exponentials(inner), key=sp.default_sort_key):
                rest = sp.Add(*(sp.powsimp(t / factor, combine="exp") for t in sp.Add.make_args(inner)))
                if goal.same(rest * factor, inner):
                    yield form.xreplace({term: logarithm(factor, goal) + sp.log(rest)})


@dataclass(frozen=True, slots=True)
class _Use:
    """One term of the goal and a lemma that bounds it; `result` is the goal with the bound in its place."""

    goal: Goal
    lemma: Lemma
    match: Match
    term: sp.Expr
    bound: sp.Expr
    result: sp.Expr

    def may_do(self, points: list[Point]) -> bool:
        """Whether the samples allow that it is at most the goal, and not negative."""
        return -1 not in signs_at(self.result, points) and -1 not in signs_at(
            self.goal.expression - self.result, points
        )

    def carried_out(self, question: Question) -> Yes | None:
        """The conditions of the lemma, the direction, and what is left to show."""
        conditions = [question.check(c.subs(self.match)) for c in self.lemma.where]
        if None in conditions or not self._is_weaker():
            return None
        op: Operator = ">" if self.goal.strict else ">="
        left = question.ask(Relation(self.result, op, _ZERO))
        if left is None:
            return None
        comparison = Relation(self.term, self.lemma.relation.op, self.bound)
        head = Yes(Verdict.PROVED, Method.LEMMA, f"by {self.lemma.id}: {comparison}", rests_on=(self.lemma.id,))
        return weakest([head, left, *(c for c in conditions if c is not None)])

    def _is_weaker(self) -> bool:
        """Whether the goal is affine in the term, with a coefficient of the sign that makes the bound the worse."""
        combination = linear(self.goal.expression, (self.term,))
        if combination is None:
            return False
        allowed = {Sign.ZERO, Sign.NONNEGATIVE, Sign.POSITIVE}
        if self.lemma.relation.op == "<=":
            allowed = {Sign.ZERO, Sign.NONPOSITIVE, Sign.NEGATIVE}
        return self.goal.sign_of(combination[0][self.term]) in allowed


def _uses(goal: Goal, lemmas: Iterable[Lemma]) -> Iterator[_Use]:
    closed = goal.expression.atoms(*NOT_SMOOTH, AppliedUndef)  # in which a term may be bound, or not differentiated
    inside = set[sp.Basic]().union(*(e.atoms(sp.Function, sp.Pow) for e in closed))
    terms = sorted(
        goal.expression.atoms(sp.Function, sp.Pow) - inside, key=lambda e: (e.count_ops(), sp.default_sort_key(e))
    )
    given = goal.expression
    for lemma in lemmas:
        pattern = lemma.relation.lhs
        for term in terms:
            for match in matches(pattern, term, lemma.variables):
                bound = substitute(lemma.relation.rhs, match)
                result = goal.expression.xreplace({term: bound})
                if bound != term and (result.count_ops() != given.count_ops() or plain(result) != plain(given)):
                    yield _Use(goal, lemma, match, term, bound, result)
