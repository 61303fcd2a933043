"""Relations that contain limits, by the values of these: what is asked on both sides of a point, and beside it."""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import substitute
from dpsym.deciding.calculus.heads import by_values, defined, free, fresh
from dpsym.deciding.definedness import surroundings
from dpsym.deciding.limits import limit
from dpsym.deciding.strategies.exact import vanishes
from dpsym.deciding.strategies.strategy import Question, Yes

_FAR = sp.Dummy("t")  # runs to infinity


def prove(question: Question) -> Yes | None:
    """A relation that contains limits, by their values."""
    return by_values(question, free(question.relation, sp.Limit), value, lambda e, v: f"{e} = {v}")


def value(e: sp.Limit, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """A finite limit, and that what it is of is defined near the point."""
    body, variable, point, direction = e.args
    sides = {"+": (1,), "-": (-1,), "+-": (1, -1)}.get(str(direction), ())
    values = [one_sided(body, variable, point, side, question) for side in sides]
    near = [defined_near(body, variable, point, side, question) for side in sides]
    if point not in (sp.oo, -sp.oo):
        near.append(defined(point, question.domain.assume, question))
    first = values[0] if values else None
    if first is None or None in near or first in (sp.oo, -sp.oo):
        return None
    for other in values[1:]:
        if other is None or not vanishes(first - other, question.domain):
            return None
    return first, [d for d in near if d is not None]


def defined_near(body: sp.Expr, x: sp.Symbol, point: sp.Expr, side: int, question: Question) -> Yes | None:
    """That an expression is defined on that side of the point: everywhere, or at least close to it."""
    variable = fresh(x, question)
    same = substitute(body, {x: variable})
    nearby = surroundings(variable, point, side, same.free_symbols)
    tried = (defined(same, (*question.domain.assume, *near), question) for near in nearby)
    return next((found for found in tried if found is not None), None)


def one_sided(f: sp.Expr, x: sp.Symbol, point: sp.Expr, side: int, question: Question) -> sp.Expr | None:
    """The limit of f as x goes to the point from above (side 1) or below (-1); oo, -oo; None: not found.

    It is right where f is defined near the point; that is for the caller to ask.
    """
    place = {sp.oo: _FAR, -sp.oo: -_FAR}.get(point, point + side / _FAR)
    return limit(substitute(f, {x: place}), _FAR, question.domain)
