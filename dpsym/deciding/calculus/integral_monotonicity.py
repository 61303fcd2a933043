"""Integrals over one interval compared under the sign: f <= g between the ends gives the same of their integrals.

Both integrals must exist.  They do where the integrands are continuous on a closed bounded interval, and where
0 <= f <= g are continuous between the ends and the integral of g converges.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import Relation, substitute
from dpsym.core.verdicts import Method
from dpsym.deciding.calculus import integrals
from dpsym.deciding.calculus.heads import between, defined, fresh, smooth
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_ZERO = sp.Integer(0)
_VARIABLE = sp.Dummy("x")


def prove(question: Question) -> Yes | None:
    """An inequality between multiples of two integrals over the same interval."""
    relation = question.relation
    if relation.op in ("=", "!="):
        return None
    given = relation if relation.op in ("<", "<=") else relation.swapped
    sides = [_integrand(s) for s in (given.lhs, given.rhs)]
    if sides[0] is None or sides[1] is None or sides[0][1:] != sides[1][1:]:
        return None
    (f, lower, upper), (g, _, _) = sides[0], sides[1]
    x = fresh(_VARIABLE, question)
    f, g = (substitute(e, {_VARIABLE: x}) for e in (f, g))
    if not (smooth(f) and smooth(g)) or lower is sp.oo or upper is -sp.oo:
        return None
    inside = (*question.domain.assume, *between(x, lower, upper))
    proofs = [question.ask_part(Relation(f, given.op, g), inside)]
    bounded = lower is not -sp.oo and upper is not sp.oo
    if bounded:
        proofs.append(question.check(Relation(lower, "<", upper)))
    if None in proofs:
        return None
    closed = (*question.domain.assume, *between(x, lower, upper, closed=True))
    exist = [defined(e, closed, question) for e in (f, g)] if bounded else [None]
    if None in exist:
        exist = [question.ask_part(Relation(f, ">=", _ZERO), inside)]
        converges = integrals.value(sp.Integral(g, (x, lower, upper)), question)
        if converges is None or converges[0].has(sp.oo, -sp.oo, sp.nan, sp.zoo) or None in exist:
            return None
        exist += converges[1]
    rest = weakest([p for p in (*proofs, *exist) if p is not None])
    return Yes(rest.verdict, Method.LEMMA, f"under the integral, for every {x}: {rest.why}", rests_on=rest.rests_on)


def _integrand(side: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """The integrand with the factors before the sign, and the ends."""
    found = [f for f in sp.Mul.make_args(side) if isinstance(f, sp.Integral)]
    if len(found) != 1 or len(found[0].limits) != 1 or len(found[0].limits[0]) != 3:
        return None
    weight = side / found[0]
    variable, lower, upper = found[0].limits[0]
    if weight.has(sp.Integral) or found[0].function.has(sp.Integral):
        return None
    return weight * substitute(found[0].function, {variable: _VARIABLE}), lower, upper
