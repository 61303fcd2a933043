"""Inequalities between expectations, by a pointwise inequality under the expectation.

For measurable functions with values in [0, oo], f <= g almost surely gives E f <= E g, and E(c f) = c E f for
c >= 0.  A relation that is linear in expectations over one distribution is brought into that form; what is left
is a relation in the value of the random variable, between its essential bounds where these are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp
from sympy.utilities.iterables import sift

from dpsym.core.expanding import expand
from dpsym.core.notation import essential_infimum, essential_supremum, expectation, renyi
from dpsym.core.relations import BINDERS, Proposition, Relation, substitute
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import free, fresh, linear
from dpsym.deciding.domain import Domain
from dpsym.deciding.limits import limit
from dpsym.deciding.strategies.exact import Sign, sign, vanishes
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_ZERO = sp.Integer(0)
_HEADS = (expectation, essential_supremum, essential_infimum)
_UNBOUNDED = (*_HEADS, renyi)  # which may be infinite
_VALUE = sp.Dummy("z")  # the random variable, in every expectation alike


def prove(question: Question) -> Yes | None:
    """A relation `A <= B`, `A = B` or `A >= B` that is linear in the expectations over one distribution."""
    relation = question.relation
    if relation.op == "!=" or not (relation.lhs.has(expectation) or relation.rhs.has(expectation)):
        return None
    if relation.op != "=":
        return _bounded_above(relation if relation.op in ("<=", "<") else relation.swapped, question)
    if (same := _identity(question)) is not None:
        return same
    below, above = Relation(relation.lhs, "<=", relation.rhs), Relation(relation.rhs, "<=", relation.lhs)
    answers = [_bounded_above(r, question) for r in (below, above)]
    if None in answers:
        return None
    return weakest([a for a in answers if a is not None]).by("both ways", question, (), *answers)


def where_finite(relation: Relation, domain: Domain) -> list[sp.Expr]:
    """The divergences, expectations and essential bounds of which the relation is shown only where they are finite.

    A proof takes them for numbers.  `E - E = 0` says nothing where E is infinite, `E < E + 1` is false there, exp(-E)
    has no value, and an expectation of something of either sign may not exist at all.
    """
    conditions = [c for c in domain.assume if isinstance(c, Relation)]
    spoken = free(relation, *_UNBOUNDED)
    numbers = _takes_numbers(relation, domain)
    heads = spoken if numbers else [e for e in spoken if not _exists(e, domain)]
    dependent = (relation.lhs.atoms(*_UNBOUNDED) | relation.rhs.atoms(*_UNBOUNDED)).difference(spoken)
    bound = sorted(dependent, key=sp.default_sort_key) if numbers else []  # nothing is known of all of their values
    for c in conditions:  # what is added in a condition may have been brought to its other side
        others = free(c, *_UNBOUNDED)
        if {*others} & {*spoken} and any(e.has(*_UNBOUNDED) for side in (c.lhs, c.rhs) for e in side.atoms(sp.Add)):
            heads = [*heads, *others]
    bounds = [r for c in conditions for r in (c, c.swapped)]
    unbounded = (e for e in dict.fromkeys(heads) if not _is_of_something_bounded(e, domain))
    return [e for e in unbounded if not any(_is_bound(r, e, domain) for r in bounds)] + bound


def lost_where_infinite(relation: Relation, names: Iterable[sp.Symbol], domain: Domain) -> list[sp.Symbol]:
    """The named quantities with which the relation fails or has no value where they are infinite; they might be.

    A difference only says nothing there, which is no falsehood.
    """
    table = {s: renyi(sp.oo, s, s) for s in names}
    put = relation.subs(table)
    sides = put.lhs, put.rhs
    strict = put.op in ("<", ">", "!=") and all(side.has(renyi) for side in sides)
    if not strict and not any(_is_lost(e, domain) for side in sides for e in sp.preorder_traversal(side)):
        return []
    given = (c.subs(table) for c in domain.assume)
    heads = where_finite(put, Domain(tuple(given)))
    return [s for s, head in table.items() if head in heads]


def _is_lost(e: sp.Basic, domain: Domain) -> bool:
    """Whether it is a function of what may be infinite that tends to nothing there, or to no one value."""
    if not e.has(renyi) or isinstance(e, renyi | sp.Abs | sp.Add | sp.Mul):
        return False
    return not _extends(e, domain) and not (isinstance(e, sp.Pow) and e.exp.is_Rational and e.exp > 0)


def _takes_numbers(relation: Relation, domain: Domain) -> bool:
    """Whether it does not say the same where a divergence or an expectation in it is infinite."""
    sides = relation.lhs, relation.rhs
    if not all(_extends(side, domain) for side in sides):
        return True
    with_heads = [side.has(*_UNBOUNDED) for side in sides]
    if relation.op in ("<", ">"):
        return all(with_heads)
    return relation.op in ("=", "!=") and any(with_heads) and relation.lhs != relation.rhs


def _extends(e: sp.Expr, domain: Domain) -> bool:
    """Whether it grows with what is unbounded in it, and so has a value, an infinite one perhaps, where that has."""
    if not e.has(*_UNBOUNDED) or isinstance(e, _UNBOUNDED):
        return True
    if isinstance(e, sp.Add | sp.Max | sp.Min | sp.exp | sp.log):
        return all(_extends(arg, domain) for arg in e.args)
    if isinstance(e, sp.Pow):
        return bool(e.exp.is_Rational and e.exp > 0) and _extends(e.base, domain)
    if not isinstance(e, sp.Mul):
        return False
    parts, factors = sift(e.args, lambda arg: arg.has(*_UNBOUNDED), binary=True)
    return len(parts) == 1 and _extends(parts[0], domain) and sign(sp.Mul(*factors), domain) is Sign.POSITIVE


def _exists(head: sp.Expr, domain: Domain) -> bool:
    """Whether it has a value at all, perhaps an infinite one: of something of one sign an expectation does."""
    if not isinstance(head, expectation):
        return True
    return sign(head.args[0].expr, domain) is not None


def _is_of_something_bounded(head: sp.Expr, domain: Domain) -> bool:
    """Whether it is the expectation of a continuous function that has finite limits at both ends of the line."""
    if not isinstance(head, expectation):
        return False
    (z,), body = head.args[0].variables, head.args[0].expr
    parts = [e for e in sp.preorder_traversal(body) if e.has(z)]
    if not all(isinstance(e, sp.Symbol | sp.Add | sp.Mul | sp.exp | sp.Max | sp.Min) for e in parts):
        return False
    ends = [_end(substitute(body, {z: side * z}), z, domain) for side in (1, -1)]
    return all(end is not None and not end.has(sp.oo, -sp.oo, sp.nan) for end in ends)


def _end(f: sp.Expr, z: sp.Symbol, domain: Domain) -> sp.Expr | None:
    """The limit as z grows, of a maximum that of its parts."""
    if isinstance(f, sp.Max | sp.Min):
        ends = [_end(part, z, domain) for part in f.args]
        return None if None in ends else f.func(*ends)
    return limit(f, z, domain)


def _is_bound(relation: Relation, head: sp.Expr, domain: Domain) -> bool:
    """Whether it says that something finite is no less than what grows beyond all bounds with the head."""
    if relation.op not in ("<", "<=", "=") or relation.rhs.has(*_UNBOUNDED) or not relation.lhs.has(head):
        return False
    number = sp.Dummy("E")
    lhs = substitute(relation.lhs, {head: number})
    return not lhs.has(*_UNBOUNDED) and limit(lhs, number, domain) is sp.oo


def _identity(question: Question) -> Yes | None:
    relation, domain = question.relation, question.domain
    lhs, rhs = collected(relation.lhs, domain), collected(relation.rhs, domain)
    conditions = [collected_condition(c, domain) for c in domain.assume]
    spoken = [side for c in conditions if isinstance(c, Relation) for side in (c.lhs, c.rhs)]
    names = _names(lhs, rhs, *spoken)
    known = [Relation(d, ">", _ZERO) for e, d in names.items() if isinstance(e.args[0].expr, sp.exp)]
    named = Domain((*(c.subs(names) if isinstance(c, Relation) else c for c in conditions), *known))
    if not vanishes(substitute(lhs, names) - substitute(rhs, names), named):
        return None
    found = Yes(Verdict.PROVED, Method.CANONICAL_FORM, "both sides are the same in the expectations that they contain")
    return found.by("same expectations", question, (tuple(names),))


def collected_condition(condition: Proposition, domain: Domain) -> Proposition:
    """Both sides of a relation `collected`."""
    if not isinstance(condition, Relation):
        return condition
    return Relation(collected(condition.lhs, domain), condition.op, collected(condition.rhs, domain))


def _bounded_above(relation: Relation, question: Question) -> Yes | None:
    """`A <= B` or `A < B`, a logarithm around the expectations on one side taken away first."""
    lhs, rhs = relation.lhs, relation.rhs
    if relation.op == "<=" and (found := _as_they_stand(lhs, rhs, question)) is not None:
        return found
    if (undone := _exponentiated(lhs, rhs, question)) is not None:
        lhs, rhs = undone
    elif (undone := _exponentiated(rhs, lhs, question)) is not None:
        rhs, lhs = undone
    upper = collected(lhs, question.domain) - collected(rhs, question.domain)
    found = _pointwise(upper, question, strict=relation.op == "<")
    return None if found is None else found.by("pointwise", replace(question, relation=relation), (lhs, rhs), found)


def _as_they_stand(lhs: sp.Expr, rhs: sp.Expr, question: Question) -> Yes | None:
    """E f <= E g (or a constant in the place of one) by 0 <= f <= g, which keeps both expectations in [0, oo]."""
    distributions = {side.args[1] for side in (lhs, rhs) if isinstance(side, expectation)}
    if len(distributions) != 1 or any(s.has(expectation) and not isinstance(s, expectation) for s in (lhs, rhs)):
        return None
    (distribution,) = distributions
    value = fresh("z", question)
    inside, _ = _support(value, distribution, question.domain)
    smaller, larger = (
        substitute(s.args[0].expr, {s.args[0].variables[0]: value}) if isinstance(s, expectation) else s
        for s in (lhs, rhs)
    )
    if not question.check(Relation(smaller, ">=", _ZERO), inside):
        return None
    found = question.ask_main(Relation(smaller, "<=", larger), inside)
    if found is None:
        return None
    why = f"under the expectation, for every {value}: {found.why}"
    whole = Yes(found.verdict, Method.LEMMA, why, rests_on=found.rests_on)
    return whole.by("expected", replace(question, relation=Relation(lhs, "<=", rhs)), (value,), found)


def _exponentiated(side: sp.Expr, other: sp.Expr, question: Question) -> tuple[sp.Expr, sp.Expr] | None:
    """For a side w log(A) + c with w > 0: A and exp((other - c)/w), which compare as the sides do."""
    logarithms = [e for e in side.atoms(sp.log) if e.has(expectation)]
    if len(logarithms) != 1 or other.has(expectation):
        return None
    combination = linear(side, logarithms)
    if combination is None:
        return None
    weight, rest = combination[0][logarithms[0]], combination[1]
    if weight.has(expectation) or rest.has(expectation):
        return None
    if question.check(Relation(weight, ">", _ZERO)) is None:
        return None
    return logarithms[0].args[0], sp.exp((other - rest) / weight)


def _pointwise(upper: sp.Expr, question: Question, *, strict: bool) -> Yes | None:
    """Whether `upper`, linear in expectations, is at most (below) 0, by the relation under the expectation."""
    names = _names(upper)
    distributions = {e.args[1] for e in names}
    combination = linear(upper, names) if len(distributions) == 1 else None
    if combination is None:
        return None
    weights, rest = combination
    if any(part.has(expectation) for part in (rest, *weights.values())):  # of what is bound
        return None
    (distribution,) = distributions
    value = fresh("z", question)
    inside, finite = _support(value, distribution, question.domain)
    if not finite and not (strict and all(_slope_is_positive(e, question.domain) for e in names)):
        return None
    larger, smaller = [], []  # the terms that add to `upper`, and those that take from it
    for e, weight in weights.items():
        function = substitute(e.args[0].expr, {e.args[0].variables[0]: value})
        if not question.check(Relation(function, ">=", _ZERO), inside):
            return None
        if question.check(Relation(weight, ">=", _ZERO)):
            larger.append(weight * function)
        elif question.check(Relation(weight, "<=", _ZERO)):
            smaller.append(-weight * function)
        else:
            return None
    if strict and larger:
        return None  # both sides might be infinite
    found = question.ask(Relation(sp.Add(*larger), "<" if strict else "<=", sp.Add(*smaller, -rest)), inside)
    if found is None:
        return None
    why = f"under the expectation, for every {value}: {found.why}"
    claim = replace(question, relation=Relation(upper, "<" if strict else "<=", _ZERO))
    return Yes(found.verdict, Method.LEMMA, why, rests_on=found.rests_on).by(
        "upper", claim, (value, distribution), found
    )


def _support(value: sp.Symbol, distribution: sp.Basic, domain: Domain) -> tuple[tuple[Proposition, ...], bool]:
    """What may be assumed of the variable's value, and whether it is finite with probability 1."""
    conditions: list[Proposition] = []
    finite = False
    for item in domain.assume:
        for relation in (item, item.swapped) if isinstance(item, Relation) else ():
            if relation.rhs.has(*_HEADS):
                continue  # the bound may be infinite itself
            if relation.lhs == essential_supremum(distribution) and relation.op in ("<=", "<", "="):
                conditions.append(Relation(value, "<=", relation.rhs))
                finite = True
            elif relation.lhs == essential_infimum(distribution) and relation.op in (">=", ">", "="):
                conditions.append(Relation(value, ">=", relation.rhs))
            elif relation.op in ("<=", "<", "=") and _grows(relation.lhs, distribution, domain):
                finite = True  # its expectation of something that grows beyond all bounds is finite
    return (*(c for c in domain.assume if not _is_of_distributions(c)), *conditions), finite


