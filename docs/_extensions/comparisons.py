"""Which of two theorems with the same premises and the same notion gives more: decided, not asserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from dpsym import catalogue
from dpsym.deciding import EmptyDomain, decide
from dpsym.relations import Relation
from dpsym.statements import Theorem
from dpsym.verdicts import Verdict
from writing import badge, link

_SECONDS = 4.0
_YES = (Verdict.PROVED, Verdict.CERTIFIED)


def of_theorems() -> Mapping[str, Sequence[str]]:
    """Sentences for the page of each theorem that is never looser than another, or than which another never is."""
    said: dict[str, list[str]] = {}
    for one, other in permutations(catalogue.theorems().values(), 2):
        if _comparable(one, other) and (verdict := never_looser(one, other)) is not None:
            said.setdefault(one.id, []).append(f"never looser than {link(other, other.title)} {badge(verdict)}")
            said.setdefault(other.id, []).append(f"{link(one, one.title)} is never looser {badge(verdict)}")
    return said


def _comparable(one: Theorem, other: Theorem) -> bool:
    return (
        one.premises == other.premises
        and one.conclusion.definition is other.conclusion.definition
        and one.setting is other.setting
        and one.conclusion.definition.id != "fdp"
    )


def never_looser(one: Theorem, other: Theorem) -> Verdict | None:
    """How it is known that every budget of `one` is at most that of `other`, wherever both apply; None: it is not."""
    verdicts = []
    for mine, theirs in zip(one.conclusion.args, other.conclusion.args, strict=True):
        if mine == theirs:
            continue
        try:
            verdicts.append(
                decide(Relation(mine, "<=", theirs), (*one.conditions, *other.conditions), time_limit=_SECONDS).verdict
            )
        except EmptyDomain:
            return None
    if not verdicts or any(v not in _YES for v in verdicts):
        return None
    return max(verdicts, key=list(Verdict).index)
