"""What queries speak of: what each word is, how it is written, and its sensitivity on the records of an example."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from dpsym.language import ReadingError
from dpsym.queries import Neighbours, read_query, sensitivity
from dpsym.queries.vocabulary import WORDS, Word
from dpsym.rendering.answers import Shown
from dpsym.rendering.page import Page, Says, Table, says
from dpsym.rendering.sensitivities import Sensitivities

_NEIGHBOURS: tuple[Neighbours, ...] = ("replace", "add-remove")


@dataclass(frozen=True, eq=False, repr=False)
class Answered(Shown):
    """A statistic with its sensitivities, by the neighbours; none where it is not for lists of other sizes."""

    entry = None

    word: Word
    answers: Mapping[Neighbours, Sensitivities]

    @property
    def brief(self) -> str:
        """The word and what it is."""
        return f"{self.word.id}: {self.word.title}"

    def page(self) -> Page:
        """What it is, how it is written, and each sensitivity."""
        parts = [says(self.brief), says(f"written: {self.word.written}, where {self.word.declaration}")]
        for adjacent, found in self.answers.items():
            parts.append(says(f"sensitivity, {adjacent}:"))
            inside = found.page(related=False).parts
            parts += [replace(part, depth=part.depth + 1) for part in inside if isinstance(part, Says)]
        return Page("", tuple(parts))

    def written(self, form: str) -> str:
        """As LaTeX the sensitivities."""
        if form == "latex":
            return "\n".join(found.latex() for found in self.answers.values())
        return super().written(form)

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        return {**_row(self.word), "sensitivity": {key: found.to_dict() for key, found in self.answers.items()}}


def found(word: Word, time_limit: float) -> Answered:
    """The sensitivities of the example."""
    query, answers = read_query(word.written, [word.declaration]), dict[Neighbours, Sensitivities]()
    for neighbours in _NEIGHBOURS:
        with suppress(ReadingError):
            cases = sensitivity(query, neighbours, time_limit=time_limit / len(_NEIGHBOURS))
            answers[neighbours] = Sensitivities(query, cases, neighbours)
    return Answered(word, answers)


def page() -> Page:
    """All of them."""
    rows = tuple((w.id, w.title, w.written, w.declaration) for w in WORDS.values())
    return Page("", (Table(("query", "", "written", "where"), rows),))


def as_data() -> list[dict[str, Any]]:
    """The same for programs."""
    return [_row(word) for word in WORDS.values()]


def _row(word: Word) -> dict[str, Any]:
    return {"id": word.id, "title": word.title, "written": word.written, "declaration": word.declaration}
