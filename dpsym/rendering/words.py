"""What queries speak of: what each word is, how it is written, and its sensitivity on the records of an example."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpsym.core.display import short
from dpsym.language import ReadingError
from dpsym.queries import Neighbours, Query, Sensitivity, read_query, sensitivity
from dpsym.queries.vocabulary import WORDS, Word
from dpsym.rendering import sensitivities
from dpsym.rendering.page import Page, Says, Table, says

_NEIGHBOURS: tuple[Neighbours, ...] = ("replace", "add-remove")


@dataclass(frozen=True, slots=True)
class Answered:
    """A statistic with its sensitivities, by the neighbours; none where it is not for lists of other sizes."""

    word: Word
    query: Query
    answers: dict[Neighbours, tuple[Sensitivity, ...]]

    __repr__ = short

    def page(self) -> Page:
        """What it is, how it is written, and each sensitivity."""
        word = self.word
        parts = [says(f"{word.id}: {word.title}"), says(f"written: {word.written}, where {word.declaration}")]
        for neighbours, found in self.answers.items():
            parts.append(says(f"sensitivity, {neighbours}:"))
            inside = sensitivities.page(self.query, found).parts
            parts += [replace(part, depth=part.depth + 1) for part in inside if isinstance(part, Says)]
        return Page("", tuple(parts))

    @property
    def brief(self) -> str:
        """The word and what it is."""
        return f"{self.word.id}: {self.word.title}"

    def written(self, form: str) -> str | None:
        """As LaTeX the sensitivities."""
        if form != "latex":
            return None
        return "\n".join(sensitivities.formula(one) for found in self.answers.values() for one in found)

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        answered = {
            neighbours: sensitivities.data(self.query, found, neighbours, "L1")
            for neighbours, found in self.answers.items()
        }
        return {**_row(self.word), "sensitivity": answered}


def found(word: Word, time_limit: float) -> Answered:
    """The sensitivities of the example."""
    query = read_query(word.written, [word.declaration])
    answers: dict[Neighbours, tuple[Sensitivity, ...]] = {}
    for neighbours in _NEIGHBOURS:
        try:
            answers[neighbours] = sensitivity(query, neighbours, time_limit=time_limit / len(_NEIGHBOURS))
        except ReadingError:
            continue
    return Answered(word, query, answers)


def page() -> Page:
    """All of them."""
    rows = tuple((w.id, w.title, w.written, w.declaration) for w in WORDS.values())
    return Page("", (Table(("query", "", "written", "where"), rows),))


def as_data() -> list[dict[str, Any]]:
    """The same for programs."""
    return [_row(word) for word in WORDS.values()]


def _row(word: Word) -> dict[str, Any]:
    return {"id": word.id, "title": word.title, "written": word.written, "declaration": word.declaration}