def _is_of_distributions(condition: Proposition) -> bool:
    """Whether it can say nothing more of a single value."""
    return isinstance(condition, Relation) and (condition.lhs.has(*_HEADS) or condition.rhs.has(*_HEADS))


def _grows(bounded: sp.Expr, distribution: sp.Basic, domain: Domain) -> bool:
    """Whether it grows beyond all bounds with the expectation of exp(c z), c > 0: a bound on it is one on that."""
    for e in bounded.atoms(expectation):
        if e.args[1] == distribution and _slope_is_positive(e, domain):
            increasing = sp.Dummy("E")
            named = substitute(bounded, {e: increasing})
            if not named.has(expectation) and limit(named, increasing, domain) is sp.oo:
                return True
    return False


def _slope_is_positive(e: expectation, domain: Domain) -> bool:
    """Whether it is the expectation of exp(c z + d), c > 0: positive, and infinite where z is with some probability."""
    function = e.args[0]
    (z,) = function.variables
    if not isinstance(function.expr, sp.exp):
        return False
    slope = sp.diff(function.expr.args[0], z)
    return not slope.has(z) and sign(slope, domain) is Sign.POSITIVE


def collected(e: sp.Expr, domain: Domain) -> sp.Expr:
    """Constants out of each expectation outside of binders, and exp(a log E + b) as E^a exp(b)."""
    if not e.has(expectation) or isinstance(e, BINDERS):
        return e
    if isinstance(e, expectation):
        return _constants_out(e, domain)
    args = [collected(a, domain) if isinstance(a, sp.Expr) else a for a in e.args]
    if isinstance(e, sp.exp):
        return _without_logarithms(args[0])
    return e.func(*args)


