"""Limits as a variable grows, by the calculus of limits alone: what is indeterminate is not answered."""

from __future__ import annotations

from functools import partial

import sympy as sp

from dpsym.core import functions
from dpsym.core.notation import phi
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.exact import Sign, sign

_LARGEST_WEIGHT = 6
_STRICT = (Sign.POSITIVE, Sign.NEGATIVE)


def limit(expression: sp.Expr, t: sp.Symbol, domain: Domain, deadline: float) -> sp.Expr | None:
    """The limit as t goes to infinity, with the others anywhere in the domain (None: not known)."""
    if t not in expression.free_symbols:
        return expression
    if expression == t:
        return sp.oo
    if (found := _by_growth(expression, t, domain, deadline)) is not None:
        return found
    inner = partial(limit, t=t, domain=domain, deadline=deadline)
    if isinstance(expression, sp.Pow):
        return _of_power(expression, inner(expression.base), inner(expression.exp), domain, deadline)
    if isinstance(expression, sp.Add) and (combined := _with_one_logarithm(expression)) is not None:
        return inner(combined)
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
    function = functions.of(expression)
    if function is not None and function.entire:
        (arg,) = parts
        return function.limit(arg) if arg in (sp.oo, -sp.oo) else expression.func(arg)
    return None


def _with_one_logarithm(total: sp.Add) -> sp.Expr | None:
    """c log(a) + d log(b) as log(a^c b^d), for whole c and d: the arguments are positive where it is defined."""
    inside, rest, count = sp.Integer(1), sp.Integer(0), 0
    for term in total.args:
        weight, kernel = term.as_coeff_Mul()
        if isinstance(kernel, sp.log) and isinstance(weight, sp.Integer) and abs(weight) <= _LARGEST_WEIGHT:
            inside *= kernel.args[0] ** weight
            count += 1
        else:
            rest += term
    return sp.log(inside) + rest if count > 1 else None


def _of_product(parts: list[sp.Expr], domain: Domain, deadline: float) -> sp.Expr | None:
    if not any(p in (sp.oo, -sp.oo) for p in parts):
        return sp.Mul(*parts)
    orientation = 1
    for p in parts:
        known = {sp.oo: Sign.POSITIVE, -sp.oo: Sign.NEGATIVE}.get(p) or sign(p, domain, deadline)
        if known not in _STRICT:
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


def _by_growth(e: sp.Expr, t: sp.Symbol, domain: Domain, deadline: float) -> sp.Expr | None:
    """Of R(t) exp(P(t)), R rational and P a polynomial: the exponential outgrows every power."""
    exponent, rational = sp.Integer(0), sp.Integer(1)
    for factor in sp.Mul.make_args(e):
        if isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(factor, phi):
            exponent -= factor.args[0] ** 2 / 2
            rational /= sp.sqrt(2 * sp.pi)
        else:
            rational *= factor
    above, below = sp.fraction(sp.together(rational))
    leading = [_leading(part, t, domain, deadline) for part in (exponent, above, below)]
    if None in leading:
        return None
    (grows, power), (top, m), (bottom, n) = (p for p in leading if p is not None)
    above_at, below_at = (sign(lead, domain, deadline) for lead in (top, bottom))
    if below_at not in _STRICT:
        return None
    decays = sign(grows, domain, deadline) is Sign.NEGATIVE if power > 0 else m < n
    if decays:
        return sp.Integer(0)
    if power == 0 and m == n:
        return top / bottom * sp.exp(exponent)
    if above_at not in _STRICT:
        return None
    return sp.oo if above_at is below_at else -sp.oo


def _leading(e: sp.Expr, t: sp.Symbol, domain: Domain, deadline: float) -> tuple[sp.Expr, int] | None:
    """Leading coefficient, of a known strict sign, and degree, of a polynomial in t; (0, 0) for zero."""
    if not e.is_polynomial(t):
        return None
    polynomial = sp.Poly(e, t)
    degree = int(polynomial.degree()) if not polynomial.is_zero else 0
    lead = polynomial.LC()
    if degree == 0:
        return lead, 0
    return (lead, degree) if sign(lead, domain, deadline) in _STRICT else None
