"""What was written, as it was written: a tree with positions, before any mathematics happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A decimal or integer literal, still as text."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, constant, mechanism or definition."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`; a named argument is a pair."""

    function: str
    arguments: tuple[Node, ...]
    named: tuple[tuple[str, Node], ...]
    position: int


@dataclass(frozen=True, slots=True)
class Negation:
    """`-operand`."""

    operand: Node
    position: int


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right` with op one of + - * / ^."""

    op: str
    left: Node
    right: Node
    position: int


@dataclass(frozen=True, slots=True)
class Chain:
    """`members[0] ops[0] members[1] …`, relations one after the other."""

    members: tuple[Node, ...]
    ops: tuple[str, ...]
    position: int


Node: TypeAlias = Number | Name | Call | Negation | Binary | Chain
