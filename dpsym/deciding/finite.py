"""What takes integer values only, and sums and products of a few terms."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import sympy as sp

from dpsym.relations import substitute

_MOST_TERMS = 50


def written_out(e: sp.Basic) -> tuple[sp.Expr, ...] | None:
    """The terms of a sum or product between two integers, where they are few; None for any other."""
    if not isinstance(e, sp.Sum | sp.Product):
        return None
    *inner, (variable, *ends) = e.limits  # the last limit is the outermost
    if len(ends) != 2 or not all(isinstance(end, sp.Integer) for end in ends):
        return None
    start, end = map(int, ends)
    if not 0 <= end - start < _MOST_TERMS:
        return None
    body = e.func(e.function, *inner) if inner else e.function
    return tuple(substitute(body, {variable: sp.Integer(i)}) for i in range(start, end + 1))


def is_integral(e: sp.Expr, integers: AbstractSet[sp.Symbol]) -> bool:
    """Whether the expression is seen to take integer values only, where these symbols do."""
    if isinstance(e, sp.Integer):
        return True
    if isinstance(e, sp.Symbol):
        return e in integers
    if isinstance(e, sp.Add | sp.Mul | sp.Abs | sp.Max | sp.Min | sp.factorial | sp.binomial):
        return all(is_integral(a, integers) for a in e.args)
    if isinstance(e, sp.Pow):
        return isinstance(e.exp, sp.Integer) and bool(e.exp > 0) and is_integral(e.base, integers)
    return isinstance(e, sp.floor | sp.ceiling | sp.sign)
