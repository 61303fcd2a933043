"""Programs as they are written: statements with their lines and names, before anything is known of what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from dpsym.catalogue import mechanisms
from dpsym.language import ReadingError
from dpsym.language.errors import in_document
from dpsym.language.names import canonical
from dpsym.language.parsing import outer_parts
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Name, Negation, Node, inner
from dpsym.queries import Neighbours
from dpsym.statements import StatementError

LONGEST = 1_000  # lines
DEEPEST = 20  # blocks in one another
_OWN = {  # arguments that are names of places, of records or of a rule, and how many there are then
    "dot": ((1,), (3,)),
    "l_statistic": ((1,), (3, 5)),
    "pairwise": ((1, 2), (4,)),
    "successive": ((1, 2), (4,)),
    "quantile": ((2,), (3,)),
    "iqr": ((1,), (2,)),
}
_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_NEIGHBOURS: dict[str, Neighbours] = {
    "replace": "replace", "replace one": "replace", "add": "add", "remove": "remove",
    "add or remove": "add-remove", "add-remove": "add-remove",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Data:
    """`x in [0,1]^n, add or remove`."""

    line: int
    name: str
    records: str
    size: str
    neighbours: Neighbours

    @property
    def declaration(self) -> str:
        """As `dpsym.queries` reads it."""
        return f"{self.name} in {self.records}^{self.size}"


@dataclass(frozen=True, slots=True)
class Let:
    """`let C > 0`."""

    line: int
    declaration: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`s = laplace(b=1) on sum(x)`."""

    line: int
    name: str
    mechanism: Call
    query: Node


@dataclass(frozen=True, slots=True)
class Draw:
    """`z ~ laplace(b=1)`: noise by itself."""

    line: int
    name: str
    mechanism: Call


@dataclass(frozen=True, slots=True)
class Sample:
    """`y = sample(x, q)`: each record with probability q, a new sample each time that the line is reached.

    With `sized`, as in `y = sample(x, size=m)`, the rate is how many records are drawn, without replacement.
    """

    line: int
    name: str
    of: str
    rate: Node
    sized: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """`a = s/c`."""

    line: int
    name: str
    value: Node


@dataclass(frozen=True, slots=True)
class Release:
    """`release s, c`."""

    line: int
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`repeat T:` and `for i in 1..T:`."""

    line: int
    count: Node
    variable: str | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """`for each part y of x:`: the same on each part of a partition that is fixed beforehand."""

    line: int
    name: str
    of: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """`if CONDITION:` and `else:`."""

    line: int
    condition: Node
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class While:
    """`while CONDITION:`."""

    line: int
    condition: Node
    body: tuple[Statement, ...]


Statement: TypeAlias = "Data | Let | Answer | Draw | Sample | Assign | Release | Repeat | Parts | Branch | While"


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    indent: int
    text: str


def read_lines(text: str) -> tuple[Statement, ...]:
    """The statements of a program.

    Raises:
        ReadingError: what, at which line, what was expected.
    """
    lines = list(_lines(text))
    if not lines:
        raise ReadingError("the program is empty")
    if len(lines) > LONGEST:
        raise ReadingError(f"the program has {len(lines)} lines; at most {LONGEST} are read")
    indents = list[int]()
    for line in lines:
        indents = [*(i for i in indents if i < line.indent), line.indent]
        with at_line(line.number):
            if len(indents) > DEEPEST + 1:
                raise ReadingError(f"more than {DEEPEST} blocks in one another")
    found, rest = _block(lines, 0)
    if rest < len(lines):
        with at_line(lines[rest].number):
            raise ReadingError("indented less than the first line")
    return found


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Errors of what a line says are errors in that line."""
    try:
        yield
    except ReadingError as error:
        if error.line is not None:
            raise
        raise in_document(error, number, None) from None
    except StatementError as error:
        raise in_document(ReadingError(str(error)), number, None) from None


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """All of them, those inside others after these."""
    for one in block:
        yield one
        if isinstance(one, Repeat | Parts | Branch | While):
            yield from statements(one.body)
        if isinstance(one, Branch):
            yield from statements(one.otherwise)


