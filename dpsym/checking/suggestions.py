"""How a refuted claim would become true: tried in the order of how common the slips are, shown only when decided."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from dpsym.checking.boundaries import boundary
from dpsym.checking.slips import Values, slips
from dpsym.deciding import Domain
from dpsym.enclosing import NotNumeric, compare
from dpsym.relations import Operator, Proposition, Relation
from dpsym.verdicts import Decision

_REVERSED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WEAKER: dict[Operator, Operator] = {"<": "<=", ">": ">="}
_EACH = 0.5  # seconds for one candidate
_LONGER = 2.0  # for one that agrees at every point
_POINTS, _GLANCE = 12, 4

Point = dict[sp.Symbol, sp.Rational]
Prove = Callable[[Relation, tuple[Proposition, ...], float], bool]


@dataclass(frozen=True, slots=True)
class Refuted:
    """A claim with a point against it, and how another claim is shown under the same conditions.

    `prove(claim, more, seconds)`: whether the claim is proved or certified, with more conditions.
    """

    claim: Relation
    assume: tuple[Proposition, ...]
    obligations: tuple[Relation, ...]
    decision: Decision
    prove: Prove
    deadline: float

    def holds(self, claim: Relation, *more: Proposition, seconds: float = _EACH) -> bool:
        """Whether this is proved or certified in the time that is left."""
        left = self.deadline - time.monotonic()
        return left > 0 and self.prove(claim, more, min(seconds, left))


def suggestion(refuted: Refuted) -> str | None:
    """What would make the claim true, decided proved or certified; None where nothing was found in the time."""
    claim = refuted.claim
    points = list(Domain(refuted.assume).points(claim.free_symbols, most=_POINTS))
    witness = refuted.decision.witness
    if witness is not None and witness.obligation is not None:
        return _made_defined(refuted)
    if claim.op in _REVERSED:
        opposite = Relation(claim.lhs, _REVERSED[claim.op], claim.rhs)
        if _plausible(opposite, points):  # then nothing else is the reason
            found = refuted.holds(opposite, seconds=_LONGER)
            return f"the reversed relation holds: {opposite}" if found else None
    if claim.op in _WEAKER:
        weaker = Relation(claim.lhs, _WEAKER[claim.op], claim.rhs)
        if _plausible(weaker, points) and refuted.holds(weaker):
            return f"it holds with equality allowed: {weaker}"
    for words, candidate in slips(claim, Values(points, refuted.deadline)):
        if time.monotonic() > refuted.deadline:
            return None
        if candidate == claim or not _plausible(candidate, points[:_GLANCE]) or not _plausible(candidate, points):
            continue
        if refuted.holds(candidate, seconds=_LONGER if claim.op == "=" else _EACH):
            return f"{words}: {candidate}"
    if claim.op == "=":
        for weaker in _inequalities(claim):
            if _plausible(weaker, points) and refuted.holds(weaker, seconds=_LONGER):
                return f"only an inequality holds: {weaker}"
    return boundary(refuted)


def _inequalities(claim: Relation) -> Iterator[Relation]:
    ops: tuple[Operator, ...] = ("<=", ">=")
    for op in ops:
        yield Relation(claim.lhs, op, claim.rhs)


def _plausible(claim: Relation, points: list[Point]) -> bool:
    """Not refuted at these points: most candidates are at the first, in no time."""
    try:
        return all(compare(claim, point, most_bits=512).holds is not False for point in points)
    except NotNumeric:
        return False


def _made_defined(refuted: Refuted) -> str | None:
    """A condition under which both sides exist and the claim holds: the duty that failed, or a sign."""
    claim, zero, one = refuted.claim, sp.Integer(0), sp.Integer(1)
    witness = refuted.decision.witness
    failed = [d for d in refuted.obligations if witness is not None and str(d) == witness.obligation]
    conditions = list(failed)
    for symbol in sorted(claim.free_symbols, key=lambda s: s.name):
        conditions += [Relation(symbol, "!=", zero), Relation(symbol, ">", zero), Relation(symbol, ">=", zero),
                       Relation(symbol, ">", one), Relation(symbol, "<", one)]  # fmt: skip
    return next((f"it holds when {c}" for c in conditions if refuted.holds(claim, c)), None)
