"""Answers that are weighted sums of the records in ascending order: extremes, ranges, medians, quantiles.

With W(k) the sum of the weights of the k largest places, such an answer is a*W(n) + the integral over t from a to b of
W(how many records exceed t).  Of two neighbours the integrand's difference depends at each t only on how many of the
shared records exceed t and on which of the records that differ do.  So it is never larger than at the best t, and data
sets with the values a and b alone have that everywhere: the sensitivity is (b - a) times the largest difference of W.

Where all records are at two values, so that one ordered record jumps from the one to the other, these may be any two: a
function of it changes by as much as it varies, and never by more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import lcm

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.queries.answers import Kind, Norm, Sensitivity, TooFew, Unclear, by_lemma, unless_zero
from dpsym.queries.candidates import has_values, holds, linear, plainer
from dpsym.queries.changes import Change, sharing
from dpsym.queries.data import FAR, Interval, Records
from dpsym.queries.extents import extent
from dpsym.queries.reading import SIZE, Ordered, Query, Statistic, Total, Weighted

_JUMPS = "the ordered record may be any two values of the interval, before and after"
_WHY = "a weighted sum of ordered records differs most where all records are at the two ends"


@dataclass(frozen=True, slots=True)
class _Span:
    """Weights of the places from one to another; a place counts from the top, 1 for the largest record."""

    whole: sp.Expr  # the sum of all its weights
    first: sp.Expr  # its largest place
    last: sp.Expr
    above: sp.Lambda | None  # the sum of the weights of the k largest records, where k lies within the span


def of_ordered(query: Query, change: Change, norm: Norm, conditions: tuple[Proposition, ...]) -> Sensitivity | None:
    """The sensitivity; None where the answer is something else, or is no sum of ordered records.

    Raises:
        Unclear: where it depends on which of two sizes is larger.
    """
    record = query.data.record
    if not query.statistics or not isinstance(record, Interval) or not change.own.is_Integer:
        return None
    query = _in_order(query)
    if not all(isinstance(s, Ordered | Weighted) for s in query.statistics.values()):
        return None
    if any((found := linear(part, query.statistics)) is None or found[1] != 0 for part in query.parts):
        return None
    if change.within and (change.own > 1 or record.values):
        return None
    return _largest(query, change, norm, record, conditions)


def _in_order(query: Query) -> Query:
    """Beside ordered records, a sum of multiples of all records is one of ordered records, too."""
    if not any(isinstance(s, Ordered | Weighted) for s in query.statistics.values()):
        return query
    (u,) = query.data.coordinates
    statistics = dict(query.statistics)
    for symbol, statistic in query.statistics.items():
        if isinstance(statistic, Total) and statistic.body is not None and not (weight := statistic.body / u).has(u):
            statistics[symbol] = Weighted(sp.Integer(1), SIZE, weight, sp.Symbol("place"))
    return replace(query, statistics=statistics)


def _largest(
    query: Query, change: Change, norm: Norm, record: Interval, conditions: tuple[Proposition, ...]
) -> Sensitivity | None:
    m = change.shared
    sizes = m + change.before, m + change.after
    least = max(1 - change.before, 1 - change.after)  # neither data set is empty
    conditions = sharing(max(least, 0), change, query.data.size, conditions)
    if not has_values((need.subs({SIZE: size}) for need in query.needs for size in sizes), conditions):
        return None
    before, after = ([_spans(part, query, size, conditions) for part in query.parts] for size in sizes)
    low, high = change.ends(record)
    if low != 0 and not all(
        sp.simplify(sp.Add(*(s.whole for s in a)) - sp.Add(*(s.whole for s in b))) == 0
        for a, b in zip(before, after, strict=True)
    ):
        return None
    known = _Comparing(conditions)
    thresholds = [
        edge - moved
        for spans, own in ((before, change.before), (after, change.after))
        for part in spans for span in part for edge in (span.first, span.last) for moved in range(own + 1)
    ]  # fmt: skip
    best: tuple[sp.Expr, sp.Expr, int, int] | None = None
    places = list(dict.fromkeys(expand(k) for edge in thresholds for k in (edge - 1, edge)))
    steps = [
        (old, new) for old, new in product(range(change.before + 1), range(change.after + 1))
        if not (change.replaces and old >= new)
    ]  # fmt: skip
    if not all(_bends_nowhere(a, b, old, new) for a, b in zip(before, after, strict=True) for old, new in steps):
        return None
    for k in dict.fromkeys([sp.Integer(0), m, *places]):
        if not (known.at_most(sp.Integer(0), k) and known.at_most(k, m)):
            continue
        for old, new in steps:
            differences = tuple(
                known.above(b, k + new) - known.above(a, k + old) for a, b in zip(before, after, strict=True)
            )
            size = plainer(norm.of(tuple(map(sp.factor, differences))), conditions)
            if best is None or _exceeds(size, best[0], conditions):
                best = size, k, old, new
    assert best is not None  # noqa: S101 - k = 0 is always tried
    found, k, old, new = best
    kind = Kind.EXACT
    if FAR in (high - low).free_symbols:
        if found == 0:
            low, high = sp.Integer(0), sp.Integer(1)
        elif not holds(Relation(found, ">", sp.Integer(0)), conditions):
            return unless_zero(found, conditions)
        else:
            kind = Kind.INFINITE
    rest = ((low, expand(m - k)), (high, expand(k)))
    pair = tuple(
        Records((*((end, sp.Integer(count)) for end, count in ((low, own - at), (high, at)) if count), *rest))
        for at, own in ((old, change.before), (new, change.after))
    )
    value = sp.oo if kind is Kind.INFINITE else sp.factor(found) * (high - low)
    return by_lemma(value, ((pair[0], pair[1]),), conditions, _WHY, kind)


def _bends_nowhere(before: Sequence[_Span], after: Sequence[_Span], old: int, new: int) -> bool:
    """Whether the difference of the sums of weights is affine in k between thresholds, so largest at one."""
    k = sp.Dummy("k")
    sums = [
        sp.Add(*(span.above(k + moved) for span in spans if span.above is not None))
        for spans, moved in ((before, old), (after, new))
    ]
    if all(sp.degree(expand(s), k) <= 1 for s in sums):
        return True
    spans = [s for s in (*before, *after) if s.above is not None]
    everywhere = all(s.first == 1 for s in spans) and len(before) == len(after) == 1
    return everywhere and sp.degree(expand(sums[1] - sums[0]), k) <= 1


def _spans(part: sp.Expr, query: Query, size: sp.Expr, conditions: tuple[Proposition, ...]) -> list[_Span]:
    found = []
    for symbol, statistic in query.statistics.items():
        factor = whole_parts(sp.diff(part, symbol).xreplace({SIZE: size}), conditions)
        if factor == 0:
            continue
        if isinstance(statistic, Ordered):
            place = _place(statistic.place, size, conditions)
            from_top = expand(size - place + 1)
            found.append(_Span(factor, from_top, from_top, None))
            continue
        assert isinstance(statistic, Weighted)  # noqa: S101 - as `of_ordered` has seen
        low, high = (_place(end, size, conditions) for end in (statistic.low, statistic.high))
        if not holds(Relation(low, "<=", high), conditions):
            raise Unclear(f"it is not seen that there are places from {low} to {high}")
        k, j = sp.Dummy("k"), statistic.place
        weight = factor * whole_parts(statistic.weight.xreplace({SIZE: size}), conditions)
        upto = sp.summation(weight, (j, 1, j))
        above = sp.Lambda(k, expand(upto.subs(j, high) - upto.subs(j, size - k)))
        first, last = expand(size - high + 1), expand(size - low + 1)
        found.append(_Span(expand(upto.subs(j, high) - upto.subs(j, low - 1)), first, last, above))
    return found


def _place(place: sp.Expr, size: sp.Expr, conditions: tuple[Proposition, ...]) -> sp.Expr:
    place = whole_parts(place.xreplace({SIZE: size}), conditions)
    whole = not place.free_symbols and place.is_integer
    if not (
        (whole or _is_whole(place, conditions))
        and holds(Relation(place, ">=", sp.Integer(1)), conditions)
        and holds(Relation(place, "<=", size), conditions)
    ):
        if place.is_Integer and size.is_Integer:
            raise TooFew(f"there is no record at place {place} of {size}")
        raise Unclear(f"it is not seen that there is a record at place {place} of {size}")
    return place


def _is_whole(e: sp.Expr, conditions: tuple[Proposition, ...]) -> bool:
    from dpsym.deciding.finite import is_integral

    integers = frozenset(c.expression for c in conditions if isinstance(c, IsInteger))
    return bool(is_integral(e, integers))


def _exceeds(value: sp.Expr, other: sp.Expr, conditions: tuple[Proposition, ...]) -> bool:
    if value == other:
        return False
    if holds(Relation(value, "<=", other), conditions):
        return False
    if holds(Relation(value, ">=", other), conditions):
        return True
    raise Unclear(f"it is not seen which of {value} and {other} is larger")


class _Comparing:
    """Comparisons of integers under conditions, each asked once."""

    def __init__(self, conditions: tuple[Proposition, ...]) -> None:
        self._conditions = conditions
        self._known: dict[sp.Expr, bool] = {}

    def at_most(self, left: sp.Expr, right: sp.Expr) -> bool:
        """Whether it is; where it is not, it has to be certain that it is not."""
        difference = expand(right - left)
        if difference not in self._known:
            self._known[difference] = self._asked(difference)
        return self._known[difference]

    def _asked(self, difference: sp.Expr) -> bool:
        if difference.is_number:
            return bool(difference >= 0)
        if holds(Relation(difference, ">=", sp.Integer(0)), self._conditions):
            return True
        if holds(Relation(difference, "<=", sp.Integer(-1)), self._conditions):
            return False
        raise Unclear(f"it is not seen whether {difference} is negative")

    def above(self, spans: Sequence[_Span], k: sp.Expr) -> sp.Expr:
        """The sum of the weights of the k largest records."""
        return sp.Add(*(self._of_span(span, k) for span in spans))

    def _of_span(self, span: _Span, k: sp.Expr) -> sp.Expr:
        if self.at_most(span.last, k):
            return span.whole
        if span.above is None or not self.at_most(span.first, k):
            return sp.Integer(0)
        return span.above(k)


def whole_parts(e: sp.Expr, conditions: tuple[Proposition, ...]) -> sp.Expr:
    """With floor(k + r) written as k + floor(r) where k is an integer and r a number; ceilings likewise."""
    for part in e.atoms(sp.floor, sp.ceiling):
        number, rest = part.args[0].as_coeff_Add()
        if rest == 0 or _is_whole(expand(rest), conditions):
            e = e.xreplace({part: rest + part.func(number)})
    return expand(e)


def period(query: Query) -> int:
    """After how many records more the places in order have moved by whole numbers: 2 for a median."""
    places = [e for s in query.statistics.values() for e in _places(s)]
    slopes = (
        sp.Poly(part.args[0], SIZE).coeff_monomial(SIZE)
        for e in (*places, *query.parts)
        for part in e.atoms(sp.floor, sp.ceiling) if part.args[0].is_polynomial(SIZE)
    )  # fmt: skip
    return lcm(*(int(slope.q) for slope in slopes if slope.is_Rational))


def _places(statistic: Statistic) -> tuple[sp.Expr, ...]:
    match statistic:
        case Ordered():
            return (statistic.place,)
        case Weighted():
            return statistic.low, statistic.high, statistic.weight
        case _:
            return ()


def of_jumps(query: Query, change: Change, rule: Callable[[Query, Norm], Sensitivity]) -> Sensitivity | None:
    """The sensitivity of such a function; None for anything else.

    Args:
        query: what is asked.
        change: the step to a neighbour.
        rule: the sensitivity of the ordered record itself.
    """
    record = query.data.record
    if len(query.parts) != 1 or len(query.statistics) != 1 or not isinstance(record, Interval) or not record.bounded:
        return None
    ((symbol, statistic),) = query.statistics.items()
    (part,) = query.parts
    if not isinstance(statistic, Ordered) or part.has(SIZE) or change.within or record.values:
        return None
    inside = record.holds(symbol)
    if not has_values(query.needs, (*query.conditions, *inside)):
        return None
    itself = rule(replace(query, parts=(symbol,), needs=()), Norm.L1)
    found = extent(part, (symbol,), record, query.conditions)
    width = record.high - record.low
    if found is None or itself.kind is not Kind.EXACT or expand(itself.upper - width) != 0:
        return None
    least, greatest = found.at_least, found.at_greatest
    if holds(Relation(greatest, "<", least), query.conditions):
        least, greatest = greatest, least
    elif not holds(Relation(least, "<=", greatest), query.conditions):
        return None
    ends = {record.low: least, record.high: greatest}
    pairs = tuple((_moved(before, ends), _moved(after, ends)) for before, after in itself.pairs)
    value = plainer(found.greatest - found.least, query.conditions)
    return by_lemma(value, pairs, itself.conditions, _JUMPS)


def _moved(records: Records, ends: dict[sp.Expr, sp.Basic]) -> Records:
    return Records(tuple((ends[value], count) for value, count in records.blocks))
