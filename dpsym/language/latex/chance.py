r"""Distributions in LaTeX: ``\mathbb{E}_{x\sim P}[…]``, ``\Pr[X > t]``, ``D_\alpha(P\|Q)``, ``T(P,Q)(a)``."""

from __future__ import annotations

from dpsym.language.latex.construct import Construct
from dpsym.language.latex.cursor import CLOSERS, Grammar, outside
from dpsym.language.latex.names import bare, read_variable
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Call, Chain, Name, Node, Number

_NAMED = ("KL", "TV")  # divergences without an order


# --- expectations and probabilities
def expectation(grammar: Grammar, token: Token) -> Node:
    r"""After ``\mathbb{E}``."""
    return _over(grammar, "E", token)


def probability(grammar: Grammar, token: Token) -> Node:
    r"""After ``\Pr``."""
    found = _over(grammar, "Pr", token)
    if not isinstance(found.arguments[0], Chain):
        grammar.refuse("expected a condition such as X > t", token)
    return found


def _over(grammar: Grammar, kind: str, token: Token) -> Call:
    source: tuple[Node, ...] = ()
    if grammar.take("_"):
        braces = grammar.take("{")
        source = (read_variable(grammar),)
        if any(grammar.take(drawn) for drawn in (r"\sim", r"\leftarrow", r"\gets")):
            source += (_distribution(grammar),)
        if braces:
            grammar.expect("}")
    opener = grammar.peek().text
    if opener not in ("(", "[", r"\{"):
        grammar.fail("expected '['")
    grammar.advance()
    with (
        grammar.anew(integrals=grammar.integrals),
        grammar.binding(*(n.text for n in source if isinstance(n, Name))),
    ):
        body = grammar.chain()
    if grammar.peek().text in ("|", r"\mid"):
        grammar.refuse("conditional expectations and probabilities are not read")
    grammar.expect(CLOSERS[opener])
    return grammar.call(kind, body, *source, at=token)


def _distribution(grammar: Grammar) -> Node:
    r"""The name of a distribution, or ``\mathrm{PrivLoss}(P \| Q)``."""
    token = grammar.peek()
    if token.kind == "text" and token.value.strip() == "PrivLoss" and not grammar.declared("PrivLoss"):
        grammar.advance()
        return _privacy_loss(grammar, token)
    return read_variable(grammar)


def _privacy_loss(grammar: Grammar, token: Token) -> Node:
    if grammar.peek().text != "(":
        grammar.fail("expected '('")
    return grammar.call("privacy_loss", *_pair(grammar), at=token)


# --- words and letters that are functions of distributions where nothing else is declared so
def divergence_word(grammar: Grammar, word: str, token: Token) -> Node | None:
    r"""After ``\mathrm{KL}``, ``TV``, ``PrivLoss``, ``trimmed``, ``\operatorname{ess\,sup}``; None for other words."""
    if word == "PrivLoss":
        return _privacy_loss(grammar, token)
    if word in ("esssup", "essinf"):
        opener = grammar.peek().text if grammar.peek().text in ("(", "[") else ""
        grammar.at += bool(opener)
        source = _distribution(grammar)
        if opener:
            grammar.expect(CLOSERS[opener])
        return grammar.call(f"ess_{word.removeprefix('ess')}", source, at=token)
    if word in _NAMED and grammar.peek().text in ("(", "["):
        return _divergence(grammar, word, None, token)
    if word == "trimmed" and grammar.take("("):
        arguments = [grammar.expression()]
        while len(arguments) < 3:
            grammar.expect(",")
            arguments.append(read_variable(grammar))
        grammar.expect(")")
        return grammar.call("trimmed", *arguments, at=token)
    return None


def applied_letter(grammar: Grammar, word: str, token: Token) -> Node | None:
    r"""After D, E, H or T: ``D_\alpha(P\|Q)``, ``H_\gamma(P\|Q)``, ``T(P,Q)(a)``; None for a plain letter."""
    start = grammar.at
    order = _order(grammar) if word != "T" and grammar.take("_") else None
    if grammar.peek().text not in ("(", "["):
        return expectation(grammar, token) if word == "E" and grammar.peek().text == r"\{" else None
    if word == "E" and not _two_inside(grammar):
        grammar.at = start
        return expectation(grammar, token)
    if word in ("D", "H") and order is None:
        grammar.refuse(f"{word}(… \\| …) needs its order as a subscript", token)
    if word == "T":
        return _trade_off(grammar, token)
    return _divergence(grammar, word, order, token)


def _order(grammar: Grammar) -> Node:
    """The subscript: a number, or KL or TV as a name."""
    token = grammar.peek()
    braces = int(token.text == "{")
    word = bare(grammar.peek(braces).value)
    if word in _NAMED and (not braces or grammar.peek(2).text == "}"):
        grammar.at += 1 + 2 * braces
        return Name(word, token.position)
    if not braces:
        return grammar.script()
    if (split := next((name for name in _NAMED if grammar.take("{", *name, "}")), "")) != "":
        return Name(split, token.position)
    grammar.advance()
    node = grammar.chain()
    if grammar.take(r"\sim"):  # x ~ P, below an expectation
        grammar.expression()
    grammar.expect("}")
    return node


def _two_inside(grammar: Grammar) -> bool:
    r"""Whether the bracket that opens here holds ``P \| Q``."""
    symbols = grammar.symbols
    for n in outside(symbols, grammar.at + 1):
        if symbols[n].kind == "row":
            return False
        if symbols[n].text == r"\|" or (symbols[n].text == "|" and symbols[n + 1].text == "|"):
            return True
    return False


def _divergence(grammar: Grammar, word: str, order: Node | None, token: Token) -> Node:
    first, second = _pair(grammar)
    kind = order.text if isinstance(order, Name) and order.text in _NAMED else word
    if kind == "KL":
        return grammar.call("KL", first, second, at=token)
    if kind == "TV":
        return grammar.call("H", Number("1", token.position), first, second, at=token)
    if order is None:
        grammar.refuse(f"{word} needs its order as a subscript", token)
    if isinstance(order, Chain):
        grammar.refuse("expected an order, found a relation", token)
    return grammar.call("D" if word == "D" else "H", order, first, second, at=token)


def _trade_off(grammar: Grammar, token: Token) -> Node:
    first, second = _pair(grammar, bars=False)
    opener = grammar.peek().text
    if opener not in ("(", "["):
        grammar.fail("T(P, Q) is a function: expected its argument (a)")
    grammar.advance()
    return grammar.call("T", grammar.inside(CLOSERS[opener]), first, second, at=token)


def _pair(grammar: Grammar, *, bars: bool = True) -> tuple[Node, Node]:
    r"""``(P \| Q)``, ``(P, Q)``, and where allowed ``(P || Q)``."""
    closer = CLOSERS[grammar.advance().text]
    with grammar.anew(bars=1, integrals=grammar.integrals):
        first = grammar.expression()
        double = any(bars and grammar.take(bar, bar) for bar in ("|", r"\mid"))
        if not (double or grammar.take(r"\|") or grammar.take(",")):
            grammar.fail(r"expected '\|'" if bars else "expected ','")
        second = grammar.expression()
    grammar.expect(closer)
    return first, second


CONSTRUCTS = (Construct("Pr", probability, r"\Pr_{z\sim P}[z > 0]", "Pr(z > 0, z, P)"),)
