"""A syntax tree as a line of plain notation: what was written, nothing cancelled, that reads back as the same tree."""

from __future__ import annotations

from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number

_SUM, _PRODUCT, _NEGATION, _POWER, _ATOM = range(5)
_STRENGTH = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "^": _POWER}
_OWN = ("tensored", "mapping")  # what LaTeX has and the plain notation has not


class NotPlain(ValueError):
    """Something that the plain notation has no words for."""


def tree_text(node: Node) -> str:
    """The tree in plain notation.

    Raises:
        NotPlain: for a tensor product written as in a paper.
        RecursionError: for one that is nested too deeply.
    """
    return _write(node)[0]


def _write(node: Node) -> tuple[str, int]:
    match node:
        case Number():
            return node.text, _ATOM
        case Name():
            return node.text, _ATOM
        case Negation():
            return f"-{_wrapped(node.operand, _POWER)}", _SUM
        case Binary():
            return _binary(node)
        case Call():
            if node.function.lstrip("\\") in _OWN:
                raise NotPlain(f"{node.function} has no plain notation")
            if node.function.endswith("[]"):
                return f"{node.function[:-1]}{tree_text(node.arguments[0])}]", _ATOM
            parts = [*map(tree_text, node.arguments), *(f"{name}={tree_text(value)}" for name, value in node.named)]
            return f"{node.function.lstrip(chr(92))}({', '.join(parts)})", _ATOM
        case Chain():
            text = tree_text(node.members[0])
            for op, member in zip(node.ops, node.members[1:], strict=True):
                text += f" {op} {tree_text(member)}"
            return text, -1


def _binary(node: Binary) -> tuple[str, int]:
    spine: list[Binary] = []  # a long sum nests to the left, deeper than Python recurses
    first: Node = node
    least = _STRENGTH[node.op]
    while isinstance(first, Binary) and first.op != "^" and _STRENGTH[first.op] == least:
        spine.append(first)
        first = first.left
    if node.op == "^":
        return f"{_wrapped(node.left, _ATOM)}^{_wrapped(node.right, _ATOM)}", _POWER
    text = _wrapped(first, least)
    for step in reversed(spine):
        sign = f" {step.op} " if least == _SUM else step.op
        text += sign + _wrapped(step.right, least + 1)
    return text, least


def _wrapped(node: Node, least: int) -> str:
    text, strength = _write(node)
    return text if strength >= least else f"({text})"
