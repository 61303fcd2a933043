"""Answers that depend on where in the list a record stands.

- *Sums over neighbouring places*, such as the total variation: one record touches two terms at most.
- *Linear maps* of the list: what one record changes is its column of weights.  Of several records that one user has,
  each moves by at most the width w of the interval, either way.  The norm of the sum of their columns is convex in
  these moves, and so it is largest where each of them is w or -w.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import TypeAlias, TypeVar

import sympy as sp

from dpsym.core.deadline import LEAST, portion
from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Relation
from dpsym.core.verdicts import Verdict, weakest
from dpsym.deciding import decide
from dpsym.language import ReadingError
from dpsym.queries.answers import Kind, Norm, Sensitivity, Unclear, by_lemma, unless_zero
from dpsym.queries.candidates import Candidate, attained, has_values, holds, linear, plainer
from dpsym.queries.changes import Change
from dpsym.queries.data import FAR, Interval, Records
from dpsym.queries.extents import extent
from dpsym.queries.reading import SIZE, Chained, Placed, Query

_left, _right, _old, _new = sp.symbols("left right old new")
_Moves: TypeAlias = tuple[tuple[sp.Expr, int], ...]  # places in ascending order, and which way the records there move
_Weight = TypeVar("_Weight", Fraction, sp.Expr)
_MOST_WAYS = 10_000  # in which some of the records move up or down: of twelve numbers each in less than a second
_MOST_SHOWN = 64  # with names, each of them compared with the others by the prover
_LONGEST = 64  # columns that are looked at one by one
_BY_COLUMNS = "one record changes a linear answer by its column of weights"
_ONE = sp.Integer(1)


def of_chained(query: Query, change: Change) -> Sensitivity | None:
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
    changes = list(_changes(statistic, change, query))
    low, high = record.low, record.high
    candidates = []
    for formula, spare in changes:
        names = sorted(formula.free_symbols & {_left, _right, _old, _new}, key=str)
        for ends in product((low, high), repeat=len(names)):
            at = dict(zip(names, ends, strict=True))
            candidates.append(Candidate(_pair(at, change, spare, low), sp.Abs(factor * formula.subs(at))))
    found = attained(candidates, query.conditions)
    if found is None:
        return None
    most, pairs = found
    if _linear_in_order(statistic):
        why = "it is linear wherever the order of the records stays, so it differs most where all are at the two ends"
        return by_lemma(most, pairs, query.conditions, why)
    region = [r for s in (_left, _right, _old, _new) for r in record.holds(s)]
    claims = [Relation(sign * factor * formula, "<=", most) for formula, _ in changes for sign in (1, -1)]
    decisions = [
        decide(claim, (*query.conditions, *(r for r in region if r.free_symbols & claim.free_symbols)),
               time_limit=portion(1 / (len(claims) - number), LEAST))
        for number, claim in enumerate(claims)
    ]  # fmt: skip
    decision = weakest(decisions)
    kind = Kind.EXACT if decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED) else Kind.OPEN
    return Sensitivity(kind, most, most if kind is Kind.EXACT else None, pairs, query.conditions, decision)


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
    if not change.own.is_Integer or (change.within and record.values):
        return None
    i = sp.Symbol("place")
    sides = [linear(part, placed) for part in query.parts]
    known = [side[0] for side in sides if side is not None]
    if len(known) < len(sides):
        return None
    column = tuple(sp.Add(*(weights[s] * t.weight.subs(t.place, i) for s, t in placed.items())) for weights in known)
    places = (IsInteger(i), Relation(_ONE, "<=", i), Relation(i, "<=", size))
    if not has_values(query.needs, (*query.conditions, *places)):
        return None
    sizes = _columns(column, i, query, norm, int(change.own))
    if sizes is None:
        return None
    low, high = change.ends(record)
    grows = FAR in (high - low).free_symbols
    candidates = [Candidate(_pair_of_moves(moves, low, high, size), worth) for moves, worth in sizes]
    found = attained(candidates, query.conditions)
    if found is None:
        return None
    column_size, pairs = found
    if not all(
        holds(Relation(worth, "<=", column_size), query.conditions) for _, worth in sizes if worth != column_size
    ):
        return None
    if grows and not holds(Relation(column_size, ">", sp.Integer(0)), query.conditions):
        return unless_zero(column_size, query.conditions)
    value = sp.oo if grows else sp.expand_mul(column_size * (high - low))
    return by_lemma(value, pairs, query.conditions, _BY_COLUMNS, Kind.INFINITE if grows else Kind.EXACT)


def _columns(
    column: tuple[sp.Expr, ...], i: sp.Symbol, query: Query, norm: Norm, own: int
) -> list[tuple[_Moves, sp.Expr]] | None:
    """Places, and which way the records there move, of which one changes the answer most; and by how much they do."""
    size = query.data.size
    if size.is_Integer and size <= _LONGEST:
        columns = [tuple(c.subs(i, k) for c in column) for k in map(sp.Integer, range(1, int(size) + 1))]
        numbers = all(w.is_Rational for one in columns for w in one)
        if comb(int(size), own) * 2 ** (own - 1) > (_MOST_WAYS if numbers else _MOST_SHOWN):
            return None
        if numbers:
            exact = [[Fraction(w) for w in one] for one in columns]
            moves = max(_moves(len(columns), own), key=lambda moves: _power(_sum(exact, moves), norm))
            return [(moves, norm.of(tuple(_sum(columns, moves))))]
        every = _moves(len(columns), own)
        return [(moves, plainer(norm.of(tuple(_sum(columns, moves))), query.conditions)) for moves in every]
    if len(column) > 1 or own != 1:
        return None
    found = extent(column[0], (i,), Interval(_ONE, size), query.conditions) if size != 1 else None
    if found is None or not all(at in (_ONE, size) for at in (found.at_least, found.at_greatest)):
        return None
    ends = ((found.at_least, found.least), (found.at_greatest, found.greatest))
    return [(((at, 1),), plainer(norm.of((worth,)), query.conditions)) for at, worth in ends]


def _moves(size: int, own: int) -> Iterator[_Moves]:
    """All places of so many records, and all ways in which they move; the first goes up."""
    for places in combinations(map(sp.Integer, range(1, size + 1)), own):
        for ways in product((1, -1), repeat=own - 1):
            yield tuple(zip(places, (1, *ways), strict=True))


def _sum(columns: Sequence[Sequence[_Weight]], moves: _Moves) -> list[_Weight]:
    chosen = [[way * w for w in columns[int(place) - 1]] for place, way in moves]
    return [sum(row[1:], row[0]) for row in zip(*chosen, strict=True)]


def _power(weights: list[Fraction], norm: Norm) -> Fraction:
    """What rises with the norm, exactly."""
    if norm is Norm.L2:
        return sum((w * w for w in weights), Fraction(0))
    return max(map(abs, weights)) if norm is Norm.LINF else sum(map(abs, weights), Fraction(0))


def _pair_of_moves(moves: _Moves, low: sp.Expr, high: sp.Expr, size: sp.Expr) -> tuple[Records, Records]:
    before, after, last = list[tuple[sp.Basic, sp.Expr]](), list[tuple[sp.Basic, sp.Expr]](), sp.Integer(0)
    for place, way in moves:
        rest, last = (low, place - last - 1), place
        before += [rest, (low if way > 0 else high, _ONE)]
        after += [rest, (high if way > 0 else low, _ONE)]
    return Records((*before, (low, size - last))), Records((*after, (low, size - last)))
