"""Heads that are other functions by definition, and the lemmas that say so."""

from __future__ import annotations

import sympy as sp

from dpsym.core.notation import Phi, phi
from dpsym.deciding.terms.translating import ordered

HEADS = {"sinh": "sinh_exp", "cosh": "cosh_exp", "tanh": "tanh_exp", "phi": "phi_exp", "erf": "erf_Phi",
         "erfc": "erfc_Phi", "coth": "coth_exp", "asinh": "asinh_log", "acosh": "acosh_log",
         "atanh": "atanh_log"}  # fmt: skip


def unfolded(e: sp.Expr) -> sp.Expr | None:
    """What a head is by definition; for a maximum or minimum the absolute value in it."""
    if not isinstance(e, sp.Function | sp.Max | sp.Min) or not e.args:
        return None
    x = e.args[0]
    match e:
        case sp.sinh():
            return (sp.exp(x) - sp.exp(-x)) / 2
        case sp.cosh():
            return (sp.exp(x) + sp.exp(-x)) / 2
        case sp.tanh():
            return 1 - 2 / (sp.exp(2 * x) + 1)
        case sp.coth():
            return 1 + 2 / (sp.exp(2 * x) - 1)
        case sp.asinh():
            return sp.log(x + sp.sqrt(x**2 + 1))
        case sp.acosh():
            return sp.log(x + sp.sqrt(x**2 - 1))
        case sp.atanh():
            return sp.log((1 + x) / (1 - x)) / 2
        case phi():
            return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
        case sp.erf():
            return 2 * Phi(x * sp.sqrt(2)) - 1
        case sp.erfc():
            return 2 * Phi(-x * sp.sqrt(2))
        case sp.Max() | sp.Min() if len(e.args) == 2:
            a, b = ordered(e)
            return sp.Abs(a - b)
    return None


def hidden(*expressions: sp.Expr) -> tuple[sp.Expr, ...]:
    """What the heads in the expressions are by definition, for a form to know."""
    found: dict[sp.Expr, None] = {}
    waiting = list(expressions)
    while waiting:
        for e in sp.preorder_traversal(waiting.pop()):
            inner = unfolded(e)
            if inner is not None and inner not in found:
                found[inner] = None
                waiting.append(inner)
    return tuple(found)
