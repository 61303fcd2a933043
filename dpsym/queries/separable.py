"""The sensitivity of an answer that is a sum of what each record adds: what two neighbours share cancels.

A record u adds a vector g(u).  Replacing m records by others changes the answer by at most m times the largest norm of
g(v) - g(u), and adding or removing up to m by at most m times that of g(v); equal records attain both.  The 1-norm is
the largest of sums with signs, so that norms become extents of functions of one record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Relation
from dpsym.queries.answers import Norm, Sensitivity, by_lemma, size_of
from dpsym.queries.candidates import Candidate, answered, attained, has_values, holds, linear, plainer
from dpsym.queries.changes import Change
from dpsym.queries.data import Box, Interval, Records
from dpsym.queries.extents import at, extremes, representatives, settled
from dpsym.queries.reading import SIZE, Ordered, Query, Total

_MOST_SIGNS = 6  # parts of an answer whose signs are all tried
_MOST_PAIRS = 3000  # of records of a finite set, all of which are tried
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_Move: TypeAlias = tuple[sp.Basic | None, sp.Basic | None]  # the record that leaves, and the one that comes
_WHY = "it is a sum over the records, of which those that are shared cancel"


def of_separable(query: Query, change: Change, norm: Norm) -> Sensitivity | None:
    """The sensitivity; None where the answer is something else, or the extents are not seen."""
    record = query.data.record
    if not isinstance(record, Interval | Box) or not query.statistics:
        return None
    terms = added(query)
    if terms is None and change.replaces and (change.shared, change.own) == (0, 1):  # there is no other record
        query = _of_the_record(query)
        terms = query.parts if query.statistics else None
    if terms is None or not has_values(query.needs, (*query.conditions, *record.holds(*query.data.coordinates))):
        return None
    if change.replaces:  # what is the same for every record stays
        terms = tuple(g for g in terms if g.has(*query.data.coordinates)) or terms[:1]
    rule = _Separable(query, record, change, norm, terms)
    try:
        return rule.by_enumeration() or rule.by_extents()
    except ValueError:  # SymPy takes no maximum of numbers that it does not order
        return None


def added(query: Query) -> tuple[sp.Expr, ...] | None:
    """What a record adds to each part; None where the answer is no sum."""
    found = []
    for part in query.parts:
        sides = linear(part, (*query.statistics, SIZE))
        if sides is None:
            return None
        weights = {s: w for s, w in sides[0].items() if w != 0}
        bodies = {s: getattr(query.statistics[s], "body", None) for s in weights if s != SIZE}
        if not all(isinstance(query.statistics[s], Total) and body is not None for s, body in bodies.items()):
            return None
        found.append(expand(sp.Add(*(w * bodies.get(s, _ONE) for s, w in weights.items()))))
    return tuple(found)


def _of_the_record(query: Query) -> Query:
    """An answer about one record alone, as a function of it; without statistics where it is none."""
    values: dict[sp.Basic, sp.Expr] = {}
    for symbol, statistic in query.statistics.items():
        if isinstance(statistic, Total) and statistic.body is not None:
            values[symbol] = statistic.body
        elif isinstance(statistic, Ordered) and statistic.place == 1:
            (values[symbol],) = query.data.coordinates
    if len(values) < len(query.statistics):
        return replace(query, statistics={})
    parts = tuple(answered(part, values) for part in query.parts)
    return replace(query, parts=parts, needs=tuple(need.subs(values) for need in query.needs))


@dataclass(frozen=True, slots=True)
class _Separable:
    query: Query
    record: Interval | Box
    change: Change
    norm: Norm
    added: tuple[sp.Expr, ...]

    def by_enumeration(self) -> Sensitivity | None:
        """Where a record adds one of a few vectors."""
        coordinates = self.query.data.coordinates
        records = None if self.change.within else representatives(list(self.added), coordinates, self.record)
        if records is None:
            return None
        distinct: dict[tuple[sp.Expr, ...], sp.Basic] = {}
        for one in records:
            distinct.setdefault(tuple(at(g, coordinates, one) for g in self.added), one)
        if len(distinct) ** 2 > _MOST_PAIRS:
            return None
        ones: list[sp.Basic | None] = list(distinct.values())
        if self.change.replaces:
            steps = list(combinations(ones, 2)) or [(ones[0], ones[0])]
        else:
            steps = [(one, None) if self.change.before else (None, one) for one in ones]
        candidates = [self._candidate(old, new) for old, new in steps]
        return self._answer(candidates, [c.attains for c in candidates])

    def by_extents(self) -> Sensitivity | None:
        """Where the extents of sums with signs are seen."""
        if self.norm is Norm.L2 and len(self.added) > 1:
            return None
        found = [self._of_one(h) for h in self._signed()]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(found):
            return None
        uppers = [upper * self.change.own for upper, _ in known]
        candidates = [self._candidate(*step) for _, steps in known for step in steps]
        if len(candidates) > len(known) or any(upper.has(sp.Max, sp.Min) for upper in uppers):  # by the parameters
            pairs = (c.pair for c in candidates)
            return by_lemma(sp.Max(*dict.fromkeys(uppers)), pairs, self.query.conditions, _WHY)
        return self._answer(candidates, uppers)

    def _signed(self) -> Iterator[sp.Expr]:
        """Functions of a record, of which the largest change is the norm's."""
        if self.norm is not Norm.L1 or len(self.added) == 1:
            yield from self.added
            return
        if len(self.added) > _MOST_SIGNS:
            return
        first, *others = self.added
        for signs in product((1, -1), repeat=len(others)):
            yield expand(sp.Add(first, *(s * g for s, g in zip(signs, others, strict=True))))

    def _of_one(self, h: sp.Expr) -> tuple[sp.Expr, list[_Move]] | None:
        """By how much one number changes at most, and between which records; of several one pair attains it."""
        coordinates, known = self.query.data.coordinates, self.query.conditions
        if self.change.within:
            return self._of_near(h)
        factor, rest = sp.factor_terms(h).as_independent(*coordinates, as_Add=False)
        found = extremes(expand(rest), coordinates, self.record, known)
        if found is None:
            return None
        factor = plainer(size_of(factor), known)
        if self.change.replaces:
            steps = {frozenset((low, high)): (low, high) for low, _ in found.lows for high, _ in found.highs}
            return factor * found.width, [step for both, step in steps.items() if len(steps) == 1 or len(both) > 1]
        sizes = {size_of(value): place for place, value in found.farthest(known)}
        largest = sp.Max(*sizes)
        largest = largest if any(size.has(sp.Max, sp.Min) for size in sizes) else plainer(largest, known)
        places = [sizes[largest]] if largest in sizes else list(dict.fromkeys(sizes.values()))
        return factor * largest, [(place, None) if self.change.before else (None, place) for place in places]

    def _of_near(self, h: sp.Expr) -> tuple[sp.Expr, list[_Move]] | None:
        """Where the new record is near the old one, and the function is affine."""
        record, near = self.record, self.change.within
        if not isinstance(record, Interval) or near is None or record.values:
            return None
        (u,) = self.query.data.coordinates
        if not h.is_polynomial(u) or sp.degree(h, u) > 1:
            return None
        return size_of(h.coeff(u)) * near.radius, [self.change.ends(record)]

    def _candidate(self, old: sp.Basic | None, new: sp.Basic | None) -> Candidate:
        change = self.change
        other = self.record.corners or (new if new is not None else old,)
        pair = change.pair(old, new, (other[0], change.shared))
        coordinates, known = self.query.data.coordinates, self.query.conditions

        def total(g: sp.Expr, records: Records) -> sp.Expr:
            return sp.Add(*(count * settled(at(g, coordinates, value), known) for value, count in records.blocks))

        differences = (sp.factor(expand(total(g, pair[1]) - total(g, pair[0]))) for g in self.added)
        return Candidate(pair, self.norm.of(tuple(differences)))

    def _answer(self, candidates: list[Candidate], uppers: list[sp.Expr]) -> Sensitivity | None:
        conditions = self.query.conditions
        found = attained(candidates, conditions)
        upper = plainer(sp.Max(*dict.fromkeys(uppers)), conditions)
        if found is None or (upper != found[0] and not holds(Relation(upper, "<=", found[0]), conditions, 1.0)):
            return None
        return by_lemma(*found, conditions, _WHY)
