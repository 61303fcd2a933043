"""Where the number of records is given and no rule is exact: branch and bound, order by order, with certificates.

An answer that does not look at places is that on the records in ascending order.  The records of two neighbours
together stand in one of finitely many orders, by which of them both share and which one has of its own.  In each order,
every statistic is smooth in the places v1 <= v2 <= … between the ends, and so is the difference of the answers: that it
never exceeds a bound is put to the prover on coordinates that run over a cube.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, pairwise, takewhile
from math import inf

import sympy as sp
from sympy.utilities.iterables import multiset_permutations

from dpsym.core.deadline import now, over
from dpsym.core.expanding import expand
from dpsym.core.functions import made_of
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding.certificates import certificate
from dpsym.deciding.definedness import Need
from dpsym.deciding.timeout import within
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, enclose
from dpsym.queries.answers import Kind, Norm, Sensitivity, never_more
from dpsym.queries.candidates import answered, has_values, holds, number
from dpsym.queries.changes import Change
from dpsym.queries.data import Interval, Records
from dpsym.queries.evaluating import attained_by
from dpsym.queries.reading import SIZE, Ordered, Query, Statistic, Total, Weighted

_MOST_PLACES = 5  # records of both together: in steps they have one coordinate more, and certificates have six
_MOST_ORDERS = 30  # each of them at least one inequality, which takes some tenths of a second
_GRID = 5  # places from end to end at which the ascent to the largest difference begins
_STARTS = 6  # from which it goes on
_SWEEPS = 4  # over all places: the ends are reached at once, and what is inside is found to three digits
_CUTS = 20  # golden sections: 0.6^20 is finer than the numbers that are kept
_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 64, 1024)  # of records that are shown, the shortest first
_LONGER = Decimal("1.00001")  # times what is attained, for longer numbers to be worth it
_DIGITS = 15  # of what is attained, before a bound above it is rounded up to few
_LADDER = tuple(Fraction(1, 4**k) for k in range(1, 6))  # above what is attained, in parts of it: finer while proved
_COARSE = (Fraction(1, 2), Fraction(1), Fraction(4))  # where a quarter is not proved
_SHARE_OF_EXACT = 0.4  # of the time: what has no proof at what is attained mostly has one soon a little above
_QUICK = (0.4, 3.0)  # seconds for one view of an inequality, all of them in turn: most take less than the first
_SLOW = (1.5, 5.0)  # the same for a bound above what is attained, where the first view mostly is enough
_MOST_PIVOTS = 2  # from which the places are reached: the two nearest to where both sides meet
_LEAST = 0.02  # seconds without which none is begun
_RAISED = 3  # polynomials of one degree more each, before their terms are too many
_LARGEST = 1000  # operations in an inequality; certificates have no more than 1500
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_UNIT = Interval(_ZERO, _ONE)

Claim = tuple[sp.Expr, sp.Expr]  # what is at most what
Shown = tuple[Relation, tuple[Proposition, ...]]


def of_orders(query: Query, change: Change, norm: Norm, known: Sensitivity, deadline: float) -> Sensitivity:
    """What is known already, or more than that."""
    record = query.data.record
    if known.kind not in (Kind.OPEN, Kind.ENCLOSED) or not isinstance(record, Interval) or record.values:
        return known
    if not (record.low.is_Rational and record.high.is_Rational) or change.within or change.fewer:
        return known
    counts = (change.shared, change.before, change.after)
    if not all(count.is_Integer for count in counts) or sum(counts) > _MOST_PLACES:
        return known
    if not all(isinstance(s, Ordered | Weighted) or (isinstance(s, Total) and s.body is not None)
               for s in query.statistics.values()):  # fmt: skip
        return known
    work = _Orders(query, change, norm, record, known)
    with suppress(NotEnclosed, NotNumeric, Undefined):
        within(deadline, lambda: work.search(deadline), None)
    return work.best


@dataclass(frozen=True, slots=True)
class _Order:
    """Who has the record at each place: both (shared), the first alone (before), or the second alone (after)."""

    owners: tuple[str, ...]
    differences: tuple[sp.Expr, ...]  # of the answers, in the places
    needs: tuple[Need, ...]


class _Orders:
    def __init__(self, query: Query, change: Change, norm: Norm, record: Interval, known: Sensitivity) -> None:
        self._query, self._change, self._norm, self._record = query, change, norm, record
        self._number = int(change.shared + change.before + change.after)
        self._places = sp.symbols([f"v{k}" for k in range(1, self._number + 1)])
        self.best = known

    def search(self, deadline: float) -> None:
        """Look for a pair, then for bounds, and keep what is found."""
        orders = self._orders()
        if not orders or not self._have_values(orders):
            return
        attained = self._attained(orders)
        if attained is not None and (self.best.lower is None or _number(self.best.lower) < _number(attained[1])):
            self.best = replace(self.best, lower=attained[1], pairs=(attained[0],))
        lower, upper = self.best.lower, self.best.upper
        if lower is None or lower == 0:
            return
        if upper is not None and holds(Relation(upper, "<=", lower), ()):
            self.best = replace(self.best, kind=Kind.EXACT, upper=lower)
            return
        if not all(made_of(d, "certified") for order in orders for d in order.differences):
            return

        def claims(bound: sp.Expr) -> dict[int, Claim]:
            found = (
                claim for order in orders
                for claim in never_more(self._norm, order.differences, bound, either=self._change.replaces)
            )  # fmt: skip
            return {n: claim for n, claim in enumerate(found) if not _of_numbers(claim)}

        exact = claims(lower)
        shown = self._all_shown(exact, now() + _SHARE_OF_EXACT * (deadline - now()))
        if shown.keys() == exact.keys():
            self._keep(Kind.EXACT, lower, shown, len(orders))
            return

        def bounded(margin: Fraction) -> bool:
            bound = _above(lower, margin)
            if self.best.upper is not None and _number(self.best.upper) <= bound:
                return True
            left = {n: claim for n, claim in claims(bound).items() if n not in shown}
            proved = self._all_shown(left, deadline, whole=True)
            if proved.keys() == left.keys():
                self._keep(Kind.ENCLOSED, bound, shown | proved, len(orders))
            return proved.keys() == left.keys()

        if not list(takewhile(bounded, _LADDER)):
            any(map(bounded, _COARSE))

    def _keep(self, kind: Kind, upper: sp.Expr, shown: dict[int, Shown], orders: int) -> None:
        why = f"it is not exceeded in any of {orders} orders in which the records may stand"
        decision = Decision(Verdict.CERTIFIED, Method.BRANCH_AND_BOUND, why)
        self.best = replace(self.best, kind=kind, upper=upper, decision=decision,
                            inequalities=tuple(shown[n] for n in sorted(shown)))  # fmt: skip

    # --- the difference, order by order
    def _orders(self) -> list[_Order]:
        owners = ["shared"] * int(self._change.shared) + ["before"] * int(self._change.before)
        found: list[_Order] = []
        for row in multiset_permutations([*owners, *["after"] * int(self._change.after)]):
            before, after = (
                self._table([v for v, who in zip(self._values, row, strict=True) if who in ("shared", whose)])
                for whose in ("before", "after")
            )
            if before is None or after is None or len(found) == _MOST_ORDERS:
                return []
            differences = tuple(
                _in_squares(answered(part, after) - answered(part, before), self._places) for part in self._query.parts
            )
            if any(d.has(sp.nan, sp.zoo, sp.oo) for d in differences):
                return []
            if not set().union(*(d.free_symbols for d in differences)) <= {*self._places}:
                return []
            needs = tuple(self._plain(need.subs(table)) for need in self._query.needs for table in (before, after))
            found.append(_Order(tuple(row), differences, needs))
        return found

    def _plain(self, need: Need) -> Need:
        """With sums of squares as such, so that what stands beside them is seen."""
        groups = (
            tuple(replace(p, lhs=_in_squares(p.lhs, self._places)) if isinstance(p, Relation) else p for p in group)
            for group in need.groups
        )
        return replace(need, groups=tuple(groups))

    @property
    def _values(self) -> list[sp.Expr]:
        return [self._record.low + (self._record.high - self._record.low) * v for v in self._places]

    def _table(self, values: list[sp.Expr]) -> dict[sp.Basic, sp.Expr] | None:
        """The statistics of records in ascending order; None where there is no record at a place."""
        size = sp.Integer(len(values))
        table: dict[sp.Basic, sp.Expr] = {SIZE: size}
        for symbol, statistic in self._query.statistics.items():
            value = self._of(statistic, values, size)
            if value is None:
                return None
            table[symbol] = value
        return table

    def _of(self, statistic: Statistic, values: list[sp.Expr], size: sp.Integer) -> sp.Expr | None:
        match statistic:
            case Total(body=body):
                assert body is not None  # noqa: S101 - as `of_orders` has seen
                (u,) = self._query.data.coordinates
                return sp.Add(*(body.subs(u, v) for v in values))
            case Ordered(place=place):
                low = high = place.subs(SIZE, size)
                weights = [_ONE]
            case Weighted():
                low, high = statistic.low.subs(SIZE, size), statistic.high.subs(SIZE, size)
                if not (low.is_Integer and high.is_Integer):
                    return None
                weights = [statistic.weight.subs({statistic.place: j, SIZE: size}) for j in range(low, high + 1)]
            case _:
                return None
        if not (low.is_Integer and high.is_Integer and 1 <= low <= high <= size):
            return None
        return sp.Add(*(w * v for w, v in zip(weights, values[int(low) - 1 : int(high)], strict=True)))

    def _have_values(self, orders: list[_Order]) -> bool:
        (u,) = self._query.data.coordinates
        inside = [*self._record.holds(u), *(r for v in self._places for r in _UNIT.holds(v))]
        ascending = (Relation(a, "<=", b) for a, b in pairwise(self._places))
        return has_values((need for order in orders for need in order.needs), (*inside, *ascending))

    # --- a pair
    def _attained(self, orders: list[_Order]) -> tuple[tuple[Records, Records], sp.Expr] | None:
        """The best pair that an ascent finds, in short numbers, with what it attains by the definitions."""
        starts: list[tuple[float, int, tuple[float, ...]]] = []
        sizes = [_function(self._places, self._norm.of(order.differences)) for order in orders]
        grid = [k / (_GRID - 1) for k in range(_GRID)]
        for n, size in enumerate(sizes):
            starts += [(size(at), n, at) for at in combinations_with_replacement(grid, self._number)]
        tops = [(n, top) for _, n, at in sorted(starts, reverse=True)[:_STARTS] for top in (at, _ascent(sizes[n], at))]
        short = (
            (n, tuple(sorted(Fraction(v).limit_denominator(most) for v in top)))
            for most in _DENOMINATORS for n, top in tops
        )  # fmt: skip
        best: tuple[Decimal, tuple[Records, Records], sp.Expr] | None = None
        for n, at in dict.fromkeys(short):
            pair = self._pair(orders[n], at)
            value = attained_by(self._query, pair, self._norm)
            worth = None if value is None else number(value, {})
            if worth is not None and (best is None or worth > best[0] * _LONGER):
                best = worth, pair, value
        return None if best is None else best[1:]

    def _pair(self, order: _Order, at: Sequence[Fraction]) -> tuple[Records, Records]:
        table = {v: sp.Rational(p.numerator, p.denominator) for v, p in zip(self._places, at, strict=True)}
        values = [(value.subs(table), who) for value, who in zip(self._values, order.owners, strict=True)]
        rest = [(value, _ONE) for value, who in values if who == "shared"]
        before, after = (
            Records((*((value, _ONE) for value, who in values if who == whose), *rest)) for whose in ("before", "after")
        )
        return before, after

    # --- upper bounds
    def _all_shown(self, claims: dict[int, Claim], deadline: float, *, whole: bool = False) -> dict[int, Shown]:
        """Those that are shown; where the whole is asked for, no more after one that is not."""
        found = dict[int, Shown]()
        for k, (n, claim) in enumerate(claims.items()):
            until = now() + (deadline - now()) / (len(claims) - k)
            shown = self._shown(claim, until, _SLOW if whole else _QUICK)
            if shown is not None:
                found[n] = shown
            elif whole:
                break
        return found

    def _shown(self, claim: Claim, until: float, limits: tuple[float, ...]) -> Shown | None:
        """The inequality in coordinates in which a certificate was found; None where none was."""
        for most in limits:
            for view in _views(self._places, *claim):
                found = within(until, view, None)
                spare = min(until - now(), most)
                if over(until, _LEAST):
                    return None
                if found is None or found.lhs.count_ops() + found.rhs.count_ops() > _LARGEST:
                    continue
                known = tuple(r for s in sorted(found.free_symbols, key=str) for r in _UNIT.holds(s))
                if certificate(found, known, spare) is not None:
                    return found, known
        return None


# --- coordinates over a cube


def _views(places: tuple[sp.Symbol, ...], left: sp.Expr, right: sp.Expr) -> Iterator[Callable[[], Relation | None]]:
    """The inequality in ascending places, in coordinates that run over a cube; what is quickest comes first."""
    if left.is_polynomial(*places) and right.is_Rational:
        yield partial(_homogeneous, places, left, right)
    number = len(places)
    vertices = [[0.0] * k + [1.0] * (number - k) for k in range(number + 1)]
    size = _function(places, left)
    near = max(range(number + 1), key=lambda k: size(vertices[k]))  # where both sides may meet
    has_roots = any(power.exp.is_Rational and not power.exp.is_Integer for power in left.atoms(sp.Pow))
    for pivot in sorted(range(number), key=lambda k: abs(k - near))[:_MOST_PIVOTS]:
        moved = left.subs(dict(zip(places, _from_pivot(number, pivot), strict=True)), simultaneous=True)
        yield partial(_relation, _with_squares_factored, moved, right)
        if not has_roots:  # in which squares of differences are kept, which are not negative
            yield partial(_relation, sp.factor, moved, right)


def _relation(written: Callable[[sp.Expr], sp.Expr], left: sp.Expr, right: sp.Expr) -> Relation:
    return Relation(written(left), "<=", right)


def _with_squares_factored(e: sp.Expr) -> sp.Expr:
    squares = [power for power in e.atoms(sp.Pow) if power.exp == 2 and power.base.is_Add]
    return e.xreplace({power: sp.factor(power.base) ** 2 for power in squares})


def _from_pivot(number: int, pivot: int) -> list[sp.Expr]:
    """Ascending numbers in [0, 1]: one of them is free, those below are parts of it, those above of what it leaves."""
    t = sp.symbols([f"t{k}" for k in range(1, number + 1)])
    values = {pivot: 1 - t[pivot]}
    for k in range(pivot - 1, -1, -1):
        values[k] = values[k + 1] * t[k]
    rest = t[pivot]
    for k in range(pivot + 1, number):
        rest *= t[k]
        values[k] = 1 - rest
    return [values[k] for k in range(number)]


def _homogeneous(places: tuple[sp.Symbol, ...], left: sp.Expr, right: sp.Expr) -> Relation | None:
    """Of a polynomial: with the steps from place to place in any unit, in which its sign is often that of each term.

    Multiplied with powers of the sum of all steps, a polynomial that is positive shows it in the end (Pólya).
    """
    steps = sp.symbols([f"s{k}" for k in range(len(places) + 1)])
    whole = sp.Poly(sp.Add(*steps), *steps)
    up_to = [sp.Poly(sp.Add(*steps[: k + 1]), *steps) for k in range(len(places))]
    gap = sp.Poly(right - left, *places)
    degree = gap.total_degree()
    found = sp.Poly(0, *steps)
    for powers, factor in gap.terms():
        term = whole ** (degree - sum(powers)) * factor
        for k, power in enumerate(powers):
            term *= up_to[k] ** power
        found += term
    for _ in range(_RAISED):
        if all(c >= 0 for c in found.coeffs()):
            return Relation(_ZERO, "<=", found.as_expr())
        found *= whole
    return None


def _in_squares(e: sp.Expr, places: tuple[sp.Symbol, ...]) -> sp.Expr:
    """With quadratic forms by the squares of differences, so that a variance is seen not to be negative."""
    if e.is_Add and e.is_polynomial(*places) and sp.Poly(e, *places).total_degree() == 2:
        half = {(a, b): sp.diff(e, a, b) / 2 for a in places for b in places}
        rest = expand(e - sp.Add(*(half[a, b] * a * b for a in places for b in places)))
        if rest.is_number:
            alone = (sp.Add(*(half[a, b] for b in places)) * a**2 for a in places)
            apart = (-half[a, b] * (a - b) ** 2 for a, b in combinations(places, 2))
            return sp.Add(*alone, *apart, rest)
    if not e.args:
        return e
    return e.func(*(_in_squares(a, places) for a in e.args))


# --- numbers, by which nothing is proved


def _of_numbers(claim: Claim) -> bool:
    """Whether it is seen to hold without anything that varies."""
    return bool(claim[0].is_number) and holds(Relation(claim[0], "<=", claim[1]), ())


def _function(places: tuple[sp.Symbol, ...], e: sp.Expr) -> Callable[[Sequence[float]], float]:
    """An expression in floating point; below everything where it has no value."""
    found = sp.lambdify(places, e, modules="math", cse=True)

    def value(at: Sequence[float]) -> float:
        try:
            return float(found(*at))
        except (ArithmeticError, ValueError, TypeError, NameError):  # the last of functions without a float
            return -inf

    return value


def _ascent(size: Callable[[Sequence[float]], float], at: Sequence[float]) -> list[float]:
    """From ascending places upwards, one after the other, between its neighbours, or with all that are equal to it."""
    here, best = list(at), size(at)
    for _ in range(_SWEEPS):
        for first in range(len(here)):
            for last in range(first, len(here)):
                low = here[first - 1] if first else 0.0
                high = here[last + 1] if last + 1 < len(here) else 1.0
                if len(set(here[first : last + 1])) > 1 or low == high:
                    continue

                moved = partial(_moved, here, first, last)
                for there in (moved(low), moved(high), _golden(size, moved, low, high)):
                    if size(there) > best:
                        here, best = there, size(there)
    return here


def _moved(at: list[float], first: int, last: int, v: float) -> list[float]:
    return [*at[:first], *[v] * (last + 1 - first), *at[last + 1 :]]


def _golden(
    size: Callable[[Sequence[float]], float], moved: Callable[[float], list[float]], low: float, high: float
) -> list[float]:
    """Where a function that rises and then falls is largest on a way, by golden sections."""
    for _ in range(_CUTS):
        one, other = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (low, other) if size(moved(one)) >= size(moved(other)) else (one, high)
    return moved((low + high) / 2)


def _above(value: sp.Expr, margin: Fraction) -> sp.Rational:
    """A short number that is larger by at least this part, and by less than twice that."""
    least = _number(value, upper=True) * (1 + sp.Rational(margin.numerator, margin.denominator))
    unit = sp.Integer(10) ** sp.floor(sp.log(least * sp.Rational(margin.numerator, margin.denominator), 10))
    return sp.ceiling(least / unit) * unit


def _number(e: sp.Expr, *, upper: bool = False) -> sp.Rational:
    """An end of an enclosure."""
    found = enclose(e, {}, digits=_DIGITS)
    return sp.Rational(str(found.upper if upper else found.lower))
