"""Console blocks: a line that starts with `$ ` is a command; nothing that a command prints is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from pygments.lexer import Lexer
from pygments.token import Generic, Text, _TokenType

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_PROMPT = "$ "


class Transcript(Lexer):
    """Commands behind their prompt, a backslash continuing them; every other line is output."""

    name = "Transcript"
    aliases: ClassVar[list[str]] = ["console"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Each line as it is."""
        at, goes_on = 0, False
        for line in text.splitlines(keepends=True):
            if line.startswith(_PROMPT) or goes_on:
                start = 0 if goes_on else len(_PROMPT)
                if start:
                    yield at, Generic.Prompt, line[:start]
                yield at + start, Text, line[start:]
                goes_on = line.rstrip("\n").endswith("\\")
            else:
                yield at, Generic.Output, line
            at += len(line)


def setup(app: Sphinx) -> dict[str, bool]:
    """In place of the lexer of the same name, which takes some outputs for prompts."""
    app.add_lexer("console", Transcript)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
