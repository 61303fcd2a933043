r"""Tensor products of trade-off functions: ``\left(\left(f(a)\right)^{\otimes k} \otimes …\right)(a)``."""

from __future__ import annotations

from dpsym.language.latex.cursor import CLOSERS, Grammar
from dpsym.language.latex.names import read_variable
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Call, Name, Node, Number

_MARK = r"\tensored"  # of two factors, or of one with how often it occurs, until the argument is read
_MAPPING = r"\mapping"


def is_tensor(node: Node) -> bool:
    """Whether it is a tensor product that lacks its argument."""
    return isinstance(node, Call) and node.function == _MARK


def power_of(node: Node, times: Node, token: Token) -> Node:
    """The product of a factor with itself."""
    return Call(_MARK, (node,), (("times", times),), token.position)


def product_of(left: Node, right: Node, token: Token) -> Node:
    """The product of two factors."""
    return Call(_MARK, (left, right), (), token.position)


def mapping(grammar: Grammar) -> Node:
    r"""After ``(``: ``a \mapsto f(a)`` and the closing bracket, a factor."""
    token = grammar.peek()
    variable = read_variable(grammar)
    grammar.expect(r"\mapsto")
    with grammar.binding(variable.text):
        body = grammar.inside(")")
    if grammar.peek().text != r"\otimes" and grammar.peek(2).text != r"\otimes":
        grammar.refuse("a mapping is read as a factor of a tensor product only", token)
    return Call(_MAPPING, (variable, body), (), token.position)


def tensor_at(grammar: Grammar, node: Node, token: Token) -> Node:
    """After the product in brackets: the argument; without ``\\mapsto`` the factors are functions of that."""
    opener = grammar.peek().text
    if opener not in ("(", "["):
        grammar.fail("a tensor product is a function: expected its argument (a)")
    grammar.advance()
    point = grammar.inside(CLOSERS[opener])
    factors = _factors(node, token)
    named = [f.arguments[0] for f, _ in factors if isinstance(f, Call) and f.function == _MAPPING]
    variable = named[0] if named else point
    if not isinstance(variable, Name) or any(not isinstance(n, Name) or n.text != variable.text for n in named):
        grammar.refuse("expected one variable for all factors", token)
    if 0 < len(named) < len(factors):
        grammar.refuse(r"write every factor with \mapsto, or none", token)
    parts = [part for f, times in factors for part in (f.arguments[1] if named else f, times)]  # type: ignore[union-attr]
    return grammar.call("tensor", variable, *parts, point, at=token)


def _factors(node: Node, token: Token) -> list[tuple[Node, Node]]:
    pairs: list[tuple[Node, Node]] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, Call) or part.function != _MARK:
            pairs.append((part, Number("1", token.position)))
        elif part.named:
            pairs.append((part.arguments[0], part.named[0][1]))
        else:
            waiting += reversed(part.arguments)
    return pairs
