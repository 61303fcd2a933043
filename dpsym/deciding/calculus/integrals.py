"""Integrals by an antiderivative: its derivative is the integrand, and its limits at the ends are finite.

The interval is cut where absolute values and maxima in the integrand have breakpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, permutations

import sympy as sp
from sympy.integrals.manualintegrate import _integral_cache, _parts_u_cache, manualintegrate
from sympy.integrals.rationaltools import ratint

from dpsym.core.expanding import expand
from dpsym.core.notation import Phi, phi
from dpsym.core.plain_printer import plain
from dpsym.core.relations import BINDERS, Operator, Proposition, Relation, substitute
from dpsym.deciding.calculus.breakpoints import PIECEWISE as _PIECEWISE
from dpsym.deciding.calculus.breakpoints import in_order, smooth_between
from dpsym.deciding.calculus.heads import between, by_values, defined, density, free, fresh, linear, smooth
from dpsym.deciding.calculus.limits import one_sided
from dpsym.deciding.strategies.cases import bound_on_symbol
from dpsym.deciding.strategies.strategy import Question, Yes, by_lemma, weakest
from dpsym.numbers.factoring import terms_of

_ZERO = sp.Integer(0)
_LONGEST = 25  # operations in an integrand that is handed on
_NORMAL = (Phi, sp.erf, sp.erfc)
_HIGHEST = 8  # degree of a polynomial before an exponential


def prove(question: Question) -> Yes | None:
    """A relation that contains integrals: by their values, or by the integrands at every point."""
    found = free(question.relation, sp.Integral)
    if not found:
        return None
    ways: tuple[Callable[[], Yes | None], ...] = (
        lambda: by_values(question, found, value, lambda e, v: f"the integral over {e.limits[0][0]} is {plain(v)}"),
        lambda: _by_integrands(found, question),  # of two integrals sooner: looking for their values takes longer
        lambda: _by_order(found, question),
    )
    asked = (ways[1], ways[0], ways[2]) if len(found) == 2 else ways
    return next((yes for way in asked if (yes := way()) is not None), None)


def value(e: sp.Integral, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of an integral that converges, and its proof."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or e.function.has(*BINDERS):
        return None
    _, lower, upper = e.limits[0]
    if lower == upper:
        return _ZERO, []
    turned = None if lower is sp.oo or upper is -sp.oo else _turned(e, question)
    if turned is None:
        return None
    body, (x, low, high), op, order = turned
    of_it = defined(body, (*question.domain.assume, *between(x, low, high)), question)
    breakpoints = None if of_it is None else in_order(body, x, low, high, question)
    if of_it is None or breakpoints is None:
        return None
    points, because = breakpoints
    because += [of_it, *order]
    total = _ZERO
    for start, end in pairwise((low, *points, high)):
        piece = smooth_between(body, x, between(x, start, end), question)
        found = None if piece is None else _of_smooth(piece[0], x, start, end, question, apart=op == "<" and not points)
        if piece is None or found is None:
            return None
        total += found[0]
        because += [*piece[1], *found[1]]
    return -total if op == ">=" else total, because


def _ordered(lower: sp.Expr, upper: sp.Expr, question: Question) -> tuple[Operator, list[Yes]] | None:
    """How the ends compare, and the proof; None where that is not known."""
    if lower is -sp.oo or upper is sp.oo:
        return "<", []
    orders: tuple[Operator, ...] = ("<", "<=", ">=")
    for op in orders:
        if (proof := question.check(Relation(lower, op, upper))) is not None:
            return op, [proof]
    return None


def _turned(
    e: sp.Integral, question: Question
) -> tuple[sp.Expr, tuple[sp.Symbol, sp.Expr, sp.Expr], Operator, list[Yes]] | None:
    """The integrand of a fresh variable, that with the lower and the upper end, how these stood, and the proof."""
    variable, lower, upper = e.limits[0]
    ordered = _ordered(lower, upper, question)
    if ordered is None:
        return None
    op, order = ordered
    low, high = (upper, lower) if op == ">=" else (lower, upper)
    x = fresh(variable, question)
    return substitute(e.function, {variable: x}), (x, low, high), op, order


def _by_order(found: list[sp.Expr], question: Question) -> Yes | None:
    """Where it is not known which end of an interval is the greater: in both cases."""
    for e in found:
        if len(e.limits) != 1 or len(e.limits[0]) != 3 or question.depth > question.limits.conditions:
            continue
        _, lower, upper = e.limits[0]
        if {lower, upper} & {sp.oo, -sp.oo} or _ordered(lower, upper, question) is not None:
            continue
        orders: tuple[Operator, ...] = (">=", "<=")
        cases = (bound_on_symbol(Relation(upper - lower, op, _ZERO)) for op in orders)
        answers = question.in_cases((question.relation, (*question.domain.assume, case)) for case in cases)
        return None if answers is None else weakest(answers)
    return None


def has_value(e: sp.Integral, question: Question) -> list[Yes] | None:
    """Proofs that an integral has a value: what it is, or that the integrand is continuous on a bounded interval."""
    found = value(e, question)
    if found is not None:
        return found[1]
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or not _continuous(e.function):
        return None
    turned = None if {sp.oo, -sp.oo} & {*e.limits[0][1:]} else _turned(e, question)
    if turned is None:
        return None
    body, (x, low, high), _, order = turned
    of_it = defined(body, (*question.domain.assume, *between(x, low, high, closed=True)), question)
    return None if of_it is None else [*order, of_it]


def _of_smooth(
    body: sp.Expr, x: sp.Symbol, lower: sp.Expr, upper: sp.Expr, question: Question, *, apart: bool
) -> tuple[sp.Expr, list[Yes]] | None:
    if lower == upper:
        return _ZERO, []
    if not smooth(body):
        return None
    body = body.replace(phi, density)
    apart = apart or bool({lower, upper} & {sp.oo, -sp.oo}) or question.check(Relation(lower, "<", upper)) is not None
    total, proofs = _ZERO, list[Yes]()
    for term in terms_of(expand(body, power_base=False, power_exp=False), x):
        weight, rest = term.as_independent(x, as_Add=False)
        found = _of_term(rest, x, lower, upper, question) if apart else _at_ends(rest, x, lower, upper, question)
        if found is None:
            return None
        total += weight * found[0]
        proofs += found[1]
    return total, proofs


def _at_ends(
    body: sp.Expr, x: sp.Symbol, lower: sp.Expr, upper: sp.Expr, question: Question
) -> tuple[sp.Expr, list[Yes]] | None:
    """By an antiderivative on the closed interval, which may be a single point."""
    closed = (*question.domain.assume, *between(x, lower, upper, closed=True))
    for antiderivative, proofs in _antiderivatives(body, x, closed, question):
        start, end = (substitute(antiderivative, {x: at}) for at in (lower, upper))
        return end - start, proofs
    return None


def _antiderivatives(
    body: sp.Expr, x: sp.Symbol, inside: tuple[Proposition, ...], question: Question
) -> Iterator[tuple[sp.Expr, list[Yes]]]:
    """What has the body for its derivative under these conditions, and proofs of that."""
    for antiderivative in _proposals(body, x):
        if not smooth(antiderivative) or antiderivative.has(sp.I):
            continue
        proof = question.ask_part(Relation(sp.diff(antiderivative, x), "=", body), inside)
        of_it = defined(antiderivative, inside, question) if proof is not None else None
        if proof is not None and of_it is not None:
            yield antiderivative, [proof, of_it]


def _of_term(
    body: sp.Expr, x: sp.Symbol, lower: sp.Expr, upper: sp.Expr, question: Question
) -> tuple[sp.Expr, list[Yes]] | None:
    """By the limits of an antiderivative at the ends of an open interval."""
    inside = (*question.domain.assume, *between(x, lower, upper))
    for antiderivative, proofs in _antiderivatives(body, x, inside, question):
        start = one_sided(antiderivative, x, lower, 1, question)
        end = one_sided(antiderivative, x, upper, -1, question)
        infinite = [v for v in (start, end) if v is not None and v.has(sp.oo, -sp.oo, sp.zoo, sp.nan)]
        if infinite:
            question.notes.append(f"the integral of {plain(body)} from {plain(lower)} to {plain(upper)} diverges")
            return None
        if start is not None and end is not None:
            return end - start, proofs
    return None


def _by_integrands(found: list[sp.Expr], question: Question) -> Yes | None:
    """Integrals over one interval: the integrands compare at every point, with the rest spread over a bounded one.

    All must exist.  A function that is smooth where it is defined, and defined on all of a closed interval, is
    integrable there; so is what lies between 0 and an integrand whose integral converges.
    """
    relation = question.relation
    if relation.op in ("=", "!=") or any(len(e.limits) != 1 or len(e.limits[0]) != 3 for e in found):
        return None
    variable, lower, upper = found[0].limits[0]
    if any(e.limits[0][1:] != (lower, upper) for e in found) or lower is sp.oo or upper is -sp.oo:
        return None
    combination = linear(relation.lhs - relation.rhs, found)
    if combination is None or any(part.has(sp.Integral) for part in (combination[1], *combination[0].values())):
        return None
    weights, rest = combination
    x = fresh(variable, question)
    bodies = {e: substitute(e.function, {e.limits[0][0]: x}) for e in found}
    terms = {e: weights[e] * body for e, body in bodies.items()}
    bounded = not {lower, upper} & {sp.oo, -sp.oo}
    if not all(map(_continuous, bodies.values())) or not (bounded or rest == 0):
        return None
    inside = (*question.domain.assume, *between(x, lower, upper))
    closed = (*question.domain.assume, *between(x, lower, upper, closed=True))
    order = [question.check(Relation(lower, "<", upper))] if bounded else []
    exist = [defined(body, closed, question) for body in bodies.values()] if bounded else [None]
    if None in exist and None not in order and rest == 0:
        exist = _under_another(terms, relation.op, inside, question)
    if None in (*order, *exist):
        return None
    spread = -rest / (upper - lower) if bounded else _ZERO
    answer = question.ask_main(Relation(sp.Add(*terms.values()), relation.op, spread), inside)
    if answer is None:
        return None
    others = (p for p in (*order, *exist) if p is not None)
    return by_lemma(f"at every {x} of the interval: {answer.why}", answer, *others)


def _under_another(
    terms: dict[sp.Integral, sp.Expr], op: Operator, inside: tuple[Proposition, ...], question: Question
) -> list[Yes | None]:
    """That the integrals of two terms that are compared exist: one converges, the other term is not negative."""
    for known, other in permutations(terms) if len(terms) == 2 else ():
        smaller = terms[other] if op in ("<", "<=") else -terms[other]
        positive = question.ask_part(Relation(smaller, ">=", _ZERO), inside)
        found = None if positive is None else value(known, question)
        if found is not None and not found[0].has(sp.oo, -sp.oo, sp.nan, sp.zoo):
            return [positive, *found[1]]
    return [None]


def _continuous(body: sp.Expr) -> bool:
    return smooth(body.replace(lambda e: isinstance(e, _PIECEWISE), lambda e: sp.Add(*e.args)))


def _proposals(body: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Expressions whose derivative may be the body."""
    if not body.has(x):
        return [body * x]
    exponential = _of_exponential(body, x)
    if exponential is not None:
        return [exponential]
    if (by_parts := _by_parts(body, x)) is not None:
        return [by_parts]
    if sp.count_ops(body) > _LONGEST:
        return []
    if (rational := _of_rational(body, x)) is not None:
        return [rational]
    for under_way in (_integral_cache, _parts_u_cache):  # of a search that was stopped: they would end this one as well
        under_way.clear()
    try:
        found = manualintegrate(body, x)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError, sp.PolynomialError):
        return []
    return [] if found.has(sp.Integral) else _cases(found)


