"""A no of *any* mechanism with a guarantee: one that has it, put in its place, does not satisfy what is claimed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product

from dpsym.core.deadline import over, remaining
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Decision, Verdict
from dpsym.deciding import EmptyDomain
from dpsym.entries.members import members
from dpsym.statements import Composed, Guarantee, Subsampled, Use
from dpsym.statements.anything import each, put

_MOST = 6  # choices of a mechanism for each guarantee


def decided(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]
) -> Decision | None:
    """A refutation by mechanisms that have the guarantees; None where no mechanism is left open."""
    from dpsym.satisfying import satisfies

    open_ = each(source)
    if not open_:
        return None
    choices = list(islice(product(*(members(use) for use in open_.values())), _MOST))
    for number, chosen in enumerate(choices):
        seconds = remaining() / (len(choices) - number)
        if over():
            return None
        try:
            here = put(source, dict(zip(open_, chosen, strict=True)))
            found = satisfies(here, guarantee, assume=conditions, time_limit=seconds)
        except EmptyDomain:
            continue
        if found.verdict is Verdict.REFUTED:
            what = ", ".join(f"{use}, which satisfies {name}" for name, use in zip(open_, chosen, strict=True))
            return replace(found, why=f"not by {what}: {found.why}")
    return None
