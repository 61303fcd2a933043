"""The front matter of a derivation, YAML or TOML, read as raw text: their types would turn 1.25 into a float.

Keys that are not dpsym's own are another program's, and passed over, unless they look like one that is misspelled.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from dpsym.reading.declarations import Line
from dpsym.reading.errors import ReadingError, in_document

KEYS = ("title", "proves", "let", "where", "assume")
_LISTS = ("let", "where", "assume")
_LIKE = 0.8  # how similar to an own key a key is that is not taken for another program's
_KEY = re.compile(r"([A-Za-z_][\w.\- ]*?)\s*:(?:\s+(.*)|\s*)$")
_DECLARES = re.compile(r"^(?:proves|let|where|assume)\s*[:=]|^\[(?:let|where|assume)\]", re.MULTILINE)
_FLOW = "[{|>&*!"


@dataclass(slots=True)
class FrontMatter:
    """Declarations as they stand.

    Attributes:
        mending: whether what cannot be read is kept in `unread`, with why, instead of being raised.
    """

    title: str | None = None
    proves: str | None = None
    let: list[Line] = field(default_factory=list)
    where: list[Line] = field(default_factory=list)
    assume: list[Line] = field(default_factory=list)
    unread: list[tuple[Line, str]] = field(default_factory=list)
    mending: bool = False

    def add(self, key: str, line: Line) -> None:
        """One declaration.

        Raises:
            ReadingError: for an unknown key, a second title or theorem, an empty declaration.
        """
        text = line.text.strip()
        if not text:
            self.refuse(f"nothing is said after {key!r}", line)
        elif key in ("title", "proves"):
            if getattr(self, key) is not None:
                self.refuse(f"{key!r} stands twice", line)
            else:
                setattr(self, key, text)
        elif key in KEYS:
            getattr(self, key).append(Line(text, line.line))
        else:
            self.refuse(f"unknown key {key!r}; expected {', '.join(KEYS)}", line)

    def refuse(self, message: str, line: Line, column: int | None = None) -> None:
        """Keep the line as one that was not read.

        Raises:
            ReadingError: where nothing is mended, and for what is given from outside.
        """
        if not self.mending or not line.line:
            raise in_document(ReadingError(message), line.line, column)
        self.unread.append((line, message))


def read_front_matter(lines: Sequence[str], *, mending: bool = False) -> tuple[FrontMatter, int]:
    """What stands between the first line ``---`` (``+++``: TOML) and the next, and the number of lines taken (or 0).

    Raises:
        ReadingError: with the line.
    """
    found = FrontMatter(mending=mending)
    fence = lines[0].rstrip() if lines else ""
    if fence not in ("---", "+++"):
        return found, 0
    closers = ("---", "...") if fence == "---" else ("+++",)
    end = next((n for n, raw in enumerate(lines[1:], start=1) if raw.rstrip() in closers), None)
    if end is None:
        if not _DECLARES.search("\n".join(lines)):
            return found, 0  # a rule across the page
        raise in_document(ReadingError(f"the front matter is not closed by a line {fence}"), 1, 1)
    if fence == "+++":
        _read_toml(found, lines[1:end])
    else:
        _read_yaml(found, lines[1:end])
    return found, end + 1


def _read_yaml(found: FrontMatter, lines: Sequence[str]) -> None:
    key = ""
    for number, raw in enumerate(lines, start=2):
        text = re.sub(r"(^|\s)#.*$", "", raw).rstrip()
        if not text:
            continue
        if not text[0].isspace() and text[0] != "-":
            match = _KEY.match(text)
            if match is not None or key in KEYS:
                key = "" if match is None else match[1]
                _own(found, key, "" if match is None else match[2] or "", Line(text, number))
            continue
        if key in _LISTS:
            found.add(key, Line(_item(text.strip(), key), number))
        elif key in KEYS and key != "title":
            found.refuse("an indented line belongs to let, where or assume", Line(text, number), 1)


def _own(found: FrontMatter, key: str, value: str, line: Line) -> None:
    """A line of dpsym's own keys; a key like none of them is passed over."""
    if key not in KEYS:
        if not key or get_close_matches(key.lower(), KEYS, n=1, cutoff=_LIKE):
            found.refuse(f"expected one of {', '.join(KEYS)} and a colon", line, 1)
    elif value and value[0] in _FLOW and key != "title":
        found.refuse("write one declaration a line, indented or after '- '", line)
    elif value:
        found.add(key, Line(_unquoted(value), line.line))


def _read_toml(found: FrontMatter, lines: Sequence[str]) -> None:
    """``let = ["rho > 0"]``, or a table ``[let]`` of ``rho = "rho > 0"``."""
    text = "\n".join(lines)
    try:
        data = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        if _DECLARES.search(text):
            raise in_document(ReadingError(f"this is no TOML: {error}"), 1, None) from None
        return
    for key, value in data.items():
        number = next((n for n, raw in enumerate(lines, start=2) if re.match(rf"\[?{re.escape(key)}\b", raw)), 1)
        if key not in KEYS:
            _own(found, key, "", Line(key, number))
        elif isinstance(value, dict) and key in _LISTS:
            for name, said in value.items():
                found.add(key, Line(_item(f"{name}: {said}", key), number))
        elif isinstance(value, list) and key in _LISTS:
            for said in value:
                found.add(key, Line(str(said), number))
        else:
            found.add(key, Line(str(value), number))


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
