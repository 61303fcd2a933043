"""Which route is tightest: by enclosures at given values, otherwise exact ones first."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import partial

import sympy as sp

from dpsym.core.relations import substitute
from dpsym.deciding import Domain
from dpsym.deciding.timeout import attempted
from dpsym.deriving.fact import Fact, Step
from dpsym.entries.notions.composition import least
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.statements import Solved

_UNKNOWN: tuple[Decimal, ...] = (Decimal("Infinity"),)
_TRIED = 4  # points; that one is taken at which most routes have a value
_FAIR = 0.3  # of the time left, for one number


def ranked(facts: list[Fact], domain: Domain, values: Mapping[sp.Symbol, sp.Rational]) -> tuple[Fact, ...]:
    """Tightest first at the values, or at a point of the domain where some symbol has none; one fact a formula.

    What has no number in the time left counts as loose.
    """
    shortest: dict[tuple[sp.Basic, ...], Fact] = {}
    for fact in facts:
        key = (*fact.guarantee.args, *(v for _, v in fact.choices if fact.rule == Step.CALIBRATION))
        known = shortest.get(key)
        if known is None or (not fact.exact, len(fact.rules)) < (not known.exact, len(known.rules)):
            shortest[key] = fact
    found = list(shortest.values())
    symbols = set().union(*(f.guarantee.free_symbols for f in found)) - set(values)
    points = domain.points(symbols, most=_TRIED) if symbols else iter([dict(values)])
    sizes, most = [_UNKNOWN] * len(found), -1
    another = partial(attempted, partial(next, points, None), None, _FAIR)
    for point in iter(another, None):  # the first at which most of them have a value, or the best of the few tried
        here = [attempted(partial(size, f, point), _UNKNOWN, _FAIR) for f in found]
        valued = sum(s < _UNKNOWN for s in here)
        if valued > most:
            sizes, most = here, valued
        if 2 * valued > len(found):
            break
    order = sorted(
        range(len(found)),
        # nothing is tighter than an exact route; but at values it is of no use where its number cannot be had
        key=lambda i: (
            _shape(found[i]),
            not symbols and sizes[i] == _UNKNOWN,
            not found[i].exact,
            sizes[i],
            _iterated(found[i]),
            len(found[i].rules),
        ),
    )
    return tuple(found[i] for i in order)


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


def size(fact: Fact, point: Mapping[sp.Symbol, sp.Rational]) -> tuple[Decimal, ...]:
    """The budgets' upper bounds (the end of what is solved for) to ten digits; infinite where unknown.

    The first is compared first: of epsilon and delta the one that was given is the same for all.
    """
    try:
        if fact.solution is not None:
            return (_end(fact.solution.solved, fact.choices[0][1], point),)
        definition, values = fact.guarantee.definition, fact.evaluate(point, digits=10)
        found = []
        for parameter in definition.params:
            if str(parameter) in values and parameter not in definition.index:
                value, falls = values[str(parameter)], definition.compose.get(parameter) is least
                found.append(value.lower.copy_negate() if falls else value.upper)
        return tuple(found) or _UNKNOWN
    except (Undefined, Unresolved, NotEnclosed, NotNumeric):
        return _UNKNOWN
