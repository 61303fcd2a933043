"""The names that stand in what a line says, and the summands of a sum, as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from dpsym.language.names import canonical
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node
from dpsym.programs.lines import Statement

_BINDERS = {
    "dot": (1, 2),
    "l_statistic": (1, 2),
    "pairwise": (2, 3),
}  # names after x, and the formula


def words(text: str) -> Iterator[str]:
    """The names in a text, as they are known."""
    yield from (name for name, _ in mentioned(parse(text)))


def spelled(node: Node) -> Iterator[tuple[str, bool]]:
    """Every name in the tree that it does not bind itself, as it is written; with whether it stands as a function."""
    match node:
        case Name():
            yield node.text, False
        case Call():
            yield node.function.removesuffix("[]"), True
            bound = _bound(node)
            for inner in (*node.arguments, *(value for _, value in node.named)):
                yield from ((name, called) for name, called in spelled(inner) if name not in bound)
        case Negation():
            yield from spelled(node.operand)
        case Binary():
            yield from spelled(node.left)
            yield from spelled(node.right)
        case Chain():
            for member in node.members:
                yield from spelled(member)
        case _:
            pass


def _bound(node: Call) -> set[str]:
    """The names of places or records in dot(x, i, 1/i), l_statistic(x, i, i - 1) and pairwise(x, u, v, u*v)."""
    names, formula = _BINDERS.get(node.function, (0, 0))
    if len(node.arguments) != formula + 1:
        return set()
    return {a.text for a in node.arguments[1 : 1 + names] if isinstance(a, Name)}


def mentioned(node: Node) -> Iterator[tuple[str, bool]]:
    """As `spelled`, with each name as it is known."""
    yield from ((canonical(name), called) for name, called in spelled(node))


def names_in(statement: Statement) -> Iterator[str]:
    """The names in what a statement itself says, without those in its block."""
    for attribute in ("value", "query", "mechanism", "rate", "count", "condition"):
        node = getattr(statement, attribute, None)
        if node is not None:
            yield from (name for name, _ in mentioned(node))
    for node in getattr(statement, "values", ()):
        yield from (name for name, _ in mentioned(node))


def terms(node: Node, sign: int) -> Iterator[tuple[int, Node]]:
    """The summands of a sum with their signs."""
    match node:
        case Binary(op="+"):
            yield from terms(node.left, sign)
            yield from terms(node.right, sign)
        case Binary(op="-"):
            yield from terms(node.left, sign)
            yield from terms(node.right, -sign)
        case Negation():
            yield from terms(node.operand, -sign)
        case _:
            yield sign, node


def joined(summands: list[tuple[int, Node]]) -> Node:
    """The sum of them."""
    (sign, node), *others = summands
    found: Node = node if sign > 0 else Negation(node, node.position)
    for sign, node in others:
        found = Binary("+" if sign > 0 else "-", found, node, node.position)
    return found
