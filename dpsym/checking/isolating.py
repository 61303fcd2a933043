"""A relation with one symbol alone on a side: sums, factors, powers, exponentials and logarithms undone step by step.

Each step is an equivalence under conditions that are decided: of which sign a factor is, that what is raised to a power
or has a logarithm is positive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy as sp

from dpsym.core.relations import Operator, Proposition, Relation

_MOST_STEPS = 12  # that people undo one after the other in a line or two
_ZERO = sp.Integer(0)
_FLIPPED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}

Holds = Callable[[Proposition], bool]


def isolated(relation: Relation, symbol: sp.Symbol, holds: Holds) -> Relation | None:
    """The same with the symbol alone on the left; None where that is not found."""
    left, op, right = relation.lhs, relation.op, relation.rhs
    if symbol in right.free_symbols:
        left, op, right = (
            (right, _FLIPPED[op], left) if symbol not in left.free_symbols else (sp.expand(left - right), op, _ZERO)
        )
    for _ in range(_MOST_STEPS):
        if left == symbol:
            return None if symbol in right.free_symbols else Relation(left, op, right)
        step = next((Relation(*one) for one in _undone(left, op, right, symbol, holds)), None)
        if step is None:
            return None
        left, op, right = step.lhs, step.op, step.rhs
    return None


def _undone(
    left: sp.Expr, op: Operator, right: sp.Expr, symbol: sp.Symbol, holds: Holds
) -> Iterator[tuple[sp.Expr, Operator, sp.Expr]]:
    """The relation without what was done last to the part with the symbol."""
    if isinstance(left, sp.Add):
        rest, inner = left.as_independent(symbol, as_Add=True)
        slope = inner.coeff(symbol, 1)
        if rest != 0:
            yield inner, op, right - rest
        elif sp.expand(inner - slope * symbol) == 0:
            yield sp.Mul(slope, symbol, evaluate=False), op, right
    elif isinstance(left, sp.Mul):
        factor, inner = left.as_independent(symbol, as_Add=False)
        if factor == 1:
            return
        if holds(Relation(factor, ">", _ZERO)):
            yield inner, op, right / factor
        elif holds(Relation(factor, "<", _ZERO)):
            yield inner, _FLIPPED[op], right / factor
    elif isinstance(left, sp.exp) and holds(Relation(right, ">", _ZERO)):
        yield left.args[0], op, sp.log(right)
    elif isinstance(left, sp.log) and holds(Relation(left.args[0], ">", _ZERO)):
        yield left.args[0], op, sp.exp(right)
    elif isinstance(left, sp.Pow) and holds(Relation(left.base, ">", _ZERO)) and holds(Relation(right, ">", _ZERO)):
        if symbol not in left.base.free_symbols:
            yield left.exp * sp.log(left.base), op, sp.log(right)
        elif symbol in left.exp.free_symbols:
            return
        elif holds(Relation(left.exp, ">", _ZERO)):
            yield left.base, op, right ** (1 / left.exp)
        elif holds(Relation(left.exp, "<", _ZERO)):
            yield left.base, _FLIPPED[op], right ** (1 / left.exp)
