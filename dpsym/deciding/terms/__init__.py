"""Certificates of what the strategies settle, line by line (docs/certificates.md)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from dpsym.core.deadline import now
from dpsym.core.relations import Relation, propositions
from dpsym.core.verdicts import Decision
from dpsym.deciding.definedness import Need
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.strategy import Term
from dpsym.deciding.terms.arguments import Arguments
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.settling import elaborate, elaborated, settle, show_need
from dpsym.deciding.timeout import within
from dpsym.verifying import verify

__all__ = ["Builder", "Lacking", "certificate", "elaborate", "elaborated", "settle"]


def certificate(
    decision: Decision,
    relation: Relation,
    assume: Iterable[object] = (),
    needs: Iterable[Need] = (),
    *,
    time_limit: float = 10.0,
) -> dict[str, Any] | None:
    """A proof of a decided relation for `dpsym.verifying`, which has accepted it; None where none was found.

    Args:
        decision: what `decide` said of the relation under these assumptions, with the term of its proof.
        relation: the relation, as it was decided.
        assume: propositions.
        needs: what must hold besides, as it was given to `decide`.
        time_limit: in seconds.
    """
    term = decision.term
    if not isinstance(term, Term) or not {term.relation, term.relation.swapped} & {relation}:
        return None
    made = partial(_made, term, relation, Domain(propositions(assume)), tuple(needs))
    return within(now() + time_limit, made, None)


def _made(term: Term, relation: Relation, domain: Domain, needs: tuple[Need, ...]) -> dict[str, Any] | None:
    builder = Builder(settle)
    arguments = Arguments(builder)
    try:
        context = arguments.of(domain)
        s = arguments.show(term, context)
        for need in needs:
            show_need(builder, context, need)
        builder.conclude(context, s)
        found = builder.certificate()
        verify(found)
    except Exception:  # noqa: BLE001 - whatever goes wrong, there is no certificate, and the decision stands as it was
        return None
    return found
