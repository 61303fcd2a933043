"""The plain notation's grammar: text to tree, by operator precedence, within limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from dpsym.language.errors import ReadingError
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number

LONGEST_TEXT = 10_000  # characters: some pages, for one line
MOST_TOKENS = 1_000  # some twenty lines
DEEPEST = 64  # each level is several calls, and Python has a thousand

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*'*)"
    r"|(?P<op>\*\*|<=|>=|==|!=|[-+*/^(),<>=:\[\]]))",
    re.ASCII,
)
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
        self._next -= 1
        return self._fail("expected a number, a name or '('")

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
                self._expect(",")
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
        raise ReadingError(f"{message}, found {found}", self._text, token.position)


def _tokens(text: str) -> list[_Token]:
    if len(text) > LONGEST_TEXT:
        raise ReadingError(f"the text has {len(text)} characters; at most {LONGEST_TEXT} are read")
    tokens: list[_Token] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            start = len(text) - len(text[position:].lstrip())
            raise ReadingError(f"unexpected character {text[start]!r}", text, start)
        kind = match.lastgroup or "op"
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        position = match.end()
        if len(tokens) > MOST_TOKENS:
            raise ReadingError(f"more than {MOST_TOKENS} symbols", text, position)
    if not tokens:
        raise ReadingError("expected an expression, found nothing")
    return [*tokens, _Token("end", "", end)]
