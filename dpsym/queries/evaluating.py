"""Answers on a list of records, from the definition of each statistic, in exact arithmetic.

Nothing here knows how a sensitivity was found: a pair of data sets is written out at parameters, record by record, and
the query is evaluated on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.deciding import Domain
from dpsym.numbers import compare
from dpsym.queries.answers import Kind, Norm, Sensitivity, undecided
from dpsym.queries.candidates import answered, number
from dpsym.queries.changes import Change
from dpsym.queries.data import E_1, E_2, FAR, ONES, Box, Categories, Interval, Record, Records, Vectors
from dpsym.queries.extents import at
from dpsym.queries.reading import SIZE, Chained, Ordered, Placed, Query, Statistic, Total, Weighted, put

_LONGEST = 400  # records that are written out
_POINTS = 3  # at which a pair is put in before it is printed
_MOST_SHARED = 12  # records that are put at the ends in all ways


def value_on(query: Query, records: Sequence[sp.Basic]) -> tuple[sp.Expr, ...]:
    """The answer on a list of records whose parameters are numbers; undefined where a part of it is."""
    size = sp.Integer(len(records))
    table: dict[sp.Basic, sp.Expr] = {SIZE: size}
    for symbol, statistic in query.statistics.items():
        table[symbol] = _statistic(query, put(statistic, {SIZE: size}), records)
    return tuple(answered(part, table) for part in query.parts)


def _statistic(query: Query, statistic: Statistic, records: Sequence[sp.Basic]) -> sp.Expr:
    ordered = sorted(records) if isinstance(statistic, Ordered | Weighted) else []
    match statistic:
        case Total():
            assert statistic.body is not None  # noqa: S101 - as `attained_at` has seen
            return sp.Add(*(at(statistic.body, query.data.coordinates, record) for record in records))
        case Ordered():
            return ordered[int(statistic.place) - 1] if 1 <= statistic.place <= len(records) else sp.nan
        case Weighted():
            low, high = int(statistic.low), int(statistic.high)
            if not (low >= 1 and high <= len(records)):
                return sp.nan
            weights = (statistic.weight.subs({statistic.place: j}) for j in range(low, high + 1))
            return sp.Add(*(w * v for w, v in zip(weights, ordered[low - 1 : high], strict=True)))
        case Placed():
            weights = (statistic.weight.subs(statistic.place, j) for j in range(1, len(records) + 1))
            return sp.Add(*(w * v for w, v in zip(weights, records, strict=True)))
        case Chained():
            first, second = statistic.first, statistic.second
            return sp.Add(
                *(statistic.body.subs({first: a, second: b}, simultaneous=True) for a, b in pairwise(records))
            )


def written_out(records: Records) -> list[sp.Basic] | None:
    """One by one; None where there are too many, or a number of them is none."""
    found: list[sp.Basic] = []
    for value, count in records.blocks:
        if not (count.is_Integer and 0 <= count <= _LONGEST):
            return None
        found += [value] * int(count)
    return found


def attained_at(query: Query, found: Sensitivity, norm: Norm) -> bool | None:
    """Whether, at some points of the conditions, the best pair attains what is said; None where none was tried."""
    if found.lower is None:
        return None
    symbols = set().union(*(c.free_symbols for c in found.conditions), found.lower.free_symbols) - {FAR}
    evaluated = None
    for point in Domain(found.conditions).points(symbols, most=_POINTS):
        here = attained_there(query, found, norm, point)
        if here is False:
            return False
        evaluated = here or evaluated
    return evaluated


def attained_there(query: Query, found: Sensitivity, norm: Norm, point: dict[sp.Symbol, sp.Rational]) -> bool | None:
    """Whether the best pair attains what is said where the parameters are these; None where it is not evaluated."""
    record = query.data.record
    if not isinstance(record, Interval | Box) or found.lower is None:
        return None
    if any(isinstance(s, Total) and s.body is None for s in query.statistics.values()):
        return None
    sizes = [attained_by(query, pair, norm, point) for pair in found.pairs]
    known = [size for size in sizes if size is not None]
    if not known or len(known) < len(sizes):
        return None
    return _same(sp.Max(*known), found.lower.subs(point))


def differing(query: Query, pair: tuple[Records, Records], point: dict[sp.Symbol, sp.Rational]) -> int | None:
    """In how many coordinates the answers on two data sets without parameters differ; None where that is not seen."""
    totals = [isinstance(s, Total) and s.body is None for s in query.statistics.values()]
    if any(totals):
        return _differing_totals(query.data.record, pair, point) if len(totals) == len(query.parts) == 1 else None
    both = answers(query, pair, point)
    return None if both is None else sum(not _same(a, b) for a, b in zip(*both, strict=True))


def _differing_totals(record: Record, pair: tuple[Records, Records], point: dict[sp.Symbol, sp.Rational]) -> int | None:
    """Of a histogram by its counts; of vectors that all lie on one line, by that."""
    blocks = [block for records in pair for block in records.blocks]
    if isinstance(record, Categories):
        before, after = ({v: sum(n for w, n in r.blocks if w == v) for v, _ in blocks} for r in pair)
        return sum(before[v] != after[v] for v in before)
    along = {s for value, _ in blocks for s in value.free_symbols}
    if along and along <= {E_1, E_2}:
        return len(along)
    d = record.dimension.subs(point) if isinstance(record, Vectors) and along == {ONES} else None
    return int(d) if d is not None and d.is_Integer else None


def attained_at_ends(query: Query, change: Change, norm: Norm) -> Sensitivity | None:
    """What is attained where every record is at an end of its interval; None unless all is given in numbers."""
    record, shared = query.data.record, change.shared
    if not isinstance(record, Interval) or not record.bounded or change.within or not change.own.is_Integer:
        return None
    symbols = set().union(*(part.free_symbols for part in query.parts)) - {SIZE, *query.statistics}
    if symbols or record.free_symbols or not (shared.is_Integer and shared <= _MOST_SHARED):
        return None
    worth: dict[tuple[Records, Records], sp.Expr] = {}
    ends = record.corners
    for high in range(int(shared) + 1):
        rest = ((record.low, shared - high), (record.high, sp.Integer(high)))
        for old, new in product(*(ends if own else (None,) for own in (change.before, change.after))):
            pair = change.pair(old, new, *rest)
            size = attained_by(query, pair, norm)
            if size is not None:
                worth[pair] = size
    known = {pair: at for pair, size in worth.items() if (at := number(size, {})) is not None}
    if not known:
        return None
    largest = max(known, key=lambda pair: known[pair])
    why = undecided("it is attained there")
    return Sensitivity(Kind.ENCLOSED, worth[largest], None, (largest,), query.conditions, why)


def attained_by(
    query: Query, pair: tuple[Records, Records], norm: Norm, point: dict[sp.Symbol, sp.Rational] | None = None
) -> sp.Expr | None:
    """By how much the answers on two data sets differ; None where one of them has no value."""
    point = point or {}
    both = answers(query, pair, point)
    return None if both is None else norm.of(tuple((b - a).subs(point) for a, b in zip(*both, strict=True)))


def answers(
    query: Query, pair: tuple[Records, Records], point: dict[sp.Symbol, sp.Rational]
) -> tuple[tuple[sp.Expr, ...], tuple[sp.Expr, ...]] | None:
    """Both answers at a point; None where a list is not written out, or an answer has no value."""
    lists = [written_out(records.subs(point)) for records in pair]
    if any(one is None for one in lists):
        return None
    before, after = (value_on(query.put(point), one) for one in lists if one is not None)
    if any((b - a).subs(point).has(sp.nan, sp.zoo, sp.oo) for a, b in zip(before, after, strict=True)):
        return None
    return before, after


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    """Of numbers: exactly where they are rational; otherwise where 128 bits do not tell them apart."""
    difference = sp.nsimplify(a - b) if (a - b).is_rational else sp.simplify(a - b)
    if difference == 0 or difference.is_rational:
        return bool(difference == 0)
    return compare(Relation(difference, "=", sp.S.Zero), most_bits=128).holds is not False
