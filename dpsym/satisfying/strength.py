"""What a claim is worth that needs several decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dpsym.core.verdicts import Decision, Verdict

STRENGTH = (
    Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED, Verdict.SUPPORTED, Verdict.OPEN, Verdict.REFUTED,
)  # fmt: skip


def weakest(decisions: Iterable[Decision]) -> Decision:
    """What a claim is worth that needs all of these."""
    found = tuple(decisions)
    worst = max(found, key=lambda d: STRENGTH.index(d.verdict))
    if worst.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED):
        return worst
    rests_on = dict.fromkeys(name for d in found for name in d.rests_on)
    return replace(worst, rests_on=tuple(rests_on), given=tuple(dict.fromkeys(g for d in found for g in d.given)))
