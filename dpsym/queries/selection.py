"""Selections on scores: how far two scores drift apart, and what is chosen on data sets that are written out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import TypeAlias

import sympy as sp

from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.deciding import Domain
from dpsym.queries.answers import Kind, Neighbours, Sensitivity
from dpsym.queries.candidates import plainer
from dpsym.queries.data import Box, Categories, Interval, Records
from dpsym.queries.extents import at
from dpsym.queries.reading import SIZE, Query, Total
from dpsym.queries.sensitivity import sensitivity

_Scores: TypeAlias = tuple[sp.Expr, ...]
_MOST_SCORES = 6  # every two of them are compared
_SIZES = (1, 2, 12, 60, 300, 20_000)  # of data sets that are written out
_NEAR = sp.Rational(1, 100)  # of a place where a score jumps
_FEWEST = 2  # categories
_A_RECORD = Decision(Verdict.PROVED, Method.LEMMA, "a record is counted in one cell")


def drift(query: Query, neighbours: Neighbours, time_limit: float) -> Sensitivity | None:
    """Half of the most by which two scores move apart, which stands for the sensitivity in a selection.

    What is chosen depends on the differences of scores alone.  Between neighbours all scores may therefore be shifted
    by the same number, so that none of them moves by more than that half.  Where all scores move the same way it is
    half of what each alone tells.  None where it is not known exactly.
    """
    if _is_histogram(query):
        half = sp.Integer(1) if neighbours == "replace" else sp.Rational(1, 2)
        return Sensitivity(Kind.EXACT, half, half, (), query.conditions, _A_RECORD)
    if not 2 <= len(query.parts) <= _MOST_SCORES:
        return None
    most = []
    for one, other in combinations(query.parts, 2):
        apart = replace(query, parts=(one - other,))
        found = sensitivity(apart, neighbours, time_limit=time_limit)
        if len(found) != 1 or found[0].kind is not Kind.EXACT or found[0].case:
            return None
        most.append(found[0])
    conditions = tuple(dict.fromkeys(c for f in most for c in f.conditions))
    half = plainer(sp.Max(*(f.upper for f in most)), conditions) / 2
    if half.has(sp.Max):
        return None
    return Sensitivity(Kind.EXACT, half, half, (), conditions, weakest(f.decision for f in most))


def _is_histogram(query: Query) -> bool:
    part = query.parts[0]
    total = query.statistics.get(part) if len(query.parts) == 1 and part.is_Symbol else None
    return isinstance(total, Total) and total.body is None and isinstance(query.data.record, Categories)


Written: TypeAlias = tuple[Records, Records, _Scores, _Scores]


def pairs(query: Query, neighbours: Neighbours) -> Iterator[Written]:
    """Neighbouring data sets with their scores: all records alike, or half of them, and one that differs.

    Of pairs with the same differences of scores one.
    """
    places = list(_places(query))
    seen = set()
    added = {place: _added(query, place) for place in places}
    size = query.data.size
    for declared in _SIZES if size.is_Symbol else (int(size),):
        n = declared + 1 if neighbours == "add" else declared  # of the larger of the two
        for one, other in product(places, repeat=2):
            rests = {((one, sp.Integer(n - 1)),)} | {((one, sp.Integer((n - 1) // 2)), (other, sp.Integer(n // 2)))}
            for rest, before, after in product(rests, [None, *places], [None, *places]):
                if not _neighbouring(before, after, neighbours):
                    continue
                first, second = _with(rest, before, after)
                scores = _scores(query, first, added), _scores(query, second, added)
                apart = tuple(tuple(score - own[0] for score in own) for own in scores)
                if apart not in seen:
                    seen.add(apart)
                    yield first, second, *scores


def _neighbouring(before: sp.Expr | None, after: sp.Expr | None, neighbours: Neighbours) -> bool:
    """A record replaced, or removed: added, the same pair the other way round."""
    if neighbours == "replace":
        return before is not None and after is not None and before != after
    return before is not None and after is None


def _with(
    rest: tuple[tuple[sp.Expr, sp.Expr], ...], before: sp.Expr | None, after: sp.Expr | None
) -> tuple[Records, Records]:
    shared = tuple((value, count) for value, count in rest if count != 0)
    own = ((() if value is None else ((value, sp.Integer(1)),)) for value in (before, after))
    first, second = (Records((*block, *shared)) for block in own)
    return first, second


def _places(query: Query) -> Iterable[sp.Expr]:
    """Records at which scores may differ."""
    record = query.data.record
    if isinstance(record, Categories):
        return [sp.Integer(i) for i in range(1, _kinds(query) + 1)]
    if isinstance(record, Box):
        return record.corners
    assert isinstance(record, Interval)  # noqa: S101 - as `can_be_written_out` has seen
    if record.values:
        return record.values[:4]
    edges = {
        a
        for s in query.statistics.values()
        if isinstance(s, Total) and s.body is not None
        for r in s.body.atoms(sp.core.relational.Relational)
        for a in r.args
        if a.is_Rational
    }
    near = [e + d for e in sorted(edges) for d in (-_NEAR, _NEAR)]
    ends = [end for end in (record.low, record.high) if end.is_Rational]
    return [p for p in dict.fromkeys([*ends, *near]) if record.low <= p <= record.high][:6]


def _kinds(query: Query) -> int:
    """How many categories there are; where their number is a name, as few as are declared."""
    record = query.data.record
    assert isinstance(record, Categories)  # noqa: S101 - as its callers have seen
    if record.number.is_Integer:
        return int(record.number)
    least = Domain(query.conditions).bounds[record.number].lower if record.number.is_Symbol else None
    return int(sp.ceiling(least)) if least is not None and least.is_Rational else _FEWEST


def names(query: Query, size: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    """The values of the names in the declaration, on data sets of this size."""
    record = query.data.record
    kinds = {record.number: sp.Integer(_kinds(query))} if isinstance(record, Categories) else {}
    return {s: v for s, v in {query.data.size: size, **kinds}.items() if s.is_Symbol}


def can_be_written_out(query: Query) -> bool:
    """Whether scores are known on lists of records: totals of numbers, or a histogram."""
    if _is_histogram(query):
        return isinstance(query.data.record, Categories) and 2 <= _kinds(query) <= _MOST_SCORES
    known = all(isinstance(s, Total) and s.body is not None for s in query.statistics.values())
    spoken = {SIZE, *query.statistics}
    own = set(query.data.coordinates)
    bodies = [s.body.free_symbols - own for s in query.statistics.values() if isinstance(s, Total) and s.body]
    record = query.data.record
    numbers = isinstance(record, Interval | Box) and not record.free_symbols
    return bool(
        known and numbers and 2 <= len(query.parts) <= _MOST_SCORES
        and not any(bodies) and all(p.free_symbols <= spoken for p in query.parts)
    )  # fmt: skip


_Added: TypeAlias = dict[sp.Basic, sp.Expr]


def _added(query: Query, place: sp.Basic) -> _Added:
    """What a record adds to each statistic, from its definition."""
    return {
        symbol: at(statistic.body, query.data.coordinates, place)
        for symbol, statistic in query.statistics.items()
        if isinstance(statistic, Total) and statistic.body is not None
    }


def _scores(query: Query, records: Records, added: dict[sp.Basic, _Added]) -> _Scores:
    if _is_histogram(query):
        return tuple(sp.Add(*(count for value, count in records.blocks if value == place)) for place in added)
    table: _Added = {SIZE: records.size}
    for symbol in query.statistics:
        table[symbol] = sp.Add(*(count * added[value][symbol] for value, count in records.blocks))
    return tuple(part.xreplace(table) for part in query.parts)


def telling(scores: tuple[_Scores, _Scores]) -> tuple[float, float]:
    """By how much two scores move apart, and how far apart the best and the worst are then."""
    first, second = ([float(score) for score in own] for own in scores)
    moves = [b - a for a, b in zip(first, second, strict=True)]
    return max(moves) - min(moves), max(second) - min(second)
