"""Selections on scores: how far two scores drift apart, whether all move the same way, and data sets written out.

A selection with a score for each candidate is bounded by the largest change of a score; bounded range asks for the
largest difference between the changes of two, and half of the noise is enough where all scores move the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import TypeAlias

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.expanding import expand
from dpsym.core.relations import Relation
from dpsym.deciding import Domain
from dpsym.language import ReadingError
from dpsym.queries.answers import Kind, Neighbours, Norm, Sensitivity
from dpsym.queries.candidates import holds, plainer
from dpsym.queries.changes import Change
from dpsym.queries.data import Box, Categories, Interval, Records
from dpsym.queries.extents import at, representatives
from dpsym.queries.reading import SIZE, Query, Total
from dpsym.queries.sensitivity import sensitivity
from dpsym.queries.separable import added
from dpsym.queries.sums import evaluated

_MOST_SCORES = 6  # every two of them are compared
_SIZES = (1, 2, 12, 60, 300, 20_000)  # of data sets that are written out
_MOST_PLACES = 6  # of a record, that are tried
_FEWEST = 2  # categories
_Scores: TypeAlias = tuple[sp.Expr, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """What a selection needs to know of its scores.

    Attributes:
        spread: by how much more one score may rise than another, at most.
        same_way: whether between neighbours no score rises where another falls; None where that is not seen.
    """

    spread: tuple[Sensitivity, ...]
    same_way: bool | None


@keeping_time
def scores(query: Query, adjacent: str | None = None, *, time_limit: float = Work(10)) -> Scores:
    """The spread of several scores, and whether all move the same way.

    Args:
        query: a score for each candidate: `vector(count(x < 1/2), count(x >= 1/2))`, `histogram(x)`.
        adjacent: `replace`, `add`, `remove` or `add-remove`, where the query does not say it.
        time_limit: in seconds.

    Raises:
        ReadingError: for one number: there is nothing to select; for neighbours that there are not.
    """
    neighbours = query.neighbours(adjacent)
    spread = _spread(query, neighbours, time_limit)
    return Scores(spread, neighbours != "replace" if _is_histogram(query) else _same_way(query, neighbours))


def _spread(query: Query, neighbours: Neighbours, time_limit: float) -> tuple[Sensitivity, ...]:
    """By how much more one score may rise than another."""
    if _is_histogram(query):  # of which a record moves from one cell to another: one count rises and one falls
        (found,) = sensitivity(query, neighbours, Norm.LINF, time_limit=time_limit)
        if neighbours != "replace" or found.upper is None:
            return (found,)
        return (replace(found, lower=2 * found.upper, upper=2 * found.upper),)
    if len(query.parts) < 2:
        raise ReadingError("scores are several: vector(count(x < 1/2), count(x >= 1/2)), or histogram(x)")
    differences = replace(query, parts=tuple(a - b for a, b in combinations(query.parts, 2)))
    return sensitivity(differences, neighbours, Norm.LINF, time_limit=time_limit)


def drift(query: Query, neighbours: Neighbours, time_limit: float) -> Sensitivity | None:
    """Half of the most by which two scores move apart, which stands for the sensitivity in a selection.

    What is chosen depends on the differences of scores alone.  Between neighbours all scores may therefore be shifted
    by the same number, so that none of them moves by more than that half.  Where all scores move the same way it is
    half of what each alone tells.  None where it is not known exactly.
    """
    if not (_is_histogram(query) or 2 <= len(query.parts) <= _MOST_SCORES):
        return None
    found, *others = _spread(query, neighbours, time_limit)
    if others or found.kind is not Kind.EXACT or found.case or found.upper is None:
        return None
    half = plainer(found.upper, found.conditions) / 2
    return None if half.has(sp.Max) else replace(found, lower=half, upper=half, pairs=())


def _same_way(query: Query, adjacent: Neighbours) -> bool | None:
    """By the products of what a step changes two scores by."""
    record, replaces = query.data.record, adjacent == "replace"
    if replaces:
        query = query.of_size(query.data.size)
    terms = added(query)
    if terms is None or not isinstance(record, Interval | Box):
        return None
    coordinates, known = query.data.coordinates, query.conditions

    def products(steps: Iterable[tuple[sp.Basic, sp.Basic]]) -> Iterator[sp.Expr]:
        for old, new in steps:
            change = [at(g, coordinates, new) - (at(g, coordinates, old) if replaces else 0) for g in terms]
            yield from (one * other for one, other in combinations(change, 2))

    finite = representatives(list(terms), coordinates, record)
    some = finite or list(record.corners)
    seen = list(products(combinations(some, 2) if replaces else ((one, one) for one in some)))
    if any(holds(Relation(product_, "<", sp.Integer(0)), known) for product_ in seen):
        return False
    if finite is None:  # any records
        old, new = (tuple(sp.Symbol(f"{u}_{who}") for u in coordinates) for who in ("old", "new"))
        known += (*record.holds(*new), *(record.holds(*old) if replaces else ()))
        seen = list(products([(sp.Tuple(*old), sp.Tuple(*new))]))
    return True if all(holds(Relation(expand(p), ">=", sp.Integer(0)), known) for p in seen) else None


def _is_histogram(query: Query) -> bool:
    part = query.parts[0]
    total = query.statistics.get(part) if len(query.parts) == 1 and part.is_Symbol else None
    return isinstance(total, Total) and total.body is None and isinstance(query.data.record, Categories)


Written: TypeAlias = tuple[Records, Records, _Scores, _Scores]


def pairs(query: Query, neighbours: Neighbours) -> Iterator[Written]:
    """Neighbouring data sets with their scores: all records alike, or half of them, and one that differs.

    Of pairs with the same differences of scores one.
    """
    places, seen, size, replaces = list(_places(query)), set(), query.data.size, neighbours == "replace"
    # where one is added it is the same pair the other way round
    own = list(permutations(places, 2)) if replaces else [(one, None) for one in places]
    for declared in _SIZES if size.is_Symbol else (int(size),):
        n = declared + 1 if neighbours == "add" else declared  # of the larger of the two
        change = Change(sp.Integer(n - 1), sp.S.One, sp.Integer(replaces))
        for one, other in product(places, repeat=2):
            rests = {((one, sp.Integer(n - 1)),)} | {((one, sp.Integer((n - 1) // 2)), (other, sp.Integer(n // 2)))}
            for rest, (before, after) in product(rests, own):
                first, second = change.pair(before, after, *(block for block in rest if block[1] != 0))
                scores = _scores(query, first), _scores(query, second)
                apart = tuple(tuple(score - row[0] for score in row) for row in scores)
                if apart not in seen:
                    seen.add(apart)
                    yield first, second, *scores


def _places(query: Query) -> Iterable[sp.Expr]:
    """Records at which scores may differ."""
    record = query.data.record
    if isinstance(record, Categories):
        return [sp.Integer(i) for i in range(1, _kinds(query) + 1)]
    if isinstance(record, Box):
        return record.corners
    assert isinstance(record, Interval)  # noqa: S101 - as `can_be_written_out` has seen
    bodies = [s.body for s in query.statistics.values() if isinstance(s, Total) and s.body is not None]
    return (representatives(bodies, query.data.coordinates, record) or list(record.corners))[:_MOST_PLACES]


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


def _scores(query: Query, records: Records) -> _Scores:
    if _is_histogram(query):
        kinds = map(sp.Integer, range(1, _kinds(query) + 1))
        return tuple(sp.Add(*(count for value, count in records.blocks if value == kind)) for kind in kinds)
    return evaluated(query, records)


def telling(scores: tuple[_Scores, _Scores]) -> tuple[float, float]:
    """By how much two scores move apart, and how far apart the best and the worst are then."""
    first, second = ([float(score) for score in own] for own in scores)
    moves = [b - a for a, b in zip(first, second, strict=True)]
    return max(moves) - min(moves), max(second) - min(second)
