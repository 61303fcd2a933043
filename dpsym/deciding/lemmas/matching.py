"""Matching of a pattern with an expression, sums and products in any order: by SymPy's unification, looked over."""

from __future__ import annotations

from collections.abc import Iterator, Set

import sympy as sp
from sympy.unify.usympy import unify

from dpsym.core.relations import substitute

Match = dict[sp.Symbol, sp.Expr]
_MOST_TERMS = 6  # all ways to choose some of them are tried


def matches(pattern: sp.Expr, expression: sp.Expr, variables: Set[sp.Symbol]) -> Iterator[Match]:
    """The values of the variables that make the pattern this expression, node by node.

    x/2 is any expression, x twice that.
    """
    if any(len(e.args) > _MOST_TERMS for kind in (sp.Add, sp.Mul) if pattern.has(kind) for e in expression.atoms(kind)):
        return
    parts = (e.as_coeff_Mul() for e in pattern.atoms(sp.Mul))
    share = {x: c for c, x in parts if x in variables and isinstance(c, sp.Rational) and abs(c) != 1}
    names = {x: sp.Dummy(x.name) for x in sorted(variables, key=str)}  # none that the expression has
    scaled = substitute(pattern, {x: name / share.get(x, 1) for x, name in names.items()})
    for found in unify(expression, scaled, {}, variables=tuple(names.values())):
        table = {x: found[name] / share.get(x, 1) for x, name in names.items() if name in found}
        if table.keys() == names.keys() and substitute(pattern, table) == expression:
            yield table
