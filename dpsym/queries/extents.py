"""Between which values a function of one record lies: the least and the greatest, and records that have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import sympy as sp
from sympy.functions.elementary.integers import RoundFunction
from sympy.functions.elementary.miscellaneous import MinMaxBase

from dpsym.core.relations import Proposition, Relation, relation
from dpsym.queries.candidates import holds
from dpsym.queries.data import Box, Interval

_NOT_SMOOTH = (sp.Abs, MinMaxBase, sp.Piecewise, RoundFunction, sp.sign)  # the bases of maxima and of floors
_QUICK, _SLOW = 0.2, 2.0  # seconds for a comparison of two values, and of a function with one


@dataclass(frozen=True, slots=True)
class Extent:
    """The least and greatest value of a function of a record, and records that have them."""

    least: sp.Expr
    at_least: sp.Basic
    greatest: sp.Expr
    at_greatest: sp.Basic


def at(body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: sp.Basic) -> sp.Expr:
    """A function of a record, at one."""
    values = record.args if isinstance(record, sp.Tuple) else (record,)
    return body.subs(dict(zip(coordinates, values, strict=True)), simultaneous=True)


def settled(e: sp.Expr, known: tuple[Proposition, ...]) -> sp.Expr:
    """With the value of what is defined by cases where it is certain which case it is."""
    for part in e.atoms(sp.Piecewise):
        for value, condition in part.args:
            true = _is_true(condition, known)
            if true:
                e = e.xreplace({part: value})
            if true is not False:
                break
    return e


def _is_true(condition: sp.Basic, known: tuple[Proposition, ...]) -> bool | None:
    """Of a relation, or of several together; None where it is not certain."""
    if isinstance(condition, sp.And):
        found = [_is_true(part, known) for part in condition.args]
        return False if False in found else None if None in found else True
    if condition in (sp.true, sp.false):
        return bool(condition)
    if not isinstance(condition, sp.core.relational.Relational):
        return None
    said = relation(condition)
    return True if holds(said, known, _QUICK) else False if holds(said.negated, known, _QUICK) else None


def extent(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: Interval | Box, conditions: tuple[Proposition, ...]
) -> Extent | None:
    """Between which values a function of a record lies, both of which it has; None where none were seen."""
    places = list(_places(body, coordinates, record, conditions))
    about = {*coordinates, *body.free_symbols, *record.free_symbols}
    known = conditions = tuple(c for c in conditions if c.free_symbols & about)
    for side, u in zip(record.sides if isinstance(record, Box) else (record,), coordinates, strict=True):
        known += side.holds(u)
    values = [(place, settled(at(body, coordinates, place), conditions)) for place in dict.fromkeys(places)]
    seen = _Seen(body, coordinates, values, known, record)
    least = next((v for v in values if seen.is_extreme(v[1], "<=")), None)
    greatest = next((v for v in values if seen.is_extreme(v[1], ">=")), None)
    if least is None or greatest is None:
        return None
    return Extent(least[1], least[0], greatest[1], greatest[0])


def representatives(
    bodies: list[sp.Expr], coordinates: tuple[sp.Symbol, ...], record: Interval | Box
) -> list[sp.Expr] | None:
    """Records on which functions have together all the values that they have; None where these are not known.

    Of a record from a finite set all; of functions that are constant between numbers, a record of each piece.
    """
    if not isinstance(record, Interval):
        return None
    if record.values:
        return list(record.values)
    (u,) = coordinates
    edges: set[sp.Expr] = set(record.corners)
    for body in bodies:
        if body.has(u) and not (body.atoms(sp.Piecewise) and _without_pieces(body, u)):
            return None
        edges |= {side for part in body.atoms(sp.core.relational.Relational) for side in _edge(part, u)}
    if not all(e.is_Rational for e in edges):
        return None
    inside = sorted(e for e in edges if record.low <= e <= record.high)
    if not inside:
        return [sp.Integer(0)]
    between = [(a + b) / 2 for a, b in pairwise(inside)]
    outside = [inside[0] - 1] * bool(record.low.is_infinite) + [inside[-1] + 1] * bool(record.high.is_infinite)
    return [*inside, *between, *outside]


def _without_pieces(body: sp.Expr, u: sp.Symbol) -> bool:
    """Whether the variable stands in conditions on it alone, that are affine in it."""
    constant = body
    for part in body.atoms(sp.Piecewise):
        if not all(value.is_number for value, _ in part.args):
            return False
        constant = constant.xreplace({part: sp.Dummy()})
    affine = (sp.expand(r.lhs - r.rhs) for r in body.atoms(sp.core.relational.Relational))
    return not constant.has(u) and all(a.is_polynomial(u) and sp.degree(a, u) == 1 for a in affine)


def _edge(relation: sp.Basic, u: sp.Symbol) -> list[sp.Expr]:
    """Where both sides of an affine relation meet."""
    apart = sp.expand(relation.lhs - relation.rhs)
    slope = apart.coeff(u)
    return [sp.expand((slope * u - apart) / slope)] if slope != 0 else []


def _places(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: Interval | Box, conditions: tuple[Proposition, ...]
) -> Iterator[sp.Basic]:
    """Where a function may have its extremes."""
    if isinstance(record, Box):
        yield from record.corners
        yield from (sp.Tuple(*p) for p in product(*_along(body, coordinates, record, conditions)))
        return
    if record.values:
        yield from record.values
        return
    (u,) = coordinates
    yield from record.corners
    edges = {e for part in body.atoms(sp.core.relational.Relational) for e in _edge_of(part, u)}
    near = [*kinks(body, u), *(e + d for e in edges for d in (0, 1, -1)), *turns(body, u)]
    yield from (p for p in near if within(p, record, conditions))
    if record.bounded:
        yield (record.low + record.high) / 2


def _along(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: Box, conditions: tuple[Proposition, ...]
) -> Iterator[list[sp.Basic]]:
    """The ends of each coordinate, and where the function turns in it whatever the others are."""
    for side, u in zip(record.sides, coordinates, strict=True):
        turned = (p for p in turns(body, u) if not p.free_symbols & {*coordinates})
        yield [*side.corners, *(p for p in turned if within(p, side, conditions))]


def _edge_of(relation: sp.Basic, u: sp.Symbol) -> list[sp.Expr]:
    return [side for side in relation.args if not side.has(u)] or _edge(relation, u)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Values of a function, among which its extremes are looked for."""

    body: sp.Expr
    coordinates: tuple[sp.Symbol, ...]
    values: list[tuple[sp.Basic, sp.Expr]]
    known: tuple[Proposition, ...]
    record: Interval | Box

    def is_extreme(self, value: sp.Expr, op: str) -> bool:
        """Whether the function is nowhere smaller (<=), or larger (>=)."""
        others = (v for _, v in self.values if v != value)
        if not all(holds(Relation(value, op, v), self.known, _QUICK) for v in others):  # type: ignore[arg-type]
            return False
        if isinstance(self.record, Interval) and self.record.values:
            return True
        body = self.body
        if isinstance(body, sp.Piecewise) and all(v.is_number for v, _ in body.args):  # it has no other values
            return all(v == value or holds(Relation(value, op, v), self.known, _QUICK) for v, _ in body.args)  # type: ignore[arg-type]
        if self.record.bounded and (self._at_corners(op) or self._is_monotone()):
            return True
        return holds(Relation(value, op, body), self.known, _SLOW)  # type: ignore[arg-type]

    def _at_corners(self, op: str) -> bool:
        """Whether, in each coordinate, the function is convex (for its greatest value), or concave."""
        if self.body.has(*_NOT_SMOOTH):
            return False
        bends = (sp.cancel(sp.diff(self.body, u, 2)) for u in self.coordinates)
        zero, sign = sp.Integer(0), -1 if op == "<=" else 1
        return all(b == 0 or holds(Relation(zero, "<=", sign * b), self.known, _QUICK) for b in bends)

    def _is_monotone(self) -> bool:
        """Whether, in each coordinate, the function rises everywhere, or falls everywhere."""
        if self.body.has(*_NOT_SMOOTH):
            return False
        slopes = [sp.cancel(sp.diff(self.body, u)) for u in self.coordinates]
        zero = sp.Integer(0)
        return all(any(holds(Relation(zero, "<=", s * way), self.known, _QUICK) for way in (1, -1)) for s in slopes)


