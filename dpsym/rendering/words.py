"""What queries speak of: what each word is, how it is written, and its sensitivity on the records of an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpsym.core.display import short
from dpsym.language import ReadingError
from dpsym.queries import Neighbours, Query, Sensitivity, read_query, sensitivity
from dpsym.queries.vocabulary import WORDS, Word
from dpsym.rendering import sensitivities
from dpsym.rendering.text import table

_NEIGHBOURS: tuple[Neighbours, ...] = ("replace", "add-remove")


@dataclass(frozen=True, slots=True)
class Answered:
    """A statistic with its sensitivities, by the neighbours; none where it is not for lists of other sizes."""

    word: Word
    query: Query
    answers: dict[Neighbours, tuple[Sensitivity, ...]]

    __repr__ = short

    @property
    def brief(self) -> str:
        """The word and what it is."""
        return f"{self.word.id}: {self.word.title}"

    def text(self) -> str:
        """For people."""
        word = self.word
        lines = [self.brief, f"written: {word.written}, where {word.declaration}"]
        for neighbours, found in self.answers.items():
            lines += [f"sensitivity, {neighbours}:", *_indented(sensitivities.text(self.query, found, None))]
        return "\n".join(lines)

    def latex(self) -> str:
        """The sensitivities."""
        return "\n".join(sensitivities.formula(one) for found in self.answers.values() for one in found)

    def data(self) -> dict[str, Any]:
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


def as_table() -> str:
    """All of them."""
    return table(["query", "", "written", "where"], [[w.id, w.title, w.written, w.declaration] for w in WORDS.values()])


def as_data() -> list[dict[str, Any]]:
    """The same for programs."""
    return [_row(word) for word in WORDS.values()]


def _row(word: Word) -> dict[str, Any]:
    return {"id": word.id, "title": word.title, "written": word.written, "declaration": word.declaration}


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]
