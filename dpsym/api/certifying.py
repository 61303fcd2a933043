"""Certificates of decisions, for `dpsym verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from dpsym.claims import WrittenClaim
    from dpsym.core.verdicts import Decision


def proof(claim: WrittenClaim, decision: Decision, time_limit: float) -> dict[str, Any] | None:
    """The certificate of a decision on one relation that comes with it: a cover, or a proof line by line."""
    from dpsym.checking.certifying import goals
    from dpsym.checking.ledger import Inference
    from dpsym.core.relations import Relation
    from dpsym.deciding import terms

    if isinstance(decision.certificate, dict):
        return decision.certificate
    relation = claim.relations[0] if len(claim.relations) == 1 else None
    if not isinstance(relation, Relation):
        return None
    asked = Inference(claim.conditions, (relation,), needs=claim.needs)
    found = terms.proof(list(goals(asked, decision, claim.laws)), time_limit=time_limit)
    return found if isinstance(found, dict) else None


def covering(claim: WrittenClaim, time_limit: float, executor: Executor | None) -> dict[str, Any] | None:
    """A cover found for the occasion, where the decision comes with no certificate."""
    from dpsym.core.relations import Relation
    from dpsym.deciding import certificates

    (relation,) = claim.relations
    if not isinstance(relation, Relation):
        return None
    return certificates.certificate(relation, claim.conditions, time_limit, executor)
