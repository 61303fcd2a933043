"""Looking for a point at which a relation fails or is undefined, and counting those at which it was seen to hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.deadline import apart, portion, timed
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Witness
from dpsym.deciding.calculus.heads import free
from dpsym.deciding.counterexamples.objective import eliminated, inside
from dpsym.deciding.counterexamples.points import Seen, exactly, survey
from dpsym.deciding.counterexamples.search import crossings, search
from dpsym.deciding.definedness import Need, Under, fails_at
from dpsym.deciding.domain import Domain, EmptyDomain, Point
from dpsym.deciding.mpmath_check import confirms, contradicts
from dpsym.deciding.strategies.strategy import Question
from dpsym.numbers import NotNumeric, compare, compiled

_POINTS = 60  # at which everything is looked at: simple ones, and some of each order of magnitude
_FEW = 6  # of them are enough to cross-examine a proof, besides mpmath's
_EXAMINED = 6  # points at which a proof is cross-examined by mpmath
_GLANCE = 300  # evaluations, to cross-examine what is proved
_QUICK = 6_000  # before the slower strategies are asked
_QUICK_TIME = Work(0.3)  # seconds, where each takes long
_SURVEY_TIME = Work(0.4)  # seconds: points can be costly, and proofs come first
_LIMITS_SHARE = 0.3  # of the time left, for the value of a limit
_DEEP = 150_000  # after none of them knew
_DEEP_SHARE = 0.5  # of the time left: what follows words the answer, and examines it
_WHOLE = (0, -1, -2, -3, 1, 2)  # whole numbers that an expression is put to, to see whether it needs not to be whole


@lru_cache(maxsize=256)
def points_of(domain: Domain, names: frozenset[sp.Symbol], seed: int) -> tuple[Point, ...]:
    """Points of the domain, searched for where few were met; many questions are asked under the same conditions."""
    points = list(domain.points(names, most=_POINTS, seed=seed))
    if domain.coupled and len(points) < _POINTS // 2:
        try:
            more = inside(domain, set(names), most=_POINTS // 2, seed=seed)
        except NotNumeric:
            more = []
        points += [p for p in more if p not in points]
    return tuple(points)


class Refuting:
    """The numerical side of a question, at exact points of its domain."""

    def __init__(self, question: Question, symbols: set[sp.Symbol]) -> None:
        self.question = question
        self.seen = Seen()
        self._symbols = symbols
        self._table, self._domain = eliminated(question.domain)
        self._pending: list[Point] = []
        self._limits = _limits(question)
        self._relation = question.relation.subs(self._limits).subs(self._table)
        seed = question.seed
        names = symbols.union(*(value.free_symbols for value in self._table.values())) - set(self._table)
        self.points = list(points_of(self._domain, frozenset(names.union(self._domain.bounds)), seed))

    def quickly(self, *, proved: bool) -> Witness | None:
        """A witness from the points and a short search; shorter still to cross-examine a proof."""
        self._pending = self.points[:_FEW] if proved else self.points
        try:
            found = apart(_SURVEY_TIME, self._look)
            return found or self._search(self._relation, _GLANCE if proved else _QUICK, _QUICK_TIME)
        except NotNumeric as error:
            self.seen = Seen(unseen=str(error))
            return None

    def deeply(self) -> Witness | None:
        """A witness from a long search."""
        if self.seen.unseen:
            return None
        share = portion(_DEEP_SHARE)
        try:
            with timed(share / 2):
                found = self._look()
            return found or self._search(self._relation, _DEEP, share)
        except NotNumeric as error:  # where the quick look was stopped before it came to that
            self.seen = Seen(unseen=str(error))
            return None

    def undefined(self, need: Need) -> Witness | None:
        """A point at which something that was written has no value."""
        if not need.pointwise:
            return None
        if need.frames:
            return self._undefined_in_its_place(need)
        needed = need.subs(self._table)
        relations = [p for group in needed.groups for p in group if isinstance(p, Relation)]
        try:
            if len(needed.groups) == 1 and len(relations) == 1:
                found = (
                    self._survey(relations[0], self.points)
                    or self._survey(relations[0], crossings(relations[0], self.points, self._domain))
                    or self._search(relations[0], _QUICK // 3, 0.5 * _QUICK_TIME)
                )
                return None if found is None else Witness(found.point, None, None, str(need))
            return next(
                (Witness(exactly(p), None, None, str(need)) for p in self._turning(needed) if fails_at(needed, p)), None
            )
        except NotNumeric:
            return None

    def _undefined_in_its_place(self, need: Need) -> Witness | None:
        conditions = (c for frame in need.frames if isinstance(frame, Under) for c in frame.conditions)
        try:
            there = Domain((*self.question.domain.assume, *conditions))
        except EmptyDomain:
            return None
        inner = Need(need.groups)
        symbols = set().union(*(p.free_symbols for group in need.groups for p in group))
        found = Refuting(replace(self.question, domain=there), symbols | self._symbols).undefined(inner)
        return None if found is None else Witness(found.point, None, None, str(need))

    def _turning(self, need: Need) -> Iterator[Point]:
        """Points of the domain, those next to where a statement of the need turns, and where a number is whole."""
        yield from self.points
        for p in (p for group in need.groups for p in group):
            sides = (p.lhs, p.rhs) if isinstance(p, Relation) else (p.expression, sp.Integer(0))
            for off in _WHOLE if not isinstance(p, Relation) else (0,):
                yield from crossings(Relation(sides[0], "!=", sides[1] + off), self.points, self._domain)

    def contradiction(self, *, where_told: bool = False) -> Point | None:
        """A point at which mpmath has the relation fail (where enclosures tell that it holds, if that is asked)."""
        for point in self.points[:_EXAMINED]:
            if contradicts(self._relation, point) and (not where_told or compare(self._relation, point).holds is True):
                return point
        return None

    def doubted(self, witness: Witness) -> bool:
        """Whether mpmath has the relation hold at a witness against it."""
        return witness.obligation is None and confirms(self._relation, _point(witness))

    def equal_at(self, witness: Witness) -> bool:
        """Whether a strict relation fails there because its sides are equal, and not by their order."""
        relation = self._relation
        if relation.op not in ("<", ">", "!="):
            return False
        try:
            return compare(Relation(relation.lhs, "=", relation.rhs), _point(witness)).holds is not False
        except NotNumeric:  # of another form of it, or of laws without numbers, a point was found all the same
            return False

    @property
    def given(self) -> str:
        """What a witness leaves out: what its values determine, and the limits that were found."""
        from dpsym.core.plain_printer import plain

        return ", ".join(f"{plain(e)} = {plain(value)}" for e, value in (*self._table.items(), *self._limits.items()))

    def _look(self) -> Witness | None:
        """As many of the points that are left as the time allows."""
        seen, pending = replace(self.seen), iter(self._pending)
        found = survey(self._relation, self._domain, pending, seen)
        self.seen, self._pending = seen, list(pending)
        return found

    def _survey(self, relation: Relation, points: Iterable[Point]) -> Witness | None:
        return survey(relation, self._domain, points)

    def _search(self, relation: Relation, evaluations: int, limit: float) -> Witness | None:
        def found() -> Witness | None:
            seed = self.question.seed
            points = search(relation, self._domain, self.points, evaluations=evaluations, seed=seed)
            return self._survey(relation, points)

        costly = compiled((relation.lhs, relation.rhs), tuple(relation.free_symbols)).costly
        return apart(limit, found) if costly else found()


def _point(witness: Witness) -> Point:
    return {sp.Symbol(n): sp.Rational(v.numerator, v.denominator) for n, v in witness.point.items()}


def _limits(question: Question) -> dict[sp.Basic, sp.Expr]:
    """Each limit in the relation with its value, which has numbers; none where one of them is not found."""
    found = free(question.relation, sp.Limit)
    from dpsym.deciding.calculus import limits

    values = []
    for e in found:
        with timed(portion(_LIMITS_SHARE)):
            values.append(limits.value(e, question))
    return {e: v[0] for e, v in zip(found, values, strict=True) if v is not None} if None not in values else {}
