"""Which route is tightest: by enclosures at given values, otherwise exact ones first."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import sympy as sp

from dpsym.deciding import Domain
from dpsym.deriving.fact import Fact
from dpsym.enclosing import NotEnclosed, NotNumeric, Undefined, Unresolved

_INFINITY = Decimal("Infinity")
_TRIED = 4


def ranked(facts: list[Fact], domain: Domain, values: Mapping[sp.Symbol, sp.Rational]) -> tuple[Fact, ...]:
    """Tightest first at the values, or at a point of the domain where some symbol has none; one fact a formula."""
    shortest: dict[tuple[sp.Basic, ...], Fact] = {}
    for fact in facts:
        key = (*fact.guarantee.args, *(v for _, v in fact.choices if fact.rule == "calibration"))
        known = shortest.get(key)
        if known is None or (not fact.exact, len(fact.rules)) < (not known.exact, len(known.rules)):
            shortest[key] = fact
    found = list(shortest.values())
    symbols = set().union(*(f.guarantee.free_symbols for f in found)) - set(values)
    point = dict(values)
    if symbols:  # the point at which most of them have a value
        points = list(domain.points(symbols, most=_TRIED))
        point = max(points, key=lambda p: sum(size(f, p) < _INFINITY for f in found if not f.exact), default=point)
    # nothing is tighter than an exact route, whatever the values
    return tuple(sorted(found, key=lambda f: (not f.exact, size(f, point), len(f.rules))))


def size(fact: Fact, point: Mapping[sp.Symbol, sp.Rational]) -> Decimal:
    """The first budget's upper bound (what is solved for, in a calibration) to ten digits; infinite where unknown."""
    try:
        if fact.rule == "calibration":
            from dpsym.enclosing import enclose
            from dpsym.relations import substitute

            return enclose(substitute(fact.choices[0][1], point), digits=10).upper
        index = {str(i) for i in fact.guarantee.definition.index}
        budgets = {n: e for n, e in fact.evaluate(point, digits=10).items() if n not in index}
        return next(iter(budgets.values())).upper if budgets else _INFINITY
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return _INFINITY
