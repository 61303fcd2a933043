"""Is this relation true on this domain, and how do you know?

Rungs, strongest first: canonical forms and exact signs; then points, where a certified failure refutes and
agreement only supports.  What neither settles is open.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import replace

from dpsym.deciding import obligations as duties
from dpsym.deciding.domain import Domain, EmptyDomain
from dpsym.deciding.exact import Sign, settle, sign, vanishes
from dpsym.deciding.ladder import EXACT, REST
from dpsym.deciding.refuting import Refuting
from dpsym.deciding.rungs import Question, Yes, first_yes, weakest
from dpsym.relations import Relation, propositions
from dpsym.relations import relation as as_relation
from dpsym.verdicts import Decision, Method, Verdict, Witness

__all__ = ["Domain", "EmptyDomain", "InternalContradiction", "Sign", "decide", "settle", "sign", "vanishes"]


class InternalContradiction(AssertionError):
    """Two rungs disagree: a defect of dpsym, reported with everything that reproduces it."""


def decide(
    relation: object,
    assume: Iterable[object] = (),
    *,
    obligations: Iterable[Relation] = (),
    time_limit: float = 10.0,
    seed: int = 0,
    executor: Executor | None = None,
) -> Decision:
    """Whether the relation holds at every point that satisfies `assume`, and how that is known.

    Args:
        relation: a `Relation`, or an unevaluated SymPy relation.
        assume: propositions; a symbol of which nothing is assumed ranges over all reals.
        obligations: what must hold besides for the relation to make sense, e.g. from divisions that SymPy
            has cancelled; those of the relation itself are added.
        time_limit: in seconds; what is not settled by then is open.
        seed: of the choice of points; the answer depends on nothing else.
        executor: runs the parts of a branch and bound; by default they run one after the other.

    Raises:
        NotAProposition: for something that is not a relation.
        EmptyDomain: when no point satisfies the assumptions.
        InternalContradiction: when a proof and a point disagree.
    """
    started = time.monotonic()
    domain = Domain(propositions(assume))
    question = Question(as_relation(relation), domain, started + time_limit, seed=seed, executor=executor)
    return replace(_decide(question, tuple(obligations)), seconds=time.monotonic() - started)


def _decide(question: Question, extra: tuple[Relation, ...]) -> Decision:
    relation, domain = question.relation, question.domain
    sides = (relation.lhs, relation.rhs)
    own = (duty for side in sides for duty in duties.of_expression(side, domain.integers))
    needed = dict.fromkeys((*extra, *own))
    enough = [duty for side in sides for duty in duties.sufficient(side)]
    numbers = Refuting(question, relation.free_symbols.union(*(r.free_symbols for r in needed)))

    doubtful: list[Relation] = []
    for duty in needed:
        if settle(duty, domain) is None:
            lacking = numbers.undefined(duty)
            if lacking is not None:
                return _refuted(lacking, numbers, f"undefined there: {duty} fails")
            doubtful.append(duty)
    doubtful += [duty for duty in enough if settle(duty, domain) is None]

    found = first_yes(question, EXACT)
    witness = numbers.quickly(proved=found is not None)
    if found is None and witness is None:
        found = first_yes(question, REST)
        witness = numbers.deeply() if found is None else None
    if witness is not None:
        if found is not None and witness.obligation is None:
            raise InternalContradiction(
                f"{relation} under {', '.join(map(str, domain.assume))} (seed {question.seed}): "
                f"proved ({found.why}), but fails at {witness}"
            )
        return _refuted(witness, numbers)

    if found is not None:
        defined = [first_yes(replace(question, relation=duty)) for duty in doubtful]
        if all(d is not None for d in defined):
            return _accepted(weakest([found, *(d for d in defined if d is not None)]), numbers)
        doubtful = [duty for duty, d in zip(doubtful, defined, strict=True) if d is None]
    return _undecided(doubtful, numbers)


def _accepted(answer: Yes, numbers: Refuting) -> Decision:
    return Decision(
        answer.verdict,
        answer.method,
        answer.why,
        points=numbers.seen.held,
        certificate=answer.certificate,
        rests_on=answer.rests_on,
    )


def _refuted(witness: Witness, numbers: Refuting, why: str = "") -> Decision:
    what = why or (f"undefined there: {witness.obligation}" if witness.obligation else "it fails there")
    where = f", where {numbers.given}" if numbers.given else ""
    return Decision(Verdict.REFUTED, Method.ENCLOSURE, what + where, witness)


def _undecided(doubtful: list[Relation], numbers: Refuting) -> Decision:
    seen = numbers.seen
    missing = f"; not shown: {', '.join(map(str, doubtful))}" if doubtful else ""
    if seen.unseen:
        return Decision(Verdict.OPEN, Method.NONE, seen.unseen)
    if not numbers.points:
        return Decision(Verdict.OPEN, Method.NONE, "no point was found that satisfies the conditions")
    if seen.held and not seen.untold:
        why = f"holds at {seen.held} points; not a proof{missing}"
        return Decision(Verdict.SUPPORTED, Method.SAMPLING, why, points=seen.held)
    why = f"seen to hold at {seen.held} points, not to be told at {seen.untold}{missing}"
    return Decision(Verdict.OPEN, Method.NONE, why, points=seen.held)
