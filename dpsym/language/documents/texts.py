"""A text that is read, and where each of its parts was written: parts replaced, other files in place of a command."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from dpsym.language.errors import ReadingError

MOST_FILES, DEEPEST, LONGEST_FILE, LONGEST_WHOLE = 100, 8, 1_000_000, 2_000_000  # the last two in characters

_SUFFIXES = (".tex", ".ltx", ".sty", ".cls", ".def")
_IN_FOLDER = r"(?:sub)?(?:import|inputfrom|includefrom)\*?"
_NO_TEXT = re.compile(rb"^(?:\xff\xfe|\xfe\xff)|[\x00-\x08\x0e-\x1f\x7f]")
BODY = re.compile(r"^(?:\\.|[^%\\\n])*?\\begin\s*\{document\}", re.MULTILINE)
_CODE = r"^(?:\\.|[^%\\\n])*?"  # the beginning of a line, before a comment
_ENDS_DOCUMENT = re.compile(rf"{_CODE}\\end\s*\{{document\}}", re.MULTILINE)
_ENDS_FILE = re.compile(r"^[ \t]*\\endinput[ \t]*(?:%.*)?$", re.MULTILINE)
_INPUT = re.compile(
    rf"(?<!\\)\\(?:(?:input|include|subfile|subfileinclude)\s*|{_IN_FOLDER}\s*\{{\s*(?P<folder>[^{{}}\s#%\\]*)\s*\}}\s*)"
    r"(?:\{\s*(?P<name>[^{}\s#%\\]+)\s*\}|(?<=input )(?P<bare>[^{}\s#%\\]+))|(?<!\\)%[^\n]*"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """From `start` on the text is that of `source` from `at` on; what replaces something stands where that stood."""

    start: int
    source: Written
    at: int
    reach: int  # how far from there it was written


class Written:
    """What is read, with the file, line and column, counted from 1, at which each of its places was written.

    Attributes:
        text: what is read.
        cells: of a notebook's text, where each cell starts, with its number.
    """

    def __init__(self, text: str, file: str = "", pieces: list[_Piece] | None = None) -> None:
        self.text = text
        self.cells: list[tuple[int, int]] = []
        self._file, self._pieces = file, pieces or []
        self._starts = [piece.start for piece in self._pieces]

    def with_text(self, text: str) -> Written:
        """Another text of the same length, its places where those of this one are."""
        return Written(text, pieces=[_Piece(0, self, 0, len(text))])

    def rewritten(self, edits: Iterable[Edit]) -> Written:
        """The text with parts replaced, which are given in order."""
        pieces: list[_Piece] = []
        parts: list[str] = []
        length = at = 0

        def add(text: str, source: Written, place: int, reach: int) -> None:
            nonlocal length
            if text:
                pieces.append(_Piece(length, source, place, reach))
                parts.append(text)
                length += len(text)

        for begin, end, new in edits:
            add(self.text[at:begin], self, at, begin - at)
            if isinstance(new, Written):
                add(new.text, new, 0, len(new.text))
            else:
                add(new, self, begin, 0)
            at = end
        pieces.append(_Piece(length, self, at, len(self.text) - at))
        return Written("".join([*parts, self.text[at:]]), pieces=pieces)

    def of(self, position: int) -> tuple[int, int]:
        """Line and column."""
        source, at = self._origin(position)
        line = bisect_right(source._lines, at)
        return line, at - source._lines[line - 1] + 1

    def line(self, position: int) -> str:
        """The line of the file in which it stands."""
        source, at = self._origin(position)
        return source.text[source.text.rfind("\n", 0, at) + 1 : source.text.find("\n", at) + 1 or None]

    def file(self, position: int) -> str:
        """The file that was included there; empty for the document itself."""
        return self._origin(position)[0]._file

    def place(self, position: int) -> dict[str, Any]:
        """Line, column, file and cell, as a step has them."""
        line, column = self.of(position)
        return {"line": line, "column": column, "file": self.file(position), "cell": self.cell(position)}

    def cell(self, position: int) -> tuple[int, int] | None:
        """The number of a notebook's cell, and the line in it."""
        text: Written = self
        while not text.cells and (piece := text._piece(position)) is not None:
            position = piece.at + min(position - piece.start, piece.reach)
            text = piece.source
        if not text.cells:
            return None
        start, number = text.cells[max(0, bisect_right(text.cells, (position, len(text.text))) - 1)]
        return number, text.text.count("\n", start, position) + 1

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def _piece(self, position: int) -> _Piece | None:
        return self._pieces[max(0, bisect_right(self._starts, position) - 1)] if self._pieces else None

    def _origin(self, position: int) -> tuple[Written, int]:
        """The file's own text, and the place in it."""
        text: Written = self
        while (piece := text._piece(position)) is not None:
            position = piece.at + min(position - piece.start, piece.reach)
            text = piece.source
        return text, position


