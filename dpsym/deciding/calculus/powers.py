"""A variable that occurs in one power only is replaced by that power: 1/s^2 = w, for s > 0.

Without it log(1 + q (exp(1/b) - 1)) <= q/b + 1/(8 b^2), for 0 < q < 1 and b > 0, is not proved.
"""

from __future__ import annotations

from math import gcd, lcm

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import BINDERS, Operator, Proposition, Relation
from dpsym.deciding.calculus.heads import fresh
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Question, Yes

_LARGEST = 150  # operations
_ZERO = sp.Integer(0)


def prove(question: Question) -> Yes | None:
    """The relation in terms of the power."""
    relation, domain = question.relation, question.domain
    sides = (relation.lhs, relation.rhs)
    if question.depth > question.limits.changes or any(s.has(*BINDERS) or s.count_ops() > _LARGEST for s in sides):
        return None
    spoken = set().union(*(c.free_symbols for c in domain.coupled)) | domain.integers
    for x in sorted(relation.free_symbols - spoken, key=str):
        power = _common_power(x, sides) if _is_positive(x, domain) else None
        if power is None:
            continue
        w = fresh("w", question)
        put = Relation(_in_terms(sides[0], x, power, w), relation.op, _in_terms(sides[1], x, power, w))
        if x in put.free_symbols:
            continue
        others = [c for c in domain.assume if x not in c.free_symbols]
        found = question.ask_main(put, (*others, *_bounds(x, power, w, domain)))
        if found is not None:
            why = f"with {w} = {plain(x**power)}: {found.why}"
            return Yes(found.verdict, found.method, why, rests_on=found.rests_on)
    return None


def _is_positive(x: sp.Symbol, domain: Domain) -> bool:
    bounds = domain.of(x)
    return bounds.lower is not None and (bounds.lower > 0 or (bounds.lower == 0 and bounds.lower_open))


def _common_power(x: sp.Symbol, sides: tuple[sp.Expr, ...]) -> sp.Rational | None:
    """The r, other than 1, of which the exponents of all powers of x are whole multiples."""
    found = {e for side in sides for e in _exponents(side, x)}
    if not found or None in found:
        return None
    exponents = [sp.Rational(e) for e in found if e is not None]
    power = sp.Rational(gcd(*(int(e.p) for e in exponents)), lcm(*(int(e.q) for e in exponents)))
    power = -power if all(e < 0 for e in exponents) else power
    return None if power == 1 else power


def _exponents(e: sp.Basic, x: sp.Symbol) -> set[sp.Rational | None]:
    """Those with which x occurs; None stands for an exponent that is no rational number."""
    if e == x:
        return {sp.Integer(1)}
    if isinstance(e, sp.Pow) and e.base == x:
        return {e.exp if isinstance(e.exp, sp.Rational) else None}
    return set().union(*(_exponents(arg, x) for arg in e.args)) if e.has(x) else set()


def _in_terms(e: sp.Basic, x: sp.Symbol, power: sp.Rational, w: sp.Symbol) -> sp.Basic:
    if e == x:
        return w ** (1 / power)
    if isinstance(e, sp.Pow) and e.base == x:
        return w ** (e.exp / power)
    return e.func(*(_in_terms(arg, x, power, w) for arg in e.args)) if e.has(x) else e


def _bounds(x: sp.Symbol, power: sp.Rational, w: sp.Symbol, domain: Domain) -> list[Proposition]:
    """The power is positive, and between the powers of the ends."""
    bounds = domain.of(x)
    found: list[Proposition] = [Relation(w, ">", _ZERO)]
    ends: list[tuple[sp.Rational | None, bool, Operator]] = [
        (bounds.lower, bounds.lower_open, ">"),
        (bounds.upper, bounds.upper_open, "<"),
    ]
    for end, is_open, op in ends:
        if end is None or end == 0:
            continue
        turned: Operator = op if power > 0 else ("<" if op == ">" else ">")
        closed: Operator = ">=" if turned == ">" else "<="
        found.append(Relation(w, turned if is_open else closed, end**power))
    return found
