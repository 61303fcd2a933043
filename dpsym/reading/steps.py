"""From the symbols of a display to steps: rows, relations, implications, definitions and reasons."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

import sympy as sp

from dpsym import catalogue
from dpsym.reading.declarations import Declared, outer_parts
from dpsym.reading.errors import ReadingError
from dpsym.reading.latex_grammar import LONGEST_ROW, RELATIONS, LatexParser, parse_latex
from dpsym.reading.latex_names import read_name
from dpsym.reading.latex_tokens import Token, tokens
from dpsym.reading.macros import expand
from dpsym.reading.names import declared_as, spellings
from dpsym.reading.rows import next_solid, reason_at, rows_of, without_empty_groups
from dpsym.reading.tree import Node
from dpsym.reading.written import Operation, Reason, WrittenChain, WrittenStep
from dpsym.relations import Relation

CONNECTORS = {r"\implies": (False, False), r"\iff": (False, True), r"\impliedby": (True, False)}
_CONTINUING = {"+", "*", "/"}
_RELATING = re.compile(r"[<>=]|\\(?:leq?|geq?|neq?|lt|gt|leqslant|geqslant|in)(?![A-Za-z])")
_CONDITION = re.compile(r"(?:if|for|for all|for every|for any|when|whenever|where|provided|provided that)\s*$")


@dataclass(frozen=True, slots=True)
class _Member:
    value: sp.Expr
    operations: tuple[Operation, ...]
    start: int
    end: int


@dataclass(slots=True)
class _Statement:
    """A chain of relations, not yet asserted."""

    members: list[_Member] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # the row in which each relation ends
    before: str = "row"  # how it is joined to the statement before
    sides: list[tuple[Relation, ...]] = field(default_factory=list)


class Lines:
    """Positions of a text as lines and columns, counted from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    def of(self, position: int) -> tuple[int, int]:
        """Line and column."""
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1


def read_display(source: str, start: int, stop: int, declared: Declared, lines: Lines) -> WrittenChain | None:
    """The steps of the display `source[start:stop]`; definitions in it are added to what is declared.

    Raises:
        ReadingError: with the position in `source`.
    """
    return _Display(source, declared, lines).read(start, stop)


