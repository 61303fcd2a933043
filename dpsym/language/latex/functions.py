r"""Functions of numbers in LaTeX: ``\log_2 x``, ``\Phi^{-1}(p)``, ``\frac12``, ``\sqrt[3]{x}``, cases."""

from __future__ import annotations

from dpsym.core import functions
from dpsym.language.latex.binders import ends_with
from dpsym.language.latex.construct import Construct
from dpsym.language.latex.cursor import CLOSERS, Grammar
from dpsym.language.latex.derivatives import derivative
from dpsym.language.latex.integrals import integrand, integrand_ahead
from dpsym.language.latex.names import bare
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Binary, Call, Chain, Negation, Node, Number

WORDS = {word: f.name for f in functions.ALL for word in f.latex_names}
LETTERS = {letter: f.name for f in functions.ALL for letter in f.latex_letters}
CASES = ("if", "for", "when", "whenever", "otherwise", "else")  # the words after a case
_OF_TWO = tuple(f.name for f in functions.ALL if f.arity == 2)


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
            if grammar.lenient and grammar.peek().text == "{" and grammar.peek(1).text == "(":
                grammar.refuse(f"is {name} applied several times, or to a power?", token)
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
        sign = grammar.peek()
        of_a_power = f"is {name}(…){sign.text}… the {name} of a power? use brackets"
        if sign.text in ("!", "_"):
            grammar.refuse(of_a_power, sign)
        if sign.text != "^" or not grammar.either(of_a_power, sign):
            return argument
        return _reaching(grammar, name, grammar.powers(argument, opener))
    if opener.text == "-" or opener.kind in ("end", "row"):
        grammar.fail(f"expected the argument of {name}")
    start = grammar.at
    braced = opener.text == "{" and not grammar.is_stacked(start)
    argument = _in_braces(grammar, name, opener) if braced else grammar.factor()
    refuse_uncertain_reach(grammar, argument, opener)
    if grammar.is_bracketed(start) and opener.text != "{":
        return argument
    seen = opener.text == r"\frac" or grammar.is_stacked(start)
    return argument if grammar.peek().text == "/" and seen else _reaching(grammar, name, argument)


def _reaching(grammar: Grammar, name: str, argument: Node) -> Node:
    """The argument with as many of the factors after it as belong to it, where a reader may differ."""
    while True:
        token = grammar.peek()
        another = token.text[1:] in WORDS or (token.kind == "text" and bare(token.value) in WORDS)
        if token.text != "/" and (another or not grammar.starts_factor()):
            return argument
        if not grammar.either(f"how far does {name} reach? use brackets", token):
            return argument
        grammar.at += token.text == "/"
        op = "/" if token.text == "/" else "*"
        argument = Binary(op, argument, grammar.factor(), token.position)


def _in_braces(grammar: Grammar, name: str, opener: Token) -> Node:
    r"""``\exp{-x}``: the braces are not seen on paper; one factor stands in them, perhaps after a minus sign."""
    grammar.advance()
    minus = grammar.peek()
    negative = grammar.take("-")
    with grammar.nested():
        node = grammar.factor()
    if grammar.peek().text != "}":
        grammar.refuse(f"these braces are not seen on paper: how far does {name} reach? use brackets", opener)
    grammar.advance()
    if grammar.peek().text in ("^", "!", "_"):
        grammar.refuse(f"these braces are not seen on paper: how far does {name} reach? use brackets", opener)
    return Negation(node, minus.position) if negative else node


def refuse_uncertain_reach(grammar: Grammar, node: Node, token: Token) -> None:
    r"""Refuse ``\log\sum_i i x`` and ``1/\sum_i i x``: x might stand outside of the sum."""
    variable = grammar.loose.get(node.position)
    if variable is not None and isinstance(node, Call) and not ends_with(node.arguments[0], variable.text):
        grammar.refuse(f"how far does the operator over {variable.text} reach? put its body in brackets", token)


def letter_function(grammar: Grammar, word: str, token: Token) -> Node:
    r"""After ``\Phi``, ``\phi`` or ``\Gamma``: the power, if any, and the argument in brackets."""
    name = LETTERS[word]
    power: Node | None = None
    if grammar.peek().text == "^":
        exponent_at = grammar.advance()
        if grammar.peek().text == "{" and grammar.peek(1).text == "(":
            grammar.refuse(f"is {token.text}^{{(…)}} a derivative or a power?", exponent_at)
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
    inner = grammar.script()
    if isinstance(inner, Negation):
        grammar.refuse("a root of a negative number: roots are those of numbers that are not", token)
    return Binary("^", inner, inverse, token.position)


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
            if not (grammar.lenient and grammar.peek().kind == "text"):
                grammar.expect("&")
            grammar.take("&")
            word = grammar.advance().value.strip().rstrip(",.") if grammar.peek().kind == "text" else ""
            if word in ("otherwise", "else") or (word == "if" and grammar.peek().value.strip() == "otherwise"):
                break
            if word and word not in CASES:
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
    conditions, sign = [first], _joining(grammar)
    while joined := _joining(grammar):
        if joined != sign:
            grammar.refuse("mixed conditions: use separate cases", grammar.peek())
        grammar.advance()
        conditions.append(grammar.chain())
    if not all(isinstance(c, Chain) for c in conditions):
        grammar.refuse("expected a condition such as x > 0")
    if len(conditions) == 1:
        return first
    return Call("all" if sign == r"\land" else "any", tuple(conditions), (), first.position)


def _joining(grammar: Grammar) -> str:
    """The sign, or word, that joins conditions here; empty where none does."""
    token = grammar.peek()
    word = {"and": r"\land", "or": r"\lor"}.get(token.value.strip(), "") if token.kind == "text" else ""
    return word if grammar.lenient and word else token.text if token.text in (r"\land", r"\lor") else ""


CONSTRUCTS = (
    Construct("frac", fraction, r"\frac{x}{1+y}", "x/(1 + y)"),
    Construct("sqrt", radical, r"\sqrt[3]{x+1}", "(x + 1)^(1/3)"),
    Construct("binom", binomial, r"\binom{n}{k}", "binomial(n, k)"),
    Construct(
        "cases",
        cases,
        r"\begin{cases} x & \text{if } x > 0 \\ 0 & \text{otherwise} \end{cases}",
        "piecewise(x, x > 0, 0)",
    ),
)
