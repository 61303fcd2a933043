"""What was written, as it was written: a tree with positions, before any mathematics happens."""

from __future__ import annotations

from collections.abc import Mapping
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


def mentions(node: Node, name: str) -> bool:
    """Whether the name stands freely in the tree, or as a subscript: not as a variable that an operator in it binds."""
    waiting: list[Node] = [node]
    while waiting:
        match waiting.pop():
            case Name() as found:
                if found.text == name or name in found.text.rstrip("'").split("_")[1:]:
                    return True
            case Call() as found:
                inner = found.arguments[2:] if _binds(found, name) else found.arguments
                waiting += [*inner, *(value for _, value in found.named)]
            case Negation() as found:
                waiting.append(found.operand)
            case Binary() as found:
                waiting += [found.left, found.right]
            case Chain() as found:
                waiting += found.members
            case _:
                pass
    return False


def with_names(node: Node, table: Mapping[str, Node]) -> Node:
    """The tree with other trees in the place of names; where a name is bound, what comes out cannot be read."""
    match node:
        case Name():
            return table.get(node.text, node)
        case Call():
            arguments = tuple(with_names(a, table) for a in node.arguments)
            named = tuple((name, with_names(value, table)) for name, value in node.named)
            return Call(node.function, arguments, named, node.position)
        case Negation():
            return Negation(with_names(node.operand, table), node.position)
        case Binary():
            return Binary(node.op, with_names(node.left, table), with_names(node.right, table), node.position)
        case Chain():
            return Chain(tuple(with_names(member, table) for member in node.members), node.ops, node.position)
        case _:
            return node


def has_member(node: Node, name: str) -> bool:
    """Whether it is written in the tree with the name in a subscript, or in the index of a member of a family."""
    waiting: list[Node] = [node]
    while waiting:
        match waiting.pop():
            case Name() as found:
                if name in found.text.rstrip("'").split("_")[1:]:
                    return True
            case Call() as found:
                if found.function.endswith("[]") and mentions(found.arguments[0], name):
                    return True
                waiting += [*found.arguments, *(value for _, value in found.named)]
            case Negation() as found:
                waiting.append(found.operand)
            case Binary() as found:
                waiting += [found.left, found.right]
            case Chain() as found:
                waiting += found.members
            case _:
                pass
    return False


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
