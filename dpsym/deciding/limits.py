"""Limits as a variable grows, by the calculus of limits alone: what is indeterminate is not answered."""

from __future__ import annotations

from functools import partial

import sympy as sp

from dpsym.deciding.domain import Domain
from dpsym.deciding.exact import Sign, sign
from dpsym.notation import Phi, phi

_ENTIRE = (sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.sin, sp.cos, sp.erf, sp.erfc, sp.asinh, Phi, phi)
_AT_INFINITY = {
    sp.exp: (sp.Integer(0), sp.oo), sp.sinh: (-sp.oo, sp.oo), sp.cosh: (sp.oo, sp.oo),
    sp.tanh: (sp.Integer(-1), sp.Integer(1)), sp.atan: (-sp.pi / 2, sp.pi / 2), sp.asinh: (-sp.oo, sp.oo),
    sp.erf: (sp.Integer(-1), sp.Integer(1)), sp.erfc: (sp.Integer(2), sp.Integer(0)),
    Phi: (sp.Integer(0), sp.Integer(1)), phi: (sp.Integer(0), sp.Integer(0)),
}  # fmt: skip


def limit(expression: sp.Expr, t: sp.Symbol, domain: Domain, deadline: float) -> sp.Expr | None:
    """The limit as t goes to infinity, the other variables being anywhere in the domain; an expression, +-oo or None."""
    if t not in expression.free_symbols:
        return expression
    if expression == t:
        return sp.oo
    inner = partial(limit, t=t, domain=domain, deadline=deadline)
    if isinstance(expression, sp.Pow):
        return _of_power(expression, inner(expression.base), inner(expression.exp), domain, deadline)
    parts: list[sp.Expr] = []
    for arg in expression.args:
        found = inner(arg)
        if found is None:
            return None
        parts.append(found)
    if isinstance(expression, sp.Add):
        infinite = {p for p in parts if p in (sp.oo, -sp.oo)}
        return (infinite.pop() if infinite else sp.Add(*parts)) if len(infinite) < 2 else None
    if isinstance(expression, sp.Mul):
        return _of_product(parts, domain, deadline)
    if isinstance(expression, sp.log):
        (arg,) = parts
        if arg is sp.oo:
            return sp.oo
        return sp.log(arg) if arg is not -sp.oo and sign(arg, domain, deadline) is Sign.POSITIVE else None
    if isinstance(expression, _ENTIRE):
        (arg,) = parts
        if arg in (sp.oo, -sp.oo):
            return _AT_INFINITY[type(expression)][arg is sp.oo] if type(expression) in _AT_INFINITY else None
        return expression.func(arg)
    return None


def _of_product(parts: list[sp.Expr], domain: Domain, deadline: float) -> sp.Expr | None:
    if not any(p in (sp.oo, -sp.oo) for p in parts):
        return sp.Mul(*parts)
    orientation = 1
    for p in parts:
        known = {sp.oo: Sign.POSITIVE, -sp.oo: Sign.NEGATIVE}.get(p) or sign(p, domain, deadline)
        if known not in (Sign.POSITIVE, Sign.NEGATIVE):
            return None
        orientation *= 1 if known is Sign.POSITIVE else -1
    return sp.oo if orientation > 0 else -sp.oo


def _of_power(
    power: sp.Pow, base: sp.Expr | None, exponent: sp.Expr | None, domain: Domain, deadline: float
) -> sp.Expr | None:
    if base is None or not isinstance(power.exp, sp.Rational):
        return _exponential(power, exponent, domain, deadline)
    exponent = power.exp
    if base is sp.oo:
        return sp.oo if exponent > 0 else sp.Integer(0)
    if base is -sp.oo:
        if not exponent.is_Integer:
            return None
        return sp.Integer(0) if exponent < 0 else (sp.oo if exponent % 2 == 0 else -sp.oo)
    if exponent.is_Integer and exponent > 0:
        return base**exponent
    return base**exponent if sign(base, domain, deadline) is Sign.POSITIVE else None


def _exponential(power: sp.Pow, exponent: sp.Expr | None, domain: Domain, deadline: float) -> sp.Expr | None:
    """e^E; other bases that the variable does not change are left out."""
    if power.base is not sp.E or exponent is None:
        return None
    return {sp.oo: sp.oo, -sp.oo: sp.Integer(0)}.get(exponent, sp.exp(exponent))
