"""Whether a claim holds, as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpsym.core.verdicts import Decision, Verdict, Witness
from dpsym.rendering.answers import DONE, REFUTED, UNDECIDED, Answer
from dpsym.rendering.data import opinion
from dpsym.rendering.page import Between, Item, Page, in_a_row, lines, says
from dpsym.rendering.report import point
from dpsym.rendering.text import neighbours

if TYPE_CHECKING:
    from dpsym.second_opinion import Opinion


@dataclass(frozen=True, eq=False, repr=False)
class Proved(Answer):
    """A verdict with its evidence.

    Attributes:
        claim: as it was written.
        decision: the verdict, with its method, reason and witness.
        opinion: the second opinion on a yes, where one was asked for.
        certificate: of a yes, for `dpsym verify`, where one was found.
        replayed: whether its certificate was replayed (None: not asked).
    """

    claim: str
    decision: Decision
    opinion: Opinion | None = None
    certificate: dict[str, Any] | None = None
    replayed: bool | None = None

    @property
    def verdict(self) -> Verdict:
        """Proved, certified, cited, supported, refuted or open; never a boolean."""
        return self.decision.verdict

    @property
    def why(self) -> str:
        """The reason."""
        return self.decision.why

    @property
    def witness(self) -> Witness | None:
        """Where it fails, if it is refuted."""
        return self.decision.witness

    @property
    def status(self) -> int:
        """0 for a yes, 1 for a no, 3 for neither."""
        if self.verdict in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
            return DONE
        return REFUTED if self.verdict is Verdict.REFUTED else UNDECIDED

    @property
    def brief(self) -> str:
        """The verdict with its method."""
        return f"{self.verdict} ({self.decision.method}): {self.claim}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        found, witness = self.decision, self.decision.witness
        event: Any = found.event
        order: Any = found.order
        if event is not None:
            event = {"what": event.what, "before": event.before.to_dict(), "after": event.after.to_dict()}
        if order is not None:
            numbers = {"divergence": order.divergence.to_dict(), "claimed": order.claimed.to_dict()}
            order = {"alpha": str(order.alpha), **numbers}
        ends = (None, None) if witness is None else (witness.lhs, witness.rhs)
        sides = [None if end is None else end.to_dict() for end in ends]
        return {
            "claim": self.claim,
            "verdict": str(found.verdict),
            "rests_on": list(found.rests_on),
            "method": str(found.method),
            "why": found.why,
            "witness": None if witness is None else {name: str(value) for name, value in witness.point.items()},
            "lhs_value": sides[0],
            "rhs_value": sides[1],
            "obligation": None if witness is None else witness.obligation,
            "inputs": [{"before": before, "after": after} for before, after in found.inputs],
            "event": event,
            "order": order,
            "points": found.points,
            "given": list(found.given),
            "adjacency": found.adjacency or None,
            "replayed": self.replayed,
            "second_opinion": opinion(self.opinion),
            "seconds": round(found.seconds, 3),
        }

    def page(self) -> Page:
        """The verdict with its method and reason; a refutation begins with the point and both values there."""
        found, second = self.decision, self.opinion
        why = f"{found.why}{' (not replayed)' if self.replayed is False else ''}"
        parts = [says(found.verdict, f" ({found.method}): {why}")]
        if found.witness is not None:
            parts = [says(found.verdict, *_at(found.witness)), says(f"{found.method}: {why}", depth=1)]
        parts += [says(f"pair: x = {before}, x' = {after}", depth=1) for before, after in found.inputs]
        if found.event is not None:
            there = (Between("Pr[x]", found.event.before), Between("Pr[x']", found.event.after))
            parts.append(says(f"event: {found.event.what}, ", there[0], " and ", there[1], depth=1))
        if found.order is not None:
            there = (Between("divergence", found.order.divergence), Between("claimed", found.order.claimed))
            parts.append(says(f"order: alpha = {found.order.alpha}, ", there[0], ", ", there[1], depth=1))
        below = [f"rests on {', '.join(found.rests_on)}"] if found.rests_on else []
        below += [f"given: {', '.join(found.given)}"] if found.given else []
        below += neighbours(found.adjacency)
        if second is not None and not second.obtained:
            below.append(f"a second opinion was not obtained: {second.why}")
        return Page(self.claim, (*parts, *lines(below)), quiet=True)


def _at(witness: Witness) -> tuple[Item, ...]:
    """The point, and what has no value there or else both sides."""
    needed = "" if witness.obligation is None else f", where {witness.obligation} is needed"
    sides = (("left side", witness.lhs), ("right side", witness.rhs))
    values = in_a_row(Between(label, side) for label, side in sides if side is not None)
    return f" at {point(witness)}{needed}{': ' if values else ''}", *values
