"""Answers that are functions of sums over the records, and of how many there are.

What is added of a record is a *feature* of it, brought to [0, 1]: a power of where the record lies between its ends, or
the value of any other function, between its extremes.  The records that two neighbours share enter through the means of
their features alone.  So the difference of the answers is a function of these means and of the features of the records
that differ, on a cube; that it never exceeds what a pair attains is put to the prover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import permutations, product

import sympy as sp

from dpsym.core.deadline import LEAST, portion, timed
from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.core.verdicts import Decision, Verdict, weakest
from dpsym.deciding import Domain, decide
from dpsym.deciding.definedness import of_expression
from dpsym.deciding.limits import limit
from dpsym.deciding.timeout import within as within_time
from dpsym.queries.answers import Kind, Norm, Sensitivity, by_lemma, never_more, nothing, undecided
from dpsym.queries.candidates import Candidate, attained, has_values, holds, plainer
from dpsym.queries.changes import Change, sharing_enough
from dpsym.queries.data import FAR, Box, Interval, Records
from dpsym.queries.extents import at, critical, extent, is_smooth, settled, within
from dpsym.queries.reading import SIZE, Query, Total

_LARGEST_EXPONENT = 40  # of a sum: differences of such powers are written out
_HIGHEST_POWER = 6  # of a record in a polynomial; each power is a feature of its own
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_YES = (Verdict.PROVED, Verdict.CERTIFIED)


def evaluated(query: Query, records: Records) -> tuple[sp.Expr, ...]:
    """The answer on a list of records, from the definition of each statistic."""
    table: dict[sp.Basic, sp.Expr] = {SIZE: records.size}
    for symbol, statistic in query.statistics.items():
        assert isinstance(statistic, Total) and statistic.body is not None  # noqa: S101 - as `of_sums` has seen
        of_one = partial(_of_one, statistic.body, query.data.coordinates, query.conditions)
        table[symbol] = sp.Add(*(count * of_one(value) for value, count in records.blocks))
    return tuple(_value(part, table) for part in query.parts)


@lru_cache(maxsize=1024)
def _of_one(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], known: tuple[Proposition, ...], record: sp.Basic
) -> sp.Expr:
    """What one record adds to a total; many data sets have the same records."""
    return settled(at(body, coordinates, record), known)


def _value(part: sp.Expr, table: Mapping[sp.Basic, sp.Expr]) -> sp.Expr:
    """The part with the values of its statistics; of no number where it has no value on these records."""
    try:
        return part.xreplace(table)
    except ValueError:  # SymPy orders what is in a maximum
        return sp.nan


@dataclass(frozen=True, slots=True)
class _Feature:
    """One number in [0, 1] that a record adds: a product of powers of its places between the ends, or its own."""

    name: str
    powers: tuple[int, ...] = ()  # (): a function of its own

    def mean(self) -> sp.Symbol:
        """Over the shared records."""
        return sp.Symbol(f"mean_{self.name}")

    def of(self, who: str, own: sp.Expr) -> sp.Expr:
        """Of the record that one of the neighbours has of its own; of several, their mean."""
        if not self.powers or own != 1:
            return sp.Symbol(f"{self.name}_{who}")
        return sp.Mul(*(sp.Symbol(f"place{j}_{who}") ** k for j, k in enumerate(self.powers, 1) if k))

    def shares(self, other: _Feature) -> bool:
        """Whether both are of one coordinate."""
        return any(j and k for j, k in zip(self.powers, other.powers, strict=False))


def of_sums(query: Query, change: Change, norm: Norm, time_limit: float) -> Sensitivity | None:
    """The sensitivity; None where the answer is no function of sums over numbers."""
    record = query.data.record
    totals = [s for s in query.statistics.values() if isinstance(s, Total) and s.body is not None]
    if len(totals) != len(query.statistics) or not (isinstance(record, Interval | Box) or not totals):
        return None
    if change.within is not None and (change.own != 1 or not isinstance(record, Interval) or record.values):
        return None
    if any(p.exp.is_Integer and abs(p.exp) > _LARGEST_EXPONENT for part in query.parts for p in part.atoms(sp.Pow)):
        return None
    numbers = record if isinstance(record, Interval | Box) else Interval(_ZERO, _ONE)
    with timed(time_limit):
        return _Sums(query, numbers, change, norm).sensitivity()


class _Sums:
    def __init__(self, query: Query, record: Interval | Box, change: Change, norm: Norm) -> None:
        self._query, self._record, self._change, self._norm = query, record, change, norm
        self._coordinates = query.data.coordinates if isinstance(query.data.record, Box | Interval) else ()
        self._inequalities: tuple[tuple[Relation, tuple[Proposition, ...]], ...] = ()
        self._features: dict[_Feature, None] = {}
        self._places: list[sp.Basic] = []  # records that matter
        self._added: dict[sp.Symbol, list[tuple[sp.Expr, _Feature | None]]] = {}  # what each statistic is made of
        self._conditions = query.conditions
        self._any, self._steps = change, tuple[Proposition, ...]()  # every step that is one of these
        if change.fewer:
            k = sp.Symbol("step_records")
            spare = change.own - k if change.before else _ZERO
            before, after = (own and k for own in (change.before, change.after))
            self._any = replace(change, shared=change.shared + spare, before=before, after=after)
            self._steps = (IsInteger(k), Relation(k, ">=", _ONE), Relation(k, "<=", change.own))

    def sensitivity(self) -> Sensitivity:
        if not all(self._made_of(s, t) for s, t in self._query.statistics.items() if isinstance(t, Total)):
            return self._unbounded()
        if not self._defined():
            return nothing(self._conditions, "it is not seen from how many records on the answer has a value")
        found = attained(list(self._candidates()), self._conditions)
        if found is None:
            return nothing(self._conditions, "no pair of data sets was found on which it can be evaluated")
        most, pairs = found
        decision = self._never_more(most)
        if decision.verdict in _YES:
            known, shown = self._conditions, self._inequalities
            return Sensitivity(Kind.EXACT, most, most, pairs, known, decision, inequalities=shown)
        return Sensitivity(Kind.OPEN, most, None, pairs, self._conditions, decision)

    # --- what a record adds
    def _made_of(self, symbol: sp.Symbol, total: Total) -> bool:
        """Write what the statistic adds of a record in features; False where it has no bounds."""
        assert total.body is not None  # noqa: S101 - as `of_sums` has seen
        body, us, record = total.body, self._coordinates, self._record
        if record.bounded and body.is_polynomial(*us) and sp.Poly(body, *us).total_degree() <= _HIGHEST_POWER:
            places = sp.symbols([f"place{j}" for j, _ in enumerate(us, 1)])
            ends = [(side.low, side.high - side.low) for side in record.sides]
            table = {u: low + width * p for u, p, (low, width) in zip(us, places, ends, strict=True)}
            moved = sp.Poly(body.subs(table, simultaneous=True), *places)
            terms = [(c, _Feature(f"power{'_'.join(map(str, k))}", k) if any(k) else None) for k, c in moved.terms()]
            found: list[sp.Basic] = [*record.corners]
            if isinstance(record, Interval) and record.values:
                found = list(record.values)
            elif isinstance(record, Interval):
                turned, _ = critical(body, us[0], self._conditions)
                found += (p for p in turned if within(p, record, self._conditions))
        elif self._change.within is not None:
            return False
        else:
            known = extent(body, us, record, self._conditions)
            if known is None:
                return False
            feature = _Feature(f"value{len(self._added) + 1}")
            terms = [(known.least, None), (known.greatest - known.least, feature)]
            found = [known.at_least, known.at_greatest]
        self._added[symbol] = terms
        self._features |= {f: None for _, f in terms if f is not None}
        self._places = list(dict.fromkeys([*self._places, *found]))
        return True

    def _table(self, who: str, own: sp.Expr) -> dict[sp.Basic, sp.Expr]:
        """The statistics in terms of the means over what is shared, and of the features of the records of its own."""
        m = self._any.shared
        table: dict[sp.Basic, sp.Expr] = {SIZE: m + own}
        for symbol, terms in self._added.items():
            table[symbol] = sp.Add(
                *(c * (m * (f.mean() if f else 1) + (own * (f.of(who, own) if f else 1))) for c, f in terms)
            )
        return table

    def _both(self) -> Iterator[tuple[sp.Expr, ...]]:
        """The answers before and after."""
        for who, own in (("before", self._any.before), ("after", self._any.after)):
            table = self._table(who, own)
            answers = (part.xreplace(table) for part in self._query.parts)
            yield tuple(a.subs(self._near(), simultaneous=True) for a in answers)

    def _near(self) -> dict[sp.Symbol, sp.Expr]:
        """Where the new record is near the old one: both places by two numbers in [0, 1]."""
        near = self._change.within
        if near is None or not isinstance(self._record, Interval):
            return {}
        before, after, step = sp.symbols("place1_before place1_after step")
        apart = step * near.radius / (self._record.high - self._record.low)
        return {before: (1 - apart) * before, after: (1 - apart) * before + apart}

    def _region(self, used: set[sp.Symbol]) -> list[Proposition]:
        """The cube, and how the means of powers are related."""
        who = ("before", self._any.before), ("after", self._any.after)
        cube = {s for f in self._features for w, own in who for s in (f.mean(), *f.of(w, own).free_symbols)}
        cube |= {s for near in self._near().values() for s in near.free_symbols & {sp.Symbol("step")}}
        found: list[Proposition] = []
        for symbol in sorted(cube & used, key=str):
            found += [Relation(_ZERO, "<=", symbol), Relation(symbol, "<=", _ONE)]
        for mean in self._averages():
            powers = {f.powers: mean(f) for f in self._features if f.powers and mean(f) in used}
            found += _moments(powers)
        return found

    def _defined(self) -> bool:
        """Share as many records as it takes for both answers to have a value."""
        tables = (self._table("before", self._any.before), self._table("after", self._any.after))
        needs = tuple(dict.fromkeys(need.subs(table) for table in tables for need in self._query.needs))
        used = set().union(*(need.free_symbols for need in needs))
        region = self._region(used)
        sides = zip(self._record.sides, self._coordinates, strict=False)
        region += [r for side, u in sides if u in used for r in side.holds(u)]
        seen = sharing_enough(
            self._change, self._query.data.size, self._conditions,
            lambda known: has_values(needs, (*known, *self._steps, *region)),
        )  # fmt: skip
        self._conditions = seen or self._conditions
        return seen is not None

    # --- upper bounds
    def _never_more(self, bound: sp.Expr) -> Decision:
        before, after = self._both()
        differences = tuple(sp.cancel(sp.together(a - b)) for a, b in zip(after, before, strict=True))
        either = self._change.replaces and self._change.within is None  # each of the two may be the first
        claims = list(never_more(self._norm, differences, bound, either=either))
        self._inequalities = tuple(
            (r, (*self._conditions, *self._steps, *self._region(r.free_symbols)))
            for r in (_in_integers(Relation(left, "<=", right)) for left, right in claims)
        )
        if self._query.data.size.is_Integer and not self._are_seen(differences):
            return undecided("it is not seen that the difference of the answers has a value")
        decisions = []
        # of many exponentials nothing is cancelled in time
        corners = within_time(portion(0.5), lambda: [
            (corner, right) for left, right in claims for corner in self._corners(self._without_second_moment(left))
        ], claims)  # fmt: skip
        claims = list(dict.fromkeys(corners))
        for number, (left, right) in enumerate(claims):
            relation = Relation(left, "<=", right)
            known = (*self._conditions, *self._steps, *self._region(relation.free_symbols))
            seconds = portion(1 / (len(claims) - number), LEAST)
            decisions.append(decide(relation, known, time_limit=seconds))
            if decisions[-1].verdict not in _YES:
                break
        return weakest(decisions)

    def _are_seen(self, differences: tuple[sp.Expr, ...]) -> bool:
        """Whether what the prover would have to show first is soon shown; branch and bound would have the time."""
        needs = [need for difference in differences for need in of_expression(difference)]
        region = self._region(set().union(*(d.free_symbols for d in differences)))
        return has_values(needs, (*self._conditions, *self._steps, *region))

    def _corners(self, e: sp.Expr) -> list[sp.Expr]:
        """What an expression is at most at both ends of each variable of the cube in which it is convex."""
        for symbol in sorted(e.free_symbols & self._cube(e.free_symbols), key=str):
            bend = sp.cancel(sp.diff(e, symbol, 2))
            known = (*self._conditions, *self._steps, *self._region(bend.free_symbols))
            if is_smooth(e, symbol, (*known, *self._region(e.free_symbols))) and (
                bend == 0 or holds(Relation(bend, ">=", _ZERO), known)
            ):
                return [c for end in (_ZERO, _ONE) for c in self._corners(sp.cancel(e.subs(symbol, end)))]
        return [e]

    def _averages(self) -> list[Callable[[_Feature], sp.Expr]]:
        """What stands for the mean of a feature: over the shared records, and over several that one has of its own."""
        own = (("before", self._any.before), ("after", self._any.after))
        return [_Feature.mean, *(partial(_Feature.of, who=who, own=k) for who, k in own if k not in (0, 1))]

    def _cube(self, used: set[sp.Symbol]) -> set[sp.Symbol]:
        """The features of the records that differ, and means that no other one here is tied to."""
        own = {"before": self._any.before, "after": self._any.after}
        alone = {s for f in self._features for w, k in own.items() if k == 1 for s in f.of(w, k).free_symbols}
        alone |= {sp.Symbol("step")} if self._change.within is not None else set()
        for mean in self._averages():
            here = [f for f in self._features if mean(f) in used]
            alone |= {mean(f) for f in here if not any(f.shares(g) for g in here if g is not f)}
        return alone

    def _without_second_moment(self, e: sp.Expr) -> sp.Expr:
        """With the mean of squares put at the end where the expression is largest: mean^2 <= it <= mean."""
        first, second = _Feature("power1", (1,)).mean(), _Feature("power2", (2,)).mean()
        if first not in {f.mean() for f in self._features}:
            return e
        if second not in e.free_symbols or not e.is_polynomial(second) or sp.degree(e, second) != 1:
            return e
        slope = sp.cancel(sp.diff(e, second))
        cube = self._region(slope.free_symbols)
        cube += self._steps
        if holds(Relation(slope, "<=", _ZERO), (*self._conditions, *cube)):
            return sp.cancel(e.subs(second, first**2))
        if holds(Relation(slope, ">=", _ZERO), (*self._conditions, *cube)):
            return sp.cancel(e.subs(second, first))
        return e

    # --- pairs
    def _candidates(self) -> Iterator[Candidate]:
        m, places = self._change.shared, self._places or [_ZERO]
        half = sp.floor(m / 2)
        shared: list[tuple[tuple[sp.Basic, sp.Expr], ...]] = [((place, m),) for place in places]
        shared += [((places[0], half), (places[-1], m - half))] if len(places) > 1 else []
        for rest in shared:
            for old, new in self._own(places):
                pair = self._change.pair(old, new, *rest)
                yield Candidate(pair, self._attained(pair))

    def _own(self, places: list[sp.Basic]) -> Iterable[tuple[sp.Basic | None, sp.Basic | None]]:
        """The records that the neighbours have of their own."""
        near = self._change.within
        if near is not None and isinstance(self._record, Interval):
            low, high, r = self._record.low, self._record.high, near.radius
            return [(low, low + r), (low + r, low), (high - r, high), (high, high - r)]
        return product(*(places if own else [None] for own in (self._change.before, self._change.after)))

    def _attained(self, pair: tuple[Records, Records]) -> sp.Expr:
        """By how much the answers differ, from the statistics of the two lists themselves."""
        before, after = (evaluated(self._query, records) for records in pair)
        differences = (sp.factor(sp.cancel(sp.together(a - b))) for b, a in zip(before, after, strict=True))
        return self._norm.of(tuple(map(_tidy, differences)))

    def _unbounded(self) -> Sensitivity:
        """Whether one record alone makes the difference as large as one likes."""
        unseen = nothing(self._conditions, "what is added of each record has no bounds that were seen")
        if isinstance(self._record, Box) or self._change.within is not None or self._record.bounded:
            return unseen
        low, high = self._change.ends(self._record)
        near, far = (low, high) if self._record.high.is_infinite else (high, low)
        pair = self._change.pair(near if self._change.after else far, far, (near, self._change.shared))
        if self._attained(pair).has(sp.nan, sp.zoo):
            return unseen
        domain = Domain((*self._conditions, Relation(FAR, ">", _ZERO)))
        to = limit(plainer(self._attained(pair), domain.assume), FAR, domain)
        if to is not None and to.is_infinite:
            return by_lemma(sp.oo, (pair,), self._conditions, "it grows beyond all bounds", Kind.INFINITE)
        return unseen


def _in_integers(relation: Relation) -> Relation:
    """Multiplied with the denominators of its coefficients: where both sides meet, a certificate meets them exactly."""
    coefficients = expand(relation.lhs - relation.rhs).as_coefficients_dict().values()
    scale = sp.ilcm(1, *(c.q for c in coefficients if c.is_Rational))
    return Relation(expand(relation.lhs * scale), relation.op, expand(relation.rhs * scale))


def _moments(powers: dict[tuple[int, ...], sp.Symbol]) -> Iterator[Proposition]:
    """How the means of products of powers of numbers in [0, 1] are related."""
    for one, other in permutations(sorted(powers), 2):
        if all(j <= k for j, k in zip(one, other, strict=True)) and sum(other) == sum(one) + 1:
            yield Relation(powers[other], "<=", powers[one])
        if tuple(2 * j for j in one) == other:
            yield Relation(powers[one] ** 2, "<=", powers[other])
        both = tuple(j + k for j, k in zip(one, other, strict=True))
        if one < other and both in powers and not any(j and k for j, k in zip(one, other, strict=True)):
            yield Relation(powers[one] + powers[other] - 1, "<=", powers[both])


def _tidy(e: sp.Expr) -> sp.Expr:
    """Without a minus sign in front: only its size matters."""
    return -e if e.could_extract_minus_sign() else e
