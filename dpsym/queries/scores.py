"""Scores of candidates: how far apart two of them move, and whether all move the same way.

A selection with a score for each candidate is bounded by the largest change of a score; bounded range asks for the
largest difference between the changes of two, and half of the noise is enough where all scores move the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.expanding import expand
from dpsym.core.relations import Proposition, Relation
from dpsym.language import ReadingError
from dpsym.queries.answers import Neighbours, Norm, Sensitivity
from dpsym.queries.candidates import holds
from dpsym.queries.data import Box, Categories, Interval
from dpsym.queries.extents import at, representatives
from dpsym.queries.reading import Query, Total
from dpsym.queries.sensitivity import sensitivity
from dpsym.queries.separable import added

_old, _new = "old", "new"


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
    if _is_histogram(query):
        (found,) = sensitivity(query, neighbours, Norm.LINF, time_limit=time_limit)
        apart = found if neighbours != "replace" or found.upper is None else _doubled(found)
        return Scores((apart,), neighbours != "replace")
    if len(query.parts) < 2:
        raise ReadingError("scores are several: vector(count(x < 1/2), count(x >= 1/2)), or histogram(x)")
    differences = replace(query, parts=tuple(a - b for a, b in combinations(query.parts, 2)))
    return Scores(sensitivity(differences, neighbours, Norm.LINF, time_limit=time_limit), _same_way(query, neighbours))


def _is_histogram(query: Query) -> bool:
    if not isinstance(query.data.record, Categories) or len(query.parts) != 1:
        return False
    return all(isinstance(s, Total) for s in query.statistics.values()) and query.parts[0] in query.statistics


def _doubled(found: Sensitivity) -> Sensitivity:
    """Of a histogram of which a record moves from one cell to another: one count rises and one falls."""
    assert found.upper is not None  # noqa: S101 - as `scores` has seen
    return replace(found, lower=2 * found.upper, upper=2 * found.upper)


def _same_way(query: Query, adjacent: Neighbours) -> bool | None:
    """By the products of what is added to two scores."""
    record = query.data.record
    if adjacent == "replace":
        query = query.of_size(query.data.size)
    terms = added(query)
    if terms is None or not isinstance(record, Interval | Box):
        return None
    coordinates = query.data.coordinates
    finite = representatives(list(terms), coordinates, record)
    changes = list(_changes(terms, coordinates, finite or list(record.corners), adjacent))
    for change in changes:
        for one, other in combinations(change, 2):
            if holds(Relation(one * other, "<", sp.Integer(0)), query.conditions):
                return False
    if finite is not None:
        pairs = [pair for change in changes for pair in combinations(change, 2)]
        known = query.conditions
    else:
        pairs, known = _symbolic(terms, query, adjacent)
    if all(holds(Relation(expand(one * other), ">=", sp.Integer(0)), known) for one, other in pairs):
        return True
    return None


def _changes(
    terms: tuple[sp.Expr, ...], coordinates: tuple[sp.Symbol, ...], records: list[sp.Basic], adjacent: Neighbours
) -> Iterator[tuple[sp.Expr, ...]]:
    """What some steps change each score by."""
    values = [tuple(at(g, coordinates, one) for g in terms) for one in records]
    if adjacent != "replace":
        yield from values
        return
    for old, new in combinations(values, 2):
        yield tuple(b - a for a, b in zip(old, new, strict=True))


def _symbolic(
    terms: tuple[sp.Expr, ...], query: Query, adjacent: Neighbours
) -> tuple[list[tuple[sp.Expr, sp.Expr]], tuple[Proposition, ...]]:
    """The changes for any records, and what is known of these."""
    record, coordinates = query.data.record, query.data.coordinates
    sides = record.sides if isinstance(record, Box) else (record,)
    table, known = {}, list(query.conditions)
    for who in (_old, _new):
        table[who] = tuple(sp.Symbol(f"{u}_{who}") for u in coordinates)
        known += (r for side, u in zip(sides, table[who], strict=True) for r in side.holds(u))  # type: ignore[union-attr]
    values = {
        who: [g.subs(dict(zip(coordinates, names, strict=True)), simultaneous=True) for g in terms]
        for who, names in table.items()
    }
    changes = [b - (a if adjacent == "replace" else 0) for a, b in zip(values[_old], values[_new], strict=True)]
    used = set().union(*(c.free_symbols for c in changes))
    about = [k for k in known if k in query.conditions or k.free_symbols <= used | query.data.record.free_symbols]
    return list(combinations(changes, 2)), tuple(about)
