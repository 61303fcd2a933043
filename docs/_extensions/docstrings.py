"""Docstrings are prose with `code` in back quotes: nothing else in them is markup, sections apart."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_CODE = re.compile(r"``.+?``|`[^`]+`")
_MARKUP = re.compile(r"([*|\\]|(?<=\w)_(?=\W|$))")


def _as_written(_app: Sphinx, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    literal = False
    for number, line in enumerate(lines):
        if literal and line.strip() and not line.startswith(" "):
            literal = False
        if not literal:
            lines[number] = _escaped(line)
        literal = literal or line.rstrip().endswith("::")


def _escaped(line: str) -> str:
    parts, end = [], 0
    for code in _CODE.finditer(line):
        joined = "\\ " if line[code.end() : code.end() + 1].isalnum() else ""  # as in `Range`s
        parts += [_MARKUP.sub(r"\\\1", line[end : code.start()]), f"``{code[0].strip('`')}``{joined}"]
        end = code.end()
    return "".join([*parts, _MARKUP.sub(r"\\\1", line[end:])])


def setup(app: Sphinx) -> dict[str, bool]:
    """Before the sections are read."""
    app.connect("autodoc-process-docstring", _as_written, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
