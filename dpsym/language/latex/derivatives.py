r"""Derivatives in LaTeX: ``\frac{d}{dx} f``, ``\frac{d^2 f}{dx^2}``, ``\partial_x f``, also at a point."""

from __future__ import annotations

from dpsym.language.latex.construct import Construct
from dpsym.language.latex.cursor import Grammar, is_d
from dpsym.language.latex.names import read_variable
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Call, Name, Node, Number


def derivative(grammar: Grammar, token: Token) -> Node | None:
    r"""After ``\frac``; None for other fractions, with nothing taken."""
    start, mark = grammar.at, grammar.peek(1)
    if grammar.peek().text != "{" or not is_d(mark):
        return None
    if mark.text == "d" and grammar.declared("d"):
        _refuse_both(grammar, token)
        return None
    grammar.at += 2
    order = _order(grammar)
    body = None if grammar.peek().text == "}" else grammar.term()
    if not (grammar.take("}", "{") and is_d(grammar.peek())):
        if mark.text == r"\partial":
            grammar.refuse(r"expected \frac{\partial f}{\partial x}", token)
        grammar.at = start
        return None
    variables: list[tuple[Name, int]] = []
    while not variables or is_d(grammar.peek()):
        grammar.advance()
        variables.append((read_variable(grammar), _order(grammar)))
    if sum(count for _, count in variables) != order:
        grammar.refuse("the orders above and below differ", token)
    grammar.expect("}")
    return _of(grammar, body, variables, token)


def _refuse_both(grammar: Grammar, token: Token) -> None:
    r"""Refuse ``\frac{d f}{dx}`` where d is declared."""
    over = grammar.closes_at()
    above = [grammar.peek(n).text for n in range(1, over)]
    below = [grammar.peek(over + n) for n in (1, 2, 3)]
    if (
        over > 0
        and not {"+", "-"} & set(above)
        and below[0].text == "{"
        and is_d(below[1])
        and below[2].text not in ("}", "+", "-", "*")
    ):
        grammar.refuse(r"a derivative, or a quotient with d? write \mathrm{d}, or d\cdot x", token)


def partial(grammar: Grammar, token: Token) -> Node:
    r"""After ``\partial``: ``\partial_x f``, ``\partial_x^2 f``."""
    order = _order(grammar)
    if not grammar.take("_"):
        grammar.refuse(r"expected \partial_x f or \frac{\partial f}{\partial x}", token)
    variable = grammar.script()
    if not isinstance(variable, Name):
        grammar.refuse("expected the variable of the derivative", token)
    order = max(order, _order(grammar))
    return _of(grammar, None, [(variable, order)], token)


def at_a_point(grammar: Grammar, token: Token) -> Node:
    r"""After ``\left.``: a derivative, ``\right|`` and the point as ``_{x=a}``."""
    with grammar.anew(bars=1):
        node = grammar.expression()
    grammar.expect(r"\rvert")
    if not isinstance(node, Call) or node.function != r"\diff" or len(node.arguments) != 3:
        grammar.refuse(r"only derivatives are read at a point: \left.\frac{d}{dx} f\right|_{x=a}", token)
    return _evaluated(grammar, node)


def _of(grammar: Grammar, body: Node | None, variables: list[tuple[Name, int]], token: Token) -> Node:
    """The derivative of what follows where `body` is None."""
    if body is not None:
        return _nested(grammar, body, variables, token)
    opener = grammar.peek()
    if opener.text not in ("(", "[", r"\{"):
        grammar.loose[token.position] = variables[0][0]
        return _nested(grammar, grammar.term(), variables, token)
    inner = grammar.operand()
    if grammar.peek().text == "_" and grammar.peek(1).text == "{" and grammar.peek(2).text != "+":
        return _evaluated(grammar, _nested(grammar, inner, variables, token))
    call = _nested(grammar, grammar.powers(inner, opener), variables, token)
    if grammar.starts_factor():
        grammar.refuse("does the derivative reach over this factor? use brackets", grammar.peek())
    return call


def _nested(grammar: Grammar, body: Node, variables: list[tuple[Name, int]], token: Token) -> Call:
    call = body
    for variable, order in reversed(variables):
        call = grammar.call("diff", call, variable, Number(str(order), token.position), at=token)
    return call  # type: ignore[return-value]


def _evaluated(grammar: Grammar, call: Call) -> Call:
    """After the derivative: ``_{x=a}``."""
    grammar.expect("_")
    grammar.expect("{")
    variable = read_variable(grammar)
    if variable.text != call.arguments[1].text:  # type: ignore[union-attr]
        grammar.refuse("this is not the variable of the derivative")
    grammar.expect("=")
    point = grammar.expression()
    grammar.expect("}")
    return Call(call.function, (*call.arguments, point), (), call.position)


def _order(grammar: Grammar) -> int:
    if not grammar.take("^"):
        return 1
    node = grammar.script()
    if not isinstance(node, Number) or not node.text.isdigit() or not 1 <= int(node.text[:3]) <= 9:
        grammar.refuse("the order of a derivative is a digit", grammar.peek(-1))
    return int(node.text)


CONSTRUCTS = (Construct("partial", partial, r"\partial_x (x^2 y)", "diff(x^2*y, x)"),)
