"""A place in a list of LaTeX symbols, with what is in scope there; the grammar's parts share one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from dpsym.core.relations import is_function
from dpsym.language.errors import ReadingError
from dpsym.language.latex.tokens import Token
from dpsym.language.names import ACCENTS, GREEK, canonical, declared_as
from dpsym.language.plain.grammar import DEEPEST
from dpsym.language.tree import Binary, Call, Name, Node

CLOSERS = {"(": ")", "[": "]", r"\{": r"\}", "{": "}", r"\lvert": r"\rvert", r"\lfloor": r"\rfloor",
           r"\lceil": r"\rceil", r"\cases": r"\endcases"}  # fmt: skip
ENDS = frozenset(CLOSERS.values())


def _text(symbol: Token | str) -> str:
    return symbol if isinstance(symbol, str) else symbol.text


def outside(symbols: Sequence[Token | str], start: int = 0) -> Iterator[int]:
    """The places of the symbols outside brackets, up to a bracket that closes one from before, which is the last."""
    depth = 0
    for at in range(start, len(symbols)):
        text = _text(symbols[at])
        depth -= text in ENDS
        if depth <= 0 and text not in CLOSERS and (depth < 0 or text not in ENDS):
            yield at
        if depth < 0:
            return
        depth += text in CLOSERS


def closing(symbols: Sequence[Token | str], opening: int) -> int | None:
    """Where the bracket is closed that stands there; None where it is not, or too many stand in each other."""
    depth = 0
    for at in range(opening, len(symbols)):
        text = _text(symbols[at])
        depth += (text in CLOSERS) - (text in ENDS)
        if depth <= 0:
            return at
        if depth > DEEPEST:
            return None
    return None


def is_balanced(symbols: Sequence[Token | str]) -> bool:
    """Whether every bracket among them is closed among them."""
    depth = 0
    for text in map(_text, symbols):
        depth += (text in CLOSERS) - (text in ENDS)
        if depth < 0:
            return False
    return depth == 0


def opening(symbols: Sequence[Token], closing: int) -> int:
    """Where the brace opens that is closed there; the place itself where none is closed, -1 where none opens."""
    depth = 0
    for at in range(closing, -1, -1):
        depth += (symbols[at].text == "}") - (symbols[at].text == "{")
        if depth <= 0:
            return at
    return -1


class Cursor:
    """The next symbol, what is declared and bound, and how deep the reading is nested.

    Attributes:
        at: the index of the next symbol.
        open_bars: whether an absolute value written with plain bars is open here.
        integrals: how many integrals wait for their differential here.
        lenient: whether what decorates a name may be anything: the name stands for itself alone.
        related: whether a relation stands before this expression, in the same chain.
        readings: which of two readings is taken where they differ, in order; None: such places are refused.
        doubts: where readings differed so far, in words.
        waiting: the variable of an integral whose differential stands in a fraction, until that is read.
        loose: operators whose body is not bracketed, by position, with their variables.
    """

    def __init__(self, source: str, symbols: Sequence[Token], names: Container[str] | None) -> None:
        self.source, self.symbols, self.names = source, symbols, names
        self.at = 0
        self.open_bars = self.integrals = 0
        self.lenient = self.related = False
        self.readings: Sequence[bool] | None = None
        self.doubts: list[str] = []
        self.waiting: str | None = None
        self.loose: dict[int, Name] = {}
        self.bound: list[str] = []  # by the operators around this place
        self.products: dict[int, tuple[str, int]] = {}  # what is only named and may be a product: the first factor
        self.factors: set[int] = set()  # where those stand, as they were read
        self.without_range: set[int] = set()  # where sums begin that go from 1 to a last index without another name
        self.sets: dict[tuple[int, int], tuple[str, str]] = {}  # from where to where a variable goes over a set
        self.opaque: dict[int, tuple[str, int]] = {}  # what is only named, by its first symbol: name, and where it ends
        self._depth = {"expressions": 0, "factors": 0}

    # --- symbols
    def peek(self, ahead: int = 0) -> Token:
        """The symbol that comes, or one further ahead (or, with -1, the one before)."""
        return self.symbols[min(self.at + ahead, len(self.symbols) - 1)]

    def advance(self) -> Token:
        """Take the next symbol."""
        token = self.peek()
        self.at += 1
        return token

    def take(self, *texts: str) -> bool:
        """Take these symbols if they come next."""
        if any(self.peek(i).text != text for i, text in enumerate(texts)):
            return False
        self.at += len(texts)
        return True

    def expect(self, text: str) -> Token:
        """Take this symbol.

        Raises:
            ReadingError: where another one comes.
        """
        if self.peek().text != text:
            self.fail(f"expected {text!r}")
        return self.advance()

    def set_at(self, at: int, variable: str) -> str:
        """The set over which the variable goes there; empty where it goes over none."""
        around = [
            (start, over)
            for (start, stop), (name, over) in self.sets.items()
            if start <= at < stop and name == variable
        ]
        return max(around, default=(0, ""))[1]

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise, saying what was found."""
        token = token or self.peek()
        if token.kind == "unread":
            self.refuse(token.value, token)
        found = "the end" if token.kind == "end" else repr(self.source[token.position : token.end])
        raise ReadingError(f"{message}, found {found}", self.source, token.position)

    def refuse(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise at the symbol."""
        raise ReadingError(message, self.source, (token or self.peek()).position)

    def either(self, message: str, token: Token | None = None) -> bool:
        """Which of two readings is taken here.

        Raises:
            ReadingError: where it has to be certain.
        """
        if self.readings is None:
            self.refuse(message, token)
        self.doubts.append(message)
        taken = self.readings
        return len(self.doubts) <= len(taken) and taken[len(self.doubts) - 1]

    def either_throughout(self, message: str) -> bool:
        """As `either`, with one answer to the same question wherever it arises."""
        if message not in self.doubts or self.readings is None:
            return self.either(message)
        asked = self.doubts.index(message)
        return asked < len(self.readings) and self.readings[asked]

    def closes_at(self, ahead: int = 0) -> int:
        """How far ahead the bracket is closed that opens there; -1 where none opens or it is not closed."""
        found = closing(self.symbols, self.at + ahead)
        return found - self.at if found is not None and found > self.at + ahead else -1

    def is_bracketed(self, start: int) -> bool:
        """Whether what was read from the index `start` on is one pair of brackets with what is in it."""
        here, self.at = self.at, start
        closed = self.closes_at()
        self.at = here
        return closed >= 0 and start + closed == here - 1

    def is_stacked(self, start: int) -> bool:
        r"""Whether the group in braces that opens at the index is one above another: ``{a \over b}``."""
        inside = outside(self.symbols, start + 1) if self.symbols[start].text in CLOSERS else ()
        return any(self.symbols[at].text in (r"\choose", r"\over") for at in inside)

    # --- scope
    def declared(self, name: str) -> bool:
        """Whether the name is declared, or bound by an operator around this place."""
        return name in self.bound or (self.names is not None and declared_as(name, self.names) is not None)

    def meant(self, name: str) -> str:
        """The name, where it is declared as it is written or nothing is; its canonical spelling otherwise."""
        return name if self.names is None or name in self.names else canonical(name)

    def is_member(self, name: str) -> bool:
        """Whether it is a member of a declared family, at an index that is bound or declared, or a number."""
        stem = name.rstrip("'")
        base, _, index = stem.rpartition("_")
        return self.declared(f"{base}{name[len(stem) :]}[]") and (index.isdigit() or self.declared(index))

    def is_function(self, name: str) -> bool:
        """Whether the name is declared, or defined, as a function."""
        if name in self.bound or not isinstance(self.names, Mapping):
            return False
        spelling = declared_as(name, self.names)
        return spelling is not None and is_function(self.names[spelling], defined=True)

    def is_differential(self) -> bool:
        """Whether ``dx`` comes next, inside an integral.

        Raises:
            ReadingError: where d is declared as well.
        """
        token = self.peek()
        if not self.integrals or not is_d(token) or token.text == r"\partial":
            return False
        following = self.peek(1)
        is_name = following.kind == "letter" or following.text[1:] in GREEK or following.text[1:] in ACCENTS
        if is_name and token.text == "d" and self.declared("d"):
            self.refuse(r"d is declared: write the differential as \mathrm{d}x", token)
        return is_name

    @contextmanager
    def binding(self, *names: str) -> Iterator[None]:
        """The names are bound here."""
        count = len(self.bound)
        self.bound += names
        try:
            yield
        finally:
            del self.bound[count:]

    @contextmanager
    def nested(self, kind: str = "factors") -> Iterator[None]:
        """One level deeper.

        Raises:
            ReadingError: where that is too deep.
        """
        self._depth[kind] += 1
        try:
            if self._depth[kind] > DEEPEST:
                self.refuse(f"nested more than {DEEPEST} deep")
            yield
        finally:
            self._depth[kind] -= 1

    @contextmanager
    def anew(self, *, bars: int = 0, integrals: int = 0) -> Iterator[None]:
        """Between brackets or commas: bars outside do not matter, and differentials as said."""
        saved = self.open_bars, self.integrals, self.waiting, self.related
        self.open_bars, self.integrals, self.waiting, self.related = bars, integrals, None, False
        try:
            yield
        finally:
            self.open_bars, self.integrals, self.waiting, self.related = saved


class Grammar(Cursor, ABC):
    """What the parts of the grammar ask of the whole."""

    @abstractmethod
    def chain(self) -> Node:
        """An expression, or a chain of relations."""

    @abstractmethod
    def expression(self) -> Node:
        """A sum."""

    @abstractmethod
    def term(self) -> Node:
        """A product."""

    @abstractmethod
    def factor(self) -> Node:
        """An operand with its powers and factorials."""

    @abstractmethod
    def operand(self) -> Node:
        """A number, a name, something in brackets, or a function or operator with its argument."""

    @abstractmethod
    def powers(self, node: Node, start: Token) -> Node:
        """The operand that starts at `start`, with the powers and factorials that follow."""

    @abstractmethod
    def script(self) -> Node:
        """What stands in a superscript or is an unbraced argument."""

    @abstractmethod
    def starts_factor(self) -> bool:
        """Whether another factor follows without a sign."""

    @abstractmethod
    def part(self, symbols: Sequence[Token]) -> Grammar:
        """A reader of these symbols alone, in the same scope."""

    def inside(self, closer: str) -> Node:
        """An expression and its closing bracket; only braces let a differential outside see in."""
        with self.anew(integrals=self.integrals if closer == "}" else 0):
            node = self.expression()
            choose = self.peek()
            if closer == "}" and self.take(r"\choose"):
                node = self.call("binomial", node, self.expression(), at=choose)
            elif closer == "}" and self.take(r"\over"):
                node = Binary("/", node, self.expression(), choose.position)
            self.expect(closer)
        return node

    def call(self, function: str, *arguments: Node, at: Token) -> Call:
        """A built-in function's call; the backslash keeps a declared name from standing for it."""
        return Call("\\" + function, arguments, (), at.position)


def is_d(token: Token) -> bool:
    """Whether the symbol is the d of a differential or derivative."""
    return token.text in ("d", r"\partial") or (token.kind == "text" and token.value.strip() == "d")
