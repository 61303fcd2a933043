"""The YAML front matter of a derivation, read as raw text: YAML's types would turn 1.25 into a float."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from dpsym.language.documents.declarations import Line
from dpsym.language.documents.guesses import Guess
from dpsym.language.errors import ReadingError, in_document

KEYS = ("title", "proves", "let", "where", "assume")
_KEY = re.compile(r"([A-Za-z_-]+)\s*:(?:\s+(.*)|\s*)$")


@dataclass(slots=True)
class FrontMatter:
    """Declarations as they stand, and the line where the body starts."""

    title: str | None = None
    proves: str | None = None
    let: list[Line] = field(default_factory=list)
    where: list[Line] = field(default_factory=list)
    assume: list[Line] = field(default_factory=list)
    unread: list[tuple[Line, str]] = field(default_factory=list)  # what could not be read, and why
    proposed: dict[str, Guess] = field(default_factory=dict)  # of names, what nobody has confirmed
    is_beside: bool = False  # whether what it declares stands beside a text that declares nothing

    @property
    def declares(self) -> bool:
        """Whether the document says itself what its names are."""
        return bool(self.let or self.where or self.assume or self.proves or self.unread)

    @property
    def guessing(self) -> bool:
        """Whether names that nothing declares are guessed, as in a paper."""
        return self.is_beside or not self.declares

    def lose(self, line: Line, error: ReadingError) -> None:
        """Set aside what cannot be read."""
        why = error.message if error.line is None else str(error).partition(": ")[2]
        self.unread.append((line, why))

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


def merged(found: FrontMatter, outside: FrontMatter) -> FrontMatter:
    """What a document declares with what is given from outside."""
    is_beside = outside.is_beside and not found.declares
    proposed = [] if is_beside else [Line(guess.declaration) for guess in outside.proposed.values()]
    return FrontMatter(
        found.title, found.proves, [*outside.let, *proposed, *found.let], [*outside.where, *found.where],
        [*outside.assume, *found.assume], found.unread, outside.proposed, is_beside,
    )  # fmt: skip


def read_front_matter(lines: Sequence[str]) -> tuple[FrontMatter, int]:
    """What stands between the first line ``---`` and the next, and the number of lines taken (0: there is none).

    Other programs' keys are passed over, and what cannot be read is set aside.
    """
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "...")), 0)
    keys = {match[1]: match[2] for line in lines[1:end] if (match := _KEY.match(line.rstrip())) is not None}
    if lines[0].rstrip() != "---" or not keys:
        return FrontMatter(), 0
    if {"let", "where", "assume", "proves"} & keys.keys():
        return read_declarations(lines[1:end], first=2), end + 1
    return FrontMatter(_unquoted(keys["title"]) if keys.get("title") else None), end + 1


def read_declarations(lines: Iterable[str], *, first: int, alone: bool = False) -> FrontMatter:
    """Lines of front matter, of which the first has that number; what cannot be read is set aside.

    `alone`: no other program's keys stand among them.
    """
    found, key = FrontMatter(), ""
    for number, raw in enumerate(lines, start=first):
        text = re.sub(r"(^|\s)#.*$", "", raw).rstrip()
        named = _KEY.match(text)
        key = named[1] if named is not None else key
        if text in ("", "---", "...") or not (alone or key in KEYS or get_close_matches(key, KEYS)):
            continue  # of another program; what may be a slip of the pen is not
        try:
            _read_line(found, key, text, number)
        except ReadingError as error:
            found.lose(Line(text.strip(), number), error)
    return found


def _read_line(found: FrontMatter, key: str, text: str, number: int) -> None:
    """Enter a line under its key, or that of the line before."""
    if text[0].isspace() or text[0] == "-":
        if key not in ("let", "where", "assume"):
            raise in_document(ReadingError("an indented line belongs to let, where or assume"), number, 1)
        found.add(key, Line(_item(text.strip(), key), number))
        return
    match = _KEY.match(text)
    if match is None or key not in KEYS:
        raise in_document(ReadingError(f"expected one of {', '.join(KEYS)} and a colon"), number, 1)
    if match[2] and match[2] != "[]":
        if match[2][0] in "[{|>&*!":
            raise in_document(ReadingError("write one declaration a line, indented or after '- '"), number, None)
        found.add(key, Line(_unquoted(match[2]), number))


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
    """Without the quotes around it; in them YAML doubles an apostrophe, and puts a backslash before a quote or one."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return re.sub(r'\\(["\\])', r"\1", text[1:-1])
    return text
