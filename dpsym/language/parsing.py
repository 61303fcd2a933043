"""One line of mathematics, in LaTeX or plain notation, as a tree, and a tree as a line."""

from __future__ import annotations

import re
from collections.abc import Container

from dpsym.language.names import SPELLED_SENSITIVITY, sensitivity
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Node
from dpsym.language.tree_text import NotPlain, tree_text

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'*", re.ASCII)


def is_latex(text: str) -> bool:
    """Whether a line of mathematics is LaTeX rather than plain notation."""
    return "\\" in text or "{" in text


def parse_line(text: str, names: Container[str] | None = None) -> Node:
    """The tree of one line, in LaTeX or plain notation."""
    if not is_latex(text):
        return parse(text)
    from dpsym.language.latex.grammar import parse_latex

    return parse_latex(text, names)


def name_of(text: str) -> str:
    """The plain spelling of a name written either way.

    Raises:
        ReadingError: for anything else.
    """
    text = text.strip()
    if _NAME.fullmatch(text):
        return text
    if (one := SPELLED_SENSITIVITY.fullmatch(text)) is not None:
        return sensitivity(f"Delta{one['below'] or ''}", one["of"])
    from dpsym.language.latex.cursor import Cursor
    from dpsym.language.latex.names import read_name
    from dpsym.language.latex.tokens import tokens

    cursor = Cursor(text, tokens(text), None)
    name = read_name(cursor)
    if cursor.peek().kind != "end":
        cursor.fail("expected a name alone")
    return name


def text_of(node: Node) -> str:
    """What was written, in plain notation; nothing where that has no words for it."""
    try:
        return tree_text(node)
    except (NotPlain, RecursionError):
        return ""


def outer_parts(text: str, between: str = ",") -> list[str]:
    """The text between commas, or other signs, that stand outside brackets."""
    found, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == between and depth == 0:
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]
