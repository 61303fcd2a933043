"""The plain notation's grammar: text to tree, by operator precedence, within limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from dpsym.language.errors import ReadingError
from dpsym.language.names import SPELLED_SENSITIVITY, sensitivity
from dpsym.language.plain import symbols
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number

LONGEST_TEXT = 10_000  # characters: some pages, for one line
MOST_TOKENS = 1_000  # some twenty lines
DEEPEST = 64  # each level is several calls, and Python has a thousand

_TOKEN = re.compile(
    rf"\s*(?:(?P<sensitivity>{SPELLED_SENSITIVITY.pattern})|(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    rf"|(?P<name>(?:[A-Za-z]|[{''.join(symbols.GREEK)}]|{symbols.INFINITY})[A-Za-z0-9_]*(?P<index>[₀-₉]*)'*)"
    rf"|(?P<power>{symbols.POWER.pattern})"
    rf"|(?P<op>\*\*|<=|>=|==|!=|[-+*/^(),<>=:\[\]]|[{''.join(symbols.OPERATORS)}]|{symbols.ROOT}))",
    re.ASCII,
)
_APPLIED = ("exp", "log", "ln", "sqrt", "abs", "sin", "cos", "Phi")
_PAIR = re.compile(r"[(\[]([^][(),]+),([^][(),]+)[)\]]")
_RELATIONS = {"=": "=", "==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_BINDING = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 40, "**": 40}
_PRODUCT = _BINDING["*"]
_NEGATION = 30  # binds tighter than a product, looser than a power: -x^2 = -(x^2)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


def parse(text: str) -> Node:
    """The tree of an expression or of a chain of relations.

    Raises:
        ReadingError: for anything outside the grammar or its limits.
    """
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def parse(self) -> Node:
        node = self._chain()
        if self._peek().kind != "end":
            self._fail("expected an operator or the end")
        return node

    def _chain(self) -> Node:
        position = self._peek().position
        members, ops = [self._expression(0)], []
        while self._peek().text in _RELATIONS:
            ops.append(_RELATIONS[self._advance().text])
            members.append(self._expression(0))
        return Chain(tuple(members), tuple(ops), position) if ops else members[0]

    def _expression(self, least: int) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            self._fail(f"nested more than {DEEPEST} deep")
        left = self._operand(least)
        while (binding := _BINDING.get(self._peek().text, -1)) >= least and binding >= 0:
            token = self._advance()
            power = token.text in ("^", "**")
            right = self._expression(binding if power else binding + 1)
            left = Binary("^" if power else token.text, left, right, token.position)
        self._depth -= 1
        return left

    def _operand(self, least: int) -> Node:
        token = self._advance()
        if token.kind == "number":
            return Number(token.text, token.position)
        if token.kind == "name":
            if self._peek().text == "[":
                return self._member(token)
            return self._call(token) if self._peek().text == "(" else Name(token.text, token.position)
        if token.text == "-":  # at the start of a term it negates the whole term, with the same value
            return Negation(self._expression(_PRODUCT if least <= _PRODUCT else _NEGATION), token.position)
        if token.text == "+":
            return self._expression(_NEGATION)
        if token.text == "(":
            inner = self._expression(0)
            self._expect(")")
            return inner
        if token.text == symbols.ROOT:
            return self._root(token)
        self._next -= 1
        return self._fail("expected a number, a name or '('")

    def _root(self, sign: _Token) -> Node:
        """``√2``, ``√x``, ``√(x + 1)``: of what stands next to it; how far it reaches over a power nobody can see."""
        inner = self._operand(_PRODUCT)
        if self._peek().text in ("^", "**"):
            self._next = self._tokens.index(sign)
            self._fail(f"does {symbols.ROOT} reach over the power? write sqrt(x^2) or sqrt(x)^2")
        return Call("sqrt", (inner,), (), sign.position)

    def _member(self, name: _Token) -> Node:
        """``epsilon[j + 1]``, a member of a family."""
        self._advance()
        index = self._expression(0)
        self._expect("]")
        return Call(f"{name.text}[]", (index,), (), name.position)

    def _call(self, name: _Token) -> Node:
        self._advance()
        arguments: list[Node] = []
        named: list[tuple[str, Node]] = []
        while self._peek().text != ")":
            if arguments or named:
                if self._peek().text != ",":
                    self._fail("expected ',' or ')'")
                self._advance()
            if self._peek().kind == "name" and self._peek(1).text == "=":
                key = self._advance()
                self._advance()
                named.append((key.text, self._expression(0)))
            else:
                if named:
                    self._fail("a positional argument cannot follow a named one")
                arguments.append(self._chain())
        self._expect(")")
        return Call(name.text, tuple(arguments), tuple(named), name.position)

    def _peek(self, ahead: int = 0) -> _Token:
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def _advance(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def _expect(self, text: str) -> None:
        if self._peek().text != text:
            self._fail(f"expected {text!r}")
        self._advance()

    def _fail(self, message: str) -> NoReturn:
        token = self._peek()
        found = "the end" if token.kind == "end" else repr(token.text)
        hint = self._hint(token)
        raise ReadingError(f"{message}, found {found}{hint}", self._text, token.position)

    def _brackets(self, comma: _Token) -> int | None:
        """Where the brackets start, those of no function, in which the comma stands; or a square one that it is."""
        if comma.text == "[":
            return comma.position
        depth = 0
        for at in range(min(self._next, len(self._tokens)) - 1, -1, -1) if comma.text == "," else ():
            depth += (self._tokens[at].text == "(") - (self._tokens[at].text == ")")
            if depth > 0:
                named = at > 0 and self._tokens[at - 1].kind == "name"
                return None if named else self._tokens[at].position
        return None

    def _hint(self, token: _Token) -> str:
        """What is written instead of what people write elsewhere."""
        before = self._tokens[self._next - 1] if self._next > 0 else _Token("end", "", -1)
        last = self._tokens[self._next - 2] if self._next > 1 else before
        adjacent = before.position + len(before.text) == token.position
        for word in (token, before):
            if word.kind == "name" and (advice := symbols.instead_of_word(word.text)):
                return f"; {advice}"
        if (at := self._brackets(token)) is not None:
            pair = _PAIR.match(self._text, at)
            ends = "a, b" if pair is None else f"{pair[1].strip()}, {pair[2].strip()}"
            return f"; an interval is written [{ends}]" + (f", a guarantee approx({ends})" if token.text == "," else "")
        if before.text.endswith(".") and token.text.startswith("."):
            return "; a range is written with commas: sum(k^2, k, 1, 10)"
        if before.text == "=" and token.text in ("<", ">") and adjacent:
            return f"; write {token.text}= for at {'most' if token.text == '<' else 'least'}"
        for comma, number, whole in ((token, self._peek(1), before), (before, token, last)):
            parts = (whole, comma, number)
            together = all(one.position + len(one.text) == two.position for one, two in pairwise(parts))
            if [p.kind for p in parts] == ["number", "op", "number"] and comma.text == "," and together:
                return f"; a decimal has a point: {whole.text}.{number.text}"
        if before.kind in ("number", "name") and (
            token.kind in ("number", "name") or token.text in ("(", symbols.ROOT)
        ):
            if before.text in _APPLIED:
                return f"; what a function is applied to stands in brackets: {before.text}({token.text})"
            return f"; a product is written with a star: {before.text}*{token.text}"
        return ""


def _of_match(match: re.Match[str]) -> Iterator[_Token]:
    """The token that matches, or of a raised number two, in the ASCII of the notation."""
    kind = next(k for k in ("sensitivity", "number", "name", "power", "op") if match[k] is not None)
    if kind == "sensitivity":
        yield _Token("name", sensitivity(f"Delta{match['below'] or ''}", match["of"]), match.start(kind))
        return
    written, at = match[kind], match.start(kind)
    if written.isascii():
        yield _Token(kind, written, at)
    elif kind == "power":
        yield _Token("op", "^", at)
        number = symbols.power(written)
        if number.startswith("-"):
            yield _Token("op", "-", at)
        yield _Token("number", number.removeprefix("-"), at)
    elif kind == "op":
        yield _Token("op", symbols.OPERATORS.get(written, written), at)
    else:
        first = "oo" if written[0] == symbols.INFINITY else symbols.GREEK.get(written[0], written[0])
        lowered = match["index"]
        rest = written[1:].replace(lowered, f"_{symbols.index(lowered)}") if lowered else written[1:]
        yield _Token("name", first + rest, at)


def _tokens(text: str) -> list[_Token]:
    if len(text) > LONGEST_TEXT:
        raise ReadingError(f"the text has {len(text)} characters; at most {LONGEST_TEXT} are read")
    if not text.isascii() and (both := symbols.twins(text)):
        raise ReadingError(
            f"{both} are two forms of one letter: write one of them, or names such as epsilon and eps", text
        )
    tokens: list[_Token] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            start = len(text) - len(text[position:].lstrip())
            advice = symbols.advice(text[start])
            raise ReadingError(f"unexpected character '{text[start]}'{advice and f' ({advice})'}", text, start)
        tokens += _of_match(match)
        position = match.end()
        if len(tokens) > MOST_TOKENS:
            raise ReadingError(f"more than {MOST_TOKENS} symbols", text, position)
    if not tokens:
        raise ReadingError("expected an expression, found nothing")
    return [*tokens, _Token("end", "", end)]
