"""The formulas in lines of prose, each with the words of its sentence: one splitting for all who read prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import tokens
from dpsym.language.names import canonical

LONGEST = 200  # characters of a formula that is looked at closely
NEAR = 60  # characters of the words that join a formula to the next
SENTENCE = 300  # characters on either side that may belong to its sentence
INLINE = re.compile(
    r"(?<![\\$])\$(?![\s$])((?:[^$\n\\]|\\[^\n]|\\(?=\n))*(?:\n(?!\s*\n)(?:[^$\n\\]|\\[^\n]|\\(?=\n))*)?)(?<!\s)\$|\\\(((?:(?!\\\)).){0,400})\\\)"
)
SENTENCE_ENDS = re.compile(r"[.!?;]\s|\n[ \t]*\n")
_STRUCK = re.compile(r"!\[[^\]\n]*\]|~~.*?~~|<(?:s|del|strike)>.*?</")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in a line, with the macros put in: where its mark and it itself start, and the words around it.

    `before` and `rest` are those of its sentence, without the other formulas in it; `own` and `after` those between it
    and the formulas next to it, of which `after` may go on past the sentence.
    """

    at: int
    start: int
    stop: int
    shown: str
    before: str
    own: str
    after: str
    rest: str
    macros: Macros

    @property
    def is_first(self) -> bool:
        """Whether no other formula stands before it in its sentence."""
        return _spaced(self.own) == self.before

    @property
    def names(self) -> tuple[str, ...]:
        """The names that are all of it, between commas, as they are looked up; none where it is something else."""
        return names_alone(self.shown)


def formulas(text: str, spans: Iterable[tuple[int, int]], macros: Callable[[int], Macros]) -> Iterator[Formula]:
    """Those in these parts of the text."""
    for begin, end in spans:
        found = list(INLINE.finditer(text, begin, end))
        edges = [begin, *(place for m in found for place in m.span()), end]
        for number, match in enumerate(found):
            start, stop = match.span(1 if match[1] is not None else 2)
            known, shown = macros(start), text[start:stop]
            with suppress(ReadingError):
                shown = expand(shown, known)
            before = SENTENCE_ENDS.split(text[max(begin, match.start() - SENTENCE) : match.start()])[-1]
            own = text[max(edges[2 * number], match.start() - len(before)) : match.start()]
            after = text[match.end() : min(edges[2 * number + 3], match.end() + SENTENCE)]
            rest = SENTENCE_ENDS.split(text[match.end() : min(end, match.end() + SENTENCE)])[0]
            words = _spaced(before), own, after, _spaced(rest)
            yield Formula(match.start(), start, stop, shown, *words, known)


def _spaced(words: str) -> str:
    return re.sub(r"\s+", " ", INLINE.sub(" ", words))


def names_alone(shown: str) -> tuple[str, ...]:
    """The names that are all of a formula, between commas; none where it is something else."""
    if len(shown) > LONGEST:
        return ()
    with suppress(ReadingError):
        cursor, names = Cursor(shown, tokens(shown, 0, None, {}, recover=True), None), list[str]()
        while True:
            names.append(canonical(read_name(cursor)))
            if not cursor.take(","):
                return tuple(names) if cursor.peek().kind == "end" else ()
    return ()


def is_quoted(written: Written, place: int) -> bool:
    """Whether a formula stands in somebody else's words, in a picture's, struck out, or is set apart as code."""
    text = written.text
    start = text.rfind("\n", 0, place) + 1
    line = text[start : text.find("\n", place) % (len(text) + 1)]
    last = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]
    set_apart = line.startswith((" " * 4, "\t")) and not last.strip()
    struck = any(m.start() <= place - start < m.end() for m in _STRUCK.finditer(line))
    return set_apart or struck or in_a_quote(written, place)


def in_a_quote(written: Written, place: int) -> bool:
    """Whether the line begins with the sign of a quote."""
    return re.match(r'[ \t"]*>', written.line(place)) is not None
