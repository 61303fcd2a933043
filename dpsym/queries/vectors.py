"""Sums and means of vectors in a ball, and histograms: what is added is a point of a set whose extent is known."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Proposition, Relation
from dpsym.queries.answers import Kind, Norm, Sensitivity, Unclear, by_lemma, size_of, unless_zero
from dpsym.queries.candidates import has_values, holds, plainer
from dpsym.queries.changes import Change, sharing
from dpsym.queries.data import DIRECTIONS, E_1, E_2, FAR, ONES, Ball, Categories, Cube, Record, Records, Simplex
from dpsym.queries.reading import SIZE, Query, Total

_ORDER = {Norm.L1: sp.Integer(1), Norm.L2: sp.Integer(2), Norm.LINF: sp.oo}


@dataclass(frozen=True, slots=True)
class _Extent:
    """How long an element is at most, how far two are apart at most, and elements that attain these.

    Attributes:
        length: of the longest.
        distance: of the two that are farthest apart.
        first: of these two.
        second: of these two.
        longest: one of them is; without any, the first is.
        ray: where no number in a vector is negative, two vectors of one direction, the norms of which differ most.
    """

    length: sp.Expr
    distance: sp.Expr
    first: sp.Expr
    second: sp.Expr
    longest: tuple[sp.Expr, ...] = ()
    ray: tuple[sp.Expr, sp.Expr] | None = None


def of_vectors(query: Query, change: Change, norm: Norm, conditions: tuple[Proposition, ...]) -> Sensitivity | None:
    """The sensitivity of a multiple of a total of vectors or categories, or of its norm; None for anything else.

    Raises:
        Unclear: where it depends on whether there are other records.
    """
    if len(query.parts) != 1 or len(query.statistics) != 1:
        return None
    ((symbol, statistic),) = query.statistics.items()
    if not (isinstance(statistic, Total) and statistic.body is None):
        return None
    (part,) = query.parts
    factor = sp.cancel(part / symbol)
    if factor.has(symbol):
        return None
    if statistic.norm is not None:
        norm = {order: n for n, order in _ORDER.items()}[statistic.norm]
    image, near_by = statistic.image, change.within
    record = image or query.data.record
    # clipped, vectors that are near each other stay so by a projection of the 2-norm
    if image is not None and near_by is not None and not (isinstance(image, Ball) and image.p == near_by.p == 2):
        return None
    m, own, zero = change.shared, change.own, sp.Integer(0)
    conditions = sharing(0, change, query.data.size, conditions)
    if not has_values((need.subs({SIZE: m + own}) for need in query.needs), conditions):
        return None
    found = _extent(record, change, norm, conditions)
    if found is None:
        return None

    def pair_of(old: sp.Expr | None, new: sp.Expr, rest: sp.Expr) -> tuple[Records, Records]:
        """With the one record in the place of the other, or that one added or removed."""
        return change.pair(old if change.replaces else new, new, (rest, m))

    scale = size_of(factor.xreplace({SIZE: m + own})) * own
    why = "the records that are shared cancel"
    rest = found.first if isinstance(record, Cube) else zero
    pairs: tuple[tuple[Records, Records], ...] = ()
    if statistic.norm is not None and isinstance(record, Simplex | Cube):
        if found.ray is None or (factor.has(SIZE) and not change.replaces and sp.cancel(factor * SIZE).has(SIZE)):
            return None
        near, far = found.ray
        alone = not (change.replaces or factor.has(SIZE))
        conditions = conditions if change.replaces or alone else sharing(1, change, query.data.size, conditions)
        pair = pair_of(near, far, far if change.replaces or alone else near)
        size = found.length if alone else _length(far - near, _ORDER[norm], record.dimension)
        why = "on one ray norms move as far as the vectors, and elsewhere no farther"
    elif statistic.norm is not None and factor.has(SIZE) and not change.replaces:
        if sp.cancel(factor * SIZE).has(SIZE):
            return None
        conditions = sharing(1, change, query.data.size, conditions)
        if not holds(Relation(m, ">=", own), conditions):
            raise Unclear("it depends on how many other records there are")
        rest, pair = found.second, pair_of(None, found.first, found.second)  # it comes from the other side
        size, why = found.distance, "a norm moves as far as the vector at most, and a mean a share of the way"
    elif statistic.norm is not None:  # a long vector all the same way, so that what is added lies along it
        alone = m == 0 and own == 1  # nothing to lie along
        if alone and change.within:
            return None
        if change.replaces and not (alone or holds(Relation(m, ">=", own), conditions)):
            raise Unclear("it depends on whether there are other records")
        first = zero if alone else found.first
        rest, pair = found.second, pair_of(first, found.second, found.second)
        size, why = found.length if alone else found.distance, "a norm moves as far as the vector at most"
        size = size if change.replaces else found.length
    elif change.replaces:
        size, pair = found.distance, pair_of(found.first, found.second, rest)
    elif not factor.has(SIZE):
        pairs = tuple(pair_of(None, one, one) for one in found.longest or (found.first,))
        size, pair = found.length, pairs[0]
    elif sp.cancel(factor * SIZE).has(SIZE):
        return None
    else:  # a mean: it moves from that of the shared, which lies in the hull of the set, towards the new one
        conditions = sharing(1, change, query.data.size, conditions)
        size, pair = found.distance, pair_of(None, found.first, found.second)
        why = "the mean moves a share 1/(number of records) of the way to the record that is added"
    if isinstance(record, Categories) and rest in {v for records in pair for v, _ in records.blocks}:
        pair = pair_of(found.first, found.second, found.first)
    if isinstance(record, Ball) and record.radius.is_infinite and change.within is None:
        if not holds(Relation(scale, ">", zero), conditions):
            return unless_zero(scale, conditions)
        pair = pair_of(zero, FAR * E_1, zero)
        return by_lemma(sp.oo, (pair,), conditions, why, Kind.INFINITE)
    return by_lemma(plainer(scale * size, conditions), pairs or (pair,), conditions, why)


def _extent(record: Record, change: Change, norm: Norm, conditions: tuple[Proposition, ...]) -> _Extent | None:
    if isinstance(record, Categories):
        return None if change.within else _Extent(sp.S.One, _between_axes(norm), sp.S.One, sp.Integer(2))
    near = change.within
    if isinstance(record, Simplex | Cube):
        return None if near else _of_simplex(record, norm) if isinstance(record, Simplex) else (
            _of_cube(record, norm, conditions)
        )  # fmt: skip
    if not isinstance(record, Ball):
        return None
    if near is None:
        return _of_ball(record, norm)
    step = _of_ball(Ball(near.p, near.radius / 2, record.dimension), norm)  # half of it to either side
    far = plainer(_length(step.first, record.p, record.dimension), conditions)
    return step if record.radius.is_infinite or holds(Relation(far, "<=", record.radius), conditions) else None


def _length(vector: sp.Expr, p: sp.Expr, d: sp.Expr) -> sp.Expr:
    """Of a multiple of (1, ..., 1) or of one coordinate, in the p-norm."""
    size = size_of(vector.subs(dict.fromkeys(DIRECTIONS, 1)))
    return size * (d ** (1 / p) if vector.has(ONES) and p != sp.oo else 1)


def _of_ball(record: Ball, norm: Norm) -> _Extent:
    """Of vectors with p-norm at most C the r-norm is at most C*max(1, d^(1/r - 1/p)), and -v is one of them, too."""
    p, r, d, radius = record.p, _ORDER[norm], record.dimension, record.radius
    if r >= p or d == 1:  # a coordinate alone
        direction, length = E_1, radius
    else:  # all coordinates alike
        exponent = (1 / r if r != sp.oo else sp.Integer(0)) - (1 / p if p != sp.oo else sp.Integer(0))
        length = radius * d**exponent
        direction = ONES * (1 if p == sp.oo else d ** (-1 / p))
    return _Extent(length, 2 * length, radius * direction, -radius * direction)


def _of_simplex(record: Simplex, norm: Norm) -> _Extent:
    """The corners are the origin and one on each axis; a convex function, such as a norm, is largest at corners."""
    tau = record.radius
    return _Extent(tau, tau * _between_axes(norm), tau * E_1, tau * E_2, ray=(sp.Integer(0), tau * E_1))


def _of_cube(record: Cube, norm: Norm, conditions: tuple[Proposition, ...]) -> _Extent:
    """All numbers may be at one end in one vector, and at the other end in another."""
    low, high, d = record.low, record.high, record.dimension
    wide = sp.Integer(1) if norm is Norm.LINF else d if norm is Norm.L1 else sp.sqrt(d)
    largest = plainer(sp.Max(size_of(low), size_of(high)), conditions)
    longest = tuple(end * ONES for end in (low, high) if largest in (end, -end)) or (low * ONES, high * ONES)
    ray = (low * ONES, high * ONES) if holds(Relation(low, ">=", sp.Integer(0)), conditions) else None
    return _Extent(largest * wide, (high - low) * wide, low * ONES, high * ONES, longest, ray)


def _between_axes(norm: Norm) -> sp.Expr:
    """Between two vectors of length 1, each on an axis of its own."""
    return sp.Integer(2) ** (1 / _ORDER[norm])