Edit: TypeAlias = tuple[int, int, "str | Written"]


@dataclass(slots=True)
class Beside:
    """The files beside a document that it reads.

    Attributes:
        folder: where they are; None: none is read.
        files: those that were read, or looked for.
    """

    folder: Path | None = None
    files: list[Path] = field(default_factory=list)
    _length: int = 0

    def with_inputs(self, text: str, file: str = "", within: str = "", depth: int = 0) -> Written:
        r"""LaTeX with the files that it reads (``\input``, ``\include``, ``\import``), as far as they are found.

        `within`: the folder, seen from that of the document, in which the text's own names are looked up.
        """
        body = BODY.search(text) if file else None  # a subfile can be built alone, too
        if body is None:
            return Written(text, file).rewritten(self._edits(text, 0, within, depth))
        whole = Written(text[: end.start() if (end := _ENDS_DOCUMENT.search(text)) else len(text)], file)
        return whole.rewritten(((0, body.end(), ""), *self._edits(whole.text, body.end(), within, depth)))

    def _edits(self, text: str, start: int, within: str, depth: int) -> Iterator[Edit]:
        for match in _INPUT.finditer(text, start):
            name = match["name"] or match["bare"]
            if not name or self.folder is None or depth >= DEEPEST or len(self.files) >= MOST_FILES:
                continue
            inside = within if match["folder"] is None else f"{within}{match['folder'].rstrip('/')}/"
            found = self._found(f"{inside}{name}") or (self._found(name) if inside else None)
            if found is None:
                self.files.append(self.folder / f"{inside}{name.removesuffix('.tex')}.tex")
            elif self._length + (size := found.stat().st_size) <= LONGEST_WHOLE:
                self._length += size
                self.files.append(found)
                shown = found.relative_to(self.folder).as_posix()
                with suppress(OSError, ReadingError):  # what is not read stays the command that it is
                    yield match.start(), match.end(), self.with_inputs(_read(found), shown, inside, depth + 1)

    def bibliography(self, name: str) -> str:
        """What a file of BibTeX entries says; nothing where it is not found."""
        path = self._found(name, ".bib", (".bib",))
        if path is None:
            return ""
        self.files.append(path)
        with suppress(OSError, ReadingError):
            return decoded(path)
        return ""

    def _found(self, name: str, suffix: str = ".tex", suffixes: Container[str] = _SUFFIXES) -> Path | None:
        """The file that is meant: a relative path, with or without its suffix."""
        if self.folder is None or Path(name).is_absolute():
            return None
        for path in (self.folder / name, self.folder / f"{name}{suffix}"):
            try:
                if path.suffix in suffixes and path.is_file() and path.stat().st_size <= LONGEST_FILE:
                    return path
            except (OSError, ValueError):
                continue
        return None


def _read(path: Path) -> str:
    text = plain_text(decoded(path)).replace("\x00", " ")
    end = _ENDS_FILE.search(text)
    return text if end is None else text[: end.start()]


def decoded(path: Path) -> str:
    """What a file says, in UTF-8, or in the Western encoding of older papers.

    Raises:
        ReadingError: for bytes that are no text.
        OSError: where it cannot be opened.
    """
    data = path.read_bytes()
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            if encoding == "utf-8" or not _NO_TEXT.search(data):
                return data.decode(encoding)
    raise ReadingError(f"{path} is not UTF-8 text")


def plain_text(text: str) -> str:
    """Without a mark of the byte order, its lines ended as everywhere."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
