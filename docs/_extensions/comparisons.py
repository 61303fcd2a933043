"""How theorems and results stand to others of their kind, as sentences: only what was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpsym import catalogue
from dpsym.comparison import Comparison, comparisons
from dpsym.statements import Result, Theorem
from writing import badge, inline, link


def of_all() -> Mapping[str, Sequence[str]]:
    """Sentences for the page of each entry that was compared with another."""
    entries: dict[str, Theorem | Result] = {**catalogue.theorems(), **catalogue.results()}
    return {name: [_sentence(c, entries[c.other]) for c in comparisons(name) if _is_decided(c)] for name in entries}


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
    return "; ".join([f"{comparison.standing.value} {link(other, other.title)}{says}{worth}", *places])
