"""Solving an equation for one positive symbol: in closed form by undoing operations, each answer verified."""

from __future__ import annotations

import sympy as sp

from dpsym.deciding import Domain, vanishes
from dpsym.numbers.factoring import expanded


def solve(expression: sp.Expr, value: sp.Expr, symbol: sp.Symbol, domain: Domain) -> sp.Expr | None:
    """A closed form x with expression(x) = value, verified on the domain; None where none is found."""
    lower = {s: domain.of(s).lower for s in expression.free_symbols | value.free_symbols}
    known = {symbol, *(s for s, low in lower.items() if low is not None and low >= 0)}
    positive = {s: sp.Dummy(s.name, positive=True) for s in known}
    back = {d: s for s, d in positive.items()}
    unknown = positive[symbol]
    # spreading a root over factors may be wrong, but what is found is verified
    proposed = sp.expand_power_base(expression.subs(positive), force=True)
    found = _undo(proposed, value.subs(positive), unknown)
    if found is None or found.has(unknown):
        return None
    answer = found.subs(back)
    return answer if vanishes(expression.subs(symbol, answer) - value, domain) else None


def _undo(expression: sp.Expr, value: sp.Expr, unknown: sp.Symbol) -> sp.Expr | None:
    """Take the operations around the unknown away one by one."""
    while expression != unknown:
        if isinstance(expression, sp.Max):  # max(0, x) = v for v > 0
            inner = [a for a in expression.args if a.has(unknown)]
            if len(inner) != 1:
                return None
            expression = inner[0]
            continue
        if isinstance(expression, sp.Add | sp.Mul):
            rest, dependent = expression.as_independent(unknown, as_Add=isinstance(expression, sp.Add))
            if isinstance(expression, sp.Add) and isinstance(dependent, sp.Add):
                return _quadratic(dependent, value - rest, unknown)
            if dependent == expression:
                return _quadratic(expanded(expression), value, unknown)
            value = value - rest if isinstance(expression, sp.Add) else value / rest
            expression = dependent
        elif isinstance(expression, sp.exp):
            expression, value = expression.args[0], sp.log(value)
        elif isinstance(expression, sp.log):
            expression, value = expression.args[0], sp.exp(value)
        elif isinstance(expression, sp.Pow) and not expression.exp.has(unknown):
            expression, value = expression.base, value ** (1 / expression.exp)
        else:
            return None
    return value


def _quadratic(expression: sp.Expr, value: sp.Expr, unknown: sp.Symbol) -> sp.Expr | None:
    """a u^2 + b u = v for u a power of the unknown, by the root with the plus sign."""
    powers: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(expanded(expression)):
        coefficient, dependent = term.as_independent(unknown, as_Add=False)
        base, exponent = dependent.as_base_exp()
        if base != unknown:
            return None
        powers[exponent] = powers.get(exponent, sp.Integer(0)) + coefficient
    exponents = sorted(powers, key=abs)
    if len(exponents) != 2 or exponents[1] != 2 * exponents[0]:
        return None
    linear, square = powers[exponents[0]], powers[exponents[1]]
    u = (sp.sqrt(linear**2 + 4 * square * value) - linear) / (2 * square)
    return u ** (1 / exponents[0])
