"""The least value along one variable, at a point where the derivative vanishes and through which it rises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Relation, substitute
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.slices import Slice
from dpsym.deciding.calculus.stationary import zeros
from dpsym.deciding.definedness import of_expression
from dpsym.deciding.domain import Point
from dpsym.deciding.strategies.sign_equivalents import Goal, forms, signs_at, value_at
from dpsym.deciding.strategies.strategy import Yes, met, weakest

_ZERO = sp.Integer(0)


@dataclass(frozen=True, slots=True)
class InteriorMinimum:
    """`goal.expression` is at least its value at `point`, since `rising`, of the derivative's sign, rises."""

    goal: Goal
    along: Slice
    derivative: sp.Expr
    point: sp.Expr
    points: tuple[Point, ...]

    @property
    def cost(self) -> int:
        """Small derivatives first."""
        return int(self.derivative.count_ops())

    def carried_out(self, *, patient: bool = True) -> Yes | None:
        """The proof: the point lies inside, the value there is not negative, and the derivative changes sign there."""
        goal, x = self.goal, self.along.variable
        table = {x: self.point}
        op: Operator = ">" if goal.strict else ">="
        needed = [Relation(substitute(goal.expression, table), op, _ZERO)]
        needed.append(Relation(substitute(self.derivative, table), "=", _ZERO))
        needed += [c.subs(table) for c in self.along.own]
        answers: list[Yes] = []
        for relation in needed:
            found = goal.question.ask_part(relation, self.along.others)
            if found is None:
                return None
            answers.append(found)
        shown = self._rises()
        if shown is None:
            return None
        rises, form = shown
        why = f"{plain(goal.expression)} is least at {x} = {plain(self.point)}, where it is not negative"
        claim = replace(goal.question, relation=Relation(goal.expression, op, _ZERO))
        found = weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, why), *rises, *answers])
        return found.by("least at", claim, (self.along, self.point, form), *rises[:-1], *answers, rises[-1])

    def _rises(self) -> tuple[list[Yes], sp.Expr] | None:
        """That the derivative is defined, and last that a form of it rises; and that form."""
        if (interior := self.along.inside) is None:
            return None
        question = replace(self.goal.question, domain=interior)
        inside = replace(question, depth=question.depth + 1)
        defined = met(of_expression(self.derivative), inside)
        if defined is None:
            return None
        for g in forms(Goal(self.derivative, strict=True, question=question)):  # of the derivative's sign everywhere
            change = g.diff(self.along.variable)
            if -1 in signs_at(change, list(self.points)):
                continue
            found = question.ask_part(Relation(change, ">=", _ZERO))
            if found is not None:
                return [*defined, found], g
        return None


def interior_minima(
    goal: Goal, along: Slice, derivative: sp.Expr, points: list[Point], near: Iterable[sp.Expr]
) -> Iterator[InteriorMinimum]:
    """Those at the points given, or where the derivative vanishes, that the samples do not speak against."""
    x = along.variable
    for point in dict.fromkeys((*near, *zeros(derivative, x))):
        shifts = [substitute(c.lhs - c.rhs, {x: point}) for c in along.own if c.op == ">"]
        shifts += [substitute(c.rhs - c.lhs, {x: point}) for c in along.own if c.op == "<"]
        inside = [value_at(shift, p) for shift in shifts for p in points[:6]]
        least = [value_at(substitute(goal.expression, {x: point}), p) for p in points[:6]]
        if not all(v is not None and v > 0 for v in inside) or any(v is None or v < 0 for v in least):
            continue
        if _changes(derivative, x, point, points):
            yield InteriorMinimum(goal, along, derivative, point, tuple(points))


def _changes(derivative: sp.Expr, x: sp.Symbol, point: sp.Expr, points: list[Point]) -> bool:
    """Whether the samples allow that the derivative is at most 0 before the point and at least 0 after it."""
    for p in points:
        away, slope = value_at(x - point, p), value_at(derivative, p)
        if away is not None and slope is not None and ((away > 0 and slope < 0) or (away < 0 and slope > 0)):
            return False
    return True
