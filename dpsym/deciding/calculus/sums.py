"""Sums and products with a symbolic number of terms.

A closed form may be proposed by anyone; what counts is that its differences are the terms.  What has no closed
form is compared term by term (or by induction, see `induction`).
"""

from __future__ import annotations

import sympy as sp
from sympy.concrete.gosper import gosper_term

from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.core.verdicts import Method
from dpsym.deciding.calculus.heads import by_values, defined, free, fresh, in_falling_factorials
from dpsym.deciding.calculus.limits import defined_near, one_sided
from dpsym.deciding.finite import is_integral, written_out
from dpsym.deciding.strategies.strategy import Question, Yes, weakest
from dpsym.numbers.factoring import factored, terms_of

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_SERIES = (sp.Sum, sp.Product)
_HIGHEST_MOMENT = 6  # the formulas grow quickly with it


def prove(question: Question) -> Yes | None:
    """A relation that contains sums or products: by closed forms, or term by term."""
    relation = question.relation
    if not any(side.has(*_SERIES) for side in (relation.lhs, relation.rhs)):
        return None
    return _by_closed_forms(question) or _termwise(question)


# --- closed forms
def _by_closed_forms(question: Question) -> Yes | None:
    heads = (e for e in free(question.relation, *_SERIES) if not e.function.has(*_SERIES))
    return by_values(
        question, heads, closed_form, lambda e, v: f"{e.func.__name__.lower()} over {e.limits[0][0]} = {v}"
    )


