"""Answers that are sums over neighbouring places, such as the total variation: one record touches two terms at most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sympy as sp

from dpsym.core.deadline import now
from dpsym.core.expanding import expand
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.deciding import decide
from dpsym.queries.answers import Kind, Sensitivity, Unclear
from dpsym.queries.candidates import Candidate, best, has_values, holds, linear, plainer
from dpsym.queries.changes import Change
from dpsym.queries.data import Interval, Records
from dpsym.queries.reading import SIZE, Chained, Query

_left, _right, _old, _new = sp.symbols("left right old new")


def of_chained(query: Query, change: Change, time_limit: float) -> Sensitivity | None:
    """The sensitivity of a multiple of such a sum; None for anything else.

    Raises:
        Unclear: where it is not known whether a record can have two neighbours.
    """
    record = query.data.record
    if len(query.parts) != 1 or len(query.statistics) != 1 or not isinstance(record, Interval) or not record.bounded:
        return None
    ((symbol, statistic),) = query.statistics.items()
    sides = linear(query.parts[0], (symbol, SIZE))
    if not isinstance(statistic, Chained) or sides is None or sides[0][SIZE] != 0:
        return None
    factor = sides[0][symbol]
    inside = (*record.holds(statistic.first), *record.holds(statistic.second))
    if change.own != 1 or change.within or not has_values(query.needs, (*query.conditions, *inside)):
        return None
    deadline = now() + time_limit
    changes = list(_changes(statistic, change, query))
    low, high = record.low, record.high
    candidates = []
    for formula, spare in changes:
        names = sorted(formula.free_symbols & {_left, _right, _old, _new}, key=str)
        for ends in product((low, high), repeat=len(names)):
            at = dict(zip(names, ends, strict=True))
            candidates.append(Candidate(_pair(at, change, spare, low), sp.Abs(factor * formula.subs(at))))
    found = best(candidates, query.conditions)
    if not found:
        return None
    attained = plainer(sp.Max(*(c.attains for c in found)), query.conditions)
    if _linear_in_order(statistic):
        why = "it is linear wherever the order of the records stays, so it differs most where all are at the two ends"
        proved = Decision(Verdict.PROVED, Method.LEMMA, why)
        return Sensitivity(Kind.EXACT, attained, attained, tuple(c.pair for c in found), query.conditions, proved)
    region = [r for s in (_left, _right, _old, _new) for r in record.holds(s)]
    claims = [Relation(sign * factor * formula, "<=", attained) for formula, _ in changes for sign in (1, -1)]
    decisions = [
        decide(claim, (*query.conditions, *(r for r in region if r.free_symbols & claim.free_symbols)),
               time_limit=max((deadline - now()) / (len(claims) - number), 0.05))
        for number, claim in enumerate(claims)
    ]  # fmt: skip
    decision = weakest(decisions)
    kind = Kind.EXACT if decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED) else Kind.OPEN
    upper = attained if kind is Kind.EXACT else None
    return Sensitivity(kind, attained, upper, tuple(c.pair for c in found), query.conditions, decision)


def _linear_in_order(statistic: Chained) -> bool:
    """Whether a term is linear in its two records where the first is larger, and where the second is."""
    first, second = statistic.first, statistic.second
    step = sp.Symbol("step", nonnegative=True)
    for larger, smaller in ((first, second), (second, first)):
        ordered = expand(sp.simplify(statistic.body.subs(larger, smaller + step)))
        if ordered.has(sp.Abs, sp.Max, sp.Min) or not ordered.is_polynomial(step, smaller):
            return False
        if sp.Poly(ordered, step, smaller).total_degree() > 1:
            return False
    return True


def _changes(statistic: Chained, change: Change, query: Query) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """What the sum changes by where the record stands between two, and at an end, with how many others there are."""

    def h(first: sp.Expr, second: sp.Expr) -> sp.Expr:
        return statistic.body.subs({statistic.first: first, statistic.second: second}, simultaneous=True)

    def around(own: int, who: sp.Symbol) -> sp.Expr:
        return h(_left, who) + h(who, _right) if own else h(_left, _right)

    zero, shared = sp.Integer(0), change.shared
    if _has(shared, 2, query):
        yield around(change.after, _new) - around(change.before, _old), shared - 2
    if _has(shared, 1, query):
        yield (h(_left, _new) if change.after else zero) - (h(_left, _old) if change.before else zero), shared - 1
        yield (h(_new, _right) if change.after else zero) - (h(_old, _right) if change.before else zero), shared - 1
    else:
        yield zero, zero


def _has(shared: sp.Expr, number: int, query: Query) -> bool:
    if shared.is_Integer:
        return bool(shared >= number)
    if holds(Relation(shared, ">=", sp.Integer(number)), query.conditions):
        return True
    raise Unclear(f"it depends on whether there are {number} other records")


def _pair(at: dict[sp.Symbol, sp.Expr], change: Change, spare: sp.Expr, low: sp.Expr) -> tuple[Records, Records]:
    one = sp.Integer(1)
    far = at.get(_left, at.get(_right, low))

    def made(own: int, who: sp.Symbol) -> Records:
        before = [(far, spare), (at[_left], one)] if _left in at else []
        mine = [(at[who], one)] if own and who in at else [(low, one)] if own else []
        after = [(at[_right], one)] + ([] if _left in at else [(far, spare)]) if _right in at else []
        return Records((*before, *mine, *after))

    return made(change.before, _old), made(change.after, _new)
