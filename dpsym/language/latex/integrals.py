r"""Integrals in LaTeX: ``\int_a^b f\,dx``, ``\int_a^b \frac{dx}{x}``."""

from __future__ import annotations

from dpsym.language.latex.construct import Construct
from dpsym.language.latex.cursor import CLOSERS, ENDS, Grammar, is_d
from dpsym.language.latex.names import read_name, read_variable
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Binary, Name, Negation, Node, Number


def integral(grammar: Grammar, token: Token) -> Node:
    r"""After ``\int``; the body reaches to the differential, or over the term in which that stands in a fraction."""
    lower, upper = _ends(grammar, token)
    with grammar.anew(bars=grammar.open_bars, integrals=grammar.integrals + 1):
        name, in_fraction = _differential_ahead(grammar)
        if in_fraction:
            grammar.waiting = name
            with grammar.binding(name):
                body: Node = grammar.term()
            if grammar.waiting is not None:
                grammar.refuse("the differential must stand in a factor of the integrand", token)
            grammar.loose[token.position] = Name(name, token.position)
            return grammar.call("integral", body, Name(name, token.position), lower, upper, at=token)
        body = Number("1", token.position)
        alone = grammar.is_differential()
        if not alone:
            with grammar.binding(name):
                body = grammar.expression()
        if not grammar.is_differential():
            grammar.fail("expected the differential, e.g. dx")
        grammar.advance()
    variable = read_variable(grammar)
    if grammar.peek().text in ("^", "!", "_"):
        grammar.refuse("a power of the differential, or of the integral? use brackets")
    if alone and grammar.starts_factor():
        grammar.refuse("does the integral reach over this factor? write it before the differential")
    return grammar.call("integral", body, variable, lower, upper, at=token)


def integrand_ahead(grammar: Grammar) -> str | None:
    r"""After ``\frac``: the variable where what stands above the line ends in a differential."""
    close = grammar.closes_at()
    if grammar.peek().text != "{" or close < 3 or not is_d(grammar.peek(close - 2)):
        return None
    here = grammar.at
    grammar.at += close - 2
    found = read_name(_after(grammar)) if grammar.is_differential() else None
    grammar.at = here
    return found


def integrand(grammar: Grammar, token: Token) -> Node:
    r"""After ``\frac``: ``{f\,dx}{g}`` as f/g; the differential is no longer waited for."""
    grammar.waiting = None
    grammar.advance()
    above: Node = Number("1", token.position)
    if not grammar.is_differential():
        above = grammar.expression()
    if not grammar.is_differential():
        grammar.fail("expected the differential")
    grammar.advance()
    read_name(grammar)
    grammar.expect("}")
    return Binary("/", above, grammar.script(), token.position)


def _after(grammar: Grammar) -> Grammar:
    grammar.advance()
    return grammar


def _ends(grammar: Grammar, token: Token) -> tuple[Node, Node]:
    lower: Node | None = None
    upper: Node | None = None
    while grammar.peek().text in ("_", "^"):
        if grammar.advance().text == "^":
            upper = end(grammar)
        elif grammar.take("{", r"\mathbb", "{", "R", "}", "}") or grammar.take(r"\mathbb", "{", "R", "}"):
            lower, upper = minus_infinity(token), infinity(token)
        else:
            lower = end(grammar)
    if lower is None or upper is None:
        grammar.refuse(r"expected the ends of the integral: \int_a^b", token)
    return lower, upper


def _differential_ahead(grammar: Grammar) -> tuple[str, bool]:
    """The variable of the integral whose body starts here, and whether its differential stands in a fraction."""
    start, integrals, depth, found = grammar.at, 0, 0, ("", False)
    while grammar.peek().kind not in ("end", "row"):
        text = grammar.advance().text
        depth += (text in CLOSERS) - (text in ENDS)
        integrals += text == r"\int"
        if depth < 0:
            break
        variable = None
        if depth == 0 and text == r"\frac" and integrals == 0:
            variable = integrand_ahead(grammar)
        if variable is not None:
            found = variable, True
            break
        grammar.at -= 1
        if depth == 0 and grammar.is_differential():
            grammar.advance()
            if integrals == 0:
                found = read_name(grammar), False
                break
            integrals -= 1
        grammar.advance()
    grammar.at = start
    return found


def end(grammar: Grammar) -> Node:
    """A bound of a sum or integral, which may carry a sign only in braces."""
    if grammar.peek().text in ("-", "+"):
        grammar.refuse("use braces around a signed bound")
    return grammar.script()


def infinity(token: Token) -> Name:
    """The end of an unbounded range."""
    return Name("oo", token.position)


def minus_infinity(token: Token) -> Negation:
    """The start of an unbounded range."""
    return Negation(infinity(token), token.position)


CONSTRUCTS = (
    Construct("int", integral, r"\int_0^x t^2 \,dt", "integral(t^2, t, 0, x)"),
    Construct("infty", lambda grammar, token: infinity(token), r"\sum_{i=1}^\infty 2^{-i}", "sum(2^(-i), i, 1, oo)"),
)