class _Display:
    def __init__(self, source: str, declared: Declared, lines: Lines) -> None:
        self._source, self._declared, self._lines = source, declared, lines
        self._reasons: dict[int, tuple[Reason, tuple[Relation, ...]]] = {}

    def read(self, start: int, stop: int) -> WrittenChain | None:
        symbols = tokens(self._source, start, stop, self._declared.macros)
        flat = self._joined(rows_of(symbols), symbols[-1])
        parser = LatexParser(self._source, flat, self._declared.names)
        statements = self._statements(parser)
        steps = self._steps(statements)
        if not steps:
            return None
        return WrittenChain(tuple(steps), steps[0].line)

    # --- rows
    def _joined(self, rows: list[list[Token]], end: Token) -> list[Token]:
        """The rows as one list, reasons set aside, rows that continue the one before without a break."""
        flat: list[Token] = []
        for number, row in enumerate(rows):
            if len(row) > LONGEST_ROW:
                raise ReadingError(f"a line of more than {LONGEST_ROW} symbols", self._source, row[0].position)
            row = self._without_reason(row, number)
            row = self._checked(row)
            if not row:
                continue
            if flat:
                first = row[0]
                dangling = flat[-1].text in RELATIONS or flat[-1].text in ("+", "-", "*", "/", ":=", *CONNECTORS)
                if first.text == "-" and not dangling:
                    raise ReadingError(
                        "a line that starts with a minus sign could continue the line above: bracket it, "
                        "or end the line above with the sign",
                        self._source,
                        first.position,
                    )
                if not dangling and first.text not in _CONTINUING:
                    flat.append(Token("row", str(number), first.position, first.position))
            flat += row
        return [*flat, Token("end", "", end.position, end.position)]

    def _without_reason(self, row: list[Token], number: int) -> list[Token]:
        cut = reason_at(row)
        if cut is None:
            return row
        begin = row[cut].position
        end = row[-1].end
        raw = expand(self._source[begin:end], self._declared.macros)
        self._reasons[number] = self._reason(raw, begin)
        return row[:cut]

    def _checked(self, row: list[Token]) -> list[Token]:
        """Without alignment marks and wide spaces, which must not stand where they might separate two formulas."""
        row = without_empty_groups(row)
        while row and (row[-1].text in (".", ",", ";", "&") or row[-1].kind == "gap"):
            row = row[:-1]
        while row and (row[0].text == "&" or row[0].kind == "gap"):
            row = row[1:]
        kept: list[Token] = []
        cases = 0
        for index, token in enumerate(row):
            cases += (token.text == r"\cases") - (token.text == r"\endcases")
            if cases > 0 and token.kind != "gap":
                kept.append(token)
                continue
            if cases > 0:
                continue
            if token.text == "&" or token.kind == "gap":
                near = [kept[-1] if kept else None, next_solid(row, index)]
                if not any(
                    t is None or t.text in RELATIONS or t.text in CONNECTORS or t.text in ("+", "-", ",", ":=", "*")
                    for t in near
                ):
                    what = "'&'" if token.text == "&" else "a wide space"
                    raise ReadingError(
                        f"{what} between two expressions: put each relation on its own line",
                        self._source,
                        token.position,
                    )
                continue
            kept.append(token)
        return kept

    def _reason(self, raw: str, position: int) -> tuple[Reason, tuple[Relation, ...]]:
        text = re.sub(r"^(?:\\q?quad|&|\s|\\;|\\,)+", "", raw).strip()
        head = re.match(r"\\(?:text|textrm|mbox|textit)\s*\{([^{}$]*)(\}|\$)", text)
        at: tuple[Relation, ...] = ()
        premises: tuple[Relation, ...] = ()
        alone = re.fullmatch(r"\(([^()]*)\)[\s.,;]*", text)
        if alone and _RELATING.search(alone[1]):
            premises = self._premises("if", alone[1], position)
        if head:
            word = head[1].strip().lower()
            rest = text[head.end() :]
            rest = re.sub(r"\\text\{\s*and\s*\}", ",", rest)
            mathematics = rest.partition("$")[0] if head[2] == "$" else rest.partition(r"\text")[0]
            mathematics = _without_tail(mathematics)
            if word == "at" and mathematics.strip():
                at = self._relations(mathematics)
            elif _CONDITION.fullmatch(word) and _RELATING.search(mathematics):
                premises = self._premises(word, mathematics, position)
        shown = re.sub(r"\\(?:text|textrm|mbox|textit|tag\*?|intertext)\s*\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", text)
        shown = re.sub(r"\s+", " ", shown).strip().rstrip(".,;").strip()
        theorem, citation = None, None
        for inside in re.findall(r"\[([^\[\]]+)\]", shown):
            name = inside.strip().replace(r"\_", "_")
            if name in catalogue.theorems():
                theorem = theorem or name
            elif re.search(r"[A-Za-z]", name):
                citation = citation or name
        return Reason(shown, theorem, citation, at), premises

    def _premises(self, word: str, mathematics: str, position: int) -> tuple[Relation, ...]:
        """The conditions beside a step; without one that cannot be read, a true step might be refuted."""
        try:
            return self._relations(mathematics)
        except ReadingError as error:
            if word == "where" and "not declared" in error.message:  # it explains what the step does not speak of
                return ()
            raise ReadingError(f"this condition cannot be read: {error.message}", self._source, position) from None

    def _relations(self, text: str) -> tuple[Relation, ...]:
        names = self._declared.names
        found: list[Relation] = []
        for part in outer_parts(text):
            node = parse_latex(part, names)
            found += self._declared.meaning(part).relation(node)
        return tuple(found)

    # --- statements
    def _statements(self, parser: LatexParser) -> list[_Statement]:
        found: list[_Statement] = []
        row, before = 0, "row"
        while True:
            token = parser.peek()
            if token.kind == "end":
                break
            if token.kind == "row":
                parser.advance()
                row = int(token.text)
                if parser.peek().text in RELATIONS and found:
                    self._continue(parser, found[-1], row)
                    continue
                if parser.peek().text not in CONNECTORS:
                    before = "row"
                continue
            if token.text in CONNECTORS:
                parser.advance()
                if not found or before in CONNECTORS:
                    parser.refuse("an implication needs a relation on both sides", token)
                before = token.text
                continue
            if token.text in (",", ";", r"\land"):
                parser.advance()
                before = ","
                continue
            if found and before not in CONNECTORS and before not in (",", "row"):
                parser.fail("expected an operator or a relation", token)
            statement = _Statement(before=before)
            self._begin(parser, statement)
            self._continue(parser, statement, row)
            found.append(statement)
            before = "end of statement"
        if before in CONNECTORS:
            parser.fail("expected a relation after the implication")
        return found

    def _begin(self, parser: LatexParser, statement: _Statement) -> None:
        start = parser.at
        name = None
        try:
            name = read_name(parser)
        except ReadingError:
            name = None
        if name is None or parser.peek().text != ":=":
            parser.at = start
            statement.members.append(self._member(parser))
            return
        position = parser.peek().position
        if declared_as(name, self._declared.names) is not None:
            raise ReadingError(f"{name} is already declared", self._source, position)
        parser.advance()
        member = self._member(parser)
        self._declared.abbreviate(spellings([name])[name], member.value, member.operations)
        statement.members.append(member)
        statement.before = ":=" if statement.before == "row" else statement.before

    def _continue(self, parser: LatexParser, statement: _Statement, row: int) -> None:
        while parser.peek().text in RELATIONS:
            op = RELATIONS[parser.advance().text]
            statement.members.append(self._member(parser))
            statement.ops.append(op)
            statement.rows.append(row)
        token = parser.peek()
        if token.kind in ("end", "row") or token.text in CONNECTORS or token.text in (",", ";", r"\land"):
            if not statement.ops and statement.before != ":=":
                following = parser.peek(1) if token.kind == "row" else token
                if following.text not in RELATIONS:
                    parser.fail("expected a relation sign")
            return
        if token.text == ":=":
            parser.refuse("':=' needs a new name on its left", token)
        parser.fail("expected an operator, a relation or the end", token)

    def _member(self, parser: LatexParser) -> _Member:
        start = parser.peek().position
        node: Node = parser.expression()
        end = parser.peek(-1).end
        meaning = self._declared.meaning(self._source)
        value = meaning.expression(node)
        return _Member(value, tuple(meaning.operations), start, end)

    # --- steps
    def _steps(self, statements: list[_Statement]) -> list[WrittenStep]:
        groups: list[tuple[str, list[_Statement]]] = []  # how it is joined, and its conjuncts
        for statement in statements:
            if statement.before == "," and groups and groups[-1][1][-1].ops:
                groups[-1][1].append(statement)
            else:
                joined = statement.before if statement.before in CONNECTORS else "row"
                groups.append((joined, [statement]))
        steps: list[WrittenStep] = []
        for index, (joined, group) in enumerate(groups):
            following = groups[index + 1][0] if index + 1 < len(groups) else "row"
            if joined in CONNECTORS:
                steps.append(
                    self._implication(
                        joined, groups[index - 1][1], group, index > 1 and groups[index - 1][0] in CONNECTORS
                    )
                )
            elif following not in CONNECTORS:
                for statement in group:
                    steps += self._single(statement)
        return steps

    def _single(self, statement: _Statement) -> list[WrittenStep]:
        steps: list[WrittenStep] = []
        members = statement.members
        for i, op in enumerate(statement.ops):
            left, right = members[i], members[i + 1]
            last = i + 1 == len(statement.ops) or statement.rows[i + 1] != statement.rows[i]
            reason, premises = self._reasons.get(statement.rows[i], (None, ())) if last else (None, ())
            line, column = self._lines.of(left.start if i == 0 else right.start)
            latex = f"{self._slice(left)} {_SIGN[op]} {self._slice(right)}"
            steps.append(
                WrittenStep(
                    (Relation(left.value, op, right.value),),  # type: ignore[arg-type]
                    line,
                    column,
                    latex,
                    premises,
                    False,
                    i > 0,
                    reason,
                    (*left.operations, *right.operations),
                )
            )
        return steps

    def _implication(self, sign: str, left: list[_Statement], right: list[_Statement], continues: bool) -> WrittenStep:
        backwards, both = CONNECTORS[sign]
        line, column = self._lines.of(right[0].members[0].start)
        reason = next((self._reasons[r][0] for s in right for r in reversed(s.rows) if r in self._reasons), None)
        extra = next((self._reasons[r][1] for s in right for r in reversed(s.rows) if r in self._reasons), ())
        sides = [_relations(side) for side in (left, right)]
        premises, claim = sides[::-1] if backwards else sides
        if not premises or not claim:
            raise ReadingError("an implication needs a relation on both sides", self._source, right[0].members[0].start)
        if extra and both:
            raise ReadingError(
                "write the condition of an equivalence as an assumption", self._source, right[0].members[0].start
            )
        latex = f"{self._conjunction(left)} {sign} {self._conjunction(right)}"
        operations = tuple(o for s in (*left, *right) for m in s.members for o in m.operations)
        return WrittenStep(claim, line, column, latex, (*premises, *extra), both, continues, reason, operations)

    def _conjunction(self, statements: list[_Statement]) -> str:
        return r",\ ".join(
            " ".join(
                [
                    self._slice(s.members[0]),
                    *(f"{_SIGN[op]} {self._slice(m)}" for op, m in zip(s.ops, s.members[1:], strict=True)),
                ]
            )
            for s in statements
        )

    def _slice(self, member: _Member) -> str:
        raw = re.sub(r"(?<!\\)%[^\n]*", "", self._source[member.start : member.end])
        raw = expand(raw, self._declared.macros)
        raw = re.sub(r"\\\\\*?(?:\[[^\]\n]*\])?|(?<!\\)&|\\nonumber|\\notag|\\label\{[^}]*\}", " ", raw)
        return re.sub(r"\s+", " ", raw).strip()


def _without_tail(mathematics: str) -> str:
    """Without the punctuation and space after it, and without a parenthesis that closes one before the text."""
    while True:
        shorter = re.sub(r"(?:\\q?quad|[\s.,;])+$", "", mathematics)
        closing, opening = (sum(map(shorter.count, brackets)) for brackets in (")]", "(["))
        if shorter.endswith(")") and closing > opening:
            shorter = shorter[:-1]
        if shorter == mathematics:
            return mathematics
        mathematics = shorter


_SIGN = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}


def _relations(statements: list[_Statement]) -> tuple[Relation, ...]:
    return tuple(
        Relation(s.members[i].value, op, s.members[i + 1].value)  # type: ignore[arg-type]
        for s in statements
        for i, op in enumerate(s.ops)
    )
