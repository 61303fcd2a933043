"""What a command that is read is: its name, its reader, and one use of it in both notations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpsym.language.latex.cursor import Grammar
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Node


@dataclass(frozen=True, slots=True)
class Construct:
    r"""A command such as ``\sqrt``: `read` takes what follows it and gives the node.

    The grammar collects the `CONSTRUCTS` of its parts.  What `example` says in LaTeX, `means` says in plain notation;
    `tests/laws/test_constructs.py` holds them against each other, alone and among other symbols.
    """

    command: str
    read: Callable[[Grammar, Token], Node]
    example: str
    means: str