def _of_rational(body: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    """Of a rational function without real poles, which a search by rules finds only after seconds."""
    weight, part = body.as_independent(x, as_Add=False)
    if part.free_symbols != {x} or part.is_polynomial(x) or not part.is_rational_function(x):
        return None
    found = ratint(part, x)
    return None if found.has(sp.log, sp.RootSum, sp.Integral, sp.I) else weight * found


def _by_parts(body: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    """R F(a x + b) - ∫ R (F(a x + b))', for the error function or the like and an elementary R with R' = the rest."""
    inner = [f for f in sp.Mul.make_args(body) if isinstance(f, _NORMAL) and f.has(x)]
    if len(inner) != 1 or not (inner[0].args[0].is_polynomial(x) and sp.degree(inner[0].args[0], x) == 1):
        return None
    rest = next((r for r in _proposals(body / inner[0], x) if not r.has(*_NORMAL)), None)
    if rest is None:
        return None
    left = expand(rest * sp.diff(inner[0], x).replace(phi, density), power_base=False, power_exp=False)
    total = rest * inner[0]
    for term in sp.Add.make_args(left):
        weight, part = term.as_independent(x, as_Add=False)
        found = _of_exponential(sp.powsimp(part, combine="exp"), x)
        if found is None:
            return None
        total -= weight * found
    return total


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
    exponent = expand(exponent)
    if exponent == 0 or not exponent.is_polynomial(x) or sp.degree(exponent, x) not in (1, 2):
        return None
    slope = sp.Poly(sp.diff(exponent, x), x)
    s, left = _ZERO, sp.Poly(p, x)
    if left.degree() > _HIGHEST:
        return None
    while not left.is_zero and left.degree() >= slope.degree():
        top = sp.cancel(left.LC() / slope.LC()) * x ** (left.degree() - slope.degree())
        s += top
        left = sp.Poly(sp.cancel(expand(left.as_expr() - sp.diff(top, x) - top * slope.as_expr())), x)
    found = s * sp.exp(exponent)
    if left.is_zero:
        return found
    falls, b, c = -exponent.coeff(x, 2), exponent.coeff(x, 1), exponent.coeff(x, 0)
    scale = sp.sqrt(sp.pi / falls) * sp.exp(b**2 / (4 * falls) + c)
    return found + left.as_expr() * scale * Phi(sp.sqrt(2 * falls) * (x - b / (2 * falls)))
