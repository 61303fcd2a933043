"""A claim that was refuted, about which it is asked how it would become true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpsym.core.clocks import Work
from dpsym.core.deadline import over, remaining
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision
from dpsym.deciding.definedness import Need

ONE_CANDIDATE = Work(0.5)  # seconds for another claim that is tried: there are many, and most are settled at once


@dataclass(frozen=True, slots=True)
class Refuted:
    """A claim with a point against it, and how another claim is shown under the same conditions.

    `prove(claim, more, seconds)`: whether the claim is proved or certified, with more conditions.  `written` is the
    claim as its author wrote it, where `claim` has values in place of what was evaluated.
    """

    claim: Relation
    written: Relation
    assume: tuple[Proposition, ...]
    needs: tuple[Need, ...]
    decision: Decision
    prove: Callable[[Relation, tuple[Proposition, ...], float], bool]

    def holds(self, claim: Relation, *more: Proposition, seconds: float = ONE_CANDIDATE) -> bool:
        """Whether this is proved or certified in the time that is left."""
        return not over() and self.prove(claim, more, min(seconds, remaining()))

    def shown(self, candidate: Relation) -> str:
        """The candidate with the left side as it was written."""
        return str(Relation(self.written.lhs, candidate.op, candidate.rhs))
