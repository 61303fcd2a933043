"""Multiples of what is assumed: f >= 0 follows from g >= 0, m >= 0 and f - m g >= 0.

For each assumption the multipliers are those that cancel a term of f with one of g.  They bring an assumption into
the shape of the goal, as sqrt(k) (exp(x) - 1) <= sqrt(2 L) into that of x k (exp(x) - 1) <= x sqrt(2 k L).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import sympy as sp

from dpsym.core.deadline import portion, timed
from dpsym.core.expanding import expand
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.definedness import of_expression
from dpsym.deciding.domain import Point
from dpsym.deciding.strategies import exact
from dpsym.deciding.strategies.exact import Sign
from dpsym.deciding.strategies.sign_equivalents import Goal, forms, goal_of, sample, signs_at
from dpsym.deciding.strategies.strategy import Question, Yes, met, weakest

_ZERO = sp.Integer(0)
_LARGEST = 120  # operations
_MOST_TERMS = 8  # each is divided by each of an assumption
_MOST_FORMS = 3  # of the goal
_MOST = 6  # multiples that are tried, the shortest remainders first
_ASKED = 2  # of these, whose remainder is put to every strategy


def prove(question: Question) -> Yes | None:
    """The relation by a multiple of one assumption; what remains is asked again."""
    coupled = [c for c in question.domain.coupled if isinstance(c, Relation) and c.op != "!="]
    with timed(portion(question.limits.side_condition)):
        goal = goal_of(question) if coupled and question.depth <= question.limits.multiples else None
        if goal is None or goal.expression.count_ops() > _LARGEST:
            return None
        points = sample(question, goal.expression.free_symbols)
        if not points or -1 in signs_at(goal.expression, points):
            return None
        known = [*coupled, *(s for c in coupled if (s := _squared(c, goal)) is not None)]
        uses = [use for form in islice(forms(goal), _MOST_FORMS) for c in known for use in _uses(form, c, goal, points)]
        uses = sorted(uses, key=lambda u: u.rest.count_ops())[:_MOST]
        for use in uses:
            if (found := use.carried_out(patient=False)) is not None:
                return found
        for use in uses[:_ASKED]:
            if (found := use.carried_out(patient=True)) is not None:
                return found
        return None


@dataclass(frozen=True, slots=True)
class _Use:
    """An assumption, what it is multiplied by, and what remains of the goal."""

    goal: Goal
    condition: Relation
    multiplier: sp.Expr
    rest: sp.Expr

    def carried_out(self, *, patient: bool) -> Yes | None:
        """That the multiplier is defined and of the sign that is needed, and what remains of the sign of the goal."""
        question = self.goal.question
        left = Relation(self.rest, ">" if self.goal.strict else ">=", _ZERO)
        remaining = question.ask_part(left) if patient else exact.prove(replace(question, relation=left))
        if remaining is None:
            return None
        needs = met(of_expression(self.multiplier), replace(question, depth=question.depth + 1))
        signed = None if self.condition.op == "=" else question.check(Relation(self.multiplier, ">=", _ZERO))
        if needs is None or (signed is None and self.condition.op != "="):
            return None
        why = f"{self.condition}, times {plain(self.multiplier)}: {remaining.why}"
        signs = [] if signed is None else [signed]
        found = weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, why), remaining, *signs, *needs])
        return found.by("multiple", question, (self.condition, self.multiplier, self.rest), remaining, *signs, *needs)


def _uses(form: sp.Expr, condition: Relation, goal: Goal, points: list[Point]) -> Iterator[_Use]:
    """The multiples that the samples do not speak against."""
    above = condition if condition.op in (">", ">=", "=") else condition.swapped
    assumed = above.lhs - above.rhs
    of_goal, of_condition = (_terms(e) for e in (form, assumed))
    if not of_goal or not of_condition:
        return
    seen = set()
    for term in of_goal:
        for part in of_condition:
            multiplier = sp.powsimp(term / part)
            if multiplier in seen or multiplier.is_Number:  # numbers are found by the canonical form
                continue
            seen.add(multiplier)
            rest = expand(form - multiplier * assumed, log=False, power_base=False, power_exp=False)
            signs = signs_at(multiplier, points)
            if (above.op == "=" or -1 not in signs) and -1 not in signs_at(rest, points):
                yield _Use(replace(goal, expression=form), condition, multiplier, rest)


def _squared(condition: Relation, goal: Goal) -> Relation | None:
    """The relation of the squares, where neither side is negative."""
    if all(goal.sign_of(side) in (Sign.POSITIVE, Sign.NONNEGATIVE) for side in (condition.lhs, condition.rhs)):
        return Relation(condition.lhs**2, condition.op, condition.rhs**2)
    return None


def _terms(e: sp.Expr) -> list[sp.Expr]:
    terms = sp.Add.make_args(expand(e, log=False, power_base=False, power_exp=False))
    return [sp.powsimp(t) for t in terms] if len(terms) <= _MOST_TERMS else []
