r"""Derivatives in LaTeX: ``\frac{d}{dx} f``, ``\frac{d^2 f}{dx^2}``, ``\frac{\partial f}{\partial x}``."""

from __future__ import annotations

from dpsym.reading.latex_cursor import Grammar, is_d
from dpsym.reading.latex_names import read_variable
from dpsym.reading.latex_tokens import Token
from dpsym.reading.tree import Node, Number


def derivative(grammar: Grammar, token: Token) -> Node | None:
    r"""After ``\frac``; None for other fractions, with nothing taken."""
    start, mark = grammar.at, grammar.peek(1)
    if grammar.peek().text != "{" or not is_d(mark) or (mark.text == "d" and grammar.declared("d")):
        return None
    grammar.at += 2
    order = _order(grammar)
    body = None if grammar.peek().text == "}" else grammar.term()
    if not (grammar.take("}", "{") and is_d(grammar.peek())):
        if mark.text == r"\partial":
            grammar.refuse(r"expected \frac{\partial f}{\partial x}", token)
        grammar.at = start
        return None
    grammar.advance()
    variable = read_variable(grammar)
    if _order(grammar) != order:
        grammar.refuse("the orders above and below differ", token)
    grammar.expect("}")
    degree = Number(str(order), token.position)
    if body is not None:
        return grammar.call("diff", body, variable, degree, at=token)
    opener = grammar.peek()
    if opener.text not in ("(", "[", r"\{"):
        grammar.loose[token.position] = variable
        return grammar.call("diff", grammar.term(), variable, degree, at=token)
    call = grammar.call("diff", grammar.powers(grammar.operand(), opener), variable, degree, at=token)
    if grammar.starts_factor():
        grammar.refuse("does the derivative reach over this factor? use brackets", grammar.peek())
    return call


def _order(grammar: Grammar) -> int:
    if not grammar.take("^"):
        return 1
    node = grammar.script()
    if not isinstance(node, Number) or not node.text.isdigit() or not 1 <= int(node.text[:3]) <= 9:
        grammar.refuse("the order of a derivative is a digit", grammar.peek(-1))
    return int(node.text)
