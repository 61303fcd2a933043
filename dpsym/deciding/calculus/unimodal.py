"""A function that rises and then falls is nowhere below both its ends.

Its derivative is then positive first and negative afterwards.  That a function changes its sign in this way at most
once is shown along the same lines: it falls; or it begins at 0 or above, and rises and then falls itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import sympy as sp

from dpsym.core import functions
from dpsym.core.notation import phi
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import density
from dpsym.deciding.calculus.slices import Slice
from dpsym.deciding.definedness import of_expression
from dpsym.deciding.domain import Point
from dpsym.deciding.strategies.sign_equivalents import Goal, forms, signs_at
from dpsym.deciding.strategies.strategy import Question, Yes, met, weakest

AtEnd: TypeAlias = Callable[[Goal, Slice, int], Yes | None]  # that a goal holds at the lower (1) or upper (-1) end

_ZERO = sp.Integer(0)
_LASTING = functions.heads("lasting")
_DEEPEST = 3  # derivatives of derivatives: each is larger than the one before
_LARGEST = 150  # operations of a derivative that is looked at
_MOST_FORMS = 3  # of one sign, those first whose derivatives are simplest
_GROWTH = 2  # of a derivative beside what it is of


@dataclass(frozen=True, slots=True)
class Unimodal:
    """`goal.expression >= 0` along an interval, by both ends and by its derivative."""

    goal: Goal
    along: Slice
    derivative: sp.Expr
    points: tuple[Point, ...]
    at_end: AtEnd
    smooth: Callable[[sp.Expr], bool]

    @property
    def cost(self) -> int:
        """After everything simpler."""
        return 3 * int(self.derivative.count_ops())

    def carried_out(self, *, patient: bool = True) -> Yes | None:
        """The proof; for a strict goal there is none."""
        if self.goal.strict or not patient:
            return None
        if (interior := self.along.inside) is None:
            return None
        inside = replace(self.goal.question, domain=interior)
        turning = self._falls_once(self.derivative, inside, _DEEPEST)
        if turning is None:
            return None
        ends = [self.at_end(self.goal, self.along, at) for at in (1, -1)]
        if None in ends:
            return None
        why = f"{plain(self.goal.expression)} rises and then falls between where it is not negative"
        head = Yes(Verdict.PROVED, Method.EXACT_SIGN, f"{why} ({self.along.variable})")
        return weakest([head, *turning, *(e for e in ends if e is not None)])

    def _falls_once(self, g: sp.Expr, inside: Question, depth: int) -> list[Yes] | None:
        """That g is defined, and that nowhere in the interior a positive value comes after a negative one."""
        defined = self._defined(g, inside)
        if defined is None:
            return None
        wanted = Goal(g.replace(phi, density), strict=True, question=inside)
        if not wanted.same(wanted.expression, g):
            return None
        for form, change in self._changes(wanted):
            seen = signs_at(change, list(self.points))
            if 1 not in seen:
                falling = inside.ask_part(Relation(change, "<=", _ZERO))
                if falling is not None:
                    return [falling, *defined]
            elif depth > 0 and -1 in seen:
                rest = self._falls_once(change, inside, depth - 1)
                low = Goal(form, strict=False, question=self.goal.question)
                start = None if rest is None else self.at_end(low, self.along, 1)
                if rest is not None and start is not None:
                    return [start, *rest, *defined]
        return None

    def _changes(self, wanted: Goal) -> list[tuple[sp.Expr, sp.Expr]]:
        """Forms of the sign of this one throughout the interior, and their derivatives, where these are not large."""
        most = min(_LARGEST, _GROWTH * wanted.expression.count_ops())
        found = []
        for form in forms(wanted):
            change = sp.factor_terms(form.diff(self.along.variable).replace(phi, density))
            if self.smooth(change) and change.count_ops() <= most:
                found.append((form, change))
        return sorted(found, key=lambda pair: _difficulty(pair[1]))[:_MOST_FORMS]

    @staticmethod
    def _defined(g: sp.Expr, inside: Question) -> list[Yes] | None:
        return met(of_expression(g), replace(inside, depth=inside.depth + 1))


def _difficulty(e: sp.Expr) -> tuple[int, int]:
    """What derivatives do away with comes first."""
    return len(e.atoms(*_LASTING)), int(e.count_ops())