def _lines(text: str) -> Iterator[_Line]:
    for number, written in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        said = written.split("#", 1)[0].rstrip()
        if not said.strip():
            continue
        with at_line(number):
            if "\t" in said[: len(said) - len(said.lstrip())]:
                raise ReadingError("indent with spaces")
        yield _Line(number, len(said) - len(said.lstrip()), said.strip())


def _block(lines: list[_Line], start: int) -> tuple[tuple[Statement, ...], int]:
    """The statements that are indented like the first, and where they end."""
    indent, found, at = lines[start].indent, list[Statement](), start
    while at < len(lines) and lines[at].indent >= indent:
        line = lines[at]
        with at_line(line.number):
            if line.indent > indent:
                raise ReadingError("indented more than the line above, which opens no block")
            if not line.text.endswith(":"):
                found.append(_statement(line))
                at += 1
                continue
            if line.text == "else:":
                raise ReadingError("'else:' without an 'if' before it")
        body, at = _inner(lines, at)
        otherwise: tuple[Statement, ...] = ()
        if line.text.startswith("if ") and at < len(lines) and (lines[at].indent, lines[at].text) == (indent, "else:"):
            otherwise, at = _inner(lines, at)
        with at_line(line.number):
            found.append(_compound(line, body, otherwise))
    return tuple(found), at


def _inner(lines: list[_Line], head: int) -> tuple[tuple[Statement, ...], int]:
    """The block below a line that opens one, and where it ends."""
    if head + 1 >= len(lines) or lines[head + 1].indent <= lines[head].indent:
        with at_line(lines[head].number):
            raise ReadingError("an indented block is expected below")
    return _block(lines, head + 1)


def _compound(line: _Line, body: tuple[Statement, ...], otherwise: tuple[Statement, ...]) -> Statement:
    head = line.text[:-1].rstrip()
    if part := re.fullmatch(rf"for\s+each\s+part\s+({_NAME})\s+of\s+({_NAME})", head):
        return Parts(line.number, part[1], part[2], body)
    if rounds := re.fullmatch(rf"for\s+({_NAME})\s+in\s+1\s*\.\.\s*(.+)", head):
        return Repeat(line.number, parse(rounds[2]), rounds[1], body)
    if often := re.fullmatch(r"repeat\s+(.+?)(?:\s+times)?", head):
        return Repeat(line.number, parse(often[1]), None, body)
    if asked := re.fullmatch(r"if\s+(.+)", head):
        return Branch(line.number, parse(asked[1]), body, otherwise)
    if asked := re.fullmatch(r"while\s+(.+)", head):
        return While(line.number, parse(asked[1]), body)
    said = (
        "expected 'repeat COUNT:', 'for i in 1..COUNT:', 'for each part y of x:', 'if CONDITION:' or 'while CONDITION:'"
    )
    raise ReadingError(said, line.text, 0)


def _statement(line: _Line) -> Statement:
    number, text = line.number, line.text
    if said := re.fullmatch(r"let\s+(.+)", text):
        return Let(number, said[1])
    if said := re.fullmatch(r"release\s+(.+)", text):
        return Release(number, tuple(parse(part) for part in outer_parts(said[1])))
    if said := re.fullmatch(rf"({_NAME})\s+in\s+(.+)", text):
        return _data(number, said[1], said[2])
    if said := re.fullmatch(rf"({_NAME})\s*~\s*(.+)", text):
        return Draw(number, said[1], _call(said[2]))
    if said := re.fullmatch(rf"({_NAME})\s*=(?!=)\s*(.+)", text):
        return _assignment(number, said[1], said[2])
    raise ReadingError(
        "expected 'x in [0,1]^n, NEIGHBOURS', 'let C > 0', 's = MECHANISM on QUERY', 'z ~ MECHANISM',"
        " 'y = sample(x, q)', 'a = EXPRESSION' or 'release EXPRESSION'",
        text,
        0,
    )


