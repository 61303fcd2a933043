"""Upper bounds of sensitivities where no exact one is known: what a record adds lies in a range seen at once."""

from __future__ import annotations

import sympy as sp

from dpsym.queries.answers import Neighbours, Norm
from dpsym.queries.candidates import plainer
from dpsym.queries.reading import SIZE, Query, Total


def at_most(query: Query, neighbours: Neighbours, norm: Norm) -> sp.Expr | None:
    """What the change of an answer never exceeds; None where the answer is no sum of bounded terms.

    It holds at all values of the parameters, whatever they are, such as those of earlier answers.
    """
    if neighbours == "replace":
        query = query.of_size(query.data.size)
    changes = []
    for part in query.parts:
        symbols = [*query.statistics, SIZE]
        if not part.is_polynomial(*symbols) or sp.Poly(part, *symbols).total_degree() > 1:
            return None
        change = sp.Integer(0)
        for symbol in symbols:
            factor = sp.diff(part, symbol)
            if factor == 0:
                continue
            most = sp.Integer(1) if symbol is SIZE else _of(symbol, query, neighbours)
            if most is None:
                return None
            change += sp.Abs(factor) * most
        changes.append(change)
    return plainer(norm.of(tuple(changes)), query.conditions)


def _of(symbol: sp.Symbol, query: Query, neighbours: Neighbours) -> sp.Expr | None:
    statistic = query.statistics[symbol]
    if not isinstance(statistic, Total) or statistic.body is None:
        return None
    low, high = _range(statistic.body, query.data.coordinates)
    if low.has(sp.oo, -sp.oo) or high.has(sp.oo, -sp.oo):
        return None
    most = high - low if neighbours == "replace" else sp.Max(sp.Abs(low), sp.Abs(high))
    return plainer(most, query.conditions)


def _range(e: sp.Basic, record: tuple[sp.Symbol, ...]) -> tuple[sp.Expr, sp.Expr]:
    """Between what the expression lies whatever the record is; infinite where nothing is seen."""
    if not e.has(*record):
        return e, e
    if isinstance(e, sp.Max | sp.Min):
        ranges = [_range(a, record) for a in e.args]
        return e.func(*(low for low, _ in ranges)), e.func(*(high for _, high in ranges))
    if isinstance(e, sp.Piecewise):
        ranges = [_range(value, record) for value, _ in e.args]
        return sp.Min(*(low for low, _ in ranges)), sp.Max(*(high for _, high in ranges))
    if isinstance(e, sp.Mul):
        factor, rest = e.as_coeff_Mul()
        if factor.is_Rational and factor != 1:
            low, high = _range(rest, record)
            return (factor * low, factor * high) if factor > 0 else (factor * high, factor * low)
    if isinstance(e, sp.Add):
        ranges = [_range(a, record) for a in e.args]
        lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
        return (
            -sp.oo if any(low.has(sp.oo, -sp.oo) for low in lows) else sp.Add(*lows),
            sp.oo if any(high.has(sp.oo, -sp.oo) for high in highs) else sp.Add(*highs),
        )
    return -sp.oo, sp.oo
