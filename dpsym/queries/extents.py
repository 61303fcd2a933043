"""Between which values a function of one record lies: the least and the greatest, and records that have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import prod
from typing import TypeAlias

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.functions import smooth
from dpsym.core.relations import Operator, Proposition, Relation, relation
from dpsym.deciding.definedness import of_expression
from dpsym.queries.candidates import has_values, holds, is_nonnegative, plainer
from dpsym.queries.data import Box, Interval

BRANCHED = (sp.Abs, sp.Max, sp.Min)
_MOST_PIECES = 16  # of a function: four absolute values
_HIGHEST = 8  # degree of a polynomial whose zeros are looked for
_MOST_KEPT = 4  # values of which it depends on the parameters which is the extreme: the corners of a rectangle
_QUICK, _SLOW = 0.2, 2.0  # seconds for a comparison of two values, and of a function with one


Valued: TypeAlias = tuple[sp.Basic, sp.Expr]  # a record, and the value there


@dataclass(frozen=True, slots=True)
class Extent:
    """The least and greatest value of a function of a record, and records that have them."""

    least: sp.Expr
    at_least: sp.Basic
    greatest: sp.Expr
    at_greatest: sp.Basic


@dataclass(frozen=True, slots=True)
class Extremes:
    """Records of which one has the least value of a function, and of which one has the greatest."""

    lows: tuple[Valued, ...]
    highs: tuple[Valued, ...]

    @property
    def width(self) -> sp.Expr:
        """The greatest value less the least."""
        return sp.Max(*(v for _, v in self.highs)) - sp.Min(*(v for _, v in self.lows))

    def farthest(self, conditions: tuple[Proposition, ...]) -> tuple[Valued, ...]:
        """Those of which one is farthest from zero."""
        if all(is_nonnegative(v, conditions) for _, v in self.lows):
            return self.highs
        if all(is_nonnegative(-v, conditions) for _, v in self.highs):
            return self.lows
        return (*self.lows, *self.highs)


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
    found = extremes(body, coordinates, record, conditions)
    if found is None or len(found.lows) > 1 or len(found.highs) > 1:
        return None
    ((at_least, least),), ((at_greatest, greatest),) = found.lows, found.highs
    return Extent(least, at_least, greatest, at_greatest)


def extremes(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: Interval | Box, conditions: tuple[Proposition, ...]
) -> Extremes | None:
    """As `extent`, where it may depend on the parameters which of some values is the least, or the greatest."""
    about = {*coordinates, *body.free_symbols, *record.free_symbols}
    known = conditions = tuple(c for c in conditions if c.free_symbols & about)
    known += record.holds(*coordinates)
    if not has_values(of_expression(body), known):  # such as a logarithm at 0
        return None
    inside, complete = _inside(body, coordinates, record, conditions)
    places = dict.fromkeys((*record.corners, *inside, *_elsewhere(body, coordinates, record, conditions)))
    shape = sp.factor(body) if body.is_polynomial(*coordinates) else body
    values = [(place, settled(at(shape, coordinates, place), conditions)) for place in places]
    if not all(_is_real(value) for _, value in values):
        return None
    seen = _Seen(body, coordinates, values, known, record, tuple(inside) if complete else None)
    lows, highs = (tuple((p, _plainer(v, conditions)) for p, v in seen.extreme(op)) for op in ("<=", ">="))
    return Extremes(lows, highs) if lows and highs else None


def _is_real(value: sp.Expr) -> bool:
    """Whether a function has a value there that SymPy orders: the logarithm has none at 0 and below."""
    if value.has(sp.nan, sp.zoo) or value.is_extended_real is False:
        return False
    return not value.is_number or bool(value.is_comparable or value.is_infinite)


def _plainer(value: sp.Expr, conditions: tuple[Proposition, ...]) -> sp.Expr:
    """With the maxima and minima settled that are certain; absolute values are left to whoever compares them."""
    return plainer(value, conditions) if value.has(sp.Max, sp.Min) else value


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
    affine = (expand(r.lhs - r.rhs) for r in body.atoms(sp.core.relational.Relational))
    return not constant.has(u) and all(a.is_polynomial(u) and sp.degree(a, u) == 1 for a in affine)


def _edge(relation: sp.Basic, u: sp.Symbol) -> list[sp.Expr]:
    """Where both sides of an affine relation meet."""
    apart = expand(relation.lhs - relation.rhs)
    slope = apart.coeff(u)
    return [expand((slope * u - apart) / slope)] if slope != 0 else []


def _inside(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: Interval | Box, conditions: tuple[Proposition, ...]
) -> tuple[list[sp.Basic], bool]:
    """Where a function may turn or bend, and whether these and the corners are all places where an extreme may be."""
    if isinstance(record, Interval):
        if record.values:
            return list(record.values), True
        (u,) = coordinates
        found, complete = critical(body, u, conditions)
        return [nearest(p, record, conditions) for p in found], complete and record.bounded
    lines = []
    for side, u in zip(record.sides, coordinates, strict=True):
        turned = (p for p in critical(body, u, conditions)[0] if not p.free_symbols & {*coordinates})
        lines.append([*side.corners, *(nearest(p, side, conditions) for p in turned)])
    return [sp.Tuple(*p) for p in product(*lines)], False


def _elsewhere(
    body: sp.Expr, coordinates: tuple[sp.Symbol, ...], record: Interval | Box, conditions: tuple[Proposition, ...]
) -> Iterator[sp.Basic]:
    """Around the edges of conditions, and in the middle."""
    if isinstance(record, Box) or record.values:
        return
    (u,) = coordinates
    relations = body.atoms(sp.core.relational.Relational)
    edges = {e for part in relations for e in _edge(part, u) or part.args if not e.has(u)}
    yield from (e + d for e in edges for d in (0, 1, -1) if within(e + d, record, conditions))
    if record.bounded and not body.is_polynomial(u):
        yield (record.low + record.high) / 2


@dataclass(frozen=True, slots=True)
class _Seen:
    """Values of a function, among which its extremes are looked for."""

    body: sp.Expr
    coordinates: tuple[sp.Symbol, ...]
    values: list[Valued]
    known: tuple[Proposition, ...]
    record: Interval | Box
    inside: tuple[sp.Basic, ...] | None  # where an extreme may be besides the corners, if that is known

    def extreme(self, op: Operator) -> tuple[Valued, ...]:
        """Where the function is smallest (<=), or largest (>=), at some of these; none where that is not seen."""
        places = self._where(op)
        left = [(place, value) for place, value in self.values if places is None or place in places]
        kept: list[Valued] = []
        for place, value in left:
            if any(v == value or holds(Relation(v, op, value), self.known, _QUICK) for _, v in kept):
                continue
            kept = [(p, v) for p, v in kept if not holds(Relation(value, op, v), self.known, _QUICK)]
            kept.append((place, value))
        if len(kept) > 1 and (len(kept) > _MOST_KEPT or any(v.has(sp.Piecewise) for _, v in kept)):
            return ()
        return tuple(kept) if places is not None or self._is_extreme([v for _, v in kept], op) else ()

    def _where(self, op: Operator) -> list[sp.Basic] | None:
        """Records of which one is an extreme of any function that bends so, or has so few values; None if not seen."""
        if self.record.bounded and (ways := self._ways()):
            towards = zip(self.record.sides, ways, strict=True)
            ends = [s.low if (way > 0) == (op == "<=") else s.high for s, way in towards]
            return [sp.Tuple(*ends) if isinstance(self.record, Box) else ends[0]]
        if self.record.bounded and self._at_corners(op):
            return list(self.record.corners)
        if self.inside is None:
            return None
        if len(self.inside) == 1 and self._has_one_turn(op):
            return list(self.inside)
        return [*self.record.corners, *self.inside]

    def _has_one_turn(self, op: Operator) -> bool:
        """Whether the function has its only turn, wherever that is, as its least value (<=), or its greatest."""
        (u,), sign = self.coordinates, 1 if op == "<=" else -1
        if isinstance(self.body, sp.Abs):
            return op == "<=" and _is_affine(self.body.args[0], u)
        everywhere = tuple(c for c in self.known if u not in c.free_symbols)
        return self.body.is_polynomial(u) and is_nonnegative(sign * sp.factor(sp.diff(self.body, u, 2)), everywhere)

    def _is_extreme(self, values: list[sp.Expr], op: Operator) -> bool:
        """Whether the function is nowhere smaller (<=) than all of these, or larger (>=)."""
        body = self.body
        if isinstance(body, sp.Piecewise) and all(v.is_number for v, _ in body.args):  # it has no other values
            return all(any(holds(Relation(value, op, v), self.known, _QUICK) for value in values) for v, _ in body.args)
        outermost = sp.Min(*values) if op == "<=" else sp.Max(*values)
        return holds(Relation(outermost, op, body), self.known, _SLOW)

    def _at_corners(self, op: Operator) -> bool:
        """Whether, in each coordinate, the function is convex (for its greatest value), or concave."""
        return all(self._bends(self.body, u, -1 if op == "<=" else 1) for u in self.coordinates)

    def _bends(self, e: sp.Expr, u: sp.Symbol, way: int) -> bool:
        """Whether it is convex (1) in one coordinate, or concave (-1)."""
        if is_smooth(e, u, self.known):
            bend = sp.cancel(sp.diff(e, u, 2))
            return bool(bend == 0 or holds(Relation(sp.Integer(0), "<=", way * bend), self.known, _QUICK))
        if isinstance(e, sp.Abs):
            return way > 0 and _is_affine(e.args[0], u)
        if isinstance(e, (sp.Add, sp.Max if way > 0 else sp.Min)):
            return all(self._bends(part, u, way) for part in e.args)
        factor, rest = e.as_coeff_Mul()
        return factor != 1 and self._bends(rest, u, way if factor > 0 else -way)

    def _ways(self) -> list[int]:
        """In each coordinate, whether the function rises everywhere (1) or falls (-1); none where that is not seen."""
        branches = pieces(self.body)

        def all_go(u: sp.Symbol, way: int) -> bool:
            if not all(is_smooth(branch, u, self.known) for branch in branches):
                return False
            slopes = (way * sp.cancel(sp.diff(branch, u)) for branch in branches)
            return all(s == 0 or holds(Relation(sp.Integer(0), "<=", s), self.known, _QUICK) for s in slopes)

        ways = [next((way for way in (1, -1) if all_go(u, way)), 0) for u in self.coordinates] if branches else [0]
        return ways if all(ways) else []


def _is_affine(e: sp.Expr, u: sp.Symbol) -> bool:
    return bool(e.is_polynomial(u) and sp.degree(e, u) <= 1)


def is_smooth(e: sp.Expr, u: sp.Symbol, conditions: tuple[Proposition, ...]) -> bool:
    """Whether a function has all derivatives in one of its variables, except perhaps at the ends of where that lies.

    A power with a fraction in the exponent has them where its base is positive: `sqrt(u^2)` has a kink.
    """
    zero = sp.Integer(0)
    for part in sp.preorder_traversal(e):
        if not part.has(u) or isinstance(part, sp.Symbol | sp.Add | sp.Mul):
            continue
        if not isinstance(part, sp.Pow):
            if not smooth(type(part)):
                return False
        elif not part.exp.is_Integer:
            inside: Operator = ">=" if _is_affine(part.base, u) else ">"  # what is affine is zero at an end alone
            if not holds(Relation(part.base, inside, zero), conditions, _QUICK):
                return False
    return True


def pieces(e: sp.Expr) -> tuple[sp.Expr, ...]:
    """The functions of which absolute values, maxima and minima are one at each place; none where these are many."""
    if not e.has(*BRANCHED):
        return (e,)
    parts = [pieces(part) for part in e.args]
    if isinstance(e, sp.Abs):
        found = [sign * inner for inner in parts[0] for sign in (1, -1)]
    elif isinstance(e, sp.Max | sp.Min):
        found = [inner for part in parts for inner in part] if all(parts) else []
    else:
        found = [e.func(*chosen) for chosen in product(*parts)] if prod(map(len, parts)) <= _MOST_PIECES else []
    found = list(dict.fromkeys(found))
    return tuple(found) if len(found) <= _MOST_PIECES else ()


def critical(body: sp.Expr, x: sp.Symbol, conditions: tuple[Proposition, ...]) -> tuple[list[sp.Expr], bool]:
    """Where a continuous function changes from one piece to another, or a piece turns; and whether these are all."""
    branches = pieces(body)
    if not branches or not all(is_smooth(branch, x, conditions) for branch in branches):
        return [], False
    apart = {expand(inner) for part in body.atoms(sp.Abs) for inner in pieces(part.args[0])}
    for part in body.atoms(sp.Max, sp.Min):
        for one, other in combinations(part.args, 2):
            apart |= {expand(a - b) for a, b in product(pieces(one), pieces(other))}
    found, complete = dict[sp.Expr, None](), True
    for e in sorted(apart | {expand(sp.diff(branch, x)) for branch in branches}, key=str):
        zeros, all_of_them = _zeros(e, x, conditions)
        found |= dict.fromkeys(zeros)
        complete = complete and all_of_them
    return list(found), complete


def _zeros(e: sp.Expr, x: sp.Symbol, conditions: tuple[Proposition, ...]) -> tuple[list[sp.Expr], bool]:
    """Zeros of a polynomial in the variable, and whether it certainly has no others, nor is zero everywhere."""
    if not e.has(x):
        return [], True
    if not e.is_polynomial(x) or sp.degree(e, x) > _HIGHEST:
        return [], False
    e = sp.Poly(e, x)
    if all(c.is_Rational for c in e.all_coeffs()):
        real = list(dict.fromkeys(sp.real_roots(e)))
        return [root for root in real if not root.has(sp.CRootOf)], not any(root.has(sp.CRootOf) for root in real)
    roots = sp.roots(e)
    known = sum(roots.values()) == e.degree() and all(r.is_rational_function(*r.free_symbols) for r in roots)
    led = any(holds(Relation(e.LC() * way, ">", sp.Integer(0)), conditions, _QUICK) for way in (1, -1))
    return [r for r in roots if not r.has(sp.I)], known and led and not any(r.has(sp.I) for r in roots)


def nearest(place: sp.Expr, record: Interval, conditions: tuple[Proposition, ...]) -> sp.Expr:
    """The number of the interval that is nearest to one."""
    if not record.high.is_infinite and not holds(Relation(place, "<=", record.high), conditions, _QUICK):
        place = sp.Min(place, record.high)
    if not record.low.is_infinite and not holds(Relation(record.low, "<=", place), conditions, _QUICK):
        place = sp.Max(place, record.low)
    return place


def within(place: sp.Expr, record: Interval, conditions: tuple[Proposition, ...]) -> bool:
    """Whether a number is certainly between the ends."""
    ends = ((record.low, "<="), (record.high, ">="))
    return all(e.is_infinite or holds(Relation(e, op, place), conditions, _QUICK) for e, op in ends)  # type: ignore[arg-type]
