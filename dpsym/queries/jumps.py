"""Functions of one ordered record that can be any two records of the interval, before and after.

Where all records are at two values, so that the ordered record jumps from the one to the other, these may be any two:
the function changes by as much as it varies, and never by more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.queries.answers import Kind, Norm, Sensitivity
from dpsym.queries.candidates import has_values, holds, plainer
from dpsym.queries.changes import Change
from dpsym.queries.data import Interval, Records
from dpsym.queries.extents import extent
from dpsym.queries.reading import SIZE, Ordered, Query

_WHY = "the ordered record may be any two values of the interval, before and after"


def of_jumps(query: Query, change: Change, rule: Callable[[Query, Norm], Sensitivity]) -> Sensitivity | None:
    """The sensitivity of such a function; None for anything else.

    Args:
        query: what is asked.
        change: the step to a neighbour.
        rule: the sensitivity of the ordered record itself.
    """
    record = query.data.record
    if len(query.parts) != 1 or len(query.statistics) != 1 or not isinstance(record, Interval) or not record.bounded:
        return None
    ((symbol, statistic),) = query.statistics.items()
    (part,) = query.parts
    if not isinstance(statistic, Ordered) or part.has(SIZE) or change.within or record.values:
        return None
    inside = record.holds(symbol)
    if not has_values(query.needs, (*query.conditions, *inside)):
        return None
    itself = rule(replace(query, parts=(symbol,), needs=()), Norm.L1)
    found = extent(part, (symbol,), record, query.conditions)
    width = record.high - record.low
    if found is None or itself.kind is not Kind.EXACT or expand(itself.upper - width) != 0:
        return None
    least, greatest = found.at_least, found.at_greatest
    if holds(Relation(greatest, "<", least), query.conditions):
        least, greatest = greatest, least
    elif not holds(Relation(least, "<=", greatest), query.conditions):
        return None
    ends = {record.low: least, record.high: greatest}
    pairs = tuple((_moved(before, ends), _moved(after, ends)) for before, after in itself.pairs)
    value = plainer(found.greatest - found.least, query.conditions)
    decision = Decision(Verdict.PROVED, Method.LEMMA, _WHY)
    return Sensitivity(Kind.EXACT, value, value, pairs, itself.conditions, decision)


def _moved(records: Records, ends: dict[sp.Expr, sp.Basic]) -> Records:
    return Records(tuple((ends[value], count) for value, count in records.blocks))
