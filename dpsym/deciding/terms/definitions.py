"""Heads that are other functions by definition, and the lemmas that say so."""

from __future__ import annotations

import sympy as sp

from dpsym.deciding.terms.translating import Translator, ordered
from dpsym.verifying.proofs.expressions import Expression, substituted
from dpsym.verifying.proofs.lemmas import lemma

HEADS = {"sinh": "sinh_exp", "cosh": "cosh_exp", "tanh": "tanh_exp", "phi": "phi_exp", "erf": "erf_Phi",
         "erfc": "erfc_Phi", "coth": "coth_exp", "asinh": "asinh_log", "acosh": "acosh_log",
         "atanh": "atanh_log"}  # fmt: skip


def unfolded(e: Expression) -> Expression:
    """What a call of one of the heads is by definition, as the lemma spells it."""
    head, inner = e
    return substituted(lemma(HEADS[head]).conclusion.right, {"x": inner})


def hidden(translator: Translator, *expressions: sp.Expr) -> tuple[sp.Expr, ...]:
    """What the heads in the expressions are by definition, for a form to know.

    Of a maximum or minimum it is the absolute value in it.
    """
    found: dict[sp.Expr, None] = {}
    waiting = list(expressions)
    while waiting:
        for e in sp.preorder_traversal(waiting.pop()):
            if isinstance(e, sp.Max | sp.Min) and len(e.args) == 2:
                a, b = ordered(e)
                inner = sp.Abs(a - b)
            elif isinstance(e, sp.Function) and len(e.args) == 1 and translator.head(e) in HEADS:
                inner = translator.sympy(unfolded(translator.expression(e)))
            else:
                continue
            if inner not in found:
                found[inner] = None
                waiting.append(inner)
    return tuple(found)
