"""Where the gap is exactly zero: on faces of the box and on planes inside, with the order of the zero."""

from __future__ import annotations

import time
from collections.abc import Sequence

import sympy as sp
from flint import fmpq

from dpsym.deciding.certified.problem import Problem
from dpsym.deciding.domain import Domain
from dpsym.deciding.exact import vanishes
from dpsym.relations import Relation

Face = tuple[int, int, fmpq, int]  # form, variable, value, order
_HIGHEST_ORDER = 6
_INSIDE = (fmpq(0), fmpq(1), fmpq(1, 2), fmpq(2))


def faces(problem: Problem, domain: Domain, deadline: float) -> tuple[Face, ...]:
    """The planes on which a form vanishes identically, proved by canonical form."""
    found: list[Face] = []
    for number, form in enumerate(problem.forms):
        for i, (symbol, side) in enumerate(zip(problem.symbols, problem.box, strict=True)):
            ends = [t for t in (side.lower, side.upper) if t is not None]
            inside = [t for t in _INSIDE if side.holds(t) and t not in ends]
            for at in (*ends, *inside):
                order = _order(form.expression, symbol, at, domain, deadline)
                if order and (at in ends or order % 2 == 0):
                    found.append((number, i, at, order))
    return tuple(found)


def _order(expression: sp.Expr, symbol: sp.Symbol, at: fmpq, domain: Domain, deadline: float) -> int:
    value = sp.Rational(int(at.p), int(at.q))
    there = Domain(tuple(c for c in domain.assume if isinstance(c, Relation) and symbol not in c.free_symbols))
    for order in range(_HIGHEST_ORDER + 1):
        now = time.monotonic()
        if now > deadline:
            return 0
        reduced = expression.subs(symbol, value)
        if reduced.has(sp.nan, sp.zoo, sp.oo, sp.S.NegativeInfinity):
            return 0
        if reduced != 0 and not (_near_zero(reduced) and vanishes(reduced, there, min(deadline, now + 0.5))):
            return order
        if reduced == 0 and expression == 0:
            return 0
        expression = sp.diff(expression, symbol)
    return 0


def _near_zero(e: sp.Expr) -> bool:
    """A quick look at one point, to spare the exact test where it cannot succeed."""
    from dpsym.enclosing import NotNumeric, ball

    at = {s: fmpq(7 * n + 9, 11) for n, s in enumerate(sorted(e.free_symbols, key=str))}
    try:
        value = ball(e, at, 64)
    except NotNumeric:
        return False
    return not value.is_finite() or bool(value.contains(0))


def derivative(problem: Problem, chosen: Sequence[Face]) -> sp.Expr:
    """The mixed derivative that has the sign of the form on the side where all distances are positive."""
    e = problem.forms[chosen[0][0]].expression
    for _, i, _, order in chosen:
        e = sp.diff(e, problem.symbols[i], order)
    return e
