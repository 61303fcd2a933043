"""What takes integer values only, and sums and products of a few terms."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import product

import sympy as sp

from dpsym.core import functions
from dpsym.core.expanding import expand
from dpsym.core.relations import substitute

_MOST_TERMS = 50  # of a sum that is written out: the expression is that much longer
_HIGHEST_DEGREE, _MOST_VARIABLES = 8, 3  # of an expression that is looked at whether it takes integer values
_KEEP_INTEGERS: tuple[type[sp.Basic], ...] = (sp.Add, sp.Mul, *functions.heads("keeps_integers"))
_INTEGRAL = functions.heads("integral")


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


def in_few_terms(e: sp.Basic) -> sp.Basic:
    """With its sums and products written out whose range has few numbers, one number that is no integer, or none."""
    table: dict[sp.Basic, sp.Basic] = {}
    for head in e.atoms(sp.Sum, sp.Product):
        terms = written_out(head)
        if terms is None and len(head.limits) == 1 and len(head.limits[0]) == 3:
            variable, first, last = head.limits[0]
            away = expand(last - first)
            terms = {0: (substitute(head.function, {variable: first}),), -1: ()}.get(away)
        if terms is not None:
            table[head] = sp.Add(*terms) if isinstance(head, sp.Sum) else sp.Mul(*terms)
    return e.xreplace(table)


def _is_integer_valued(e: sp.Expr, integers: AbstractSet[sp.Symbol]) -> bool:
    """Of a polynomial of degree d: at all whole points, if at those from 0 on whose coordinates add up to d or less.

    The coefficients of its expansion in binomial coefficients are differences of those values.
    """
    symbols = sorted(e.free_symbols, key=lambda s: s.name)
    if not symbols or not set(symbols) <= integers or not e.is_polynomial(*symbols):
        return False
    polynomial = sp.Poly(e, *symbols)
    degree = polynomial.total_degree()
    if (
        degree > _HIGHEST_DEGREE
        or len(symbols) > _MOST_VARIABLES
        or not (polynomial.domain.is_QQ or polynomial.domain.is_ZZ)
    ):
        return False
    points = (p for p in product(range(degree + 1), repeat=len(symbols)) if sum(p) <= degree)
    return all(polynomial(*p).is_Integer for p in points)


def is_integral(e: sp.Expr, integers: AbstractSet[sp.Symbol]) -> bool:
    """Whether the expression is seen to take integer values only, where these symbols do."""
    if isinstance(e, sp.Integer):
        return True
    if isinstance(e, sp.Symbol):
        return e in integers
    if isinstance(e, sp.Mul) and not e.as_coeff_Mul()[0].is_Integer:
        return _is_integer_valued(e, integers)
    if isinstance(e, _KEEP_INTEGERS):
        return all(is_integral(a, integers) for a in e.args)
    if isinstance(e, sp.Pow):
        return isinstance(e.exp, sp.Integer) and bool(e.exp > 0) and is_integral(e.base, integers)
    return isinstance(e, _INTEGRAL)
