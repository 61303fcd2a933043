"""How theorems and results stand to others of their kind, as sentences: only what was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpsym import catalogue
from dpsym.comparison import Comparison, Standing, comparisons
from dpsym.statements import Result, Theorem
from writing import badge, inline, link


def of_all() -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """Sentences for the page of each entry: those that it is never looser than, and how it stands to others."""
    entries: dict[str, Theorem | Result] = {**catalogue.theorems(), **catalogue.results()}
    tighter: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for name in entries:
        for found in filter(_is_decided, comparisons(name)):
            beside = tighter if found.standing is Standing.TIGHTER else others
            beside.setdefault(name, []).append(_sentence(found, entries[found.other]))
    return tighter, others


def _is_decided(comparison: Comparison) -> bool:
    """A proof in one direction, or points where each is the tighter one."""
    return comparison.verdict is not None or None not in (comparison.tighter_at, comparison.looser_at)


def _sentence(comparison: Comparison, other: Theorem | Result) -> str:
    places = [
        f"{word} at {', '.join(f'`{name} = {value}`' for name, value in point.items())}"
        for word, point in (("tighter", comparison.tighter_at), ("looser", comparison.looser_at))
        if point is not None
    ]
    worth = f" {badge(comparison.verdict)}" if comparison.verdict is not None else ""
    says = f": {inline(other.conclusion)}" if isinstance(other, Theorem) else ""
    standing = "" if comparison.standing is Standing.TIGHTER else f"{comparison.standing.value} "
    return "; ".join([f"{standing}{link(other, other.title)}{says}{worth}", *places])
