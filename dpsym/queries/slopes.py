"""Answers that are functions of statistics, by the chain rule: an upper bound, which need not be attained.

Along the way from one answer to the other, a function changes by at most its steepest slope in each statistic times
what the statistic changes by. What is linear is taken together; absolute values, maxima, minima and logarithms of
sums of exponentials are no steeper than what stands in them; a coordinate of a softmax is a logistic function of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding import Domain
from dpsym.queries.answers import Kind, Norm, Sensitivity, TooFew, Unclear, size_of
from dpsym.queries.candidates import has_values, holds, linear, plainer
from dpsym.queries.changes import Change, sharing_enough
from dpsym.queries.data import Box, Interval
from dpsym.queries.evaluating import attained_at_ends
from dpsym.queries.extents import BRANCHED, extent, pieces
from dpsym.queries.reading import SIZE, Ordered, Query, Statistic, Total

_MOST_CORNERS = 16  # of the box of all values of the statistics
_MOST_PIECES = 16  # of an answer: four absolute values
_FEW = 3  # numbers of records that may be exceptions
_BY_PIECES = "it changes no more than one of the functions of which it is the absolute value, maximum or minimum"
_WHY = "by the chain rule: the steepest slope times what the statistics change by"

Rule = Callable[[Query, Norm], Sensitivity]


def of_slopes(query: Query, change: Change, norm: Norm, lower: Sensitivity | None, rule: Rule) -> Sensitivity | None:
    """A proved upper bound; None where a slope is not seen to be bounded.

    Args:
        query: what is asked.
        change: the step to a neighbour.
        norm: in which the difference is measured.
        lower: what other rules have found of it.
        rule: the sensitivity of a linear query.
    """
    if not query.statistics:
        return None
    found = _Slopes(query, change, rule)
    if not found.has_values():
        return None
    upper, why = found.by_pieces(norm), _BY_PIECES
    if upper is None:
        steps = [] if any(part.has(SIZE) for part in query.parts) else [found.of(part) for part in query.parts]
        known = [step for step in steps if step is not None]
        if len(known) < len(query.parts):
            return None
        upper, why = norm.of(tuple(known)), _WHY
    upper = plainer(upper, query.conditions)
    decision = Decision(Verdict.PROVED, Method.LEMMA, why)
    if lower is None or lower.lower is None:
        lower = attained_at_ends(query, change, norm)
    attained, pairs = (lower.lower, lower.pairs) if lower else (None, ())
    said = lower.conditions if lower and attained is not None else ()
    conditions = tuple(dict.fromkeys((*query.conditions, *found.given, *said)))
    kind = Kind.ENCLOSED
    if attained is not None and (attained == upper or holds(Relation(upper, "<=", attained), conditions, 1.0)):
        kind, upper = Kind.EXACT, attained
    elif attained is not None and _from_more_records_on(Relation(upper, "<=", attained), query, conditions):
        raise Unclear("it depends on how many records there are")
    return Sensitivity(kind, attained, upper, pairs, conditions, decision)


def _from_more_records_on(relation: Relation, query: Query, conditions: tuple[Proposition, ...]) -> bool:
    """Whether it holds for all but few numbers of records."""
    symbols = query.data.size.free_symbols
    least = [Domain(conditions).bounds[s].lower for s in symbols & relation.free_symbols]
    return any(
        holds(relation, (*conditions, Relation(symbol, ">=", bound + _FEW)), 1.0)
        for symbol, bound in zip(symbols, least, strict=False) if bound is not None
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Slopes:
    query: Query
    change: Change
    rule: Rule
    given: list[Proposition] = field(default_factory=list)  # under which the linear parts are known

    def by_pieces(self, norm: Norm) -> sp.Expr | None:
        """What the answer changes by at most, where it is made of absolute values, maxima and minima of others.

        As a function of these others it is linear on each of finitely many regions.  On the straight way from the one
        answer to the other it therefore goes no farther than the farthest of these linear functions would.
        """
        options = [pieces(part) for part in self.query.parts]
        if prod(map(len, options)) not in range(2, _MOST_PIECES + 1) or not all(map(self._branches, self.query.parts)):
            return None
        uppers = dict[tuple[sp.Expr, ...], sp.Expr]()
        for chosen in product(*options):
            if any(e.free_symbols & {SIZE, *self.query.statistics} for e in chosen) and (
                tuple(expand(-e) for e in chosen) not in uppers
            ):
                found = self.rule(replace(self.query, parts=chosen, needs=()), norm)
                if found.kind is not Kind.EXACT or found.upper is None:
                    return None
                self.given.extend(found.conditions)
                uppers[tuple(map(sp.expand, chosen))] = found.upper
        return sp.Max(*uppers.values()) if uppers else None

    def _branches(self, e: sp.Expr) -> bool:
        """Whether absolute values, maxima and minima are added, and multiplied with constants, alone."""
        if not e.has(*BRANCHED):
            return True
        if isinstance(e, sp.Mul):
            moving = [part for part in e.args if part.free_symbols & {SIZE, *self.query.statistics}]
            return len(moving) < 2 and all(map(self._branches, moving))
        return isinstance(e, (sp.Add, *BRANCHED)) and all(map(self._branches, e.args))

    def of(self, e: sp.Expr) -> sp.Expr | None:
        """By how much an expression changes at most."""
        statistics = set(self.query.statistics)
        if not e.free_symbols & statistics:
            return sp.Integer(0)
        if linear(e, [s for s in self.query.statistics if e.has(s)]) is not None:
            found = self.rule(replace(self.query, parts=(e,), needs=()), Norm.L1)
            if found.kind is Kind.EXACT:
                self.given.extend(found.conditions)
                return found.upper
        if isinstance(e, sp.Add):
            return self._joined(e.args, sp.Add)
        if isinstance(e, sp.Abs):
            return self.of(e.args[0])
        if isinstance(e, sp.Max | sp.Min):
            return self._joined(e.args, sp.Max)
        if isinstance(e, sp.log) and (exponents := self._exponents(e.args[0])):
            return self._joined(exponents, sp.Max)
        if isinstance(e, sp.Pow) and e.exp == -1 and (step := self._share(e.base)) is not None:
            return step
        factor, rest = e.as_independent(*statistics, as_Add=False)
        if factor != 1:
            step = self.of(rest)
            return None if step is None else size_of(factor) * step
        return None if e in statistics else self._smooth(e)

    def _joined(self, parts: tuple[sp.Expr, ...], how: type[sp.Expr]) -> sp.Expr | None:
        steps = [self.of(part) for part in parts]
        known = [step for step in steps if step is not None]
        return how(*known) if len(known) == len(steps) else None

    def _exponents(self, e: sp.Expr) -> tuple[sp.Expr, ...]:
        """Of a sum of exponentials with positive weights: its logarithm moves by no more than one of them."""
        found = []
        for term in sp.Add.make_args(e):
            weight, rest = term.as_independent(*self.query.statistics, as_Add=False)
            if not holds(Relation(weight, ">", sp.Integer(0)), self.query.conditions):
                return ()
            if rest != 1 and not isinstance(rest, sp.exp):
                return ()
            found.append(rest.args[0] if rest != 1 else sp.Integer(0))
        return tuple(found)

    def _share(self, base: sp.Expr) -> sp.Expr | None:
        """Of 1/(w + sum of exponentials), a coordinate of a softmax; None for anything else.

        It is S(-L)/w with the logistic function S and the logarithm L of that sum over w, and S changes by at most
        tanh(s/4) where L changes by at most s.
        """
        exponents = self._exponents(base)
        step = self._joined(exponents, sp.Max) if exponents else None
        constant = base.as_independent(*self.query.statistics, as_Add=True)[0]
        if step is None or not holds(Relation(constant, ">", sp.Integer(0)), self.query.conditions):
            return None
        return (sp.exp(step / 2) - 1) / (sp.exp(step / 2) + 1) / constant

    def _smooth(self, e: sp.Expr) -> sp.Expr | None:
        """The steepest slope in each statistic, over all its values, times what it changes by."""
        if e.has(sp.Abs, sp.Max, sp.Min, sp.Piecewise, sp.floor, sp.ceiling, sp.sign):
            return None
        terms = []
        for symbol in (s for s in self.query.statistics if e.has(s)):
            step, slope = self.of(symbol), self._steepest(sp.cancel(sp.diff(e, symbol)))
            if step is None or slope is None:
                return None
            terms.append(step * slope)
        return sp.Add(*terms)

    def _steepest(self, slope: sp.Expr) -> sp.Expr | None:
        symbols = [s for s in self.query.statistics if slope.has(s)]
        ranges = [self._range(self.query.statistics[s]) for s in symbols]
        known = [ends for ends in ranges if ends is not None]
        if len(known) < len(ranges) or 2 ** len(known) > _MOST_CORNERS:
            return None
        inside = [r for s, (low, high) in zip(symbols, known, strict=True)
                  for r in (Relation(low, "<=", s), Relation(s, "<=", high))]  # fmt: skip
        conditions = (*self.query.conditions, *inside)
        for ends in product(*known):
            value = plainer(size_of(slope.subs(dict(zip(symbols, ends, strict=True)))), self.query.conditions)
            if value.has(sp.oo, sp.zoo, sp.nan):
                continue
            if all(holds(Relation(sign * slope, "<=", value), conditions, 0.5) for sign in (1, -1)):
                return value
        return None

    def _range(self, statistic: Statistic) -> tuple[sp.Expr, sp.Expr] | None:
        """Between which values a statistic lies, of either neighbour."""
        record = self.query.data.record
        if isinstance(statistic, Ordered) and isinstance(record, Interval) and record.bounded:
            return record.low, record.high
        if not isinstance(statistic, Total) or statistic.body is None or not isinstance(record, Interval | Box):
            return None
        found = extent(statistic.body, self.query.data.coordinates, record, self.query.conditions)
        if found is None:
            return None
        sizes = {self.change.shared + own for own in (self.change.before, self.change.after)}
        known = self.query.conditions
        low = plainer(sp.Min(*(expand(n * found.least) for n in sizes)), known)
        high = plainer(sp.Max(*(expand(n * found.greatest) for n in sizes)), known)
        return low, high

    def has_values(self) -> bool:
        """Whether the answer has one, whatever the records are, where enough are shared."""
        query, change = self.query, self.change
        used = set().union(*(need.free_symbols for need in query.needs))
        inside = list(self._inside(used))
        sizes = dict.fromkeys(change.shared + own for own in (change.before, change.after))
        needs = [need.subs({SIZE: size}) for need in query.needs for size in sizes]
        try:
            known = sharing_enough(
                change, query.data.size, query.conditions, lambda known: has_values(needs, (*known, *inside))
            )
        except TooFew:
            return False
        self.given.extend(known or ())
        return known is not None

    def _inside(self, used: set[sp.Symbol]) -> Iterator[Relation]:
        for symbol, statistic in self.query.statistics.items():
            ends = self._range(statistic) if symbol in used else None
            if ends is not None:
                yield from (Relation(ends[0], "<=", symbol), Relation(symbol, "<=", ends[1]))
