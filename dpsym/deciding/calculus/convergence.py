"""That sums, integrals, limits and optima in a relation have values, which no operation in it obliges them to.

An integral that stands on both sides of a relation cancels, whether or not it converges: what is proved without it
counts only together with what is found here.
"""

from __future__ import annotations

import sympy as sp
from flint import ctx
from sympy.core.function import AppliedUndef

from dpsym.core import functions, notation
from dpsym.core.notation import ArgMaximum, ArgMinimum, Maximum, Minimum, Root, Smallest, derivative
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import free
from dpsym.deciding.finite import written_out
from dpsym.deciding.strategies.strategy import Question, Yes
from dpsym.numbers import NotNumeric, ball

_HEADS = (
    sp.Sum,
    sp.Product,
    sp.Integral,
    sp.Limit,
    Minimum,
    Maximum,
    ArgMinimum,
    ArgMaximum,
    Root,
    Smallest,
    derivative,
)
_BITS = 64  # it is asked only whether the number is finite


def of_heads(question: Question) -> list[Yes] | None:
    """Proofs that every such head in the relation has a value on the domain; None where one is not found.

    None also for a function of which it is not known where it is defined.
    """
    sides = (question.relation.lhs, question.relation.rhs)
    if any(not _is_known(e) for side in sides for e in side.atoms(sp.Function)):
        return None
    proofs: list[Yes] = []
    for e in free(question.relation, *_HEADS):
        found = _of_head(e, question)
        if found is None:
            return None
        proofs += found
    return proofs


def _of_head(e: sp.Expr, question: Question) -> list[Yes] | None:
    if written_out(e) is not None:  # its terms are obliged to have values
        return []
    if not e.free_symbols and not isinstance(e, ArgMinimum | ArgMaximum):
        return _by_number(e)
    if isinstance(e, Root | Smallest | derivative):
        return None
    from dpsym.deciding.calculus import integrals, limits, optima, sums

    if isinstance(e, sp.Sum | sp.Product):
        return sums.has_value(e, question)
    if isinstance(e, sp.Integral):
        return integrals.has_value(e, question)
    found = limits.value(e, question) if isinstance(e, sp.Limit) else optima.value(e, question)
    return None if found is None else found[1]


def _is_known(e: sp.Basic) -> bool:
    if functions.of(e) is not None or isinstance(e, AppliedUndef | sp.Piecewise):
        return True
    return type(e).__module__ == notation.__name__


def _by_number(e: sp.Expr) -> list[Yes] | None:
    try:
        finite = ball(e, {}, max(_BITS, ctx.prec)).is_finite()
    except NotNumeric:
        return None
    return [Yes(Verdict.CERTIFIED, Method.ENCLOSURE, f"{e} has a value")] if finite else None
