"""The names that stand in what a line says, and the summands of a sum, as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from dpsym.language.names import canonical
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Name, Negation, Node, inner
from dpsym.programs.lines import Statement

_OWN = {  # arguments that are names of places, of records or of a rule, and how many there are then
    "dot": ((1,), 3),
    "l_statistic": ((1,), 3),
    "pairwise": ((1, 2), 4),
    "successive": ((1, 2), 4),
    "quantile": ((2,), 3),
}


def words(text: str) -> Iterator[str]:
    """The names in a text, as they are known."""
    yield from (name for name, _ in mentioned(parse(text)))


def spelled(node: Node) -> Iterator[tuple[str, bool]]:
    """Every name in the tree that it does not bind itself, as it is written; with whether it stands as a function."""
    if isinstance(node, Name):
        yield node.text, False
    if isinstance(node, Call):
        yield node.function.removesuffix("[]"), True
    bound = _bound(node) if isinstance(node, Call) else ()
    for part in inner(node):
        yield from ((name, called) for name, called in spelled(part) if name not in bound)


def _bound(node: Call) -> set[str]:
    """Names that are a statistic's own, as in dot(x, i, 1/i), pairwise(x, u, v, u*v) and quantile(x, 1/4, linear)."""
    places, number = _OWN.get(node.function, ((), 0))
    if len(node.arguments) != number:
        return set()
    return {a.text for place in places if isinstance(a := node.arguments[place], Name)}


def mentioned(node: Node) -> Iterator[tuple[str, bool]]:
    """As `spelled`, with each name as it is known."""
    yield from ((canonical(name), called) for name, called in spelled(node))


def names_in(statement: Statement) -> Iterator[str]:
    """The names in what a statement itself says, without those in its block."""
    said = (getattr(statement, a, None) for a in ("value", "query", "mechanism", "rate", "count", "condition"))
    for node in (*said, *getattr(statement, "values", ())):
        yield from (name for name, _ in mentioned(node)) if node is not None else ()


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
