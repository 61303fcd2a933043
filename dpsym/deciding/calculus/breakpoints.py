"""Absolute values, maxima and minima along one variable: where they change over, and what they are in between."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Operator, Relation
from dpsym.deciding.calculus.stationary import zeros
from dpsym.deciding.strategies.strategy import Question, Yes

PIECEWISE = (sp.Abs, sp.Max, sp.Min)
_ZERO = sp.Integer(0)
_MOST = 3  # their order is asked for in pairs


def in_order(
    body: sp.Expr, x: sp.Symbol, lower: sp.Expr, upper: sp.Expr, question: Question
) -> tuple[list[sp.Expr], list[Yes]] | None:
    """The breakpoints between two ends, in order, and the proofs of that; None where the order is not known."""
    candidates = list(dict.fromkeys(_breakpoints(body, x)))
    if len(candidates) > _MOST:
        return None
    ordered: list[sp.Expr] = []
    proofs: list[Yes] = []
    for c in candidates:
        place = _place(c, [lower, *ordered, upper], question)
        if place is None:
            return None
        position, because = place
        proofs += because
        if position is not None:
            ordered.insert(position, c)
    return ordered, proofs


def _place(c: sp.Expr, known: list[sp.Expr], question: Question) -> tuple[int | None, list[Yes]] | None:
    """Between which of the known points it lies, or at which (None: beyond the ends, or at the lower one)."""
    proofs: list[Yes] = []
    for position, point in enumerate(known):
        below, above = position == len(known) - 1, position == 0
        for op in ("<=", ">=") if below else (">=", "<="):
            proof = _compared(c, op, point, question)
            if proof is None:
                continue
            proofs += proof
            if op == "<=":
                return (None if above else position - 1), proofs
            break
        else:
            return None
    return None, proofs


def _compared(c: sp.Expr, op: Operator, point: sp.Expr, question: Question) -> list[Yes] | None:
    if point in (sp.oo, -sp.oo):
        return [] if (op in ("<", "<=")) == (point is sp.oo) else None
    found = question.check(Relation(c, op, point))
    return None if found is None else [found]


def _breakpoints(body: sp.Expr, x: sp.Symbol) -> Iterator[sp.Expr]:
    for e in sorted(body.atoms(*PIECEWISE), key=sp.default_sort_key):
        if not e.has(x):
            continue
        if isinstance(e, sp.Abs):
            yield from zeros(e.args[0], x)
            continue
        for i, one in enumerate(e.args):
            for other in e.args[:i]:
                if not (one - other).has(*PIECEWISE):
                    yield from zeros(expand(one - other), x)


def smooth_between(
    body: sp.Expr, x: sp.Symbol, between: tuple[Relation, ...], question: Question
) -> tuple[sp.Expr, list[Yes]] | None:
    """The body there without absolute values, maxima and minima of the variable, innermost first."""
    inside = (*question.domain.assume, *between)
    proofs: list[Yes] = []
    while heads := [e for e in body.atoms(*PIECEWISE) if e.has(x)]:
        head = min(heads, key=lambda e: (len(e.atoms(*PIECEWISE)), sp.default_sort_key(e)))
        found = _without(head, inside, question)
        if found is None:
            return None
        body = body.xreplace({head: found[0]})
        proofs += found[1]
    return body, proofs


def _without(head: sp.Expr, inside: tuple[object, ...], question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    options: list[tuple[sp.Expr, list[Relation]]]
    if isinstance(head, sp.Abs):
        (u,) = head.args
        options = [(u, [Relation(u, ">=", _ZERO)]), (-u, [Relation(u, "<=", _ZERO)])]
    else:
        op: Operator = ">=" if isinstance(head, sp.Max) else "<="
        options = [(best, [Relation(best, op, o) for o in head.args if o != best]) for best in head.args]
    for value, conditions in options:
        proofs = [question.check(c, inside) for c in conditions]  # type: ignore[arg-type]
        if None not in proofs:
            return value, [p for p in proofs if p is not None]
    return None
