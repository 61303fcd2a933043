"""A sensitivity that is never exceeded, whatever the earlier answers are, and however many records there are.

Where no exact one is known, or it would depend on an earlier answer, it is bounded by the range in which what a record
adds is seen to lie at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Verdict
from dpsym.queries import Kind, Neighbours, Norm, Query, Sensitivity, sensitivity
from dpsym.queries.candidates import linear, plainer
from dpsym.queries.data import in_words
from dpsym.queries.reading import SIZE, Total

_YES = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


class Found(Enum):
    """What is wrong with a line."""

    LEAK = "leak"  # what is released depends on a record, with no noise that would cover it
    OPEN = "open"  # it is not known what it costs


@dataclass(frozen=True, slots=True)
class Cases:
    """That one of several cases is there, each with all that it takes for granted."""

    cases: tuple[tuple[Proposition, ...], ...]

    def __str__(self) -> str:
        return " or ".join(", ".join(map(str, case)) for case in self.cases)


Bound = tuple[sp.Expr, tuple[str, ...], tuple[Proposition | Cases, ...]]


class Stop(Exception):
    """The statement leaks, or is open."""

    def __init__(self, kind: Found, why: str) -> None:
        super().__init__(why)
        self.kind, self.why = kind, why


def upper(
    query: Query, neighbours: Neighbours, norm: Norm, whole: bool, unknown: set[sp.Symbol], hidden: set[sp.Symbol],
    time_limit: float,
) -> Bound:  # fmt: skip
    """The sensitivity, the pairs on which it is attained, and what it takes for granted.

    Args:
        query: what is asked.
        neighbours: of which data sets.
        norm: in which the change is measured.
        whole: whether it is asked of the data set itself, of as many records as are declared.
        unknown: earlier answers.
        hidden: what tells how many records there are, where that is not public.
        time_limit: in seconds.

    Raises:
        Stop: where none is known, or no noise covers the query.
    """
    coarse = at_most(query, neighbours, norm)
    usable = coarse is not None and not coarse.free_symbols & (unknown | hidden)
    if usable and coarse is not None and unknown & query.spoken:
        return coarse, (), ()  # an exact one would depend on the answer
    try:
        found = sensitivity(query, neighbours, norm, time_limit=time_limit)
    except (TypeError, ArithmeticError, NotImplementedError, RecursionError) as error:
        raise Stop(Found.OPEN, f"the sensitivity of {query.text} was not found: {error}") from None
    infinite = next((one for one in found if one.kind is Kind.INFINITE), None)
    if infinite is not None:
        pair = " or ".join(in_words(query.data.name, pair) for pair in infinite.pairs)
        raise Stop(Found.LEAK, f"no noise covers {query.text}: its sensitivity is infinite, as t grows, at {pair}")
    uppers = [one.upper for one in found if one.decision.verdict in _YES]
    values = [upper for upper in uppers if upper is not None]
    own = set[sp.Symbol]().union(*(c.free_symbols for c in query.conditions)) - (
        query.data.size.free_symbols if len(found) > 1 else set()
    )
    if len(values) < len(found) or any(v.free_symbols - own - unknown for v in values):
        if usable and coarse is not None:
            return coarse, (), ()
        unsettled = (one.decision.why for one in found if one.upper is None)
        why = next(unsettled, "it depends on how many records there are")
        raise Stop(Found.OPEN, f"the sensitivity of {query.text} is not known: {why}")
    value = values[0] if len(values) == 1 else sp.Max(*values)
    if unknown & set().union(value.free_symbols, *(c.free_symbols for one in found for c in one.conditions)):
        raise Stop(Found.OPEN, f"the sensitivity {plain(value)} of {query.text} depends on an earlier answer")
    given = _cases(query, found)
    if value.free_symbols & hidden or (given and not whole):
        said = plain(value) if value.free_symbols & hidden else f"{plain(value)}, where {given},"
        why = f"the sensitivity {said} of {query.text} depends on how many records there are, which is not public"
        raise Stop(Found.OPEN, f"{why}: divide a noisy sum by a noisy count, or by a public number")
    pairs = tuple(in_words(query.data.name, pair) for one in found for pair in one.pairs)
    if len(found) == 1:
        return value, pairs, tuple(c for c in found[0].conditions if c not in query.conditions)
    return value, pairs, (given,) if given else ()


def _cases(query: Query, found: tuple[Sensitivity, ...]) -> Cases | None:
    """What the sensitivities take for granted beyond what is declared; None where one of them takes nothing."""
    more = (dict.fromkeys(c for c in (*one.case, *one.conditions) if c not in query.conditions) for one in found)
    cases = tuple(dict.fromkeys(map(tuple, more)))
    return Cases(cases) if all(cases) else None


def at_most(query: Query, neighbours: Neighbours, norm: Norm) -> sp.Expr | None:
    """What the change of an answer never exceeds; None where the answer is no sum of bounded terms.

    It holds at all values of the parameters, whatever they are, such as those of earlier answers.
    """
    if neighbours == "replace":
        query = query.of_size(query.data.size)
    changes = []
    for part in query.parts:
        sides = linear(part, (*query.statistics, SIZE))
        if sides is None:
            return None
        change = sp.Integer(0)
        for symbol, factor in sides[0].items():
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
