"""Relations solved for a symbol, so that it stands alone, or disappears from everything else.

What is undone to isolate a symbol is an equivalence under conditions that are decided: of which sign a factor is, that
what is raised to a power or has a logarithm is positive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Operator, Proposition, Relation
from dpsym.numbers.factoring import factored

_ZERO = sp.Integer(0)
_MOST_STEPS = 12  # that people undo one after the other in a line or two
_FLIPPED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}

Holds = Callable[[Proposition], bool]


@dataclass(frozen=True, slots=True)
class Solution:
    """`symbol` is one of `values` wherever the equation and `needs` hold; each value under its own conditions."""

    symbol: sp.Symbol
    values: tuple[sp.Expr, ...]
    needs: tuple[Relation, ...]  # to be proved: otherwise the values are not all
    implied: tuple[Relation, ...] = ()  # follows from the equation where it holds


def solutions(equation: Relation) -> Iterator[Solution]:
    """Ways to solve an equation of degree one or two in a symbol, the plain `symbol = value` first."""
    for side, other in ((equation.lhs, equation.rhs), (equation.rhs, equation.lhs)):
        if isinstance(side, sp.Symbol) and side not in other.free_symbols:
            yield Solution(side, (other,), ())
    difference = sp.expand(equation.lhs - equation.rhs)
    for symbol in sorted(difference.free_symbols, key=lambda s: s.name):
        coefficients = _coefficients(difference, symbol)
        if len(coefficients) == 2:
            b, a = coefficients
            yield Solution(symbol, (-b / a,), (Relation(a, "!=", _ZERO),))
        elif len(coefficients) == 3:
            c, b, a = coefficients
            square = sp.expand(b**2 - 4 * a * c)
            root = sp.sqrt(factored(square)) if square.is_polynomial() else sp.sqrt(square)
            yield Solution(
                symbol,
                ((-b - root) / (2 * a), (-b + root) / (2 * a)),
                (Relation(a, "!=", _ZERO),),
                (Relation(square, ">=", _ZERO),),
            )


def _coefficients(difference: sp.Expr, symbol: sp.Symbol) -> list[sp.Expr]:
    """Those of 1, x, x^2; empty where it is no such polynomial."""
    try:
        polynomial = sp.Poly(difference, symbol)
    except sp.PolynomialError:
        return []
    coefficients = list(reversed(polynomial.all_coeffs()))
    if len(coefficients) not in (2, 3) or any(symbol in c.free_symbols for c in coefficients):
        return []
    return coefficients


def without(equations: Iterable[Relation], rest: Iterable[Proposition]) -> tuple[Proposition, ...]:
    """The conditions after the equations that can be solved in one way have been substituted; others stay."""
    conditions = list(rest)
    pending = list(equations)
    while pending:
        equation = pending.pop(0)
        solution = next((s for s in solutions(equation) if len(s.values) == 1), None)
        if solution is None:
            conditions.append(equation)
            continue
        table = {solution.symbol: solution.values[0]}
        conditions = [c.subs(table) for c in (*conditions, *solution.needs)]
        pending = [e.subs(table) for e in pending]
    return tuple(c for c in conditions if not _is_trivial(c))


def _is_trivial(condition: Proposition) -> bool:
    return isinstance(condition, Relation) and condition.op in ("=", "<=", ">=") and condition.lhs == condition.rhs


def is_equation(condition: Proposition) -> bool:
    """Whether it is a relation with an equals sign."""
    return isinstance(condition, Relation) and condition.op == "="


# --- one symbol alone on a side
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
