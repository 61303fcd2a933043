"""What stands beside a step, as words and mathematics: which conditions, which values, and what only explains."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpsym.reading.errors import ReadingError

RELATING = re.compile(r"[<>=]|\\(?:leq?|geq?|neq?|lt|gt|leqslant|geqslant|in)(?![A-Za-z])")
_WORDS = re.compile(r"\\(?:text|textrm|textnormal|mbox|textit|emph|textbf|tag\*?|(?:short)?intertext)\s*\{")
_LAYOUT = re.compile(r"\\label\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])|&|\{\}")
_SPACE = re.compile(r"\\(?:q?quad(?![A-Za-z])|[,;!: ])|[\s~]")
_CONDITION = re.compile(
    r"if|for|for all|for every|for any|for each|when|whenever|where|provided|provided that|given|given that|assuming"
    r"|assuming that|as long as|so long as|under"
)
_EXPLAINING = re.compile(
    r".*\b(?:by|since|because|as|using|with|from|via|of|due to|thanks to|per|note|recall"
    r"|(?:using|note|noting|recall|use|fact) that|taking|setting|putting|substituting|choosing|writing)"
)
_CHOOSING, _MORE = "at", ("", "and", "and also", "and that")
_NEEDS_ONE = ("if", "when", "whenever", "provided", "provided that", "assuming", "assuming that")


@dataclass(frozen=True, slots=True)
class Part:
    """Mathematics beside a step, with what it is there: "at", the word of a condition, or "" for an explanation."""

    role: str
    mathematics: str


def parts_of(text: str) -> list[Part]:
    """The relations beside a step, each with what it is there.

    Raises:
        ReadingError: for a relation of which the words before it do not say what it is there, and so might be a claim.
    """
    found: list[Part] = []
    role: str | None = None
    for words, mathematics in _pieces(text):
        said = re.sub(r"\s+", " ", words.lower().rpartition("]")[2])
        said = re.sub(r"^[\s.,;:(\u2013-]+|[\s.,;:\u2013-]+$", "", said)
        if said in _MORE and found:
            pass
        elif said == _CHOOSING or _CONDITION.fullmatch(said):
            role = said
        elif _EXPLAINING.fullmatch(said):
            role = ""
        elif not found and not words.strip() and re.fullmatch(r"\([^()]*\)[\s.,;]*", mathematics):
            role, mathematics = "if", mathematics.strip(" \n\t.,;")[1:-1]
        else:
            role = None
        if RELATING.search(mathematics):
            if role is None:
                raise ReadingError(
                    f"is {mathematics.strip()!r} a claim? Put it on a line of its own, or write before it alone what "
                    "it is: 'if' (a condition), 'at' (a value), 'since' (an explanation)"
                )
            found.append(Part(role, mathematics))
        elif said in _NEEDS_ONE and mathematics.strip(" .,;"):
            raise ReadingError(f"this condition cannot be read: {mathematics.strip()!r} is no relation")
    return found


def _pieces(text: str) -> list[tuple[str, str]]:
    """Words, and the mathematics after them; what stands between dollars in the words is mathematics, too."""
    found: list[list[str]] = [["", ""]]

    def put(which: int, piece: str) -> None:
        if which == 0 and _SPACE.sub("", found[-1][1]):
            found.append(["", ""])
        found[-1][which] += piece

    text = _LAYOUT.sub(" ", text)
    at = 0
    while (match := _WORDS.search(text, at)) is not None:
        put(1, text[at : match.start()])
        at = _closed(text, match.end())
        for number, piece in enumerate(text[match.end() : at - 1].split("$")):
            if number % 2 or piece.strip():
                put(number % 2, piece)
    put(1, text[at:])
    return [(words, re.sub(r"^(?:\\q?quad(?![A-Za-z])|\s)+", "", mathematics)) for words, mathematics in found]


def _closed(text: str, start: int) -> int:
    """After the brace that closes the one before `start`."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at + 1
    return len(text) + 1
