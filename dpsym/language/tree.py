"""What was written, as it was written: a tree with positions, before any mathematics happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def inner(node: Node) -> tuple[Node, ...]:
    """The trees that stand directly in it."""
    match node:
        case Call():
            return (*node.arguments, *(value for _, value in node.named))
        case Negation():
            return (node.operand,)
        case Binary():
            return node.left, node.right
        case Chain():
            return node.members
        case _:
            return ()


def mapped(change: Callable[[Node], Node], node: Node) -> Node:
    """The tree with a change made to what stands directly in it."""
    match node:
        case Call():
            named = tuple((name, change(value)) for name, value in node.named)
            return Call(node.function, tuple(map(change, node.arguments)), named, node.position)
        case Negation():
            return Negation(change(node.operand), node.position)
        case Binary():
            return Binary(node.op, change(node.left), change(node.right), node.position)
        case Chain():
            return Chain(tuple(map(change, node.members)), node.ops, node.position)
        case _:
            return node


def mentions(node: Node, name: str) -> bool:
    """Whether the name stands freely in the tree, or as a subscript: not as a variable that an operator in it binds."""
    waiting: list[Node] = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Name) and (found.text == name or _in_subscript(found, name)):
            return True
        bound = 2 if isinstance(found, Call) and _binds(found, name) else 0
        waiting += inner(found)[bound:]
    return False


def with_names(node: Node, table: Mapping[str, Node]) -> Node:
    """The tree with other trees in the place of names; where a name is bound, what comes out cannot be read."""
    if isinstance(node, Name):
        return table.get(node.text, node)
    return mapped(lambda part: with_names(part, table), node)


def has_member(node: Node, name: str) -> bool:
    """Whether it is written in the tree with the name in a subscript, or in the index of a member of a family."""
    waiting: list[Node] = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Name) and _in_subscript(found, name):
            return True
        if isinstance(found, Call) and found.function.endswith("[]") and mentions(found.arguments[0], name):
            return True
        waiting += inner(found)
    return False


def _in_subscript(node: Name, name: str) -> bool:
    return name in node.text.rstrip("'").split("_")[1:]


_BINDERS = {
    "sum", "product", "integral", "limit", "root", "smallest", "minimum", "maximum", "argmin", "argmax", "E", "Pr",
    "greatest", "least",
}  # fmt: skip


def _binds(call: Call, name: str) -> bool:
    if call.function.lstrip("\\") not in _BINDERS or len(call.arguments) < 2:
        return False
    variable = call.arguments[1]
    if isinstance(variable, Chain):
        variable = variable.members[0]
    return isinstance(variable, Name) and variable.text == name
