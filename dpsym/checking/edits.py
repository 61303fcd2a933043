"""A suggestion put into the text of a document: the place is guessed, and taken only if the text then says it.

After the change the document is read again: the step has to be the one that was suggested, and no other one may have
changed, except that the next one of its chain begins with the side that was replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dpsym.core.relations import Relation
from dpsym.language import ReadingError, read_relations
from dpsym.language.documents.derivation import Document, WrittenStep
from dpsym.language.latex.standard import SIGNS
from dpsym.language.latex.writer import latex

_SIGN = re.compile(r"\\(?:leq|geq|neq|le|ge|ne)(?:q|slant)?(?![A-Za-z])|<=|>=|!=|[<>=≤≥≠]")
_END = re.compile(  # of what stands right of a sign, with the stops and spaces before it
    r"[ \t]*[.,;]?\s*(?:\\\\|\\q?quad|\\text|\\tag|\\label|\\end|\\nonumber|\$\$|\\\]|&|%|#|(?:(?<=\s)|^)\[|\n|\Z)"
)
_NEAR = 2_000  # characters in which the sign of a step is looked for
_MOST = 4  # signs, and ends, that are tried


@dataclass(frozen=True, slots=True)
class Edit:
    """From `start` up to `end` the text is to be `text`."""

    start: int
    end: int
    text: str

    def of(self, document: str) -> str:
        """The document with the change."""
        return document[: self.start] + self.text + document[self.end :]


def edited(text: str, number: int, suggestion: str, read: Callable[[str], Document]) -> Edit | None:
    """The change after which the step with this number, in the order of the text, says what the suggestion does.

    None where the suggestion is no relation, and where no change was seen to do just that.
    """
    _, colon, relation = suggestion.rpartition(": ")
    try:
        before = read(text)
        steps = _steps(before)
        wanted = read_relations(relation, before.names).relations if colon else ()
    except (ReadingError, ValueError, OSError):
        return None
    step = steps[number]
    if len(wanted) != 1 or len(step.claim) != 1 or step.premises:
        return None
    for edit in _candidates(text, step, wanted[0], plain=before.kind == "plain"):
        try:
            after = _steps(read(edit.of(text)))
        except (ReadingError, ValueError, OSError):
            continue
        if _says(after, steps, number, wanted[0]):
            return edit
    return None


def _steps(document: Document) -> list[WrittenStep]:
    return [step for chain in document.chains for step in chain.steps]


def _says(after: list[WrittenStep], before: list[WrittenStep], number: int, wanted: Relation) -> bool:
    """Whether the step is as wanted, and all others are as they were."""
    if len(after) != len(before) or after[number].claim != (wanted,):
        return False
    for n, (new, old) in enumerate(zip(after, before, strict=True)):
        same = new.claim == old.claim and new.premises == old.premises and new.unread == old.unread
        goes_on = n == number + 1 and new.continues and old.continues and len(new.claim) == len(old.claim) == 1
        if n != number and not same and not (goes_on and new.claim[0].rhs == old.claim[0].rhs):
            return False
    return True


def _candidates(text: str, step: WrittenStep, wanted: Relation, *, plain: bool) -> Iterator[Edit]:
    """Another sign; or another sign with another right side, up to where that may end."""
    lines = text.split("\n")
    if not 0 < step.line <= len(lines):
        return
    at = sum(len(line) + 1 for line in lines[: step.line - 1]) + step.column - 1
    after = list(_SIGN.finditer(text, at, at + _NEAR))[:_MOST]
    signs = [*list(_SIGN.finditer(text, max(0, at - _NEAR), at))[-1:], *after] if step.continues else after
    written = wanted.op if plain else SIGNS[wanted.op]
    for sign in signs:
        yield Edit(sign.start(), sign.end(), written)
    right = str(Relation(wanted.rhs, "=", wanted.rhs)).partition(" = ")[0] if plain else latex(wanted.rhs)
    for sign in signs:
        ends = [*_SIGN.finditer(text, sign.end(), sign.end() + _NEAR), *_END.finditer(text, sign.end())][: 5 * _MOST]
        for end in sorted({m.start() for m in ends if m.start() > sign.end()})[:_MOST]:
            yield Edit(sign.start(), end, f"{written} {right}")
