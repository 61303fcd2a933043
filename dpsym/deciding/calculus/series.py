"""Series with a name: the exponential one, the logarithm's, and the zeta function at even numbers.

Their values are theorems of analysis; a body is recognised by its quotients and powers.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Relation, substitute
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import fresh, in_falling_factorials
from dpsym.deciding.strategies.strategy import Question, Yes

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_HIGHEST = 4  # degree of a polynomial before the exponential series
_LARGEST_POWER = 20  # of zeta(s), whose closed form has ever larger numbers


def value(e: sp.Expr, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of an infinite series that has a name, and what proves that it is one."""
    if not isinstance(e, sp.Sum) or len(e.limits) != 1 or len(e.limits[0]) != 3:
        return None
    i, first, last = e.limits[0]
    if last is not sp.oo or not isinstance(first, sp.Integer) or first < 0:
        return None
    index = fresh(i, question)
    body = substitute(e.function, {i: index})
    return _exponential(body, index, first, question) or _harmonic(body, index, first, question)


def _exponential(
    body: sp.Expr, i: sp.Symbol, first: sp.Integer, question: Question
) -> tuple[sp.Expr, list[Yes]] | None:
    """p(i) r^i / i! from `first`: with p in falling factorials, that of i…(i-m+1) is r^m e^r, less the first terms."""
    above = body * sp.factorial(i)
    if not body.has(sp.factorial(i)) or above.has(sp.factorial):
        return None
    p, r, weight = _ONE, _ONE, _ONE
    for factor in sp.Mul.make_args(above):
        if not factor.has(i):
            weight *= factor
        elif factor.is_polynomial(i) and sp.degree(factor, i) <= _HIGHEST:
            p *= factor
        elif isinstance(factor, sp.Pow) and not factor.base.has(i) and sp.diff(factor.exp, i) == 1:
            r *= factor.base
            weight *= factor.base ** (factor.exp - i)
        elif isinstance(factor, sp.exp) and not sp.diff(factor.args[0], i).has(i):
            slope = sp.diff(factor.args[0], i)
            r *= sp.exp(slope)
            weight *= sp.exp(expand(factor.args[0] - slope * i))
        else:
            return None
    if not p.is_polynomial(i):
        return None
    total = sp.Add(*(c * r**m for m, c in enumerate(in_falling_factorials(p, i))))
    rest = sum((substitute(p, {i: n}) * r**n / sp.factorial(n) for n in range(int(first))), _ZERO)
    index = (*question.domain.assume, IsInteger(i), Relation(i, ">=", first))
    same = question.ask_part(Relation(body, "=", weight * p * r**i / sp.factorial(i)), index)
    return None if same is None else (weight * (total * sp.exp(r) - rest), [same, _named("the exponential series")])


def _harmonic(body: sp.Expr, i: sp.Symbol, first: sp.Integer, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """c/i^s from 1 with s even: c zeta(s); c r^i/i from 1 with |r| < 1: -c log(1 - r)."""
    if first != 1:
        return None
    weight, rest = body.as_independent(i, as_Add=False)
    if isinstance(rest, sp.Pow) and rest.base == i and rest.exp.is_Integer:
        s = -rest.exp
        if s >= 2 and s % 2 == 0 and s <= _LARGEST_POWER:
            return weight * sp.zeta(s), [_named(f"the zeta function at {s}")]
        return None
    power = sp.powsimp(rest * i)
    if not isinstance(power, sp.Pow) or power.base is sp.E or power.base.has(i) or power.exp != i:
        return None
    r = power.base
    among = (*question.domain.assume, IsInteger(i), Relation(i, ">=", _ONE))
    proofs = [
        question.check(Relation(r, ">", -_ONE)),
        question.check(Relation(r, "<", _ONE)),
        question.ask_part(Relation(body, "=", weight * r**i / i), among),
    ]
    if None in proofs:
        return None
    return -weight * sp.log(1 - r), [*(p for p in proofs if p is not None), _named("the logarithm's series")]


def _named(name: str) -> Yes:
    return Yes(Verdict.PROVED, Method.LEMMA, name)
