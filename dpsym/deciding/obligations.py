"""What must hold for an expression to have a real value: one relation for each partial operation in it."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.notation import Phi_inv
from dpsym.relations import Relation


def of_expression(expression: sp.Basic) -> tuple[Relation, ...]:
    """The obligations of every operation in the expression; those under a bound variable are left to the head."""
    found: dict[Relation, None] = {}
    _collect(expression, found)
    return tuple(found)


def of_operations(operations: Iterable[tuple[str, tuple[sp.Expr, ...]]]) -> tuple[Relation, ...]:
    """The obligations of operations as they were written, before any of them cancelled."""
    found: dict[Relation, None] = {}
    for name, args in operations:
        for relation in _of_written(name, args):
            if relation.free_symbols or not _obvious(relation):
                found[relation] = None
    return tuple(found)


def sufficient(expression: sp.Basic) -> tuple[Relation, ...]:
    """What is enough for the gamma function and its kin to be defined; they are elsewhere, too, between poles."""
    found: dict[Relation, None] = {}
    for e in expression.atoms(sp.gamma, sp.loggamma, sp.factorial, sp.harmonic):
        least = sp.Integer(0 if isinstance(e, sp.gamma | sp.loggamma) else -1)
        relation = Relation(e.args[0], ">", least)
        if not _obvious(relation):
            found[relation] = None
    return tuple(found)


def _of_written(name: str, args: tuple[sp.Expr, ...]) -> list[Relation]:
    match name:
        case "/":
            return [Relation(args[0], "!=", sp.Integer(0))]
        case "^":
            return _of_power(*args)
        case "sqrt":
            return [Relation(args[0], ">=", sp.Integer(0))]
        case "log" | "ln":
            return [Relation(args[0], ">", sp.Integer(0))]
        case "Phi_inv":
            return [Relation(args[0], ">", sp.Integer(0)), Relation(args[0], "<", sp.Integer(1))]
        case "coth":
            return [Relation(args[0], "!=", sp.Integer(0))]
    return []


def _collect(e: sp.Basic, found: dict[Relation, None]) -> None:
    if isinstance(e, sp.Lambda):
        return
    if isinstance(e, sp.Pow) and e.base is not sp.E:
        operations = _of_power(*e.args)
    elif isinstance(e, sp.log | sp.coth):
        operations = _of_written(type(e).__name__, e.args)
    elif isinstance(e, Phi_inv):
        operations = _of_written("Phi_inv", e.args)
    else:
        operations = []
    for relation in operations:
        if not _obvious(relation):
            found[relation] = None
    if isinstance(e, sp.Sum | sp.Product | sp.Integral | sp.Limit):
        return
    for arg in e.args:
        _collect(arg, found)


def _of_power(base: sp.Expr, exponent: sp.Expr) -> list[Relation]:
    if isinstance(exponent, sp.Integer):
        return [Relation(base, "!=", sp.Integer(0))] if exponent < 0 else []
    if isinstance(exponent, sp.Rational):
        return [Relation(base, ">" if exponent < 0 else ">=", sp.Integer(0))]
    return [] if base is sp.E else [Relation(base, ">", sp.Integer(0))]


def _obvious(relation: Relation) -> bool:
    """A comparison of rational numbers that holds."""
    left, right = relation.lhs, relation.rhs
    if not (isinstance(left, sp.Rational) and isinstance(right, sp.Rational)):
        return left in (sp.pi, sp.E)
    outcome = {"!=": left != right, ">": left > right, ">=": left >= right, "<": left < right}[relation.op]
    return bool(outcome)
