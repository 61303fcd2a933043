"""Which of two statements of the same kind says more, and where: decided, or else seen at a point.

Two theorems are compared that have the same premises and speak of the same mechanism in the same notion, with one
budget that differs; two results that bound the same expression from the same side under the same premises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial

import sympy as sp

from dpsym import catalogue
from dpsym.core.clocks import Work
from dpsym.core.notation import hockey_stick, renyi
from dpsym.core.relations import ForAll, Proposition, Relation
from dpsym.core.verdicts import Decision, Verdict
from dpsym.deciding import EmptyDomain, decide
from dpsym.deciding.timeout import attempted
from dpsym.statements import Result, Theorem

_SECONDS = Work(2)  # for one direction
_FAIR = 0.5  # of the time left, for one comparison
_DECIDED = (Verdict.PROVED, Verdict.CERTIFIED)


class Standing(Enum):
    """How one bound stands to another, wherever both apply."""

    SAME = "the same as"
    TIGHTER = "never looser than"
    LOOSER = "never tighter than"
    EITHER = "sometimes tighter and sometimes looser than"
    SEEN_TIGHTER = "tighter at sample points than"
    SEEN_LOOSER = "looser at sample points than"
    UNKNOWN = "not compared with"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a statement stands to `other`; `verdict` where that was decided, and points where they differ."""

    other: str
    standing: Standing
    verdict: Verdict | None = None
    tighter_at: Mapping[str, str] | None = None
    looser_at: Mapping[str, str] | None = None

    def __str__(self) -> str:
        places = [
            f"{word} at {', '.join(f'{n} = {v}' for n, v in point.items())}"
            for word, point in (("tighter", self.tighter_at), ("looser", self.looser_at))
            if point is not None
        ]
        how = [str(self.verdict)] if self.verdict is not None else []
        if self.standing in (Standing.SEEN_TIGHTER, Standing.SEEN_LOOSER):
            how = ["sampled, not decided"]
        said = "; ".join((*how, *places))
        return f"{self.standing.value} {self.other}" + (f" ({said})" if said else "")


def comparisons(name: str) -> tuple[Comparison, ...]:
    """The theorem or result of this name beside every comparable one; what is not told in time is left out.

    Raises:
        UnknownEntry: when nothing of that kind has the name.
    """
    entries: dict[str, Theorem | Result] = {**catalogue.theorems(), **catalogue.results()}
    if name not in entries:
        catalogue.look_up(name, catalogue.theorems(), "theorem or result")
    one = entries[name]
    found = [attempted(partial(_beside, one.id, other.id), None, _FAIR) for other in entries.values() if other != one]
    return tuple(c for c in found if c is not None and c.standing is not Standing.UNKNOWN)


@cache
def _beside(one: str, other: str) -> Comparison | None:
    entries: dict[str, Theorem | Result] = {**catalogue.theorems(), **catalogue.results()}
    return beside(entries[one], entries[other])


def beside(one: Theorem | Result, other: Theorem | Result) -> Comparison | None:
    """How `one` stands to `other`; None where they do not say the same kind of thing."""
    bounds = _bounds(one, other)
    if bounds is None:
        return None
    numbers = _as_numbers(*bounds)
    bounds = bounds[0].xreplace(numbers), bounds[1].xreplace(numbers)
    assume = tuple(dict.fromkeys((*_conditions(one), *_conditions(other))))
    assume += tuple(Relation(s, ">=", sp.Integer(0)) for s in numbers.values())
    try:
        below, above = (decide(Relation(a, "<=", b), assume, time_limit=_SECONDS) for a, b in (bounds, bounds[::-1]))
    except EmptyDomain:
        return None  # nowhere do both apply
    tighter, looser = _where_it_fails(above), _where_it_fails(below)
    decided = [found.verdict for found in (below, above) if found.verdict in _DECIDED]
    verdict = max(decided, key=list(Verdict).index, default=None)
    if decided:
        standing = (
            Standing.SAME if len(decided) > 1 else Standing.TIGHTER if below.verdict in decided else Standing.LOOSER
        )
    elif tighter is not None:
        standing = Standing.EITHER if looser is not None else Standing.SEEN_TIGHTER
    else:
        standing = Standing.UNKNOWN if looser is None else Standing.SEEN_LOOSER
    return Comparison(other.id, standing, verdict, tighter, looser)


def _where_it_fails(found: Decision) -> Mapping[str, str] | None:
    if found.verdict is not Verdict.REFUTED or found.witness is None:
        return None
    return {name: str(value) for name, value in found.witness.point.items()}


def _conditions(one: Theorem | Result) -> Iterator[Proposition]:
    """Those between numbers, the domains of the premises' budgets included."""
    for condition in (*one.conditions, *(c for p in one.premises for c in p.domain if c.free_symbols)):
        sides = (condition.lhs, condition.rhs) if isinstance(condition, Relation) else ()
        if not isinstance(condition, ForAll) and not any(s.has(renyi, hockey_stick) for s in sides):
            yield condition


def _bounds(one: Theorem | Result, other: Theorem | Result) -> tuple[sp.Expr, sp.Expr] | None:
    if isinstance(one, Theorem) and isinstance(other, Theorem):
        if (one.premises, one.setting, one.conclusion.definition) != (
            other.premises, other.setting, other.conclusion.definition,
        ):  # fmt: skip
            return None
        differing = [(a, b) for a, b in zip(one.conclusion.args, other.conclusion.args, strict=True) if a != b]
        if len(differing) != 1 or any(isinstance(a, sp.Lambda) or not isinstance(a, sp.Expr) for a in differing[0]):
            return None
        return differing[0]
    if isinstance(one, Result) and isinstance(other, Result):
        first, second = one.relation, other.relation
        alike = (first.lhs, first.op, one.premises) == (second.lhs, second.op, other.premises)
        alike = alike and dict(one.outputs) == dict(other.outputs)
        if not alike or first.op not in ("<=", ">=") or any(isinstance(r.states, ForAll) for r in (one, other)):
            return None
        return (first.rhs, second.rhs) if first.op == "<=" else (second.rhs, first.rhs)
    return None


def _as_numbers(*bounds: sp.Expr) -> dict[sp.Basic, sp.Symbol]:
    """Each divergence as a number that is not negative, under its own spelling."""
    from dpsym.core.plain_printer import plain

    heads = set().union(*(b.atoms(renyi, hockey_stick) for b in bounds))
    return {h: sp.Symbol(plain(h)) for h in sorted(heads, key=str)}


def every() -> Iterator[tuple[str, Comparison]]:
    """All comparisons of the catalogue."""
    for name in (*catalogue.theorems(), *catalogue.results()):
        yield from ((name, c) for c in comparisons(name))
