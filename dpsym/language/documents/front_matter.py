"""The YAML front matter of a derivation, read as raw text: YAML's types would turn 1.25 into a float."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dpsym.language.documents.declarations import Line
from dpsym.language.errors import ReadingError, in_document

KEYS = ("title", "proves", "let", "where", "assume")
_FOREIGN = re.compile(r"([A-Za-z_-]+)\s*:(?:\s+(.*)|\s*)$")
_KEY = re.compile(r"([a-z_]+)\s*:(?:\s+(.*)|\s*)$")


@dataclass(slots=True)
class FrontMatter:
    """Declarations as they stand, and the line where the body starts."""

    title: str | None = None
    proves: str | None = None
    let: list[Line] = field(default_factory=list)
    where: list[Line] = field(default_factory=list)
    assume: list[Line] = field(default_factory=list)

    def add(self, key: str, line: Line) -> None:
        """One declaration.

        Raises:
            ReadingError: for an unknown key, a second title or theorem, an empty declaration.
        """
        text = line.text.strip()
        if not text:
            raise in_document(ReadingError(f"nothing is said after {key!r}"), line.line, None)
        if key in ("title", "proves"):
            if getattr(self, key) is not None:
                raise in_document(ReadingError(f"{key!r} stands twice"), line.line, None)
            setattr(self, key, text)
        elif key in KEYS:
            getattr(self, key).append(Line(text, line.line))
        else:
            raise in_document(ReadingError(f"unknown key {key!r}; expected {', '.join(KEYS)}"), line.line, None)


def read_front_matter(lines: Sequence[str], *, strict: bool = True) -> tuple[FrontMatter, int]:
    """What stands between the first line ``---`` and the next, and the number of lines taken (0: there is none).

    Without `strict` one that declares nothing for dpsym is another program's, of which only the title is read.

    Raises:
        ReadingError: with the line.
    """
    found = FrontMatter()
    if not lines or lines[0].rstrip() != "---":
        return found, 0
    if not strict:
        end = next((n for n, line in enumerate(lines[1:], start=2) if line.rstrip() in ("---", "...")), 0)
        keys = {match[1]: match[2] for line in lines[1:end] if (match := _FOREIGN.match(line.rstrip())) is not None}
        if not {"let", "where", "assume", "proves"} & keys.keys():
            return FrontMatter(_unquoted(keys["title"]) if keys.get("title") else None), end
    key = ""
    for number, raw in enumerate(lines[1:], start=2):
        if raw.rstrip() in ("---", "..."):
            return found, number
        text = re.sub(r"(^|\s)#.*$", "", raw).rstrip()
        if not text:
            continue
        if not text[0].isspace() and text[0] != "-":
            match = _KEY.match(text)
            if match is None or match[1] not in KEYS:
                raise in_document(ReadingError(f"expected one of {', '.join(KEYS)} and a colon"), number, 1)
            key = match[1]
            if match[2]:
                _refuse_flow(match[2], number)
                found.add(key, Line(_unquoted(match[2]), number))
            continue
        if key not in ("let", "where", "assume"):
            raise in_document(ReadingError("an indented line belongs to let, where or assume"), number, 1)
        found.add(key, Line(_item(text.strip(), key), number))
    raise in_document(ReadingError("the front matter is not closed by a line ---"), 1, 1)


def _item(text: str, key: str) -> str:
    if text.startswith("- "):
        text = _unquoted(text[2:].strip())
        if key != "where" or "=" in text.partition(":")[0]:
            return text
    name, colon, value = text.partition(":")
    if not colon or key == "assume":
        return text
    joint = " = " if key == "where" and not value.startswith("=") else ":"
    return f"{_unquoted(name.strip())}{joint}{_unquoted(value.strip())}"


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def _refuse_flow(text: str, number: int) -> None:
    if text[0] in "[{|>&*!":
        raise in_document(ReadingError("write one declaration a line, indented or after '- '"), number, None)
