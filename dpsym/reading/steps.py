"""From the symbols of a display to steps: rows, relations, implications, definitions and reasons."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise

import sympy as sp

from dpsym import catalogue
from dpsym.deciding.definedness import Need
from dpsym.reading.beside import parts_of
from dpsym.reading.declarations import Declared, assumed_with, integers_among, outer_parts, text_of
from dpsym.reading.definitions import defined_in, names_in
from dpsym.reading.errors import ReadingError
from dpsym.reading.latex_grammar import LONGEST_ROW, RELATIONS, LatexParser, parse_latex
from dpsym.reading.latex_names import read_name
from dpsym.reading.latex_tokens import Token, tokens
from dpsym.reading.macros import expand
from dpsym.reading.names import ACCENTS, GREEK, declared_as, spellings
from dpsym.reading.outer_files import Piece
from dpsym.reading.rows import CLOSERS, OPENERS, joined_to_reason, next_solid, reason_at, rows_of, without_empty_groups
from dpsym.reading.tree import Chain, Node
from dpsym.reading.written import Reason, Texts, WrittenChain, WrittenStep, unread_step
from dpsym.relations import Relation
from dpsym.spelling import plain

CONNECTORS = {r"\implies": (False, False), r"\iff": (False, True), r"\impliedby": (True, False)}
INEXACT = {
    r"\approx",
    r"\simeq",
    r"\lesssim",
    r"\gtrsim",
    r"\ll",
    r"\gg",
    r"\propto",
    r"\asymp",
    r"\cong",
    r"\preceq",
    r"\succeq",
    r"\prec",
    r"\succ",
}  # relations that nothing is known to mean exactly; what stands on either side is an expression
_LONGEST_NAME = 20  # of a Greek letter, with what may follow it
_CONTINUING = {"+", "*", "/"}
_OPERANDS = "|".join(
    (*sorted(GREEK), *ACCENTS, "frac", "[dt]frac", "sqrt", "sum", "prod", "int", "log", "ln", "exp", "Pr")
)
_STARTS = re.compile(rf"[A-Za-z0-9(]|\\(?:{_OPERANDS})(?![A-Za-z])")  # what no operator begins with
_ENDS = re.compile(rf"(?:(?:^|[^A-Za-z\\])[A-Za-z]|[0-9)\]}}]|\\(?:{'|'.join(sorted(GREEK))}))\s*[.,;]?\s*$")


@dataclass(frozen=True, slots=True)
class _Member:
    value: sp.Expr
    needs: tuple[Need, ...]
    text: str
    start: int
    end: int
    unread: str = ""


@dataclass(slots=True)
class _Statement:
    """A chain of relations, not yet asserted."""

    members: list[_Member] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # the row in which each relation ends
    before: str = "row"  # how it is joined to the statement before
    unread: str = ""  # why it is no statement
    defines: str = ""  # the name that its first expression is to stand for

    @property
    def why_unread(self) -> str:
        """Why it, or one of its expressions, could not be read."""
        inexact = (_not_exact(op) for op in self.ops)
        return self.unread or next(filter(None, (*(m.unread for m in self.members), *inexact)), "")


@dataclass(frozen=True, slots=True)
class _Read:
    """Relations, what they need to have a value, and how they were written."""

    relations: tuple[Relation, ...] = ()
    needs: tuple[Need, ...] = ()
    texts: Texts = ()

    def with_more(self, other: _Read) -> _Read:
        return _Read(
            (*self.relations, *other.relations), (*self.needs, *other.needs), (*self.texts, *other.texts)
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Beside:
    """What stands beside a step: the reason, the conditions under which it is claimed, what its values need."""

    reason: Reason | None = None
    premises: _Read = field(default_factory=_Read)
    needs: tuple[Need, ...] = ()
    unread: str = ""
    place: tuple[int, int] = (0, 0)  # of what was not read

    def with_more(self, other: _Beside) -> _Beside:
        """What stands beside two lines of one relation."""
        reasons = [r for r in (self.reason, other.reason) if r is not None]
        return _Beside(
            reduce(Reason.with_more, reasons) if reasons else None,
            self.premises.with_more(other.premises),
            (*self.needs, *other.needs),
            self.unread or other.unread,
            self.place if self.unread else other.place,
        )

    @property
    def before_its_last(self) -> _Beside:
        """For the other relations of the line: conditions and values are theirs, too, what proves the last is not."""
        reason = self.reason
        if reason is not None and (self.premises.relations or reason.at):
            return replace(self, reason=replace(reason, theorem=None, citation=None))
        return _Beside(unread=self.unread)


class Lines:
    """Positions of a text as lines and columns, counted from 1 in each of its pieces."""

    def __init__(self, text: str, pieces: Sequence[Piece] = ()) -> None:
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self._pieces = tuple(pieces)

    def of(self, position: int) -> tuple[int, int]:
        """Line and column."""
        line = bisect_right(self._starts, position)
        column = position - self._starts[line - 1] + 1
        if (piece := self._piece(position)) is not None:
            first = bisect_right(self._starts, piece.start)
            line += piece.line - first
        return line, column

    def file(self, position: int) -> str:
        """The file or cell that this part of the text is from; empty for the document itself."""
        piece = self._piece(position)
        return "" if piece is None else piece.name

    def _piece(self, position: int) -> Piece | None:
        number = bisect_right(self._pieces, position, key=lambda piece: piece.start)
        return self._pieces[number - 1] if number else None


def read_display(source: str, start: int, stop: int, declared: Declared, lines: Lines) -> WrittenChain | None:
    """The steps of the display `source[start:stop]`; definitions in it are added to what is declared.

    Where `declared.mending`, an expression that cannot be read makes the relations on both sides of it unread steps,
    and what it may define stands for nothing from there on; a reason that cannot be read, those of its line.

    Raises:
        ReadingError: with the position in `source`; where mending, only for what is too long.
    """
    return _Display(source, declared, lines).read(start, stop)


class _Display:
    def __init__(self, source: str, declared: Declared, lines: Lines) -> None:
        self._source, self._declared, self._lines = source, declared, lines
        self._reasons: dict[int, _Beside] = {}

    def read(self, start: int, stop: int) -> WrittenChain | None:
        symbols = tokens(self._source, start, stop, self._declared.macros, mending=self._declared.mending)
        flat = self._joined(rows_of(symbols), symbols[-1])
        parser = LatexParser(self._source, flat, self._declared.names)
        statements = self._statements(parser)
        steps = self._alone(statements) + self._steps(statements)
        if not steps:
            return None
        unread = next((s for s in steps if s.unread), None)
        doubt = f"line {unread.line} of this display was not read, and may be a condition" if unread else ""
        return WrittenChain(
            tuple(steps), steps[0].line, abbreviations=dict(self._declared.abbreviations), doubt=doubt
        )  # fmt: skip

    # --- rows
    def _joined(self, rows: list[list[Token]], end: Token) -> list[Token]:
        """The rows as one list, reasons set aside, rows that continue the one before without a break."""
        flat: list[Token] = []
        current = 0
        for number, whole in enumerate(rows):
            row, beside = self._row(whole)
            if not row:
                self._beside(current, beside)
                continue
            if flat:
                first = row[0]
                dangling = flat[-1].text in RELATIONS or flat[-1].text in ("+", "-", "*", "/", ":=", *CONNECTORS)
                if first.text == "-" and not dangling:
                    said = (
                        "a line that starts with a minus sign could continue the line above: bracket it, "
                        "or end the line above with the sign"
                    )
                    if not self._declared.mending:
                        raise ReadingError(said, self._source, first.position)
                    flat.append(Token("unread", r"\unread", first.position, first.end, said))
                elif not dangling and first.text not in _CONTINUING:
                    current = number
                    flat.append(Token("row", str(number), first.position, first.position))
            self._beside(current, beside)
            flat += row
        return [*flat, Token("end", "", end.position, end.position)]

    def _alone(self, statements: list[_Statement]) -> list[WrittenStep]:
        """What was not read beside a line that is no relation, and is none of the steps."""
        rows = {row for s in statements for row in s.rows}
        lost = [b for row, b in self._reasons.items() if b.unread and row not in rows]
        return [
            unread_step(b.unread, *self._lines.of(b.place[0]), self._source[b.place[0] : b.place[1]]) for b in lost
        ]  # fmt: skip

    def _row(self, whole: list[Token]) -> tuple[list[Token], _Beside | None]:
        """The symbols of a line, without layout, and what stands beside them."""
        try:
            if len(whole) > LONGEST_ROW:
                raise ReadingError(f"a line of more than {LONGEST_ROW} symbols", self._source, whole[0].position)
            row, beside = self._without_reason(whole)
            return self._checked(row), beside
        except ReadingError as error:
            if not self._declared.mending:
                raise
            solid = [t for t in whole if t.text != "&" and t.kind != "gap"] or whole
            kept = solid[:1] if solid[0].text in RELATIONS or solid[0].text in CONNECTORS else []
            self._forget(solid[0].position, whole[-1].end, error.message)
            start = solid[len(kept) :] or whole[-1:]
            return [*kept, Token("unread", r"\unread", start[0].position, whole[-1].end, error.message)], None

    def _forget(self, start: int, end: int, why: str) -> None:
        """What may be defined between these places stands for nothing from here on."""
        line = self._lines.of(start)[0]
        self._declared.forget(defined_in(self._source[start:end]), f"line {line}: {why}")

    def _without_reason(self, row: list[Token]) -> tuple[list[Token], _Beside | None]:
        if len(row) > 1 and row[0].text == r"\tag":
            label = _Beside(Reason(row[0].value))
            row, beside = self._without_reason(row[1:])
            return row, label if beside is None else label.with_more(beside)
        cut = reason_at(row)
        if cut is None:
            return row, None
        if (sign := joined_to_reason(row, cut)) is not None:
            said = f"{sign.text} after a remark would not be checked: put the remark at the end of the line"
            raise ReadingError(said, self._source, sign.position)
        begin = row[cut].position
        end = row[-1].end
        try:
            foreign = next((t for t in row[cut:] if t.kind == "unread"), None)
            if foreign is not None:
                raise ReadingError(foreign.value, self._source, foreign.position)
            raw = expand(self._source[begin:end], self._declared.macros)
            return row[:cut], self._reason(raw, begin)
        except ReadingError as error:
            if not self._declared.mending:
                raise
            self._forget(begin, end, error.message)
            return row[:cut], _Beside(unread=error.message, place=(begin, end))

    def _beside(self, row: int, beside: _Beside | None) -> None:
        """Beside the line where the row began, whichever of its lines it stands on."""
        if beside is not None:
            known = self._reasons.get(row)
            self._reasons[row] = beside if known is None else known.with_more(beside)

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

    def _reason(self, raw: str, position: int) -> _Beside:
        text = re.sub(r"^(?:\\q?quad|&|\s|\\;|\\,)+", "", raw).strip()
        at = premises = _Read()
        try:
            parts = parts_of(text)
        except ReadingError as error:
            raise ReadingError(error.message, self._source, position) from None
        for part in parts:
            mathematics = _without_tail(part.mathematics)
            if part.role == "at":
                at = at.with_more(self._relations(mathematics))
            elif part.role:
                premises = premises.with_more(self._premises(part.role, mathematics, position))
        shown = re.sub(r"\\(?:text|textrm|mbox|textit|tag\*?|intertext)\s*\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", text)
        shown = re.sub(r"\s+", " ", shown).strip().rstrip(".,;").strip()
        theorem, citation = None, None
        for inside in re.findall(r"\[([^\[\]]+)\]", shown):
            name = inside.strip().replace(r"\_", "_")
            if (known := name.partition(",")[0].strip()) in catalogue.theorems():
                theorem = theorem or known
            elif re.search(r"[A-Za-z]", name) and not self._is_own(name):
                citation = citation or name
        return _Beside(Reason(shown, theorem, citation, at.relations, at.texts), premises, at.needs)

    def _is_own(self, name: str) -> bool:
        """Whether it names a formula of the document, which may not have been read, and not the literature."""
        own = name in self._declared.labels or name.partition(",")[0].strip() in self._declared.labels
        return own or re.search(r"\\(?:eq|auto|[cC])?ref(?![A-Za-z])", name) is not None

    def _premises(self, word: str, mathematics: str, position: int) -> _Read:
        """The conditions beside a step; without one that cannot be read, a true step might be refuted."""
        try:
            read = self._relations(mathematics)
            with_them = assumed_with(read.relations, read.needs, mathematics, integers_among(self._declared.conditions))
            more = tuple(r for r in with_them if isinstance(r, Relation))
            return _Read((*read.relations, *more), (), (*read.texts, *((plain(r.lhs), plain(r.rhs)) for r in more)))
        except ReadingError as error:
            if word == "where" and "not declared" in error.message:  # it explains what the step does not speak of
                return _Read()
            raise ReadingError(f"this condition cannot be read: {error.message}", self._source, position) from None

    def _relations(self, text: str) -> _Read:
        found = _Read()
        for part in outer_parts(text):
            node = parse_latex(part, self._declared.names)
            meaning = self._declared.meaning(part)
            relations = tuple(meaning.relation(node))
            found = found.with_more(_Read(relations, tuple(meaning.needs), texts_of(node, relations)))
        return found

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
                if self._relates(parser.peek()) and found:
                    self._continue(parser, found[-1], row)
                    continue
                if parser.peek().text not in CONNECTORS:
                    before = "row"
                continue
            if token.text in CONNECTORS:
                parser.advance()
                if not found or before in CONNECTORS:
                    self._nothing(parser, found, before, token)
                before = token.text
                continue
            if token.text in (",", ";", r"\land"):
                parser.advance()
                before = ","
                continue
            if found and before not in CONNECTORS and before not in (",", "row"):
                parser.fail("expected an operator or a relation", token)
            statement = _Statement(before=before)
            self._begin(parser, statement, row)
            self._continue(parser, statement, row)
            self._swallow(found, statement)
            if statement.defines or statement.why_unread:
                self._forget_before(found, statement)
            found.append(statement)
            before = "end of statement"
        if before in CONNECTORS:
            self._nothing(parser, found, before, parser.peek(), "expected a relation after the implication")
        return found

    def _nothing(
        self, parser: LatexParser, found: list[_Statement], before: str, token: Token,
        said: str = "an implication needs a relation on both sides",
    ) -> None:  # fmt: skip
        """A side of an implication is missing."""
        if not self._declared.mending:
            parser.refuse(said, token)
        member = _Member(sp.nan, (), "", token.position, token.end, said)
        found.append(_Statement([member], before=before if found else "row", unread=said))

    def _swallow(self, found: list[_Statement], statement: _Statement) -> None:
        """An unread line that may continue the expression above makes that unread as well."""
        member = statement.members[0]
        if not found or not member.unread or statement.before not in ("row", ":="):
            return
        if not _STARTS.match(self._source, member.start):
            above = found[-1]
            above.members[-1] = replace(above.members[-1], unread=member.unread)
            if above.defines and len(above.members) == 1:
                self._declared.forget([above.defines], f"line {self._lines.of(member.start)[0]}: {member.unread}")

    def _forget_before(self, found: list[_Statement], statement: _Statement) -> None:
        """Of ``x, y := …`` what stands alone before the comma may be defined as well."""
        following = statement
        for earlier in reversed(found):
            if following.before != "," or earlier.ops:
                return
            start, end = earlier.members[0].start, earlier.members[-1].end
            why = f"line {self._lines.of(start)[0]}: {earlier.unread or 'several names are defined at once'}"
            self._declared.forget(names_in(self._source[start:end]), why)
            following = earlier

    def _begin(self, parser: LatexParser, statement: _Statement, row: int) -> None:
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
        token = parser.peek()
        if declared_as(name, self._declared.names) is not None:
            said = f"{name} is already declared"
            if not self._declared.mending:
                raise ReadingError(said, self._source, token.position)
            begin = parser.symbols[start].position
            statement.members.append(_Member(sp.nan, (), "", begin, parser.peek(-1).end, said))
            return
        parser.advance()
        member = self._member(parser)
        unread = member.unread or self._reasons.get(row, _Beside()).unread
        if unread:
            self._declared.forget([name], f"line {self._lines.of(token.position)[0]}: {unread}")
        else:
            self._declared.abbreviate(spellings([name])[name], member.value, member.needs, member.text)
        statement.members.append(member)
        statement.defines = name
        statement.before = ":=" if statement.before == "row" else statement.before

    def _continue(self, parser: LatexParser, statement: _Statement, row: int) -> None:
        while self._relates(parser.peek()) or (self._declared.mending and parser.peek().text == ":="):
            sign = parser.advance()
            if sign.text == ":=":
                head = statement.members[-1]
                said = head.unread or "':=' needs a new name on its left"
                self._forget(head.start, sign.end, said)
                statement.members[-1] = replace(head, unread=said)
            op = RELATIONS.get(sign.text, sign.text)
            statement.members.append(self._member(parser))
            statement.ops.append(op)
            statement.rows.append(row)
        token = parser.peek()
        if token.kind in ("end", "row") or token.text in CONNECTORS or token.text in (",", ";", r"\land"):
            if not statement.ops and statement.before != ":=":
                following = parser.peek(1) if token.kind == "row" else token
                if not self._relates(following):
                    if not self._declared.mending:
                        parser.fail("expected a relation sign")
                    statement.unread = statement.why_unread or "expected a relation sign"
            return
        if token.text == ":=":
            parser.refuse("':=' needs a new name on its left", token)
        parser.fail("expected an operator, a relation or the end", token)

    def _relates(self, token: Token) -> bool:
        return token.text in RELATIONS or (self._declared.mending and token.text in INEXACT)

    def _member(self, parser: LatexParser) -> _Member:
        begin = parser.at
        start = parser.peek().position
        try:
            node: Node = parser.expression()
            end = parser.peek(-1).end
            if self._declared.mending and not _separates(parser.peek()):
                parser.fail("expected an operator, a relation or the end")
            meaning = self._declared.meaning(self._source)
            value = meaning.expression(node)
        except ReadingError as error:
            if not self._declared.mending:
                raise
            return self._unread_member(parser, begin, error)
        return _Member(value, tuple(meaning.needs), text_of(node), start, end)

    def _unread_member(self, parser: LatexParser, begin: int, error: ReadingError) -> _Member:
        """Everything up to the next sign outside of brackets that ends an expression.

        It reaches over a line break where it may: where neither side of the break is for certain the end of a formula.
        """
        at, depth, cases, message = begin, 0, 0, ""
        symbols = parser.symbols
        while symbols[at].kind != "end":
            token, following = symbols[at], symbols[at + 1]
            cases += (token.text == r"\cases") - (token.text == r"\endcases")
            if cases > 0:
                pass
            elif token.kind == "row":
                if symbols[at - 1].end <= symbols[begin].position or at == begin:
                    break
                if self._relates(following) or following.text in CONNECTORS:
                    break
                end = symbols[at - 1].end
                if _ENDS.search(self._source[max(symbols[begin].position, end - _LONGEST_NAME) : end]):
                    break
            elif depth <= 0 and _separates(token):
                break
            depth += (token.text in OPENERS) - (token.text in CLOSERS)
            if token.kind == "unread":
                message = message or token.value
            at += 1
        parser.restart(at)
        start, end = symbols[begin].position, symbols[max(begin, at - 1)].end
        message = message or error.message
        self._forget(symbols[max(0, begin - 1)].position, symbols[at].end, message)  # with the signs around it
        return _Member(sp.nan, (), "", start, end, message)

    # --- steps
    def _steps(self, statements: list[_Statement]) -> list[WrittenStep]:
        groups: list[tuple[str, list[_Statement]]] = []  # how it is joined, and its conjuncts
        for statement in statements:
            if statement.before == "," and groups and (groups[-1][1][-1].ops or groups[-1][1][-1].unread):
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
        if not statement.ops and statement.why_unread:
            return [self._unread(statement.why_unread, members[0], members[-1])]
        for i, op in enumerate(statement.ops):
            left, right = members[i], members[i + 1]
            last = i + 1 == len(statement.ops) or statement.rows[i + 1] != statement.rows[i]
            beside = self._reasons.get(statement.rows[i], _Beside())
            beside = beside if last else beside.before_its_last
            if why := left.unread or right.unread or _not_exact(op) or beside.unread:
                steps.append(self._unread(why, left, right, continues=i > 0))
                continue
            line, column = self._lines.of(left.start if i == 0 else right.start)
            latex = f"{self._slice(left)} {_SIGN[op]} {self._slice(right)}"
            steps.append(
                WrittenStep(
                    (Relation(left.value, op, right.value),),  # type: ignore[arg-type]
                    line,
                    column,
                    latex,
                    beside.premises.relations,
                    False,
                    i > 0,
                    beside.reason,
                    (*left.needs, *right.needs, *beside.needs),
                    ((left.text, right.text),) if left.text and right.text else (),
                    beside.premises.texts,
                )
            )
        return steps

    def _implication(self, sign: str, left: list[_Statement], right: list[_Statement], continues: bool) -> WrittenStep:
        backwards, both = CONNECTORS[sign]
        line, column = self._lines.of(right[0].members[0].start)
        beside = self._beside_all(left, right)
        extra = beside.premises
        why = next(filter(None, (s.why_unread for s in (*left, *right))), beside.unread)
        if why:
            return self._unread(why, left[0].members[0], right[-1].members[-1], continues=continues)
        sides = [_relations(side) for side in (left, right)]
        premises, claim = sides[::-1] if backwards else sides
        said = "an implication needs a relation on both sides" if not premises or not claim else ""
        if extra.relations and both:
            said = "write the condition of an equivalence as an assumption"
        if said and not self._declared.mending:
            raise ReadingError(said, self._source, right[0].members[0].start)
        if said:
            return self._unread(said, left[0].members[0], right[-1].members[-1], continues=continues)
        latex = f"{self._conjunction(left)} {sign} {self._conjunction(right)}"
        needs = tuple(n for s in (*left, *right) for m in s.members for n in m.needs)
        texts = [_texts(side) for side in (left, right)]
        given, claimed = texts[::-1] if backwards else texts
        return WrittenStep(
            claim, line, column, latex, (*premises, *extra.relations), both, continues, beside.reason,
            (*needs, *beside.needs), claimed, (*given, *extra.texts),
        )  # fmt: skip

    def _unread(self, why: str, first: _Member, last: _Member, *, continues: bool = False) -> WrittenStep:
        """What stands there, as a step that was not read."""
        place = last if continues or (last.unread and not first.unread) else first
        line, column = self._lines.of(place.start)
        return unread_step(why, line, column, self._source[first.start : last.end], continues=continues)

    def _beside_all(self, left: list[_Statement], right: list[_Statement]) -> _Beside:
        """What stands beside an implication: the last reason of its right side, and the conditions of every line."""
        rows = [r for s in right for r in reversed(s.rows) if r in self._reasons][:1]
        others = {r for s in (*left, *right) for r in s.rows if r in self._reasons}.difference(rows)
        found = [self._reasons[r].before_its_last for r in sorted(others)] + [self._reasons[r] for r in rows]
        return reduce(_Beside.with_more, found, _Beside())

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


def _not_exact(op: str) -> str:
    return "" if op in _SIGN else f"{op} is not an exact relation and cannot be checked"


def _separates(token: Token) -> bool:
    """Whether an expression ends before it."""
    ends = (
        token.text in RELATIONS
        or token.text in INEXACT
        or token.text in CONNECTORS
        or token.text in (",", ";", r"\land", ":=")
    )
    return ends or token.kind == "end" or (token.kind == "row" and token.text != "row")  # and not a row of cases


def texts_of(node: Node, relations: tuple[Relation, ...]) -> Texts:
    """Both sides of each relation of a chain, in plain notation."""
    members = node.members if isinstance(node, Chain) else ()
    written = list(map(text_of, members))
    if not all(written) or len(written) != len(relations) + 1:
        return tuple((plain(r.lhs), plain(r.rhs)) for r in relations)
    return tuple(pairwise(written))


def _texts(statements: list[_Statement]) -> Texts:
    found = (pairwise(s.members) for s in statements)
    return tuple((a.text or plain(a.value), b.text or plain(b.value)) for pairs in found for a, b in pairs)


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
