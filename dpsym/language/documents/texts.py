"""A text that is read, and where each of its parts was written: other files included, Markdown's escapes undone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SUFFIXES = (".tex", ".sty", ".cls", ".def")
MOST_FILES, DEEPEST, LONGEST_FILE = 100, 8, 1_000_000

_INPUT = re.compile(r"(?<!\\)\\(?:input|include|subfile)\s*\{\s*([^{}\s#%\\]+)\s*\}|(?<!\\)%[^\n]*")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ESCAPED_MATHEMATICS = re.compile(r"\\\\\\?[\[(]")
_VERBATIM = re.compile(r"(?:^|\n)[ \t]*(```+|~~~+)[\s\S]*?\n[ \t]*\1|\$\$[\s\S]*?\$\$|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """From `start` on the text is that of a source from `at` on."""

    start: int
    source: str
    at: int
    file: str = ""


class Written:
    """What is read, with the line and column, counted from 1, at which each of its places was written.

    Attributes:
        text: what is read.
    """

    def __init__(self, text: str, pieces: list[_Piece] | None = None) -> None:
        self.text = text
        self._pieces = pieces or [_Piece(0, text, 0)]
        self._starts = [piece.start for piece in self._pieces]
        self._lines: dict[str, list[int]] = {}

    def with_text(self, text: str) -> Written:
        """Another text of the same length, its places where those of this one are."""
        return Written(text, self._pieces)

    def at(self, place: int) -> int:
        """Where what was written at this place of the document stands in the text."""
        piece = next(p for p in reversed(self._pieces) if not p.file and p.at <= place)
        return piece.start + place - piece.at

    def of(self, position: int) -> tuple[int, int]:
        """Line and column."""
        piece = self._piece(position)
        at = piece.at + position - piece.start
        starts = self._lines.setdefault(piece.file, [0, *(m.end() for m in re.finditer("\n", piece.source))])
        line = bisect_right(starts, at)
        return line, at - starts[line - 1] + 1

    def file(self, position: int) -> str:
        """The file that was included there; empty for the document itself."""
        return self._piece(position).file

    def _piece(self, position: int) -> _Piece:
        return self._pieces[max(0, bisect_right(self._starts, position) - 1)]


def unescaped(text: str) -> Written:
    r"""Markdown whose mathematics is written with its escapes, ``\\[ \\frac{1}{2} \\]``; other text as it is."""
    if not _ESCAPED_MATHEMATICS.search(_VERBATIM.sub("", text)):
        return Written(text)
    parts: list[str] = []
    pieces: list[_Piece] = []
    length = at = 0
    for begin, end, kept in _escapes(text):
        for start, part in ((at, text[at:begin]), (begin, kept)):
            if part:
                pieces.append(_Piece(length, text, start))
                parts.append(part)
                length += len(part)
        at = end
    pieces.append(_Piece(length, text, at))
    return Written("".join([*parts, text[at:]]), pieces)


def _escapes(text: str) -> Iterator[tuple[int, int, str]]:
    """Where an escape stands outside of code and of ``$$``, and what it stands for."""
    kept = [match.span() for match in _VERBATIM.finditer(text)]
    for match in _ESCAPE.finditer(text):
        if not any(begin <= match.start() < end for begin, end in kept):
            yield match.start(), match.end(), match[1]


def with_inputs(text: str, folder: Path | None) -> Written:
    r"""LaTeX with the files that it reads (``\input``, ``\include``), as far as they are found beside it."""
    pieces: list[_Piece] = []
    parts: list[str] = []
    _include(text, "", folder, parts, pieces, [0, 0], 0)
    return Written("".join(parts), pieces)


def _include(
    text: str, file: str, folder: Path | None, parts: list[str], pieces: list[_Piece], counts: list[int], depth: int
) -> None:
    """`counts`: the length so far, and the number of files."""

    def add(start: int, stop: int) -> None:
        if start < stop:
            pieces.append(_Piece(counts[0], text, start, file))
            parts.append(text[start:stop])
            counts[0] += stop - start

    at = 0
    for match in _INPUT.finditer(text):
        inner = None if match[1] is None or folder is None else _found(match[1], folder)
        if inner is None or depth >= DEEPEST or counts[1] >= MOST_FILES:
            continue
        add(at, match.start())
        counts[1] += 1
        _include(_read(inner), match[1], folder, parts, pieces, counts, depth + 1)
        at = match.end()
    add(at, len(text))


def _found(name: str, folder: Path) -> Path | None:
    """The file that is meant: a relative path, with or without its suffix."""
    if Path(name).is_absolute():
        return None
    for path in (folder / name, folder / f"{name}.tex"):
        try:
            if (
                path.suffix in (".tex", ".sty", ".cls", ".def")
                and path.is_file()
                and path.stat().st_size <= LONGEST_FILE
            ):
                return path
        except OSError:
            continue
    return None


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " ")
    return text.partition(r"\endinput")[0]