def kinks(body: sp.Expr, x: sp.Symbol) -> Iterator[sp.Expr]:
    """Where absolute values, maxima and minima of affine functions change from one branch to another."""
    branched = (sp.Abs, sp.Max, sp.Min)
    sides = {sp.Integer(0)} if body.has(sp.Abs) else set()
    sides |= {side for part in body.atoms(*branched) for side in part.args if not side.has(*branched)}
    for one, other in combinations(sorted(sides, key=str), 2):
        apart = sp.expand(one - other)
        slope = apart.coeff(x)
        if slope != 0 and not (slope.has(x) or sp.expand(apart - slope * x).has(x)):
            yield -sp.expand(apart - slope * x) / slope


def turns(body: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Where a polynomial may have its extremes, if its derivative is at most quadratic."""
    if not body.is_polynomial(x) or not 2 <= sp.degree(body, x) <= 3:
        return []
    return [p for p in sp.roots(sp.diff(body, x), x) if not p.has(sp.I)]


def within(place: sp.Expr, record: Interval, conditions: tuple[Proposition, ...]) -> bool:
    """Whether a number is certainly between the ends."""
    ends = ((record.low, "<="), (record.high, ">="))
    return all(e.is_infinite or holds(Relation(e, op, place), conditions, _QUICK) for e, op in ends)  # type: ignore[arg-type]