def _assignment(line: int, name: str, text: str) -> Statement:
    halves = re.split(r"\s+on\s+", text)
    if len(halves) == 2:
        return Answer(line, name, _call(halves[0]), parse(halves[1]))
    if len(halves) > 2:
        raise ReadingError("'on' stands twice; write NAME = MECHANISM on QUERY", text, 0)
    value = parse(text)
    if noises := [f for f, called in spelled(value) if called and f in mechanisms() and f != "binomial"]:
        own = f"write NAME = {noises[0]}(…) on QUERY, or z ~ {noises[0]}(…) and then NAME = QUERY + z"
        raise ReadingError(f"noise is no number: {own}", text, 0)
    match value:
        case Call(function="sample", arguments=(Name(text=of), rate), named=()):
            return Sample(line, name, of, rate)
        case Call(function="sample", arguments=(Name(text=of),), named=(("size", size),)):
            return Sample(line, name, of, size, sized=True)
        case Call(function="sample"):
            raise ReadingError("expected sample(DATA, RATE) or sample(DATA, size=RECORDS)", text, value.position)
    return Assign(line, name, value)


def _call(text: str) -> Call:
    node = parse(text)
    if isinstance(node, Name):
        return Call(node.text, (), (), node.position)
    if not isinstance(node, Call):
        raise ReadingError("expected a mechanism, such as laplace(b=1)", text, node.position)
    return node


def _data(line: int, name: str, rest: str) -> Data:
    declared, *neighbours = outer_parts(rest)
    if not neighbours:
        raise ReadingError("which data sets are neighbours? write 'x in [0,1]^n, add or remove', or 'replace'")
    asked = " ".join(",".join(neighbours).split())
    if asked not in _NEIGHBOURS:
        raise ReadingError(f"neighbours are 'add or remove', 'add', 'remove' or 'replace', not {asked!r}")
    records, power, size = declared.strip().rpartition("^")
    if not power:
        raise ReadingError("how many records are there? write x in [0,1]^n", rest, 0)
    return Data(line, name, records.strip(), size.strip(), _NEIGHBOURS[asked])


def spelled(node: Node) -> Iterator[tuple[str, bool]]:
    """Every name in the tree that it does not bind itself, as it is written; with whether it stands as a function."""
    if isinstance(node, Name):
        yield node.text, False
    if isinstance(node, Call):
        yield node.function.removesuffix("[]"), True
    bound = _bound(node) if isinstance(node, Call) else ()
    for part in inner(node):
        yield from ((name, called) for name, called in spelled(part) if name not in bound)


def _bound(node: Call) -> set[str]:
    """Names that are a statistic's own, as in dot(x, i, 1/i), pairwise(x, u, v, u*v) and quantile(x, 1/4, linear)."""
    places, numbers = _OWN.get(node.function, ((), ()))
    if len(node.arguments) not in numbers:
        return set()
    return {a.text for place in places if isinstance(a := node.arguments[place], Name)}


def mentioned(node: Node) -> Iterator[tuple[str, bool]]:
    """As `spelled`, with each name as it is known."""
    yield from ((canonical(name), called) for name, called in spelled(node))


def names_in(statement: Statement) -> Iterator[str]:
    """The names in what a statement itself says, without those in its block."""
    said = (getattr(statement, a, None) for a in ("value", "query", "mechanism", "rate", "count", "condition"))
    for node in (*said, *getattr(statement, "values", ())):
        yield from (name for name, _ in mentioned(node)) if node is not None else ()


def terms(node: Node, sign: int) -> Iterator[tuple[int, Node]]:
    """The summands of a sum with their signs."""
    match node:
        case Binary(op="+"):
            yield from terms(node.left, sign)
            yield from terms(node.right, sign)
        case Binary(op="-"):
            yield from terms(node.left, sign)
            yield from terms(node.right, -sign)
        case Negation():
            yield from terms(node.operand, -sign)
        case _:
            yield sign, node


def joined(summands: list[tuple[int, Node]]) -> Node:
    """The sum of them."""
    (sign, node), *others = summands
    found: Node = node if sign > 0 else Negation(node, node.position)
    for sign, node in others:
        found = Binary("+" if sign > 0 else "-", found, node, node.position)
    return found
