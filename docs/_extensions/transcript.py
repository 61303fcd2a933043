"""Console blocks: a line that starts with `$ ` is a command; nothing that a command prints is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from pygments.lexer import Lexer
from pygments.token import Generic, Name, Text, _TokenType

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_PROMPT = "$ "
_OPTION = re.compile(r"(?<=\s)--?[a-z][\w-]*")
_GAP = re.compile(r"\S {2,}(?=\S)")  # between two columns
_BRANCH = re.compile(r"[├└│]")
_WIDE = 100  # characters, more than a screen has: longer lines of two columns are broken like others
COLUMNS = Generic.Output.Columns  # its lines are not broken


class Transcript(Lexer):
    """Commands behind their prompt, a backslash continuing them; every other line is output."""

    name = "Transcript"
    aliases: ClassVar[list[str]] = ["console"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Each line as it is."""
        at = 0
        for printed, lines in groupby(_marked(text), key=lambda marked: marked[0]):
            shown = [line for _, line in lines]
            for line, kind in zip(shown, _kinds(shown), strict=True):
                start = 0 if printed or not line.startswith(_PROMPT) else len(_PROMPT)
                if start:
                    yield at, Generic.Prompt, line[:start]
                if printed:
                    yield at, kind, line
                else:
                    yield from _command(line[start:], at + start)
                at += len(line)


def _command(line: str, at: int) -> Iterator[tuple[int, _TokenType, str]]:
    """Options apart: a line may be broken between them, and not in them."""
    last = 0
    for option in _OPTION.finditer(line):
        yield at + last, Text, line[last : option.start()]
        yield at + option.start(), Name.Attribute, option[0]
        last = option.end()
    yield at + last, Text, line[last:]


def _marked(text: str) -> Iterator[tuple[bool, str]]:
    """Each line, and whether a command printed it."""
    goes_on = False
    for line in text.splitlines(keepends=True):
        typed = goes_on or line.startswith(_PROMPT)
        yield not typed, line
        goes_on = typed and line.rstrip("\n").endswith("\\")


def _kinds(lines: list[str]) -> list[_TokenType]:
    """Which lines of an output are rows of a table or branches of a tree; one of two columns has to fit on a screen."""
    gaps = [len(_GAP.findall(line.strip())) for line in lines]
    rows = [gap > 0 or _BRANCH.search(line) is not None for line, gap in zip(lines, gaps, strict=True)]
    kept = sum(gap > 1 for gap in gaps) > 1 or (sum(rows) > 1 and max(map(len, lines)) <= _WIDE)
    return [COLUMNS if kept and row else Generic.Output for row in rows]


def setup(app: Sphinx) -> dict[str, bool]:
    """In place of the lexer of the same name, which takes some outputs for prompts."""
    app.add_lexer("console", Transcript)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
