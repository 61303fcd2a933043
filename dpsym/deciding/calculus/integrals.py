"""Integrals by an antiderivative: its derivative is the integrand, and its limits at the ends are finite."""

from __future__ import annotations

import sympy as sp
from sympy.integrals.manualintegrate import manualintegrate

from dpsym.deciding.calculus.heads import between, defined, free, fresh, smooth
from dpsym.deciding.calculus.limits import one_sided
from dpsym.deciding.rungs import Question, Yes, weakest
from dpsym.notation import Phi, phi
from dpsym.relations import Relation, substitute
from dpsym.verdicts import Method

_ZERO = sp.Integer(0)
_LONGEST = 25  # operations in an integrand that is handed on
_HIGHEST = 8  # degree of a polynomial before an exponential


def prove(question: Question) -> Yes | None:
    """A relation that contains integrals, by their values."""
    table: dict[sp.Basic, sp.Expr] = {}
    needed: list[Yes] = []
    for e in free(question.relation, sp.Integral):
        found = value(e, question)
        if found is not None:
            table[e] = found[0]
            needed += found[1]
    answer = question.ask(question.relation.subs(table)) if table else None
    if answer is None:
        return None
    rest = weakest([answer, *needed])
    known = "; ".join(f"the integral over {e.limits[0][0]} is {v}" for e, v in table.items())
    return Yes(rest.verdict, Method.LEMMA, f"{known}; {answer.why}", rests_on=rest.rests_on)


def value(e: sp.Integral, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of an integral that converges, and its proof."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or not smooth(e.function):
        return None
    variable, lower, upper = e.limits[0]
    if lower is sp.oo or upper is -sp.oo:
        return None
    x = fresh(variable, question)
    body = substitute(e.function, {variable: x}).replace(phi, lambda u: sp.exp(-(u**2) / 2) / sp.sqrt(2 * sp.pi))
    inside = (*question.domain.assume, *between(x, lower, upper))
    proofs = [defined(substitute(e.function, {variable: x}), inside, question)]
    if lower is not -sp.oo and upper is not sp.oo:
        proofs.append(question.ask(Relation(lower, "<", upper), share=0.2))
    if None in proofs:
        return None
    total = _ZERO
    for term in sp.Add.make_args(sp.expand(body, power_base=False, power_exp=False)):
        weight, rest = term.as_independent(x, as_Add=False)
        found = _of_term(rest, x, lower, upper, inside, question)
        if found is None:
            return None
        total += weight * found[0]
        proofs += found[1]
    return total, [p for p in proofs if p is not None]


def _of_term(
    body: sp.Expr, x: sp.Symbol, lower: sp.Expr, upper: sp.Expr, inside: tuple[object, ...], question: Question
) -> tuple[sp.Expr, list[Yes]] | None:
    for antiderivative in _proposals(body, x):
        if not smooth(antiderivative) or antiderivative.has(sp.I):
            continue
        conditions = tuple(inside)
        proof = question.ask(Relation(sp.diff(antiderivative, x), "=", body), conditions, share=0.4)  # type: ignore[arg-type]
        of_it = defined(antiderivative, conditions, question) if proof is not None else None  # type: ignore[arg-type]
        if proof is None or of_it is None:
            continue
        start = one_sided(antiderivative, x, lower, 1, question)
        end = one_sided(antiderivative, x, upper, -1, question)
        if start is not None and end is not None and not start.has(sp.oo) and not end.has(sp.oo):
            return end - start, [proof, of_it]
    return None


def _proposals(body: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Expressions whose derivative may be the body."""
    if not body.has(x):
        return [body * x]
    exponential = _of_exponential(body, x)
    if exponential is not None:
        return [exponential]
    if sp.count_ops(body) > _LONGEST:
        return []
    try:
        found = manualintegrate(body, x)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError, sp.PolynomialError):
        return []
    return [] if found.has(sp.Integral) else _cases(found)


def _cases(found: sp.Expr) -> list[sp.Expr]:
    if isinstance(found, sp.Piecewise):
        return [value for value, _ in found.args]
    return [found]


def _of_exponential(body: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    """p(x) exp(u(x)), deg u <= 2: s exp(u) with s' + s u' = p up to a constant, which is left to the normal one."""
    p, exponent = sp.S.One, _ZERO
    for factor in sp.Mul.make_args(sp.powsimp(body)):
        if isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(factor, sp.Pow) and factor.base == x and factor.exp.is_Integer and factor.exp > 0:
            p *= factor
        elif factor == x:
            p *= x
        else:
            return None
    exponent = sp.expand(exponent)
    if exponent == 0 or not exponent.is_polynomial(x) or sp.degree(exponent, x) not in (1, 2):
        return None
    slope = sp.Poly(sp.diff(exponent, x), x)
    s, left = _ZERO, sp.Poly(p, x)
    if left.degree() > _HIGHEST:
        return None
    while not left.is_zero and left.degree() >= slope.degree():
        top = sp.cancel(left.LC() / slope.LC()) * x ** (left.degree() - slope.degree())
        s += top
        left = sp.Poly(sp.cancel(sp.expand(left.as_expr() - sp.diff(top, x) - top * slope.as_expr())), x)
    found = s * sp.exp(exponent)
    if left.is_zero:
        return found
    falls, b, c = -exponent.coeff(x, 2), exponent.coeff(x, 1), exponent.coeff(x, 0)
    scale = sp.sqrt(sp.pi / falls) * sp.exp(b**2 / (4 * falls) + c)
    return found + left.as_expr() * scale * Phi(sp.sqrt(2 * falls) * (x - b / (2 * falls)))
