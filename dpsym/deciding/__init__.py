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
from dpsym.deciding.domain import Domain, EmptyDomain, Point
from dpsym.deciding.exact import Sign, settle, sign, vanishes
from dpsym.deciding.ladder import EXACT, REST
from dpsym.deciding.rungs import Question, first_yes, weakest
from dpsym.deciding.sampled import survey
from dpsym.deciding.search import crossings, search
from dpsym.enclosing import NotNumeric
from dpsym.relations import Relation, propositions
from dpsym.relations import relation as as_relation
from dpsym.verdicts import Decision, Method, Verdict, Witness

__all__ = ["Domain", "EmptyDomain", "InternalContradiction", "Sign", "decide", "settle", "sign", "vanishes"]

_POINTS = 60
_CROSS_EXAMINED = 6
_QUICK = 6_000  # evaluations before the rungs that prove are asked, for a relation and for each of its obligations
_QUICK_SHARE = 0.3
_DEEP = 150_000  # evaluations after none of them knew
_DEEP_SHARE = 0.5


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
    relation, domain, deadline = question.relation, question.domain, question.deadline
    sides = (relation.lhs, relation.rhs)
    own = (duty for side in sides for duty in duties.of_expression(side, domain.integers))
    needed = dict.fromkeys((*extra, *own))
    enough = [duty for side in sides for duty in duties.sufficient(side)]
    symbols = relation.free_symbols.union(*(r.free_symbols for r in needed))
    points = list(domain.points(symbols, most=_POINTS, seed=question.seed))

    doubtful: list[Relation] = []
    for duty in needed:
        if settle(duty, domain) is None:
            refutation = _refute(question, duty, points)
            if isinstance(refutation, Witness):
                lacking = Witness(refutation.point, None, None, str(duty))
                return Decision(Verdict.REFUTED, Method.ENCLOSURE, f"undefined there: {duty} fails", lacking)
            doubtful.append(duty)
    doubtful += [duty for duty in enough if settle(duty, domain) is None]

    exact = first_yes(question, EXACT)
    examined = points[:_CROSS_EXAMINED] if exact is not None else points
    try:
        witness, seen, untold = survey(relation, domain, examined, deadline)
        if witness is None and exact is None:
            witness = _searched(question, relation, points, _QUICK, _QUICK_SHARE)
    except NotNumeric as error:
        witness, seen, untold, unseen = None, 0, 0, str(error)
    else:
        unseen = ""
    if witness is not None:
        if exact is not None and witness.obligation is None:
            raise InternalContradiction(
                f"{relation} under {domain.assume}: proved ({exact.why}), but fails at {witness}"
            )
        return _refuted(witness)

    found = exact if exact is not None else first_yes(question, REST)
    if found is not None:
        defined = [first_yes(replace(question, relation=duty)) for duty in doubtful]
        if all(d is not None for d in defined):
            answer = weakest([found, *(d for d in defined if d is not None)])
            return Decision(
                answer.verdict,
                answer.method,
                answer.why,
                points=seen,
                certificate=answer.certificate,
                rests_on=answer.rests_on,
            )
        doubtful = [duty for duty, d in zip(doubtful, defined, strict=True) if d is None]
    elif not unseen:
        witness = _searched(question, relation, points, _DEEP, _DEEP_SHARE)
        if witness is not None:
            return _refuted(witness)
    if unseen:
        return Decision(Verdict.OPEN, Method.NONE, unseen)
    if not points:
        return Decision(Verdict.OPEN, Method.NONE, "no point was found that satisfies the conditions")
    missing = f"; not shown: {', '.join(map(str, doubtful))}" if doubtful else ""
    if seen and not untold:
        return Decision(
            Verdict.SUPPORTED, Method.SAMPLING, f"holds at {seen} points; not a proof{missing}", points=seen
        )
    return Decision(
        Verdict.OPEN,
        Method.NONE,
        f"seen to hold at {seen} points, not to be told at {untold}{missing}",
        points=seen,
    )


def _refuted(witness: Witness) -> Decision:
    what = f"undefined there: {witness.obligation}" if witness.obligation else "it fails there"
    return Decision(Verdict.REFUTED, Method.ENCLOSURE, what, witness)


def _searched(
    question: Question, relation: Relation, points: list[Point], evaluations: int, share: float
) -> Witness | None:
    """A witness against the relation, from a guided search that starts at these points."""
    until = time.monotonic() + share * question.remaining
    found = search(relation, question.domain, points, evaluations=evaluations, deadline=until, seed=question.seed)
    return survey(relation, question.domain, found, question.deadline)[0]


def _refute(question: Question, duty: Relation, points: list[Point]) -> Witness | None:
    try:
        witness = survey(duty, question.domain, points, question.deadline)[0]
        if witness is None:
            near = crossings(duty, points, question.domain)
            witness = survey(duty, question.domain, near, question.deadline)[0]
        return witness or _searched(question, duty, points, _QUICK // 3, _QUICK_SHARE / 3)
    except NotNumeric:
        return None
