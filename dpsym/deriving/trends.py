"""How privacy, or a bound on it, goes with an unknown: declared by what it stands for, or proved of the bound."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from dpsym.core.functions import made_of
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, EmptyDomain, Sign, decide, sign
from dpsym.deriving.intervals import defined, interval
from dpsym.entries.notions.composition import least
from dpsym.statements import Composed, Guarantee, Subsampled, Trend, Use
from dpsym.statements.adjacency import Sampling
from dpsym.statements.trends import BUDGET, COUNT, GROUP, INVERSE_BUDGET, RATE

_RISES = (Sign.POSITIVE, Sign.NONNEGATIVE, Sign.ZERO)
_FALLS = (Sign.NEGATIVE, Sign.NONPOSITIVE, Sign.ZERO)

Place = tuple[sp.Expr, Trend | None]


def places(
    source: Use | Subsampled | Composed | Guarantee,
    unknown: sp.Symbol,
    sampling: Sampling = "poisson",
    group: sp.Expr | None = None,
) -> Iterator[Place]:
    """The expressions that the unknown occurs in, each with the trend of what it stands for, where that is known."""
    if group is not None and unknown in group.free_symbols:
        yield group, GROUP
    match source:
        case Guarantee():
            compose, index = source.definition.compose, source.definition.index
            for parameter, value in source.bound.items():
                if unknown in value.free_symbols:
                    known = isinstance(parameter, sp.Symbol) and parameter not in index
                    inverse = compose.get(parameter) is least
                    yield value, ((INVERSE_BUDGET if inverse else BUDGET) if known else None)
        case Use():
            for parameter, value in source.args.items():
                if unknown in value.free_symbols:
                    yield value, source.mechanism.trend(parameter)
        case Subsampled():
            if unknown in source.rate.free_symbols:
                yield source.rate, RATE if sampling == "poisson" else None
            yield from places(source.inner, unknown, sampling)
        case Composed():
            for part, count in source.parts:
                if unknown in count.free_symbols:
                    yield count, COUNT
                yield from places(part, unknown, sampling)


def declared(found: Iterator[Place], unknown: sp.Symbol, domain: Domain) -> Trend | None:
    """The trend in all these places, where they agree."""
    trends: list[Trend] = []
    for value, trend in found:
        if trend is None:
            return None
        if value != unknown:
            along = None if kinked(value) else interval(unknown, domain)
            slope = None if along is None else sign(sp.diff(value, unknown), along)
            if along is None or slope not in (*_RISES, *_FALLS) or not defined(value, unknown, along):
                return None
            trend = trend if slope in _RISES else trend.reversed
        trends.append(trend)
    if len({t.better for t in trends}) != 1:
        return None
    return Trend(trends[0].better, "; ".join(dict.fromkeys(t.reason for t in trends)))


def proved(bound: sp.Expr, unknown: sp.Symbol, domain: Domain, seconds: float) -> Trend | None:
    """The trend of a bound, from the sign of its derivative."""
    bound = unclipped(bound)  # it rises and falls with what is not 0
    if kinked(bound):
        return None
    slope = sp.diff(bound, unknown)
    if slope.has(sp.Derivative, sp.Subs):
        return None
    try:
        along = interval(unknown, domain)
        if along is None or not defined(bound, unknown, along):
            return None
        domain = along
        seen = sign(slope, domain)
        if seen in (*_RISES, *_FALLS):
            return _of_bound(rising=seen in _RISES, how="shown by its derivative")
        for rising in (True, False):
            wanted = Relation(slope, ">=" if rising else "<=", sp.Integer(0))
            decision = decide(wanted, domain.assume, time_limit=seconds / 2)
            if decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
                return _of_bound(rising=rising, how=f"its derivative is decided ({decision.method})")
    except EmptyDomain:
        pass
    return None


def unclipped(bound: sp.Expr) -> sp.Expr:
    """What is cut off at 0, where that is all that is done to it."""
    if isinstance(bound, sp.Max) and len(bound.args) == 2 and 0 in bound.args:
        return next(a for a in bound.args if a != 0)
    return bound


def kinked(expression: sp.Expr) -> bool:
    """Whether its derivative, as SymPy writes it, may say nothing of it."""
    return not made_of(expression, "smooth")


def _of_bound(*, rising: bool, how: str) -> Trend:
    return Trend("less" if rising else "more", f"the bound {'rises' if rising else 'falls'} with it, {how}")