def closed_form(e: sp.Expr, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of a sum or product without it, and what proves it; None where none is found."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or written_out(e) is not None:
        return None
    i, first, last = e.limits[0]
    if isinstance(e, sp.Product):
        return _product(e, question)
    setting = _over_range(i, first, last, question)
    if setting is None:
        return None
    index, among, proofs = setting
    of_terms = defined(substitute(e.function, {i: index}), among, question)
    if of_terms is None:
        return None
    value, needed = _ZERO, [*proofs, of_terms]
    for term in terms_of(_expanded(substitute(e.function, {i: index})), index):
        weight, body = term.as_independent(index, as_Add=False)
        found = _term_sum(body, index, first, last, among, question)
        if found is None:
            return None
        value += weight * found[0]
        needed += found[1]
    return value, needed


def has_value(e: sp.Expr, question: Question) -> list[Yes] | None:
    """Proofs that a sum or product has a value: all its terms have; of an endless one, that it has a closed form."""
    if any(len(limit) != 3 for limit in e.limits):
        return None
    if any(last is sp.oo or first is -sp.oo for _, first, last in e.limits):
        found = closed_form(e, question)
        return None if found is None else found[1]
    proofs: list[Yes] = []
    *inner, (i, first, last) = e.limits
    setting = _over_range(i, first, last, question)
    if setting is None:
        return None
    index, among, proofs = setting
    body = substitute(e.func(e.function, *inner) if inner else e.function, {i: index})
    of_terms = defined(body, among, question)
    return None if of_terms is None else [*proofs, of_terms]


def _expanded(body: sp.Expr) -> sp.Expr:
    """Sums taken apart, powers left as they are."""
    return expand(body, power_base=False, power_exp=False, log=False, trig=False)


def _over_range(
    i: sp.Symbol, first: sp.Expr, last: sp.Expr, question: Question
) -> tuple[sp.Symbol, tuple[Proposition, ...], list[Yes]] | None:
    """A fresh index, what is known of it, and the proof that the range is one (perhaps without a term)."""
    integers = question.domain.integers
    if not is_integral(first, integers) or not (last is sp.oo or is_integral(last, integers)):
        return None
    index = fresh(i, question)
    among: tuple[Proposition, ...] = (*question.domain.assume, IsInteger(index), Relation(index, ">=", first))
    if last is sp.oo:
        return index, among, []
    proof = question.check(Relation(last, ">=", first - 1))
    if proof is None:
        return None
    return index, (*among, Relation(index, "<=", last)), [proof]


def _term_sum(
    body: sp.Expr,
    i: sp.Symbol,
    first: sp.Expr,
    last: sp.Expr,
    among: tuple[Proposition, ...],
    question: Question,
) -> tuple[sp.Expr, list[Yes]] | None:
    binomial = _binomial_sum(body, i, first, last, question)
    if binomial is not None:
        return binomial
    for antidifference in _proposals(body, i):
        steps = Relation(substitute(antidifference, {i: i + 1}) - antidifference, "=", body)
        proof = question.check(steps, among)
        if proof is None:
            continue
        start = substitute(antidifference, {i: first})
        if last is not sp.oo:
            return substitute(antidifference, {i: last + 1}) - start, [proof]
        end, near = (
            one_sided(antidifference, i, sp.oo, -1, question),
            defined_near(antidifference, i, sp.oo, -1, question),
        )
        if end is not None and near is not None and not end.has(sp.oo, -sp.oo):
            return end - start, [proof, near]
    return None


def _proposals(body: sp.Expr, i: sp.Symbol) -> list[sp.Expr]:
    """Expressions whose differences may be the body."""
    if not body.has(i):
        return [body * i]
    found = []
    if body.is_polynomial(i):
        total = _faulhaber(sp.Poly(body, i), i)
        return [total] if total is not None else []
    geometric = _geometric(body, i)
    if geometric is not None:
        found.append(geometric)
    try:
        quotient = gosper_term(body, i)
    except (ValueError, TypeError, ArithmeticError, NotImplementedError, AttributeError, sp.PolynomialError):
        quotient = None
    if quotient is not None and not quotient.has(sp.I, sp.nan, sp.zoo):
        found.append(factored(quotient) * body)
    return found


def _faulhaber(body: sp.Poly, i: sp.Symbol) -> sp.Expr | None:
    powers = body.all_coeffs()[::-1]
    if len(powers) > 30:
        return None
    total = sum((c * (sp.bernoulli(n + 1, i) - sp.bernoulli(n + 1, 0)) / (n + 1) for n, c in enumerate(powers)), _ZERO)
    return factored(total)


def _geometric(body: sp.Expr, i: sp.Symbol) -> sp.Expr | None:
    """p(i) r^i as the difference of s(i) r^i: s(i + 1) r - s(i) = p(i), solved from the highest power down."""
    split = _polynomial_times_power(body, i)
    if split is None:
        return None
    p, rest, r = split
    s, left = _ZERO, sp.Poly(p, i)
    while not left.is_zero:
        top = left.LC() * i ** left.degree() / (r - 1)
        s += top
        left = sp.Poly(sp.cancel(expand(p - (r * substitute(s, {i: i + 1}) - s))), i)
        if left.degree() >= 12:
            return None
    return s * rest


def _polynomial_times_power(body: sp.Expr, i: sp.Symbol) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """body = p rest with rest(i + 1) = r rest(i) by the laws of powers (which the caller checks)."""
    p, rest, r = _ONE, _ONE, _ONE
    for factor in sp.Mul.make_args(body):
        if factor.is_polynomial(i):
            p *= factor
            continue
        if isinstance(factor, sp.exp):
            base, exponent = sp.E, factor.args[0]
        elif isinstance(factor, sp.Pow):
            base, exponent = factor.args
        else:
            return None
        step = expand(substitute(exponent, {i: i + 1}) - exponent)
        if base.has(i) or step.has(i):
            return None
        rest *= factor
        r *= base**step
    return (p, rest, r) if r != 1 and not p.has(sp.binomial) else None


def _binomial_sum(
    body: sp.Expr, i: sp.Symbol, first: sp.Expr, last: sp.Expr, question: Question
) -> tuple[sp.Expr, list[Yes]] | None:
    """Σ C(n, i) p(i) a^i b^(n-i) over 0..n, p in falling factorials: of i…(i-m+1) it is n…(n-m+1) a^m (a+b)^(n-m)."""
    coefficient = sp.binomial(last, i)
    if first != 0 or last is sp.oo or not body.has(coefficient):
        return None
    others = body / coefficient
    if others.has(coefficient) or others.has(sp.binomial):
        return None
    some = question.check(Relation(last, ">=", _ZERO))
    split = None if some is None else _two_powers(others, i, last, question)
    if some is None or split is None:
        return None
    p, factor, a, b, proofs = split
    proofs.append(some)
    if a + b == 0 and not p.has(i):  # 0^n is 0 from n = 1 on
        more = question.check(Relation(last, ">=", _ONE))
        return None if more is None else (_ZERO, [*proofs, more])
    if p.has(i):
        positive = question.check(Relation(a + b, ">", _ZERO))
        if positive is None:
            return None
        proofs.append(positive)
    if sp.degree(p, i) > _HIGHEST_MOMENT:
        return None
    moments = (sp.Mul(c, *(last - j for j in range(m))) for m, c in enumerate(in_falling_factorials(p, i)))
    return factor * sp.Add(*(c * a**m * (a + b) ** (last - m) for m, c in enumerate(moments))), proofs


def _two_powers(
    body: sp.Expr, i: sp.Symbol, n: sp.Expr, question: Question
) -> tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr, list[Yes]] | None:
    """(p, c, a, b) with body = p(i) c a^i b^(n-i) for 0 <= i <= n: a base that may be 0 has no negative exponent."""
    p, factor, a, b = _ONE, _ONE, _ONE, _ONE
    proofs: list[Yes] = []
    for part in sp.Mul.make_args(body):
        if part.is_polynomial(i):
            p *= part
            continue
        base, exponent = (sp.E, part.args[0]) if isinstance(part, sp.exp) else part.as_base_exp()
        step = expand(substitute(exponent, {i: i + 1}) - exponent)
        if base.has(i) or step.has(i):
            return None
        turned = isinstance(step, sp.Integer) and step < 0
        left = expand(substitute(exponent, {i: n if turned else _ZERO}))
        if base is not sp.E and not (isinstance(step, sp.Integer) and left == 0):
            positive = question.check(Relation(base, ">", _ZERO))
            if positive is None:
                return None
            proofs.append(positive)
        factor *= base**left
        if turned:
            b *= base**-step
        else:
            a *= base**step
    return p, factor, a, b, proofs


