r"""Functions of numbers in LaTeX: ``\log_2 x``, ``\Phi^{-1}(p)``, ``\frac12``, ``\sqrt[3]{x}``, cases."""

from __future__ import annotations

from dpsym.reading.latex_cursor import CLOSERS, Grammar
from dpsym.reading.latex_derivatives import derivative
from dpsym.reading.latex_integrals import integrand, integrand_ahead
from dpsym.reading.latex_tokens import Token
from dpsym.reading.tree import Binary, Call, Chain, Negation, Node, Number

WORDS = {
    "log": "log", "ln": "log", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec",
    "csc": "csc", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "coth": "coth", "sech": "sech", "csch": "csch",
    "asinh": "asinh", "arsinh": "asinh", "arcsinh": "asinh", "acosh": "acosh", "arcosh": "acosh", "arccosh": "acosh",
    "atanh": "atanh", "artanh": "atanh", "arctanh": "atanh", "arctan": "atan", "atan": "atan", "arcsin": "asin",
    "asin": "asin", "arccos": "acos", "acos": "acos", "erf": "erf", "erfc": "erfc", "loggamma": "loggamma",
    "harmonic": "harmonic", "sgn": "sign", "sign": "sign", "besseli": "besseli", "gammaq": "gammaq",
}  # fmt: skip
_OF_TWO = ("besseli", "gammaq")
LETTERS = {"Phi": "Phi", "phi": "phi", "varphi": "phi", "Gamma": "gamma"}


def function(grammar: Grammar, word: str, token: Token) -> Node:
    r"""After its name: ``\log x``, ``\log_2(x)``, ``\log^2 x``; a bare argument is the next factor."""
    name = WORDS[word]
    if name in _OF_TWO:
        return _of_two(grammar, name, token)
    base: Node | None = None
    power: Node | None = None
    while grammar.peek().text in ("_", "^"):
        if grammar.advance().text == "_":
            if name != "log" or base is not None:
                grammar.refuse(f"a subscript on {name}", token)
            base = grammar.script()
        else:
            if power is not None:
                grammar.refuse("a second superscript: use braces", token)
            power = grammar.script()
    if isinstance(power, Negation):
        grammar.refuse(f"is {name}^{{-1}} an inverse or a reciprocal?", token)
    node: Node = grammar.call(name, _argument(grammar, name), at=token)
    if base is not None:
        node = Binary("/", node, grammar.call("log", base, at=token), token.position)
    return node if power is None else Binary("^", node, power, token.position)


def _of_two(grammar: Grammar, name: str, token: Token) -> Node:
    grammar.expect("(")
    first = grammar.inside(",")
    return grammar.call(name, first, grammar.inside(")"), at=token)


def _argument(grammar: Grammar, name: str) -> Node:
    opener = grammar.peek()
    if opener.text in ("(", "[", r"\{"):
        grammar.advance()
        argument = grammar.inside(CLOSERS[opener.text])
        if grammar.peek().text in ("^", "!", "_"):
            sign = grammar.peek().text
            grammar.refuse(f"is {name}(…){sign}… the {name} of a power? use brackets", grammar.peek())
        return argument
    if opener.text == "{":
        return grammar.powers(grammar.operand(), opener)
    if opener.text == "-" or opener.kind in ("end", "row"):
        grammar.fail(f"expected the argument of {name}")
    argument = grammar.factor()
    if isinstance(argument, Number) and (grammar.peek().text == "/" or grammar.starts_factor()):
        grammar.refuse(f"how far does {name} reach? use brackets", grammar.peek())
    return argument


def letter_function(grammar: Grammar, word: str, token: Token) -> Node:
    r"""After ``\Phi``, ``\phi`` or ``\Gamma``: the power, if any, and the argument in brackets."""
    name = LETTERS[word]
    power: Node | None = None
    if grammar.peek().text == "^":
        exponent_at = grammar.advance()
        power = grammar.script()
        if grammar.peek().text not in ("(", "["):
            grammar.refuse(f"{token.text} is applied without brackets and is not declared", token)
        if isinstance(power, Negation) and power.operand == Number("1", power.operand.position):
            if name != "Phi":
                grammar.refuse(f"is {token.text}^{{-1}} an inverse or a reciprocal?", exponent_at)
            name, power = "Phi_inv", None
    opener = grammar.advance().text
    node: Node = grammar.call(name, grammar.inside(CLOSERS[opener]), at=token)
    return node if power is None else Binary("^", node, power, token.position)


def radical(grammar: Grammar, token: Token) -> Node:
    r"""After ``\sqrt``: the argument, with the degree in square brackets."""
    if not grammar.take("["):
        return grammar.call("sqrt", grammar.script(), at=token)
    inverse = Binary("/", Number("1", token.position), grammar.inside("]"), token.position)
    return Binary("^", grammar.script(), inverse, token.position)


def binomial(grammar: Grammar, token: Token) -> Node:
    r"""After ``\binom``."""
    return grammar.call("binomial", grammar.script(), grammar.script(), at=token)


def fraction(grammar: Grammar, token: Token) -> Node:
    r"""After ``\frac``: a quotient, or a derivative such as ``\frac{d}{dx} f``."""
    found = derivative(grammar, token)
    if found is not None:
        return found
    if grammar.waiting is not None and integrand_ahead(grammar) == grammar.waiting:
        return integrand(grammar, token)
    above = grammar.peek()
    if above.kind == "number" and len(above.text) == 2 and above.text.isdigit():  # \frac12
        grammar.advance()
        first, second = (Number(above.text[i], above.position + i) for i in (0, 1))
        return Binary("/", first, second, token.position)
    return Binary("/", grammar.script(), grammar.script(), token.position)


def cases(grammar: Grammar, token: Token) -> Node:
    r"""After ``\begin{cases}``: values with their conditions; the last may stand for everything else."""
    parts: list[Node] = []
    with grammar.anew(integrals=grammar.integrals):
        while True:
            parts.append(grammar.expression())
            grammar.take(",")
            grammar.expect("&")
            word = grammar.advance().value.strip().rstrip(",.") if grammar.peek().kind == "text" else ""
            if word == "otherwise":
                break
            if word not in ("", "if", "for", "when"):
                grammar.fail("expected 'if' or 'otherwise'", grammar.peek(-1))
            parts.append(_condition(grammar))
            while grammar.peek().text in (",", ";", "."):
                grammar.advance()
            if grammar.peek().kind != "row":
                break
            grammar.advance()
            if grammar.peek().text == r"\endcases":
                break
        while grammar.peek().kind == "row" or grammar.peek().text in (".", ","):
            grammar.advance()
        grammar.expect(r"\endcases")
    return grammar.call("piecewise", *parts, at=token)


def _condition(grammar: Grammar) -> Node:
    first = grammar.chain()
    conditions, sign = [first], grammar.peek().text
    while grammar.peek().text in (r"\land", r"\lor"):
        if grammar.advance().text != sign:
            grammar.refuse("mixed conditions: use separate cases", grammar.peek(-1))
        conditions.append(grammar.chain())
    if not all(isinstance(c, Chain) for c in conditions):
        grammar.refuse("expected a condition such as x > 0")
    if len(conditions) == 1:
        return first
    return Call("all" if sign == r"\land" else "any", tuple(conditions), (), first.position)
