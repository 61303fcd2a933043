"""Which route is tightest: by enclosures at given values, otherwise exact ones first."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import sympy as sp

from dpsym.deciding import Domain
from dpsym.deriving.fact import Fact
from dpsym.enclosing import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.relations import substitute
from dpsym.statements import Solved

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
    points = domain.points(symbols, most=_TRIED) if symbols else [dict(values)]
    sizes, most = [_INFINITY] * len(found), -1
    for point in points:  # the first at which most of them have a value, or the best of the few that are tried
        here = [size(f, point) for f in found]
        valued = sum(s < _INFINITY for s in here)
        if valued > most:
            sizes, most = here, valued
        if 2 * valued > len(found):
            break
    order = sorted(
        range(len(found)),
        key=lambda i: (_shape(found[i]), not found[i].exact, sizes[i], _iterated(found[i]), len(found[i].rules)),
    )
    return tuple(found[i] for i in order)  # nothing is tighter than an exact route, whatever the values


def _shape(fact: Fact) -> int:
    return 0 if fact.solution is None else _SHAPES.index(fact.solution.solved.shape)


def _iterated(fact: Fact) -> bool:
    """Whether its formula holds a sum or an integral: of two that are as tight, the other one is to be read first."""
    return any(arg.has(sp.Sum, sp.Integral) for arg in fact.guarantee.args)


_SHAPES = ("every", "at least", "at most", "between", "only")  # the more is known the better


def _end(solved: Solved, formula: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> Decimal:
    """The safe end of what was solved for, with the sign that makes the better one the smaller."""
    value = solved.value
    if value is None:
        value = enclose(substitute(formula, point), digits=10)
    if solved.shape == "between":
        return value.lower - value.upper  # the widest first
    return value.upper if solved.safe == "upper" else -value.lower


def size(fact: Fact, point: Mapping[sp.Symbol, sp.Rational]) -> Decimal:
    """The first budget's upper bound (the end of what is solved for) to ten digits; infinite where unknown."""
    try:
        if fact.solution is not None:
            return _end(fact.solution.solved, fact.choices[0][1], point)
        index = {str(i) for i in fact.guarantee.definition.index}
        budgets = {n: e for n, e in fact.evaluate(point, digits=10).items() if n not in index}
        return next(iter(budgets.values())).upper if budgets else _INFINITY
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return _INFINITY
