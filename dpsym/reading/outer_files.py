"""Files made of others: LaTeX that takes in files beside it, and notebooks, each as one text with its pieces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpsym.reading.errors import ReadingError

LARGEST_FILE = 2_000_000  # characters, of all that is read together
MOST_FILES, DEEPEST_FILES = 100, 8
MOST_CELLS = 5_000

_INPUT = re.compile(r"(?<!\\)\\(?:input|include|subfile)\s*\{(?P<name>[^{}\n]+)\}|(?<!\\)%[^\n]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """Where a part of the text begins, and from which line of which file (or cell) it is; "": the file itself."""

    start: int
    name: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Whole:
    """The text, its pieces in order, and what could not be taken in: where, and why."""

    text: str
    pieces: tuple[Piece, ...] = ()
    missing: tuple[tuple[int, str], ...] = ()


def with_inputs(text: str, path: Path) -> Whole:
    r"""The LaTeX text with the files in place that ``\input``, ``\include`` and ``\subfile`` name.

    Only files of the same folder and below are read; what cannot be, or exceeds the limits, is left as it stands.
    """
    gathered = _Gathered(path.resolve().parent)
    gathered.take(text, "", 0, (path.resolve(),))
    return Whole("".join(gathered.parts), tuple(gathered.pieces), tuple(gathered.missing))


class _Gathered:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: list[str] = []
        self.pieces: list[Piece] = []
        self.missing: list[tuple[int, str]] = []
        self.length = self.files = 0

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def take(self, text: str, name: str, depth: int, above: tuple[Path, ...]) -> None:
        """The text, and what it takes in."""
        self.pieces.append(Piece(self.length, name))
        at = 0
        for match in _INPUT.finditer(text):
            if match["name"] is None:
                continue
            found = self._file(match["name"].strip(), depth, above)
            if isinstance(found, str):
                self._put(text[at : match.end()])
                self.missing.append((self.length - len(match[0]), found))
                at = match.end()
                continue
            file, inner = found
            self._put(text[at : match.start()])
            self.take(inner, file.relative_to(self.folder).as_posix(), depth + 1, (*above, file))
            self._put("\n")
            at = match.end()
            self.pieces.append(Piece(self.length, name, text.count("\n", 0, at) + 1))
        self._put(text[at:])

    def _file(self, name: str, depth: int, above: tuple[Path, ...]) -> tuple[Path, str] | str:
        """The file and its text, or why it is not read."""
        why = "only files of this file's folder and below are read"
        try:
            plain = self.folder / name
            file = next((f for f in (plain.with_name(plain.name + ".tex"), plain) if f.is_file()), None)
            if file is None:
                return f"{name} is not read: there is no such file"
            file = file.resolve()
            if not file.is_relative_to(self.folder):
                return f"{name} is not read: {why}"
            if file in above or depth >= DEEPEST_FILES or self.files >= MOST_FILES:
                return f"{name} is not read: files take in each other, or too many"
            if file.stat().st_size + self.length > LARGEST_FILE:
                return f"{name} is not read: it is too large"
            text = file.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            return f"{name} is not read: {type(error).__name__}"
        self.files += 1
        return file, text.replace("\x00", " ").replace("\r\n", "\n").replace("\r", "\n")


def with_cells(text: str) -> Whole:
    """The Markdown cells of a Jupyter notebook; a raw cell at the beginning may hold the front matter.

    Raises:
        ReadingError: for what is no notebook, or one with too many cells.
    """
    parts: list[str] = []
    pieces: list[Piece] = []
    length = 0
    for number, cell in _cells(text):
        said = cell.replace("\x00", " ").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n\n"
        pieces.append(Piece(length, f"cell {number}"))
        parts.append(said)
        length += len(said)
    return Whole("".join(parts), tuple(pieces))


def _cells(text: str) -> Iterator[tuple[int, str]]:
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"this is no notebook: {str(error)[:100]}") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        raise ReadingError(f"this is no notebook of format 4 with at most {MOST_CELLS} cells")
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            continue
        source = cell.get("source", "")
        said = "".join(s for s in source if isinstance(s, str)) if isinstance(source, list) else source
        front = number == 1 and cell.get("cell_type") == "raw"
        if isinstance(said, str) and (front or cell.get("cell_type") == "markdown"):
            yield number, said
