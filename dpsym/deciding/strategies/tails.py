"""One variable on an unbounded interval: its tails, along which the difference of the sides is monotone, and the rest.

Derivatives settle a tail, branch and bound what lies between; neither need be able to do both.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding.calculus.heads import smooth
from dpsym.deciding.strategies.sign_equivalents import goal_of, sample, signs_at
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_REACH = tuple(sp.Integer(2) ** n for n in range(6))  # from an end, or from 0, to where a tail may begin
_BEYOND = tuple(sp.Rational(t) for t in ("1", "9/8", "3/2", "2", "3", "5", "10", "30", "100"))  # as multiples of that


def prove(question: Question) -> Yes | None:
    """The relation in each tail and between."""
    goal = goal_of(question)
    if goal is None or question.depth > question.limits.tails or len(goal.expression.free_symbols) != 1:
        return None
    (x,) = goal.expression.free_symbols
    bounds = question.domain.of(x)
    unbounded = [side for side, end in ((1, bounds.upper), (-1, bounds.lower)) if end is None]
    if not unbounded or x in question.domain.integers or not smooth(goal.expression):
        return None
    if -1 in signs_at(goal.expression, sample(question, {x})):
        return None
    start = next((end for end in (bounds.lower, bounds.upper) if end is not None), sp.Integer(0))
    slope = goal.expression.diff(x)
    between: list[Proposition] = []
    answers = []
    for side in unbounded:
        cut = next((start + side * r for r in _REACH if _is_monotone(slope, x, start, side * r)), None)
        if cut is None:
            return None
        tail = Relation(x, ">=" if side > 0 else "<=", cut)
        between.append(Relation(x, "<=" if side > 0 else ">=", cut))
        answers.append(question.ask_part(question.relation, (*question.domain.assume, tail)))
        if answers[-1] is None:
            return None
    middle = question.ask(question.relation, (*question.domain.assume, *between))
    if middle is None:
        return None
    head = Yes(Verdict.PROVED, middle.method, f"between {' and '.join(map(str, between))}, and beyond: {middle.why}")
    return weakest([head, middle, *(a for a in answers if a is not None)])


def _is_monotone(slope: sp.Expr, x: sp.Symbol, start: sp.Expr, reach: sp.Expr) -> bool:
    """Whether the slope seems to keep its sign beyond there."""
    return len(signs_at(slope, [{x: start + reach * t} for t in _BEYOND])) == 1