def _constants_out(e: expectation, domain: Domain) -> sp.Expr:
    """E(a + b f) = a + b E(f); a sum is taken apart where it is bounded, so that no part is infinite."""
    function, distribution = e.args
    z, body = _VALUE, substitute(function.expr, {function.variables[0]: _VALUE})
    if (linear := _linear_in_exponentials(body, domain)) is not None:
        constant, weights = linear
        signs = [sign(w, domain) for w in weights.values()] if len(weights) > 1 else []
        if _bounded(distribution, domain) or all(s is Sign.POSITIVE for s in signs):
            return sp.Add(constant, *(w * expectation(sp.Lambda(z, f), distribution) for f, w in weights.items()))
    constant, dependent = sp.expand_mul(body).as_independent(z, as_Add=True)
    terms = sp.Add.make_args(dependent)
    if len(terms) > 1 and not _bounded(distribution, domain):
        terms = (body - constant,)
    return sp.Add(constant, *(_weighted(term, distribution) for term in terms if term != 0))


def _linear_in_exponentials(body: sp.Expr, domain: Domain) -> tuple[sp.Expr, dict[sp.Expr, sp.Expr]] | None:
    """The constant and the weights of a linear combination of exponentials exp(c z)."""
    table: dict[sp.Expr, sp.Expr] = {}
    names: dict[sp.Expr, sp.Dummy] = {}
    for e in body.atoms(sp.exp):
        if e.has(_VALUE):
            free, bound = expand(e.args[0]).as_independent(_VALUE, as_Add=True)
            table[e] = sp.exp(free) * names.setdefault(sp.exp(bound), sp.Dummy("u"))
    named = substitute(body, table)
    constant = named.xreplace(dict.fromkeys(names.values(), _ZERO))
    weights = {f: sp.diff(named, u) for f, u in names.items()}
    if not names or any(e.has(_VALUE, *names.values()) for e in (constant, *weights.values())):
        return None
    if not vanishes(named - constant - sum(w * names[f] for f, w in weights.items()), domain):
        return None
    return constant, weights


