"""Proofs about families: in normal form, term by term, and by induction on the number of members."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from dpsym.core.deadline import portion, timed
from dpsym.core.expanding import expand
from dpsym.core.families import members, members_in
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation, substitute
from dpsym.deciding.calculus.heads import linear
from dpsym.deciding.domain import Domain, EmptyDomain, possible
from dpsym.deciding.families.combining import by_bounds
from dpsym.deciding.families.normal_form import NoForm, NormalForm, Range, replace_question
from dpsym.deciding.finite import in_few_terms
from dpsym.deciding.prover import SIMPLE
from dpsym.deciding.strategies.strategy import Question, Yes, by_lemma
from dpsym.deciding.strategies.strategy import prove as prove_by
from dpsym.numbers import NotNumeric, compare

_ZERO = sp.Integer(0)
_QUICK, _WHOLE = 0.2, 0.5  # of the time left
_POINTS = 24  # at which something simple is looked at before a proof is looked for


def prove(question: Question) -> Yes | None:
    """A relation about families."""
    if not _about_families(question.relation):
        return None
    found = _as_numbers(question, more=False, quick=True) or _termwise(question)
    if found is None and question.depth == 0:
        found = _as_numbers(question, more=True, quick=True, combining=True)
        if found is None:
            with timed(portion(_WHOLE)):
                found = _by_induction(question)
    return found or _as_numbers(question, more=True, quick=False)


def _about_families(relation: Relation) -> bool:
    return bool(members(relation.lhs, relation.rhs))


def known(question: Question, relation: Relation, assume: tuple[Proposition, ...]) -> Yes | None:
    """A proof of something simple, on which a larger one rests; None also where nothing satisfies the assumptions."""
    if question.depth >= question.limits.deepest - 1:
        return None
    try:
        with timed(portion(_QUICK)):
            asked = replace(replace_question(question, assume), relation=relation, depth=question.depth + 1)
            return _as_numbers(asked, more=False, quick=True) if _about_families(relation) else _simply(asked)
    except NoForm:
        return None


def _simply(question: Question) -> Yes | None:
    """A proof of a relation without families that the simpler strategies find; none is looked for where it fails."""
    assume = question.domain.assume
    plain = tuple(c for c in assume if not isinstance(c, ForAll) and not members_in(c))
    domain = possible(plain)
    try:
        points = () if domain is None else domain.points(question.relation.free_symbols, most=_POINTS)
        if domain is None or any(compare(question.relation, p).holds is False for p in points):
            return None
    except NotNumeric:
        return None
    return prove_by(replace(question, domain=domain), SIMPLE)


def _as_numbers(question: Question, *, more: bool, quick: bool, combining: bool = False) -> Yes | None:
    """The relation between the numbers that members, sums and extremes are."""
    form = NormalForm(question)
    try:
        relation, conditions = form.learn(question.relation, more=more)
        domain = Domain(conditions)
    except (NoForm, EmptyDomain):
        return None
    if quick:
        asked = replace(question, relation=relation, domain=domain, depth=question.depth + 1)
        with timed(portion(_WHOLE if combining else _QUICK)):
            found = by_bounds(asked, conditions, set(form.originals), _simply) if combining else None
            found = found or _simply(asked)
    else:
        found = question.ask(relation, conditions, _WHOLE)
    if found is None:
        return None
    return by_lemma(f"for any such numbers: {found.why}", found, *form.proofs)


def _termwise(question: Question) -> Yes | None:
    """A relation that is linear in sums over one range: between the terms, each with its share of the rest.

    Of two exponentials it is one between the exponents.
    """
    relation = question.relation
    if relation.op == "!=":
        return None
    form = NormalForm(question)
    try:
        sides = form.number(relation.lhs), form.number(relation.rhs)
        left, right = (s.exp for s in sides) if all(isinstance(s, sp.exp) for s in sides) else sides
        difference = expand(left - right, power_base=False, power_exp=False)
        totals = {s: e for s, e in form.originals.items() if isinstance(e, sp.Sum) and difference.has(s)}
        if not totals or len({e.limits for e in totals.values()}) != 1:
            return None
        _, first, last = next(iter(totals.values())).limits[0]
        over = Range(expand(first), expand(last))
        form.needed(Relation(last, ">=", first))
        combination = linear(difference, totals)
        if combination is None:
            return None
        weights, rest = combination
        terms = {t: substitute(e.function, {e.limits[0][0]: form.index}) for t, e in totals.items()}
        body = sp.Add(*(weight * terms[t] for t, weight in weights.items()))
        heads = {value: e for e, (_, _, value) in form.extremes.items() if isinstance(value, sp.Symbol)}
        term = (body + rest / over.length).xreplace({**form.originals, **heads})
        among = form.among(over)
        inner = replace_question(question, among)
        asked = replace(inner, relation=Relation(term, relation.op, _ZERO), depth=question.depth + 1)
        found = _as_numbers(asked, more=False, quick=False) if members(term) else asked.ask(
            asked.relation, tuple(c for c in among if not isinstance(c, ForAll) and not members_in(c)))  # fmt: skip
    except NoForm:
        return None
    if found is None:
        return None
    return by_lemma(f"term by term: {found.why}", found, *form.proofs)


def _by_induction(question: Question) -> Yes | None:
    """From the least number of members on: what holds for k holds for k + 1."""
    relation, domain = question.relation, question.domain
    if relation.op == "!=":
        return None
    for k in sorted(relation.free_symbols & domain.integers, key=lambda s: s.name):
        start = domain.sharpened(k).lower
        if start is None or domain.of(k).upper is not None or not _shrinks(domain, k):
            continue
        others = [c for c in domain.assume if k not in c.free_symbols]
        ranged = [c for c in domain.assume if isinstance(c, ForAll) and k in c.free_symbols]
        first = (*others, *(c.subs({k: start}) for c in ranged))
        base = _at_first(question, k, start, first)
        if base is None:
            continue
        grown = {k: k + 1}
        later = (*others, IsInteger(k), Relation(k, ">=", start), *(c.subs(grown) for c in ranged), relation)
        try:
            inner = replace(replace_question(question, later), relation=relation.subs(grown))
        except NoForm:
            continue
        step = _as_numbers(replace(inner, depth=1), more=False, quick=True, combining=True)
        if step is None:
            continue
        why = f"by induction on {k} from {start}: at {start}, {base.why}; from {k} to {k} + 1, {step.why}"
        return by_lemma(why, step, base)
    return None


def _shrinks(domain: Domain, k: sp.Symbol) -> bool:
    """Whether what is assumed for k + 1 has what is assumed for k: besides bounds, k is only the last of ranges."""
    for c in domain.coupled:
        if k not in c.free_symbols:
            continue
        if not isinstance(c, ForAll) or k in c.relation.free_symbols:
            return False
        ends = [g for g in c.conditions if k in g.free_symbols]
        for end in ends:
            grows = isinstance(end, Relation) and end.op == "<=" and end.lhs in c.variables
            if not grows or not expand(end.rhs - k).is_Integer:  # type: ignore[union-attr]
                return False
    return True


def _at_first(question: Question, k: sp.Symbol, start: sp.Integer, assume: tuple[Proposition, ...]) -> Yes | None:
    try:
        inner = replace_question(question, assume)
    except NoForm:
        return None
    there = question.relation.subs({k: start})
    relation = Relation(in_few_terms(there.lhs), there.op, in_few_terms(there.rhs))
    asked = replace(inner, relation=relation, depth=1)
    if members(relation.lhs, relation.rhs):
        return _as_numbers(asked, more=False, quick=False)
    plain = tuple(c for c in assume if not isinstance(c, ForAll) and not members_in(c))
    return asked.ask(relation, plain, _WHOLE)
