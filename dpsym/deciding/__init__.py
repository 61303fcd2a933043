"""Is this relation true on this domain, and how do you know?

Rungs, strongest first: canonical forms and exact signs; then points, where a certified failure refutes and
agreement only supports.  What neither settles is open.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from dpsym.deciding import obligations as duties
from dpsym.deciding.domain import Domain, EmptyDomain, Point
from dpsym.deciding.exact import Sign, settle, sign, vanishes
from dpsym.deciding.sampled import survey
from dpsym.deciding.search import descents
from dpsym.enclosing import NotNumeric
from dpsym.relations import Relation, propositions
from dpsym.relations import relation as as_relation
from dpsym.verdicts import Decision, Method, Verdict, Witness

__all__ = ["Domain", "EmptyDomain", "InternalContradiction", "Sign", "decide", "settle", "sign", "vanishes"]

_POINTS = 60
_CROSS_EXAMINED = 6


class InternalContradiction(AssertionError):
    """Two rungs disagree: a defect of dpsym, reported with everything that reproduces it."""


def decide(
    relation: object,
    assume: Iterable[object] = (),
    *,
    obligations: Iterable[Relation] = (),
    time_limit: float = 10.0,
    seed: int = 0,
) -> Decision:
    """Whether the relation holds at every point that satisfies `assume`, and how that is known.

    Args:
        relation: a `Relation`, or an unevaluated SymPy relation.
        assume: propositions; a symbol of which nothing is assumed ranges over all reals.
        obligations: what must hold besides for the relation to make sense, e.g. from divisions that SymPy
            has cancelled; those of the relation itself are added.
        time_limit: in seconds; what is not settled by then is open.
        seed: of the choice of points; the answer depends on nothing else.

    Raises:
        NotAProposition: for something that is not a relation.
        EmptyDomain: when no point satisfies the assumptions.
        InternalContradiction: when a proof and a point disagree.
    """
    started = time.monotonic()
    decision = _decide(
        as_relation(relation), Domain(propositions(assume)), tuple(obligations), started + time_limit, seed
    )
    return _timed(decision, time.monotonic() - started)


def _decide(relation: Relation, domain: Domain, extra: tuple[Relation, ...], deadline: float, seed: int) -> Decision:
    needed = dict.fromkeys((*extra, *duties.of_expression(relation.lhs), *duties.of_expression(relation.rhs)))
    symbols = relation.free_symbols.union(*(r.free_symbols for r in needed))
    points = list(domain.points(symbols, most=_POINTS, seed=seed))

    doubtful: list[Relation] = []
    for duty in needed:
        if settle(duty, domain) is None:
            refutation = _refute(duty, domain, points, deadline)
            if isinstance(refutation, Witness):
                lacking = Witness(refutation.point, None, None, str(duty))
                return Decision(Verdict.REFUTED, Method.ENCLOSURE, f"undefined there: {duty} fails", lacking)
            doubtful.append(duty)
    for side in (relation.lhs, relation.rhs):
        doubtful += [duty for duty in duties.sufficient(side) if settle(duty, domain) is None]

    reason = settle(relation, domain)
    try:
        witness, seen, untold = survey(relation, domain, points[:_CROSS_EXAMINED] if reason else points, deadline)
    except NotNumeric as error:
        if reason and not doubtful:
            return Decision(Verdict.PROVED, Method.CANONICAL_FORM, reason)
        return Decision(Verdict.OPEN, Method.NONE, str(error))
    if witness is None and reason is None:
        witness, _, _ = survey(relation, domain, descents(relation, domain, points, deadline), deadline)
    if witness is not None:
        if reason is not None and witness.obligation is None:
            raise InternalContradiction(f"{relation} under {domain.assume}: proved ({reason}), but fails at {witness}")
        what = f"undefined there: {witness.obligation}" if witness.obligation else "it fails there"
        return Decision(Verdict.REFUTED, Method.ENCLOSURE, what, witness)
    if reason is not None and not doubtful:
        method = Method.CANONICAL_FORM if "canonical form" in reason and "both" in reason else Method.EXACT_SIGN
        return Decision(Verdict.PROVED, method, reason, points=seen)
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


def _refute(duty: Relation, domain: Domain, points: list[Point], deadline: float) -> Witness | None:
    try:
        return survey(duty, domain, points, deadline)[0]
    except NotNumeric:
        return None


def _timed(decision: Decision, seconds: float) -> Decision:
    from dataclasses import replace

    return replace(decision, seconds=seconds)
