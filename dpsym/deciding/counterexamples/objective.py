"""By how much a relation holds, as a function on the coordinates of its domain.

Every real symbol is read on a logarithmic scale from its nearest finite end; symbols that coupled conditions are
solved for are functions of the others.  The numbers here only say where to look: they are never evidence.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.relations import Relation, substitute
from dpsym.deciding.domain import Bounds, Domain, EmptyDomain, Point
from dpsym.deciding.strategies.constraints import setting
from dpsym.numbers import compiled

Place = list[fmpq]

_FURTHEST = 300.0  # on the logarithmic scale: beyond it a double overflows
_MOST = 1e3  # of the gap inside the conditions
_OUTSIDE = 1e4  # what violates a condition counts as this and more
_EVALUATIONS, _IN_VAIN = 40_000, 10_000  # to find points inside, and before the first of them
_STEPS = (-6.0, -4.0, -3.0, -2.0, -1.5, -1.0, -0.5, -0.2, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # to places inside
_NOWHERE = 1e6  # the gap where there is no value
_SIMPLE = 48  # bits of coordinates at which sides may be exactly equal
_ALONE = 1e300  # the gap where nothing speaks against the relation
_LARGEST_EXPONENT = 10_000  # of 2, in a coordinate


@lru_cache(maxsize=256)
def solved(domain: Domain) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Symbol, Bounds]]:
    """What symbols are in terms of the others and of new symbols, and the bounds of the latter."""
    if not domain.coupled:
        return {}, {}
    found = setting(domain)
    values = dict(found.values)
    for _ in values:
        values = {s: substitute(e, values) for s, e in values.items()}
    if any(e.free_symbols & set(values) for e in values.values()):
        return {}, {}
    return values, {s: b for s, b in found.bounds.items() if s not in values}


def completed(domain: Domain, point: Point) -> Point | None:
    """The point with every symbol that an equation is solved for put right; None where that is irrational."""
    values, _ = solved(domain)
    trial = dict(point)
    for symbol, value in values.items():
        if value.free_symbols <= set(point):
            exact = substitute(value, point)
            if not isinstance(exact, sp.Rational):
                return None
            trial[symbol] = exact
    return trial


def eliminated(domain: Domain) -> tuple[dict[sp.Symbol, sp.Expr], Domain]:
    """Symbols that equations such as L = log(1/delta) give outright, and the domain of the others.

    Such a value may be irrational at every rational point.  That it is defined stays a condition.
    """
    for condition in domain.coupled:
        for side in (condition, condition.swapped) if isinstance(condition, Relation) and condition.op == "=" else ():
            symbol, value = side.lhs, side.rhs
            if isinstance(symbol, sp.Symbol) and symbol not in value.free_symbols and not value.is_rational_function():
                table = {symbol: value}
                try:
                    more, rest = eliminated(Domain(tuple(p.subs(table) for p in domain.assume)))
                except (EmptyDomain, ValueError):
                    continue
                return {symbol: substitute(value, more), **more}, rest
    return {}, domain


def inside(domain: Domain, symbols: set[sp.Symbol], *, most: int, seed: int) -> list[Point]:
    """Points that satisfy coupled conditions, by what these were solved for and by steps that violate them less."""
    total = sp.Add(*sorted(symbols, key=lambda s: s.name))
    objective = Objective(Relation(total, "=", total), domain)
    rng = random.Random(seed)  # noqa: S311 - choosing points is no cryptography
    found: list[Point] = []
    for attempt in range(4 * most):
        spread = 0.5 + attempt / most
        place = [axis.at(rng.uniform(-spread, spread), 1) for axis in objective.axes]
        point = objective.point(_less_outside(objective, place))
        if point is not None and point not in found:
            found.append(point)
        if len(found) >= most or objective.evaluations > (_EVALUATIONS if found else _IN_VAIN):
            break
    return found


def _less_outside(objective: Objective, place: Place) -> Place:
    """The place, moved along one axis at a time as long as less of the conditions is violated."""
    value = objective(place)
    while _OUTSIDE < value < _NOWHERE:
        moved = (
            [*place[:number], axis.at(u, 1), *place[number + 1 :]]
            for number, axis in enumerate(objective.axes)
            for u in _STEPS
        )
        least, best = min(((objective(one), one) for one in moved), key=lambda found: found[0], default=(value, place))
        if least >= value:
            break
        value, place = least, best
    return place


@dataclass(frozen=True, slots=True)
class Axis:
    """One coordinate: real numbers u, on a logarithmic scale, to values of a symbol."""

    symbol: sp.Symbol
    bounds: Bounds
    integral: bool

    def at(self, u: float, digits: int = 3) -> fmpq:
        """The value there, its distance from the end rounded to this many digits."""
        low, high = self.bounds.lower, self.bounds.upper
        if self.integral:
            return self._integer(u)
        u = max(-_FURTHEST, min(_FURTHEST, u))
        if low is not None and high is not None:
            if low == high:
                return _fmpq(low)
            share = short(10 ** -abs(u) / 2, digits)
            width = _fmpq(high) - _fmpq(low)
            return _fmpq(low) + width * share if u <= 0 else _fmpq(high) - width * share
        if low is not None:
            return _fmpq(low) + short(10**u, digits)
        if high is not None:
            return _fmpq(high) - short(10**u, digits)
        return short(math.copysign(math.expm1(abs(u) * math.log(10)), u), digits)

    def _integer(self, u: float) -> fmpq:
        low, high = self.bounds.lower, self.bounds.upper
        steps = round(10 ** min(abs(u), 15)) - 1
        if abs(u) > 15:
            steps = 10 ** int(min(abs(u), _FURTHEST))
        if low is not None:
            least = int(sp.ceiling(low)) + bool(self.bounds.lower_open and low.is_Integer)
            value = least + (steps if u > 0 else 0)
        elif high is not None:
            most = int(sp.floor(high)) - bool(self.bounds.upper_open and high.is_Integer)
            value = most - (steps if u > 0 else 0)
        else:
            value = steps if u >= 0 else -steps
        return fmpq(min(value, int(sp.floor(high))) if high is not None else value)

    def ends(self) -> list[fmpq]:
        """The ends that belong to it."""
        found = []
        if self.bounds.lower is not None and not self.bounds.lower_open:
            found.append(_fmpq(self.bounds.lower))
        if self.bounds.upper is not None and not self.bounds.upper_open:
            found.append(_fmpq(self.bounds.upper))
        return found

    def contains(self, value: fmpq) -> bool:
        """Whether the value lies between the ends, and is an integer where it must be."""
        return _rational(value) in self.bounds and (not self.integral or value.q == 1)


class Objective:
    """The gap P/N - 1, where P and N are the sums of the terms that speak for and against the relation.

    It is negative where the relation seems to fail.

    Raises:
        NotNumeric: for a relation that has no numbers.
    """

    def __init__(self, relation: Relation, domain: Domain) -> None:
        self.domain = domain
        values, bounds = solved(domain)
        self._names = sorted(relation.free_symbols | set(domain.bounds), key=lambda s: s.name)
        self._values = {s: values[s] for s in self._names if s in values}
        free = {s: domain.of(s) for s in self._names if s not in values}
        for value in self._values.values():
            free |= {s: bounds.get(s, domain.of(s)) for s in value.free_symbols}
        self.axes = [Axis(s, b, s in domain.integers) for s, b in sorted(free.items(), key=lambda i: i[0].name)]
        self._symbols = tuple(a.symbol for a in self.axes)
        self._place = compiled([self._values.get(s, s) for s in self._names], self._symbols) if values else None
        self._op = relation.op
        self.strict = relation.op in ("<", ">", "!=")
        first, second = (relation.lhs, relation.rhs) if relation.op[0] != "<" else (relation.rhs, relation.lhs)
        terms = [*sp.Add.make_args(first), *(-t for t in sp.Add.make_args(second) if t != 0)]
        self._terms = len(terms)
        self._conditions = [c for c in domain.coupled if isinstance(c, Relation) and c.op not in ("=", "!=")]
        sides = [s for c in self._conditions for s in ((c.lhs, c.rhs) if c.op[0] == ">" else (c.rhs, c.lhs))]
        self._tape = compiled([*terms, *sides], self._names)
        self.costly, self.steps = self._tape.costly, self._tape.steps
        self.evaluations = 0
        self.suspects: list[Place] = []
        self.touching: list[Place] = []  # where the sides of a strict relation may be equal
        self._undefined = 0

    def __call__(self, place: Place, bits: int = 128) -> float:
        """log(P/N), or a large number outside the conditions; places where the relation fails are noted."""
        value, outside = self._measured(place, bits)
        if value is None:
            return _NOWHERE
        gap = float(value.mid())
        if outside:
            return _OUTSIDE + gap
        return max(-_MOST, min(_MOST, math.log1p(gap))) if gap > -1 else -_MOST

    def value(self, place: Place, bits: int) -> arb | None:
        """The gap as a ball; None outside the conditions, or where there is none."""
        value, outside = self._measured(place, bits)
        return None if outside else value

    def _measured(self, place: Place, bits: int) -> tuple[arb | None, bool]:
        self.evaluations += 1
        before, ctx.prec = ctx.prec, bits
        try:
            at = [arb(v) for v in place]
            if self._place is not None:
                at = self._place.thin(at)
            found = self._tape.thin(at)
            violation = self._violation(at, found)
            if violation.is_nan():
                return None, True
            return (violation, True) if violation > 0 else (self._gap(found[: self._terms], place), False)
        finally:
            ctx.prec = before

    def _violation(self, at: list[arb], found: list[arb]) -> arb:
        worst = arb(0)
        for greater, smaller in zip(found[self._terms :: 2], found[self._terms + 1 :: 2], strict=True):
            gap = greater - smaller
            if not gap >= 0:
                worst = worst - gap / (1 + abs(greater) + abs(smaller))
        for symbol, value in zip(self._names, at, strict=True) if self._values else ():
            if symbol in self._values:
                bounds = self.domain.of(symbol)
                for end, side in ((bounds.lower, 1), (bounds.upper, -1)):
                    gap = arb(0) if end is None else (value - _fmpq(end)) * side
                    if not gap >= 0:
                        worst = worst - gap / (1 + abs(value))
        return worst

    def _gap(self, terms: list[arb], place: Place) -> arb | None:
        above, below = arb(0), arb(0)
        for term in terms:
            if term < 0:
                below = below - term
            else:
                above = above + term
        total = above - below
        if not total.is_finite():
            if total.is_nan() and self._undefined < 5:
                self._undefined += 1
                self.suspects.append(place)
            return None
        if total < 0 if self._op[0] in "<>" else self._op == "=" and not total.contains(0):
            self.suspects.append(place)
        elif self.strict and total.contains(0) and all(v.height_bits() < _SIMPLE for v in place):
            self.touching.append(place)
        if self._op in ("=", "!="):
            size = above + below
            relative = abs(total) / size if size > 0 else arb(0)
            return relative if self._op == "!=" else -relative
        if len(terms) == 1:
            return total / (1 + abs(total))
        gap = total / below if below > 0 else arb(_ALONE)
        return gap if gap.is_finite() and gap < _ALONE else arb(_ALONE)

    def coordinates(self, point: Point) -> Place | None:
        """The coordinates of a point, where they are symbols of the domain."""
        if not all(s in point for s in self._symbols):
            return None
        return [_fmpq(point[s]) for s in self._symbols]

    def point(self, place: Place) -> Point | None:
        """The exact point of the domain at these coordinates; None where it is irrational or outside."""
        table = {s: _rational(v) for s, v in zip(self._symbols, place, strict=True)}
        found: Point = {}
        for symbol in self._names:
            value = substitute(self._values[symbol], table) if symbol in self._values else table[symbol]
            if not isinstance(value, sp.Rational):
                if self._values[symbol].free_symbols <= set(self._names):
                    return None  # an equation leaves no choice
                value = self._nearby(symbol, place)
            if value is None:
                return None
            if symbol in self.domain.integers and not value.is_Integer:
                value = sp.Integer(round(value))
            found[symbol] = value
        return found if self.domain.contains(found) else None

    def _nearby(self, symbol: sp.Symbol, place: Place) -> sp.Rational | None:
        before, ctx.prec = ctx.prec, 256
        try:
            value = compiled((self._values[symbol],), self._symbols).thin([arb(v) for v in place])[0]
            if not value.is_finite():
                return None
            mid, exponent = value.mid().man_exp()
            if abs(int(exponent)) > _LARGEST_EXPONENT:  # flint ends the process rather than make such a number
                return None
            return _rational(fmpq(mid) * fmpq(2) ** int(exponent))
        finally:
            ctx.prec = before


def short(value: float, digits: int) -> fmpq:
    """The decimal of this many digits next to a number."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return fmpq(int(mantissa.replace(".", ""))) * _ten(int(exponent) - digits + 1)


@lru_cache(maxsize=2048)
def _ten(exponent: int) -> fmpq:
    return fmpq(10**exponent) if exponent >= 0 else fmpq(1, 10**-exponent)


@lru_cache(maxsize=4096)
def _fmpq(value: sp.Rational) -> fmpq:
    return fmpq(int(value.p), int(value.q))


def _rational(value: fmpq) -> sp.Rational:
    return sp.Rational(int(value.p), int(value.q))


def fraction(value: sp.Rational) -> Fraction:
    """The same number."""
    return Fraction(int(value.p), int(value.q))