def _product(e: sp.Product, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """A product of equal factors, of powers c^f(i), or of i itself from 1."""
    i, first, last = e.limits[0]
    setting = _over_range(i, first, last, question)
    if setting is None or last is sp.oo:
        return None
    index, _, proofs = setting
    body = substitute(e.function, {i: index})
    if body == index and first == 1:
        return sp.factorial(last), proofs
    if not body.has(index):
        return body ** (last - first + 1), proofs
    if not isinstance(body, sp.exp):
        return None
    found = closed_form(sp.Sum(body.args[0], (index, first, last)), question)
    return None if found is None else (sp.exp(found[0]), [*proofs, *found[1]])


# --- term by term
def _termwise(question: Question) -> Yes | None:
    """Sums over one range, the difference of the sides being one sum: compared term by term."""
    relation = question.relation
    if relation.op == "!=":
        return None
    difference = expand(relation.lhs - relation.rhs, func=True, mul=True, power_base=False, power_exp=False)
    sums = free(relation, sp.Sum)
    if (
        set(sums) != difference.atoms(sp.Sum)
        or not sums
        or any(len(s.limits) != 1 or len(s.limits[0]) != 3 for s in sums)
    ):
        return None
    if len({s.limits[0][1:] for s in sums}) != 1:
        return None
    names = [sp.Dummy(f"S{n}") for n in range(len(sums))]
    named = difference.xreplace(dict(zip(sums, names, strict=True)))
    i, first, last = sums[0].limits[0]
    setting = _over_range(i, first, last, question)
    if setting is None or last is sp.oo:
        return None
    index, among, proofs = setting
    body = _ZERO
    for s, name in zip(sums, names, strict=True):
        weight = sp.diff(named, name)
        if weight.has(*names):
            return None
        term = substitute(s.function, {s.limits[0][0]: index})
        proof = defined(term, among, question)
        if proof is None:
            return None
        proofs.append(proof)
        body += weight * term
        named = expand(named - weight * name)
    if named != 0:
        return None
    if relation.op in ("<", ">"):  # strict where there is a term
        some = question.check(Relation(last, ">=", first))
        if some is None:
            return None
        proofs.append(some)
    found = question.ask_part(Relation(body, relation.op, _ZERO), among)
    if found is None:
        return None
    rest = weakest([found, *proofs])
    return Yes(rest.verdict, Method.LEMMA, f"term by term: {found.why}", rests_on=rest.rests_on)
