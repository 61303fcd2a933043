"""What a claim is worth that needs several decisions."""

from __future__ import annotations

from collections.abc import Iterable

from dpsym.verdicts import Decision, Verdict

STRENGTH = (
    Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED, Verdict.SUPPORTED, Verdict.OPEN, Verdict.REFUTED,
)  # fmt: skip


def weakest(decisions: Iterable[Decision]) -> Decision:
    """What a claim is worth that needs all of these."""
    return max(decisions, key=lambda d: STRENGTH.index(d.verdict))
