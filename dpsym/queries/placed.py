"""Linear answers whose weights depend on where a record stands: what one record changes is its column of weights."""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import IsInteger, Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.language import ReadingError
from dpsym.queries.answers import Kind, Norm, Sensitivity, unless_zero
from dpsym.queries.candidates import Candidate, best, has_values, holds, plainer
from dpsym.queries.changes import Change
from dpsym.queries.data import FAR, Interval, Records
from dpsym.queries.extents import extent
from dpsym.queries.reading import Placed, Query

_LONGEST = 64  # columns that are looked at one by one
_WHY = "one record changes a linear answer by its column of weights"
_ONE = sp.Integer(1)


def of_placed(query: Query, change: Change, norm: Norm) -> Sensitivity | None:
    """The sensitivity of linear maps of the list; None for anything else.

    Raises:
        ReadingError: where a neighbour has more or fewer places than there are weights.
    """
    record, size = query.data.record, query.data.size
    placed = {s: t for s, t in query.statistics.items() if isinstance(t, Placed)}
    if not placed or len(placed) < len(query.statistics) or not isinstance(record, Interval):
        return None
    if not change.replaces:
        raise ReadingError("a neighbour has more or fewer records than there are weights: let one be replaced")
    if change.own != 1 or (change.within and record.values):
        return None
    i = sp.Symbol("place")
    factors = [[sp.diff(part, s) for s in placed] for part in query.parts]
    rests = [
        p - sp.Add(*(f * s for f, s in zip(fs, placed, strict=True)))
        for p, fs in zip(query.parts, factors, strict=True)
    ]
    if any(e.free_symbols & placed.keys() for e in (*(f for fs in factors for f in fs), *map(sp.expand, rests))):
        return None
    column = tuple(
        sp.Add(*(f * t.weight.subs(t.place, i) for f, t in zip(fs, placed.values(), strict=True))) for fs in factors
    )
    places = (IsInteger(i), Relation(_ONE, "<=", i), Relation(i, "<=", size))
    if not has_values(query.needs, (*query.conditions, *places)):
        return None
    sizes = _columns(column, i, query, norm)
    if sizes is None:
        return None
    low, high, kind = *_ends(record, change), Kind.EXACT
    if low.is_infinite or high.is_infinite:
        kind, low = (
            Kind.INFINITE,
            low if not low.is_infinite else high - FAR if not high.is_infinite else sp.Integer(0),
        )
        high = low + FAR
    found = best([Candidate(_pair(at, low, high, size), worth) for at, worth in sizes], query.conditions)
    if not found:
        return None
    column_size = plainer(sp.Max(*(c.attains for c in found)), query.conditions)
    if not all(
        holds(Relation(worth, "<=", column_size), query.conditions) for _, worth in sizes if worth != column_size
    ):
        return None
    if kind is Kind.INFINITE and not holds(Relation(column_size, ">", sp.Integer(0)), query.conditions):
        return unless_zero(column_size, query.conditions)
    value = sp.oo if kind is Kind.INFINITE else sp.expand_mul(column_size * (high - low))
    decision = Decision(Verdict.PROVED, Method.LEMMA, _WHY)
    return Sensitivity(kind, value, value, tuple(c.pair for c in found), query.conditions, decision)


def _columns(
    column: tuple[sp.Expr, ...], i: sp.Symbol, query: Query, norm: Norm
) -> list[tuple[sp.Expr, sp.Expr]] | None:
    """Places of which one has the largest column, and how large theirs are."""
    size = query.data.size
    if size.is_Integer and size <= _LONGEST:
        places = map(sp.Integer, range(1, int(size) + 1))
        return [(k, plainer(norm.of(tuple(c.subs(i, k) for c in column)), query.conditions)) for k in places]
    if len(column) > 1:
        return None
    found = extent(column[0], (i,), Interval(_ONE, size), query.conditions) if size != 1 else None
    if found is None or not all(at in (_ONE, size) for at in (found.at_least, found.at_greatest)):
        return None
    ends = ((found.at_least, found.least), (found.at_greatest, found.greatest))
    return [(at, plainer(norm.of((worth,)), query.conditions)) for at, worth in ends]


def _ends(record: Interval, change: Change) -> tuple[sp.Expr, sp.Expr]:
    if change.within is None:
        return record.low, record.high
    low = record.low if not record.low.is_infinite else sp.Integer(0)
    return low, low + change.within.radius


def _pair(place: sp.Expr, low: sp.Expr, high: sp.Expr, size: sp.Expr) -> tuple[Records, Records]:
    rest = ((low, place - 1), (low, size - place))
    return Records(((low, place - 1), (low, _ONE), rest[1])), Records((rest[0], (high, _ONE), rest[1]))
