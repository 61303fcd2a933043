"""Whether what may be infinite is finite under laws that are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.deadline import apart, over, remaining
from dpsym.core.distributions import Density, Distribution, Finite, inside
from dpsym.core.notation import essential_infimum, essential_supremum, expectation, renyi
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation, substitute
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.strategies.exact import Sign, sign
from dpsym.deciding.strategies.expectations import where_finite
from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.renyi import renyi as closed_renyi

_SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)
_EACH = Work(2)  # seconds for one head, at most
Laws = Mapping[str, Distribution | None]


def granted(
    decision: Decision, relations: Iterable[Relation], laws: Laws, conditions: tuple[Proposition, ...]
) -> Decision:
    """The decision; open where it takes for finite what has a known law, and is not shown to be finite.

    What is taken for granted is said in the answer, but of a known law it is a question, and no assumption.
    """
    if decision.verdict not in (*_SHOWN, Verdict.SUPPORTED) or not any(law is not None for law in laws.values()):
        return decision
    try:
        domain = Domain(conditions)
    except EmptyDomain:
        return decision
    asked = list(relations)
    means = (e for r in asked for side in (r.lhs, r.rhs) for e in side.atoms(expectation))  # finite, or without a value
    for head in dict.fromkeys((*(e for r in asked for e in where_finite(r, domain)), *means)):
        if _has_law(head, laws) and not apart(_EACH, partial(_is_finite, head, laws, domain)):
            said = f"it holds where {plain(head)} is finite, which was not shown"
            return replace(decision, verdict=Verdict.OPEN, method=Method.NONE, why=said, certificate=None, given=())
    return decision


def _has_law(head: sp.Expr, laws: Laws) -> bool:
    """Whether everything that it is a divergence or an expectation of is known."""
    outputs = [s for s in head.free_symbols if s.name in laws]
    return bool(outputs) and all(laws[s.name] is not None for s in outputs)


def _is_finite(head: sp.Expr, laws: Laws, domain: Domain) -> bool:
    def law(name: sp.Basic) -> Distribution | None:
        return laws.get(name.name) if isinstance(name, sp.Symbol) else None

    def shown(relation: Proposition) -> bool:
        if relation in domain.assume or not isinstance(relation, Relation) or over():
            return relation in domain.assume
        return decide(relation, domain.assume, time_limit=remaining()).verdict in _SHOWN

    if isinstance(head, renyi):
        first, second = map(law, head.args[1:])
        if first is None or second is None:
            return False
        order, known = head.args[0], domain.assume
        if not order.is_number:
            if not shown(beyond := Relation(order, ">", sp.S.One)):
                return False
            known = (*known, beyond)
        try:
            form = closed_renyi(order, first, second, known)
        except (NoClosedForm, ValueError, TypeError):
            return False
        value = form.expression
        return not value.has(sp.oo, sp.nan, sp.zoo) and all(map(shown, form.conditions)) and shown(_itself(value))
    if isinstance(head, essential_supremum | essential_infimum):
        source = law(head.args[0])
        support = source.support if isinstance(source, Density) else None
        end = support and (support.end if isinstance(head, essential_supremum) else support.start)
        return end not in (None, sp.oo, -sp.oo)
    source = law(head.args[1]) if isinstance(head, expectation) else None
    if not isinstance(source, Density):
        return isinstance(source, Finite)
    (x,), body = head.args[0].variables, head.args[0].expr
    if x in source.free_symbols:
        return False
    source = replace(source, variable=x, expression=substitute(source.expression, {source.variable: x}))
    try:
        positive = sign(body, Domain((*domain.assume, *inside(source)))) in (Sign.POSITIVE, Sign.NONNEGATIVE)
    except EmptyDomain:
        return False
    size = (body if positive else body**2) * source.expression  # what has a second moment has a first one
    return shown(_itself(sp.Integral(size, (x, source.support.start, source.support.end))))


def _itself(value: sp.Expr) -> Relation:
    return Relation(value, "=", value)
