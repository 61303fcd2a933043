"""From the symbols of a display to steps: rows, relations, implications, definitions and reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from types import MappingProxyType

import sympy as sp

from dpsym import catalogue
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation
from dpsym.deciding.definedness import Need
from dpsym.language.documents.declarations import Declared, assumed_with, integers_among, outer_parts, text_of
from dpsym.language.documents.derivation import Reason, Texts, WrittenChain, WrittenStep
from dpsym.language.documents.remarks import parts_of, refuse_lost_words
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError, Undeclared
from dpsym.language.latex.cursor import CLOSERS, ENDS, Cursor
from dpsym.language.latex.grammar import LONGEST_ROW, RELATIONS, LatexParser, parse_latex
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.names import read_name
from dpsym.language.latex.opaque import all_applied, around
from dpsym.language.latex.rows import (
    BETWEEN,
    joined_to_reason,
    next_solid,
    reason_at,
    rows_of,
    without_empty_groups,
    without_number,
    without_quantifiers,
)
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import declared_as, spellings
from dpsym.language.tree import Chain, Node

CONNECTORS = {r"\implies": (False, False), r"\iff": (False, True), r"\impliedby": (True, False)}
_CONTINUING = {"+", "*", "/"}


@dataclass(frozen=True, slots=True)
class _Member:
    value: sp.Expr
    needs: tuple[Need, ...]
    text: str
    start: int
    end: int
    unread: str = ""  # why it could not be read


@dataclass(slots=True)
class _Statement:
    """A chain of relations, not yet asserted."""

    members: list[_Member] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # the row in which each relation ends
    before: str = "row"  # how it is joined to the statement before

    @property
    def unread(self) -> str:
        """Why a part of it could not be read."""
        return next((m.unread for m in self.members if m.unread), "")


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
    unread: str = ""  # why it could not be read

    def with_more(self, other: _Beside) -> _Beside:
        """What stands beside two lines of one relation."""
        reasons = [r for r in (self.reason, other.reason) if r is not None]
        return _Beside(
            reduce(Reason.with_more, reasons) if reasons else None,
            self.premises.with_more(other.premises),
            (*self.needs, *other.needs),
            self.unread or other.unread,
        )

    @property
    def before_its_last(self) -> _Beside:
        """For the other relations of the line: conditions and values are theirs, too, what proves the last is not."""
        reason = self.reason
        if reason is not None and (self.premises.relations or reason.at):
            return replace(self, reason=replace(reason, theorem=None, citation=None))
        return _Beside(unread=self.unread)


def read_display(
    source: str, start: int, stop: int, declared: Declared, lines: Written, *, recover: bool = False
) -> WrittenChain | None:
    """The steps of the display `source[start:stop]`; definitions in it are added to what is declared.

    With `recover`, each part that cannot be read is a step that says so.

    Raises:
        ReadingError: with the position in `source`; not with `recover`.
    """
    return _Display(source, declared, lines, recover=recover).read(start, stop)


@dataclass(slots=True)
class _Joint:
    """Between two statements: the row, and how the next one is joined."""

    row: int = 0
    before: str = "row"


class _Display:
    def __init__(self, source: str, declared: Declared, lines: Written, *, recover: bool = False) -> None:
        self._source, self._declared, self._lines, self._recover = source, declared, lines, recover
        self._reasons: dict[int, _Beside] = {}
        self._flat: list[Token] = []  # the rows so far
        self._current = 0  # the row in which the last of them began
        self._apart = False  # whether words stand between them and the next
        self._lost = ""  # what was not read and may have been a condition

    def read(self, start: int, stop: int) -> WrittenChain | None:
        try:
            return self._read(start, stop)
        except ReadingError as error:
            if not self._recover:
                raise
            return WrittenChain((self._unread(start, stop, error.message),), self._lines.of(start)[0])

    def _read(self, start: int, stop: int) -> WrittenChain | None:
        symbols = tokens(self._source, start, stop, self._declared.macros, recover=self._recover)
        flat = self._joined(rows_of(symbols), symbols[-1])
        parser = LatexParser(self._source, flat, self._declared.names)
        parser.lenient = self._recover
        for one in all_applied(self._source, flat, self._declared.applied):
            parser.opaque[one.start] = (self._declared.name_of(one), one.stop)
        statements = self._statements(parser)
        steps = self._steps(statements)
        if not steps:
            return None
        return WrittenChain(tuple(steps), steps[0].line, abbreviations=dict(self._declared.abbreviations))

    # --- rows
    def _joined(self, rows: list[list[Token]], end: Token) -> list[Token]:
        """The rows as one list, reasons set aside, rows that continue the one before without a break."""
        for number, whole in enumerate(rows):
            try:
                self._row(number, whole)
            except ReadingError as error:
                if not self._recover:
                    raise
                self._unread_row(number, whole, error.message)
        return [*self._flat, Token("end", "", end.position, end.position)]

    def _row(self, number: int, whole: list[Token]) -> None:
        if len(whole) > LONGEST_ROW:
            raise ReadingError(f"a line of more than {LONGEST_ROW} symbols", self._source, whole[0].position)
        if whole and whole[0].text in BETWEEN:
            self._prose(whole[0])
            self._apart = True
            return
        claimed = without_quantifiers(whole) if self._recover else whole
        if len(claimed) < len(whole):
            self._lost = self._lost or "what is said after 'for all' was not read"
        row, beside = self._without_reason(claimed) if claimed else ([], None)
        row = self._checked(row)
        if not row:
            if self._apart and beside is not None:
                said = "a reason without a step after words between rows: put it beside its step"
                raise ReadingError(said, self._source, whole[0].position)
            self._beside(self._current, beside)
            return
        if self._flat:
            first = row[0]
            dangling = self._dangling
            if self._apart and (dangling or first.text in _CONTINUING):
                said = "a formula does not go on after words between rows: write it out, or begin with a relation"
                raise ReadingError(said, self._source, first.position)
            if first.text == "-" and not dangling:
                raise ReadingError(
                    "a line that starts with a minus sign could continue the line above: bracket it, "
                    "or end the line above with the sign",
                    self._source,
                    first.position,
                )
            if not dangling and first.text not in _CONTINUING:
                self._break(number, first.position)
        self._beside(self._current, beside)
        self._flat += row
        self._apart = False

    @property
    def _dangling(self) -> bool:
        """Whether the rows so far end in a sign after which the formula goes on."""
        last = self._flat[-1].text if self._flat else ""
        return last in RELATIONS or last in ("+", "-", "*", "/", ":=", *CONNECTORS)

    def _break(self, number: int, position: int) -> None:
        self._current = number
        self._flat.append(Token("row", str(number), position, position))

    def _unread_row(self, number: int, row: list[Token], why: str) -> None:
        """One symbol for the row; where it might continue the row before, that is not read to its end."""
        place = Token("unread", "unread", row[0].position, row[-1].end, why)
        first = next((t for t in row if t.text != "&" and t.kind != "gap"), row[0])
        words = first.text in BETWEEN
        if words or first.text in RELATIONS or first.text in CONNECTORS:
            self._break(number, place.position)
        self._flat.append(place)
        if words:
            self._flat.append(Token("row", str(number), place.end, place.end))
            self._lost = self._lost or f"what stands in line {self._lines.of(place.position)[0]} was not read: {why}"

    def _without_reason(self, row: list[Token]) -> tuple[list[Token], _Beside | None]:
        cut = reason_at(row)
        if cut is None:
            return row, None
        if (sign := joined_to_reason(row, cut)) is not None:
            said = f"{sign.text} after a remark would not be checked: put the remark at the end of the line"
            raise ReadingError(said, self._source, sign.position)
        begin = row[cut].position
        end = row[-1].end
        alone = all(t.kind == "gap" or t.text in ("&", "{", "}") for t in row[:cut])
        try:
            raw = expand(self._source[begin:end], self._declared.macros)
            return row[:cut], self._reason(raw, begin, alone=alone)
        except ReadingError as error:
            if not self._recover or alone:
                raise
            return row[:cut], _Beside(unread=error.message)

    def _prose(self, token: Token) -> None:
        """Words between rows belong to none of them, so nothing must depend on them."""
        try:
            refuse_lost_words(expand(self._source[token.position : token.end], self._declared.macros))
        except ReadingError as error:
            raise ReadingError(error.message, self._source, token.position) from None

    def _beside(self, row: int, beside: _Beside | None) -> None:
        """Beside the line where the row began, whichever of its lines it stands on."""
        if beside is not None:
            known = self._reasons.get(row)
            self._reasons[row] = beside if known is None else known.with_more(beside)

    def _checked(self, row: list[Token]) -> list[Token]:
        """Without alignment marks and wide spaces, which must not stand where they might separate two formulas."""
        row = without_empty_groups(row)
        row = without_number(row) if self._recover else row
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

    def _reason(self, raw: str, position: int, *, alone: bool) -> _Beside:
        text = re.sub(r"^(?:\\q?quad|&|\s|\\;|\\,)+", "", raw).strip()
        at = premises = _Read()
        try:
            parts = parts_of(text, alone=alone)
        except ReadingError as error:
            raise ReadingError(error.message, self._source, position) from None
        for part in parts:
            mathematics = _without_tail(part.mathematics)
            if part.role == "at":
                at = at.with_more(self._relations(mathematics))
            elif part.role:
                premises = premises.with_more(self._premises(part.role, mathematics, position))
        shown = re.sub(r"\\(?:text|textrm|mbox|textit|tag\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", text)
        shown = re.sub(r"\s+", " ", shown).strip().rstrip(".,;").strip()
        theorem, citation = None, None
        for inside in re.findall(r"\[([^\[\]]+)\]", shown):
            name = inside.strip().replace(r"\_", "_")
            if (known := name.partition(",")[0].strip()) in catalogue.theorems():
                theorem = theorem or known
            elif re.search(r"[A-Za-z]", name):
                citation = citation or name
        return _Beside(Reason(shown, theorem, citation, at.relations, at.texts), premises, at.needs)

    def _premises(self, word: str, mathematics: str, position: int) -> _Read:
        """The conditions beside a step; without one that cannot be read, a true step might be refuted."""
        found = _Read()
        for part in outer_parts(mathematics):
            if word in ("where", "with") and self._is_of_its_own(part):
                continue  # it explains what the step does not speak of
            if word == "with":
                said = f"{part.strip()!r} chooses a value: write 'at' before it, or declare the name with 'where'"
                raise ReadingError(said, self._source, position)
            try:
                read = self._relations(part)
                with_them = assumed_with(read.relations, read.needs, part, integers_among(self._declared.conditions))
            except ReadingError as error:
                said = f"this condition cannot be read: {error.message}"
                raise ReadingError(said, self._source, position) from None
            more = tuple(r for r in with_them if isinstance(r, Relation))
            texts = (*read.texts, *((plain(r.lhs), plain(r.rhs)) for r in more))
            found = found.with_more(_Read((*read.relations, *more), (), texts))
        return found

    def _is_of_its_own(self, part: str) -> bool:
        """Whether it is one relation that says what a name, or function, stands for that nothing else speaks of."""
        try:
            cursor = Cursor(part, tokens(part), self._declared.names)
            name = read_name(cursor)
        except ReadingError:
            return False
        stop = cursor.peek(-1).end
        if (closing := cursor.closes_at()) > 0:
            cursor.at += closing + 1
        signs = [token.text for token in cursor.symbols if token.text in RELATIONS or token.text == r"\in"]
        following = cursor.peek().text
        if not name or (following not in RELATIONS and following != r"\in") or len(signs) != 1:
            return False
        return not self._declared.knows(part[:stop])

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
        joint = _Joint()
        while parser.peek().kind != "end":
            start = parser.at
            try:
                self._next(parser, found, joint)
            except ReadingError as error:
                if not self._recover:
                    raise
                parser.at = start
                found.append(_Statement([self._passed_over(parser, error.message, whole=True)]))
                joint.before = "row"
        if joint.before in CONNECTORS:
            if not self._recover:
                parser.fail("expected a relation after the implication")
            found.append(_Statement([self._passed_over(parser, "expected a relation after the implication")]))
        return found

    def _next(self, parser: LatexParser, found: list[_Statement], joint: _Joint) -> None:
        """Take a statement, or what stands between two."""
        token = parser.peek()
        if token.kind == "row":
            parser.advance()
            joint.row = int(token.text)
            if parser.peek().text in RELATIONS and found:
                self._continue(parser, found[-1], joint.row)
                return
            if parser.peek().text not in CONNECTORS:
                joint.before = "row"
            return
        if token.text in CONNECTORS:
            if not found or joint.before in CONNECTORS:
                parser.refuse("an implication needs a relation on both sides", token)
            parser.advance()
            joint.before = token.text
            return
        if token.text in (",", ";", r"\land"):
            parser.advance()
            joint.before = ","
            return
        if found and joint.before not in CONNECTORS and joint.before not in (",", "row"):
            parser.fail("expected an operator or a relation", token)
        statement = _Statement(before=joint.before)
        self._begin(parser, statement)
        self._continue(parser, statement, joint.row)
        if self._recover and not statement.ops and statement.before == "row" and found:
            # a row without a relation might continue the one before
            last = found[-1].members[-1]
            found[-1].members[-1] = replace(last, unread=last.unread or "does the next line continue it?")
        found.append(statement)
        joint.before = "end of statement"

    def _passed_over(self, parser: LatexParser, why: str, *, whole: bool = False) -> _Member:
        """Go on to the next relation or connector outside brackets (`whole`: the next row); what was passed over."""
        first, depth, cases = parser.peek(), 0, 0
        last = first
        while (token := parser.peek()).kind != "end":
            cases += (token.text == r"\cases") - (token.text == r"\endcases")
            outside = depth <= 0 and cases <= 0 and not whole
            if (token.kind == "row" and cases <= 0) or (outside and token.text in (*RELATIONS, *CONNECTORS)):
                break
            depth += (token.text in CLOSERS) - (token.text in ENDS)
            last = parser.advance()
        if last is first and whole and parser.peek().kind == "row" and parser.peek() is first:
            parser.advance()
        return _Member(sp.nan, (), "", first.position, max(last.end, first.position), why)

    def _begin(self, parser: LatexParser, statement: _Statement) -> None:
        start = parser.at
        name = None
        try:
            name = read_name(parser)
        except ReadingError:
            name = None
        if name is None or parser.peek().text != ":=":
            parser.at = start
            member = self._member(parser)
            statement.members.append(member)
            if (
                self._recover and not member.unread and parser.take(":=")
            ):  # of a value, such as f(x): nothing is claimed
                statement.members[0] = self._member(parser)
                statement.before = ":=" if statement.before == "row" else statement.before
            return
        position = parser.peek().position
        if declared_as(name, self._declared.names) is not None:
            self._declared.doubt(name, f"{name} is defined in line {self._lines.of(position)[0]} once more")
            raise ReadingError(f"{name} is already declared", self._source, position)
        parser.advance()
        member = self._member(parser)
        if member.unread and self._declared.guessing:
            statement.members.append(member)  # the name is guessed where it is used
            return
        if member.unread:
            self._declared.doubt(name, f"{name} is defined in line {self._lines.of(position)[0]}, which was not read")
            statement.members.append(member)
            return
        self._declared.abbreviate(spellings([name])[name], member.value, member.needs, member.text)
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
            if not statement.ops and statement.before != ":=" and not self._recover:
                following = parser.peek(1) if token.kind == "row" else token
                if following.text not in RELATIONS:
                    parser.fail("expected a relation sign")
            return
        if token.text == ":=":
            parser.refuse("':=' needs a new name on its left", token)
        parser.fail("expected an operator, a relation or the end", token)

    def _member(self, parser: LatexParser) -> _Member:
        at = parser.at
        while True:
            try:
                return self._understood(parser)
            except ReadingError as error:
                if not self._recover:
                    raise
                parser.at = at
                passed = self._passed_over(parser, error.message)
                if not self._named(parser, at, error):
                    return passed
                parser.at = at

    def _understood(self, parser: LatexParser) -> _Member:
        start = parser.peek().position
        node: Node = parser.expression()
        end = parser.peek(-1).end
        if self._recover and not _ends_a_member(parser.peek()):
            parser.fail("expected an operator, a relation or the end")
        meaning = self._declared.meaning(self._source)
        value = meaning.expression(node)
        return _Member(value, tuple(meaning.needs), text_of(node), start, end)

    def _named(self, parser: LatexParser, start: int, error: ReadingError) -> bool:
        """Give a name to what could not be understood, between `start` and where the parser is; whether that is new."""
        if error.position is None or error.text != self._source:
            return False
        undeclared = error.name if isinstance(error, Undeclared) else ""
        one = around(self._source, parser.symbols, start, parser.at, error.position, parser.opaque)
        if one is not None and not (undeclared and one.kind in ("val", "size")):
            parser.opaque[one.start] = (self._declared.name_of(one), one.stop)
            return True
        declared = self._declared
        known = undeclared in declared.lost or declared_as(undeclared, declared.names) is not None
        if undeclared and declared.guessing and not known:
            declared.guess(undeclared)
            return True
        return False

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
                before = groups[index - 1]
                steps.append(self._implied(joined, before[1], group, index > 1 and before[0] in CONNECTORS))
            elif following not in CONNECTORS:
                for statement in group:
                    steps += self._single(statement)
        return steps

    def _unread(self, start: int, end: int, why: str) -> WrittenStep:
        """A part of the source that could not be read."""
        return WrittenStep((), *self._lines.of(start), self._shown(start, end), unread=why)

    def _single(self, statement: _Statement) -> list[WrittenStep]:
        steps: list[WrittenStep] = []
        members = statement.members
        if not statement.ops and statement.unread:
            return [self._unread(members[0].start, members[-1].end, statement.unread)]
        for i, op in enumerate(statement.ops):
            left, right = members[i], members[i + 1]
            last = i + 1 == len(statement.ops) or statement.rows[i + 1] != statement.rows[i]
            beside = self._reasons.get(statement.rows[i], _Beside())
            beside = beside if last else beside.before_its_last
            if why := left.unread or right.unread or beside.unread:
                steps.append(self._unread(left.start if i == 0 or left.unread else right.start, right.end, why))
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
                    i > 0 and not steps[-1].unread,
                    beside.reason,
                    (*left.needs, *right.needs, *beside.needs),
                    ((left.text, right.text),) if left.text and right.text else (),
                    beside.premises.texts,
                    lost=self._lost,
                )
            )
        return steps

    def _implied(self, sign: str, left: list[_Statement], right: list[_Statement], continues: bool) -> WrittenStep:
        why = next((s.unread for s in (*left, *right) if s.unread), "")
        try:
            if why:
                raise ReadingError(why)
            return self._implication(sign, left, right, continues)
        except ReadingError as error:
            if not self._recover:
                raise
            return self._unread(left[0].members[0].start, right[-1].members[-1].end, error.message)

    def _implication(self, sign: str, left: list[_Statement], right: list[_Statement], continues: bool) -> WrittenStep:
        backwards, both = CONNECTORS[sign]
        line, column = self._lines.of(right[0].members[0].start)
        beside = self._beside_all(left, right)
        if beside.unread:
            raise ReadingError(beside.unread)
        extra = beside.premises
        sides = [_relations(side) for side in (left, right)]
        premises, claim = sides[::-1] if backwards else sides
        if not premises or not claim:
            raise ReadingError("an implication needs a relation on both sides", self._source, right[0].members[0].start)
        if extra.relations and both:
            raise ReadingError(
                "write the condition of an equivalence as an assumption", self._source, right[0].members[0].start
            )
        latex = f"{self._conjunction(left)} {sign} {self._conjunction(right)}"
        needs = tuple(n for s in (*left, *right) for m in s.members for n in m.needs)
        texts = [_texts(side) for side in (left, right)]
        given, claimed = texts[::-1] if backwards else texts
        return WrittenStep(
            claim, line, column, latex, (*premises, *extra.relations), both, continues, beside.reason,
            (*needs, *beside.needs), claimed, (*given, *extra.texts), lost=self._lost,
        )  # fmt: skip

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
        return self._shown(member.start, member.end, self._declared.macros)

    def _shown(self, start: int, end: int, macros: Macros = MappingProxyType({})) -> str:
        """A part of the source without breaks, marks and comments."""
        raw = expand(re.sub(r"(?<!\\)%[^\n]*", "", self._source[start:end]), macros)
        raw = re.sub(r"\\\\\*?(?:\[[^\]\n]*\])?|(?<!\\)&|\\nonumber|\\notag|\\label\{[^}]*\}", " ", raw)
        return re.sub(r"\s+", " ", raw).strip()


def _ends_a_member(token: Token) -> bool:
    return token.kind in ("end", "row") or token.text in (*RELATIONS, *CONNECTORS, ",", ";", r"\land", ":=")


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
