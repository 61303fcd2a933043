"""Certificates of what the strategies settle, line by line (docs/certificates.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import LEAST, portion
from dpsym.core.relations import Proposition, Relation, propositions
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.deciding.definedness import Need, Under
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.arguments import Arguments
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.exact_signs import by_values, of_each, settle, show_need
from dpsym.deciding.timeout import within
from dpsym.verifying import Rejected, verify
from dpsym.verifying.proofs.expressions import Statement, parts

_YES = (Verdict.PROVED, Verdict.CERTIFIED)

__all__ = ["Builder", "Goal", "Lacking", "proof", "settle"]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a certificate is to claim: a proposition, under what, and what must hold besides for it to have a value.

    Attributes:
        term: of a proof of it, where there is one.
        claimed: whether it must be among the claims; otherwise it is only used, and left out where it is not shown.
    """

    proposition: Proposition
    assume: tuple[Proposition, ...]
    needs: tuple[Need, ...] = ()
    term: Term | None = None
    claimed: bool = True


@keeping_time
def proof(goals: Sequence[Goal], *, time_limit: float = Work(10), anew: bool = True) -> dict[str, Any] | str:
    """A proof of all goals that `dpsym.verifying` has accepted, or why there is none; `time_limit` is in seconds.

    `anew`: what has no term, or one of which no lines are made, is decided once more.
    """

    def made() -> dict[str, Any] | str:
        try:
            return _proof(goals, anew=anew)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, there is no certificate
            return f"{type(error).__name__}: {str(error)[:200]}"

    late: dict[str, Any] | str = "the time was over"
    return within(time_limit, made, late)


def _proof(goals: Sequence[Goal], *, anew: bool) -> dict[str, Any]:
    builder = Builder(settle)
    arguments = Arguments(builder)
    for goal in goals:
        context = arguments.of(Domain(propositions(goal.assume)))
        try:
            s = builder.translator.statement(goal.proposition)
            if s is None:
                raise Lacking(f"{goal.proposition} is not of numbers")
            _show(builder, arguments, context, s, goal, anew=anew)
        except (Lacking, Rejected, EmptyDomain):
            if goal.claimed:
                raise
            continue
        builder.assume(context, goal.proposition)
        if goal.claimed:
            for need in goal.needs:
                if not _is_told(need, s):
                    show_need(builder, context, need)
            builder.conclude(context, s)
    found = builder.certificate()
    verify(found)
    return found


def _is_told(need: Need, s: Statement) -> bool:
    """Whether it is what a derivative needs around its point, which its rule looks at itself."""
    near = not all(isinstance(frame, Under) for frame in need.frames)
    return near and any(
        part[0] == "Derivative" for e in (s.left, s.right) for part in parts(e) if isinstance(part, tuple)
    )


def _show(builder: Builder, arguments: Arguments, context: int, s: Statement, goal: Goal, *, anew: bool) -> None:
    """Lines for one goal: from its term, by themselves, or from a term that is found for the occasion."""
    relation, term = goal.proposition, goal.term
    if isinstance(relation, Relation) and term is not None and {term.relation, term.relation.swapped} & {relation}:
        try:
            arguments.follows(context, s, arguments.show(term, context))
            return
        except (Lacking, Rejected):
            pass
    if not anew:
        raise Lacking("lines for its term")

    def decided(context: int, s: Statement) -> None:
        try:
            builder.prove(context, s)
            return
        except (Lacking, Rejected) as error:
            why = str(error)
        if s.op == "in":
            raise Lacking(why)

        def shown(one: Statement) -> bool:
            builder.define(context, one.left, one.right)
            decided(context, one)
            return True

        if of_each(builder, context, s, shown):
            return
        wanted = builder.translator.relation(s)
        assume, left = builder.domains[context].assume, portion(0.5, LEAST)
        found = decide(wanted, assume, needs=goal.needs, time_limit=left)
        if not isinstance(found.term, Term):
            raise Lacking(f"no term: {found}" if found.verdict in _YES else why)
        if not {found.term.relation, found.term.relation.swapped} & {wanted}:
            raise Lacking(f"a term of something else: {found.why}")
        arguments.follows(context, s, arguments.show(found.term, context))

    builder.at_length = decided
    if by_values(builder, context, s, decided):
        return
    try:
        decided(context, s)
    except (Lacking, Rejected) as error:
        try:
            arguments.over_the_loss(context, s)
        except (Lacking, Rejected) as other:
            raise Lacking(f"{error}; over the loss: {other}") from None
