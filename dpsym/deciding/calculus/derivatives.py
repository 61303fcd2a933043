"""Derivatives at a point, of functions that may contain integrals: by their values, or under the sign.

Under the sign of an integral over a bounded interval that does not move, the derivative is that of the integrand
where this is defined on the closed interval and around the point (Leibniz): being smooth there, it is continuous.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from dpsym.core.notation import derivative
from dpsym.core.plain_printer import plain
from dpsym.core.relations import BINDERS, Proposition, Relation, substitute
from dpsym.deciding.calculus import integrals
from dpsym.deciding.calculus.heads import between, by_values, defined, free, fresh, smooth
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question, Yes

_HIGHEST = 4  # order: the size of a derivative grows exponentially with it
_NEAR = sp.Rational(1, 1000)


def prove(question: Question) -> Yes | None:
    """A relation that contains derivatives, by formulas for them."""
    return by_values(question, free(question.relation, derivative), value, lambda e, v: f"{plain(e)} = {plain(v)}")


def value(e: sp.Expr, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """A formula for a derivative, and the proof that it is one."""
    function, order, point = e.args
    if not isinstance(function, sp.Lambda) or len(function.variables) != 1:
        return None
    if not isinstance(order, sp.Integer) or not 1 <= order <= _HIGHEST:
        return None
    t = fresh(function.variables[0], question)
    around = _around(point, t, question.domain)
    if around is None:
        return None
    body, proofs = substitute(function.expr, {function.variables[0]: t}), list[Yes]()
    there = replace(question, relation=Relation(body, "=", t), domain=Domain(around))  # whose names are taken
    for n in range(int(order) + 1):
        ready = _with_values(body, t, there)
        if ready is None:
            return None
        body, because = ready
        of_body = defined(body, around, there)
        if of_body is None:
            return None
        proofs += [*because, of_body]
        if n < order:
            body = _differentiated(body, t)
    return substitute(body, {t: point}), proofs


def _around(point: sp.Expr, t: sp.Symbol, domain: Domain) -> tuple[Proposition, ...] | None:
    """Conditions that hold for t in an open interval around the point, whatever the other symbols are."""
    if isinstance(point, sp.Rational):
        return (*domain.assume, *between(t, point - _NEAR, point + _NEAR))
    if not isinstance(point, sp.Symbol) or point in domain.integers:
        return None
    own = [c for c in domain.assume if point in c.free_symbols]
    bounds = domain.of(point)
    is_open = (bounds.lower is None or bounds.lower_open) and (bounds.upper is None or bounds.upper_open)
    if not is_open or any(c in domain.coupled for c in own):
        return None
    return (*domain.assume, *(c.subs({point: t}) for c in own))


def _with_values(body: sp.Expr, t: sp.Symbol, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The body with each integral by its value, or as one that may be differentiated under the sign."""
    table: dict[sp.Basic, sp.Expr] = {}
    proofs: list[Yes] = []
    for e in sorted(body.atoms(sp.Integral), key=sp.default_sort_key):
        if not e.has(t):
            continue
        found = integrals.value(e, question)
        if found is not None:
            table[e] = found[0]
            proofs += found[1]
            continue
        under = _may_go_under(e, t, question)
        if under is None:
            return None
        proofs += under
    body = body.xreplace(table)
    left = {e: sp.Dummy("I") for e in body.atoms(sp.Integral)}
    plain_inside = not any(e.function.has(*BINDERS) for e in left if e.has(t))
    return (body, proofs) if plain_inside and smooth(body.xreplace(left)) else None


def _may_go_under(e: sp.Integral, t: sp.Symbol, question: Question) -> list[Yes] | None:
    """Whether the integrand and its derivative by t are defined, so continuous, on all of a bounded interval."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or not smooth(e.function):
        return None
    variable, lower, upper = e.limits[0]
    if {lower, upper} & {sp.oo, -sp.oo} or lower.has(t) or upper.has(t):
        return None
    x = fresh(variable, question)
    body = substitute(e.function, {variable: x})
    closed = (*question.domain.assume, *between(x, lower, upper, closed=True))
    proofs = [question.check(Relation(lower, "<", upper))]
    proofs += [defined(f, closed, question) for f in (body, sp.diff(body, t))]
    return None if None in proofs else [p for p in proofs if p is not None]


def _differentiated(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """The derivative, that of each integral taken under the sign."""
    names = {e: sp.Function(f"#{n}")(t) for n, e in enumerate(sorted(body.atoms(sp.Integral), key=sp.default_sort_key))}
    moving = {e: name for e, name in names.items() if e.has(t)}
    slope = sp.diff(body.xreplace(moving), t)
    back: dict[sp.Basic, sp.Basic] = {}
    for e, name in moving.items():
        weight, rest = sp.diff(e.function, t).as_independent(e.limits[0][0], as_Add=False)
        back[sp.Derivative(name, t)] = weight * sp.Integral(rest, e.limits[0])
    slope = slope.xreplace(back)
    return slope.xreplace({name: e for e, name in moving.items()})
