"""Standard deviations and norms of the whole list: the triangle inequality.

A root of a*(sum of squares) + b*(sum)^2 that is never negative is a seminorm of the list.  So it changes by at most the
seminorm of the difference of two neighbours, which is in one place.  That is attained from a list on which it is zero.

Standard deviations divide by a number that changes where a record v is added to m others, of mean u: the variance
becomes m/(m + 1) of what it was and m/(m + 1)^2 (v - u)^2 more; the sample variance (m - 1)/m of what it was and (v -
u)^2/(m + 1) more. So the root rises by at most that of the second term, which equal records attain. It falls by at
most what the factor takes from the largest deviation, half of the interval (times the root of m/(m - 1) for a
sample), which is less.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.queries.answers import Sensitivity, by_lemma, size_of
from dpsym.queries.candidates import has_values, holds, plainer
from dpsym.queries.changes import Change, sharing, sharing_enough
from dpsym.queries.data import Interval
from dpsym.queries.reading import SIZE, Query, Total

_WHY = "a seminorm changes by at most that of the difference, which is in one place"
_ZERO = sp.Integer(0)


def of_roots(query: Query, change: Change) -> Sensitivity | None:
    """The sensitivity of a multiple of such a root; None for anything else."""
    record = query.data.record
    if len(query.parts) != 1 or change.own != 1 or change.within or not isinstance(record, Interval):
        return None
    factor, root = query.parts[0].as_independent(*query.statistics, as_Add=False)
    if not (root.is_Pow and root.exp == sp.Rational(1, 2) and record.bounded):
        return None
    coefficients = _quadratic(root.base, query)
    if coefficients is None:
        return None
    a, b = coefficients
    deviation = _DEVIATIONS.get((sp.factor(a), sp.factor(b)))
    if deviation is not None and not factor.has(SIZE):
        return _of_deviation(query, change, record, size_of(factor), *deviation)
    apart = sp.factor(a + b * query.data.size)
    values = [need for need in query.needs if not need.free_symbols & query.statistics.keys()]
    known = sharing_enough(change, query.data.size, query.conditions, lambda known: has_values(values, known))
    if known is None or any(e.has(SIZE) for e in (a, b, factor)):
        return None
    if not (holds(Relation(a, ">=", _ZERO), known) and (apart == 0 or holds(Relation(apart, ">=", _ZERO), known))):
        return None
    if change.replaces:
        if not (apart == 0 or record.low == 0):
            return None
        size, rest, old, new = record.high - record.low, record.low, record.low, record.high
    else:
        inside = (Relation(record.low, "<=", _ZERO), Relation(_ZERO, "<=", record.high))
        if b != 0 or not all(holds(relation, known) for relation in inside):
            return None
        size, rest = plainer(sp.Max(-record.low, record.high), known), _ZERO
        old = new = record.high if size == record.high else record.low
        if size not in (record.high, -record.low) or (record.values and 0 not in record.values):
            return None
    value = plainer(size_of(factor) * sp.sqrt(sp.factor(a + b)) * size, known)
    return by_lemma(value, (change.pair(old, new, (rest, change.shared)),), known, _WHY)


_m = sp.Symbol("shared")
_DEVIATIONS = {  # the coefficients; how many must be shared, and by how much the root rises on [0, 1]
    (1 / SIZE, -1 / SIZE**2): (1, sp.sqrt(_m) / (_m + 1)),
    (1 / (SIZE - 1), -1 / (SIZE * (SIZE - 1))): (2, 1 / sp.sqrt(_m + 1)),
}


def _of_deviation(
    query: Query, change: Change, record: Interval, factor: sp.Expr, least: int, rise: sp.Expr
) -> Sensitivity:
    """Of a standard deviation, where a record is added or removed."""
    known = sharing(least, change, query.data.size, query.conditions)
    value = plainer(factor * rise.subs(_m, change.shared) * (record.high - record.low), known)
    return by_lemma(value, (change.pair(record.high, record.high, (record.low, change.shared)),), known, _WHY)


def _quadratic(base: sp.Expr, query: Query) -> tuple[sp.Expr, sp.Expr] | None:
    """a and b, where the base is a*(sum of squares) + b*(sum)^2; None where it is something else."""
    (u,) = query.data.coordinates
    bodies = {t.body: s for s, t in query.statistics.items() if isinstance(t, Total)}
    if len(bodies) < len(query.statistics) or not bodies.keys() <= {u, u**2} or u**2 not in bodies:
        return None
    squares, total = bodies[u**2], bodies.get(u, sp.Dummy())
    a, b = sp.diff(base, squares), sp.diff(base, total, 2) / 2
    a, b = sp.simplify(a), sp.simplify(b)
    rest = sp.simplify(base - a * squares - b * total**2)
    return (a, b) if rest == 0 and not (a.has(squares, total) or b.has(squares, total)) else None