def _weighted(term: sp.Expr, distribution: sp.Basic) -> sp.Expr:
    constants, factors = [], []
    for factor in sp.Mul.make_args(term):
        if isinstance(factor, sp.exp):  # exp(a + b z) = exp(a) exp(b z)
            free, bound = expand(factor.args[0]).as_independent(_VALUE, as_Add=True)
            constants.append(sp.exp(free))
            factors.append(sp.exp(bound))
        else:
            (factors if factor.has(_VALUE) else constants).append(factor)
    weight, body = sp.Mul(*constants), sp.Mul(*factors)
    return weight * (expectation(sp.Lambda(_VALUE, body), distribution) if body.has(_VALUE) else body)


def _bounded(distribution: sp.Basic, domain: Domain) -> bool:
    known = [r for item in domain.assume if isinstance(item, Relation) for r in (item, item.swapped)]
    known = [r for r in known if not r.rhs.has(*_HEADS)]
    above = {r.lhs for r in known if r.op in ("<", "<=", "=")}
    below = {r.lhs for r in known if r.op in (">", ">=", "=")}
    return essential_supremum(distribution) in above and essential_infimum(distribution) in below


def _without_logarithms(exponent: sp.Expr) -> sp.Expr:
    for e in sorted(exponent.atoms(expectation), key=str):
        combination = linear(exponent, (sp.log(e),))
        if combination is None or combination[0][sp.log(e)] == 0:
            continue
        return e ** sp.cancel(combination[0][sp.log(e)]) * sp.exp(sp.cancel(combination[1]))
    return sp.exp(exponent)


def _names(*expressions: sp.Expr) -> dict[sp.Basic, sp.Dummy]:
    """A number for each expectation that changes with no bound variable."""
    found = sorted({h for e in expressions for h in free(Relation(e, "=", _ZERO), expectation)}, key=str)
    return {e: sp.Dummy(f"E{i}") for i, e in enumerate(found)}
