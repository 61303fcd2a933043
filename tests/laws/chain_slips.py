"""Slips in one step of a derivation: what a tired author writes instead, and where mpmath sees that it is false."""

from __future__ import annotations

import random
from dataclasses import replace

import sympy as sp

from dpsym.core.notation import Maximum, Minimum, expectation, probability, renyi
from dpsym.core.relations import Relation, substitute
from dpsym.deciding import Domain, EmptyDomain
from laws.mpmath_values import NoValue, fails, value

_REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TRIALS, _FEW = 60, 4
_COSTLY = (sp.Integral, expectation, probability, renyi, Minimum, Maximum)
_VALUES = tuple(
    map(sp.Rational, ("1/2", "2", "1/3", "3", "7/5", "1/10", "9/10", "10", "1/4", "5", "3/2", "1", "0", "-1"))
)


def slips(relation):
    """(kind, relation) for every slip in the right side, and the reversed relation."""
    lhs, op, rhs = relation.lhs, relation.op, relation.rhs
    if op in _REVERSED:
        yield "direction", Relation(lhs, _REVERSED[op], rhs)
    for kind, side in _sides(rhs):
        if side != rhs and not side.has(sp.nan, sp.zoo, sp.oo, sp.I):
            yield kind, Relation(lhs, op, side)


def _sides(rhs):
    for factor in (2, sp.Rational(1, 2)):
        yield "factor", factor * rhs
    terms = sp.Add.make_args(rhs)
    for term in terms if len(terms) > 1 else ():
        yield "dropped term", rhs - term
        yield "factor of a term", rhs + term
        yield "sign of a term", rhs - 2 * term
    for symbol in sorted(rhs.free_symbols, key=str):
        for shift in (1, -1):
            yield "shift", substitute(rhs, {symbol: symbol + shift})
        yield "square", substitute(rhs, {symbol: symbol**2})
        yield "square root", substitute(rhs, {symbol: sp.sqrt(symbol)})
    for power in sorted((p for p in rhs.atoms(sp.Pow) if p.base is not sp.E), key=str):
        if abs(power.exp) in (2, sp.Rational(1, 2)):
            yield "missing square or root", rhs.xreplace({power: power.base ** sp.sign(power.exp)})
    logs = {e: e / sp.log(2) for e in rhs.atoms(sp.log) if e.free_symbols}
    if logs:
        yield "logarithm's base", rhs.xreplace(logs)


def forgotten(conditions):
    """Conditions with one of the bounds left out."""
    for n, condition in enumerate(conditions):
        if isinstance(condition, Relation) and condition.free_symbols:
            yield condition, (*conditions[:n], *conditions[n + 1 :])


def false_at(step, claim, conditions, distributions, seed=0):
    """A rational point of the domain at which the claim fails by mpmath; None where none was met."""
    rng = random.Random(seed)  # noqa: S311 - choosing points is no cryptography
    symbols = sorted(set().union(claim.free_symbols, *(c.free_symbols for c in (*conditions, *step.premises))), key=str)
    try:
        domain = Domain(conditions)
    except EmptyDomain:
        return None
    table = {r.lhs: r.rhs for r in step.reason.at} if step.reason is not None else {}
    solved = {} if not step.premises else _solved(step.premises)
    if solved is None:
        return None
    at = replace_all(claim, {**table, **solved})
    checks = [replace_all(c, solved) for c in (*conditions, *step.premises) if isinstance(c, Relation)]
    checks = [c for c in checks if not c.free_symbols & set(table) and c.lhs != c.rhs]
    free = [s for s in symbols if s not in table and s not in solved]
    for _ in range(_FEW if costly(claim) else _TRIALS):
        point = {s: _choice(s, domain, rng) for s in free}
        try:
            if any(s in domain.integers and not point[s].is_Integer for s in free):
                continue
            if all(_clearly(c, point) for c in checks) and fails(at, point, distributions):
                return point
        except NoValue:
            continue
    return None


def costly(claim):
    """Whether every point of it costs a quadrature or a search."""
    return claim.lhs.has(*_COSTLY) or claim.rhs.has(*_COSTLY)


def replace_all(relation, table):
    return relation.subs(table) if table else relation


def _solved(premises):
    """Equations among the premises of the form symbol = value."""
    table = {}
    for premise in premises:
        if premise.op == "=":
            for given in (premise, premise.swapped):
                if isinstance(given.lhs, sp.Symbol) and given.lhs not in given.rhs.free_symbols:
                    table[given.lhs] = given.rhs
                    break
            else:
                return None
    return table


def _clearly(condition, point):
    if condition.op == "=":
        return not fails(condition, point)
    left, right = value(condition.lhs, point), value(condition.rhs, point)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "!=": left != right}[
        condition.op
    ]


def _choice(symbol, domain, rng):
    bounds = domain.of(symbol)
    if symbol in domain.integers:
        low = bounds.lower if bounds.lower is not None else 0
        return sp.ceiling(low) + rng.choice((0, 1, 2, 4, 9))
    low, high = bounds.lower, bounds.upper
    size = rng.choice(_VALUES[:-3])
    if low is not None and high is not None:
        return low + (high - low) * size / (1 + size)
    if low is not None:
        return low + size
    if high is not None:
        return high - size
    return size * rng.choice((1, -1))


def with_claim(step, claim):
    """The step with another claim."""
    return replace(step, claim=(claim,), latex="")
