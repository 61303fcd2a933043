"""From the symbols of a display to steps: rows, relations, implications, definitions and reasons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from types import MappingProxyType

import sympy as sp

from dpsym.core.families import MARK, UPTO
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation, is_function
from dpsym.deciding.definedness import Need
from dpsym.language.documents.citations import cited
from dpsym.language.documents.declarations import Declared, assumed_with, integers_among
from dpsym.language.documents.derivation import Reason, Texts, WrittenChain, WrittenStep, in_plain
from dpsym.language.documents.proposals import says_only_bounds
from dpsym.language.documents.prose import (
    explained,
    restricted_after,
    supposes,
    touched,
    transforms,
)
from dpsym.language.documents.quantifiers import (
    RANGING,
    in_relations,
    narrower,
    of_both_signs,
    of_what,
    refuse_constants,
    split,
)
from dpsym.language.documents.remarks import (
    is_label,
    parts_of,
    refuse_what_goes_on,
    restricting,
)
from dpsym.language.documents.roles import Role
from dpsym.language.documents.texts import Written
from dpsym.language.errors import Applied, ReadingError, Undeclared, Varies, already_declared
from dpsym.language.latex.cursor import CLOSERS, ENDS, Cursor
from dpsym.language.latex.functions import LETTERS
from dpsym.language.latex.grammar import LONGEST_ROW, RELATIONS, LatexParser, parse_latex
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.names import read_name
from dpsym.language.latex.opaque import Opaque, all_applied, around, as_product, vague
from dpsym.language.latex.rows import (
    as_it_looks,
    begins_with_words,
    goes_on,
    next_solid,
    reason_at,
    relates,
    rows_of,
    with_conjunctions,
    without_empty_groups,
    without_number,
    words_before,
)
from dpsym.language.latex.shapes import is_own
from dpsym.language.latex.standard import SIGNS
from dpsym.language.latex.tokens import Token, products, tokens
from dpsym.language.names import ACCENTS, GREEK, canonical, declared_as
from dpsym.language.parsing import name_of, outer_parts, text_of
from dpsym.language.scope import Taken
from dpsym.language.tree import Chain, Node

Aside = tuple[int, str, str]  # where words beside a step stand, they themselves, and what of them is used
CONNECTORS = {r"\implies": (False, False), r"\iff": (False, True), r"\impliedby": (True, False)}
_CONTINUING = {"+", "*", "/"}
_JOINING = {*_CONTINUING, "^", "_", "'", "!", r"\pm", r"\mp", r"\div", r"\circ", r"\bmod", r"\over", r"\choose"}
_LAYOUT = {"&", "{", "}", ",", ".", ";"}
_MARKS = re.compile(  # of a display; those of a table in it are its own
    r"(?P<table>\\begin\{(?P<kind>[dr]?cases|[pbvBV]?matrix|array)\*?\}[\s\S]*?\\end\{(?P=kind)\*?\})"
    r"|\\\\\*?(?:\[[^\]\n]*\])?|(?<!\\)&|\\nonumber|\\notag|\\label\{[^}]*\}"
)
INEXACT = {
    r"\approx", r"\simeq", r"\sim", r"\cong", r"\lesssim", r"\gtrsim", r"\ll", r"\gg", r"\propto", r"\asymp", r"\to",
    r"\in", r"\notin", r"\subset", r"\subseteq", r"\supset", r"\supseteq", r"\perp", r"\models", r"\prec", r"\preceq",
    r"\succ", r"\succeq", r"\equiv",
}  # fmt: skip
_RESTRICTING = re.compile(
    r"\b(?:if|when|whenever|for|otherwise|else|where|provided|approx\w*|roughly)\b", re.IGNORECASE
)
_OF_NAMES = re.compile(r"(?P<name>\\?[A-Za-z]+) \( (?P<of>\\?[A-Za-z]+(?: , \\?[A-Za-z]+)*) \)")
_COMMENT = re.compile(r"(\\.)|%[^\n]*", re.DOTALL)
_MOST_READINGS = 4  # of one side
_OPERATIONS = {"+", "-", "*", "/", "^", "_", "'", ",", ".", ";", "&", r"\frac", r"\sqrt", r"\sum", r"\prod", r"\int",
               r"\dots", r"\cdots", r"\ldots", r"\infty", r"\Pr"}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]{2}")
_NOTHING = re.compile(r"(?:\s|\$|\\[\[\]]|\\(?:begin|end)\{[a-z]+\*?\}|\{\}[^$\\]*)*")  # or words between rows
_VALUE = "a value or a product?"
_SEVERAL = "a reader may differ"
_TRANSFORMED = "transformed"  # how a row is joined to the one that is solved in it
_ONE_WAY = "by the words before the display one row may follow from the other, or be what is solved"
_ASIDE = "what stands beside it in the display may be its condition"


@dataclass(frozen=True, slots=True)
class _Member:
    value: sp.Expr
    needs: tuple[Need, ...]
    text: str
    start: int
    end: int
    unread: str = ""  # why it could not be read
    silent: bool = False  # whether what could not be read claims nothing
    others: tuple[_Member, ...] = ()  # other readings of it
    doubts: tuple[str, ...] = ()  # where a reader may differ
    choices: tuple[tuple[str, bool], ...] = ()  # which reading this is
    taken: frozenset[Taken] = frozenset()  # what is kept fixed under binders

    def goes_with(self, other: _Member) -> bool:
        """Whether a reader may read both so: what is a value here is one there."""
        theirs = dict(other.choices)
        return all(theirs.get(said, taken) == taken for said, taken in self.choices if _VALUE in said)


@dataclass(slots=True)
class _Statement:
    """A chain of relations, not yet asserted."""

    members: list[_Member] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # the row in which each relation ends
    marks: list[str] = field(default_factory=list)  # what stands above each relation
    before: str = "row"  # how it is joined to the statement before
    defines: bool = False  # whether it says what a name or a value stands for

    @property
    def claims(self) -> bool:
        """Whether it holds a relation and was read."""
        return bool(self.ops) and not self.unread

    @property
    def unread(self) -> str:
        """Why a part of it could not be read."""
        return next((m.unread for m in self.members if m.unread), "") or next(map(_inexact, self.ops), "")


def _has_a_left_side(row: Sequence[Token]) -> bool:
    """Whether what stands before the mark of the column is compared with what stands after it."""
    at = next((n for n, token in enumerate(row) if token.text == "&"), 0)
    return at > 0 and row[at + 1 : at + 2] != [] and row[at + 1].text in RELATIONS


def _inexact(sign: str) -> str:
    """Why a relation cannot be checked; empty where it can."""
    return f"{sign} is no exact relation between numbers" if sign in INEXACT else ""


@dataclass(frozen=True, slots=True)
class _Read:
    """Relations, what they need to have a value, and how they were written."""

    relations: tuple[Relation, ...] = ()
    needs: tuple[Need, ...] = ()
    texts: Texts = ()
    taken: frozenset[Taken] = frozenset()

    def with_more(self, other: _Read) -> _Read:
        return _Read(
            (*self.relations, *other.relations), (*self.needs, *other.needs), (*self.texts, *other.texts),
            self.taken | other.taken,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Beside:
    """What stands beside a step: the reason, the conditions under which it is claimed, what its values need."""

    reason: Reason | None = None
    premises: _Read = field(default_factory=_Read)
    needs: tuple[Need, ...] = ()
    unread: str = ""  # why it could not be read
    lost: str = ""  # why it may restrict the step

    def with_more(self, other: _Beside) -> _Beside:
        """What stands beside two lines of one relation."""
        reasons = [r for r in (self.reason, other.reason) if r is not None]
        return _Beside(
            reduce(Reason.with_more, reasons) if reasons else None,
            self.premises.with_more(other.premises),
            (*self.needs, *other.needs),
            self.unread or other.unread,
            self.lost or other.lost,
        )

    @property
    def before_its_last(self) -> _Beside:
        """For the other relations of the line: conditions and values are theirs, too, what proves the last is not."""
        reason = self.reason
        if reason is not None and (self.premises.relations or reason.at):
            return replace(self, reason=replace(reason, theorem=None, citation=None))
        return _Beside(unread=self.unread, lost=self.lost)


def _head_of_function(parser: LatexParser) -> tuple[str, tuple[str, ...]]:
    """The name and the variables in ``f(s, t) :=``, or with `=`; nothing where something else stands there."""
    try:
        name, variables = canonical(read_name(parser)), list[str]()
        while parser.take("," if variables else "("):
            variables.append(canonical(read_name(parser)))
    except ReadingError:
        return "", ()
    closed = bool(variables) and parser.take(")") and (parser.take(":=") or parser.take("="))
    return (name, tuple(variables)) if closed and len({name, *variables}) == 1 + len(variables) else ("", ())


def _function_of(value: Opaque) -> str:
    """The head of a definition of a function, where this may be one: ``f(x, y)``."""
    head = _OF_NAMES.fullmatch(value.text)
    try:
        return f"{name_of(head['name'])}({', '.join(map(name_of, head['of'].split(',')))})" if head else ""
    except ReadingError:
        return ""


def _restricts(beside: _Beside) -> bool:
    """Whether what stands beside a line says where it holds."""
    said = "" if beside.reason is None else beside.reason.text
    return bool(beside.premises.relations or beside.unread or _RESTRICTING.search(said))


@dataclass(frozen=True, slots=True)
class Ended:
    """A display that was read: where it ends, its last expression, where that was read, and what its reasons say."""

    stop: int
    member: _Member | None
    said: tuple[Aside, ...] = ()


def read_display(
    source: str,
    start: int,
    stop: int,
    declared: Declared,
    lines: Written,
    *,
    before: Ended | None = None,
    role: Role | None = None,
) -> tuple[WrittenChain | None, Ended]:
    """The steps of the display `source[start:stop]`, and how it ends; its definitions are added to what is declared.

    Each part that cannot be read is a step that says so, and a display that begins with a relation continues the one
    `before` it, if nothing stands between them.  `role` is what the words around it make of it.
    """
    display = _Display(source, declared, lines)
    display.supposed = role is not None and role.supposes(equation=True)
    if before is not None and _NOTHING.fullmatch(source, before.stop, start):
        display.before, display.follows = before.member, True
    chain = display.read(start, stop)
    return chain, Ended(stop, display.last, tuple(display.said))


def _claims_nothing(token: Token, following: str) -> bool:
    """Whether it is a sign of a formula that is no claim: a letter, a number, an operation, a bracket, a function."""
    if token.kind == "text":
        return following in ("(", "[")
    name = token.text.removeprefix("\\")
    silent = name in GREEK or name in ACCENTS or token.text in (*CLOSERS, *ENDS, *_OPERATIONS)
    return token.kind in ("letter", "number", "gap") or silent


@dataclass(slots=True)
class _Joint:
    """Between two statements: the row, and how the next one is joined."""

    row: int = 0
    before: str = "row"


class _Display:
    def __init__(self, source: str, declared: Declared, lines: Written) -> None:
        self._source, self._declared, self._lines = source, declared, lines
        self._reasons: dict[int, _Beside] = {}
        self._flat: list[Token] = []  # the rows so far
        self._current = 0  # the row in which the last of them began
        self._comma = False  # whether the row before ends in a comma
        self._dangling = False  # whether the formula goes on after them
        self.before: _Member | None = None  # the expression that this one may continue
        self.follows = False  # whether nothing stands between it and the display before
        self.last: _Member | None = None
        self.said: list[Aside] = []
        self._start = self._stop = 0
        self._symbols: list[Token] = []  # of the display
        self._solved = ""  # whether the words before it say that its rows are transformed, as `transforms` says
        self.supposed = False  # whether the words before it make it an assumption or a definition
        self._restricted = False  # whether what it defines may be restricted by the words after it
        self._lost = ""  # what was not read and may have been a condition

    def read(self, start: int, stop: int) -> WrittenChain | None:
        if not self._source[start:stop].strip():
            return None
        try:
            return self._read(start, stop)
        except ReadingError as error:
            return WrittenChain((self._unread(start, stop, error.message),), self._lines.of(start)[0])

    def _read(self, start: int, stop: int) -> WrittenChain | None:
        self._start, self._stop = start, stop
        formula = _COMMENT.sub(lambda m: m[1] or " " * len(m[0]), self._source[start:stop])
        self._source = f"{self._source[:start]}{formula}{self._source[stop:]}"
        self._solved = transforms(self._source, start)
        self._restricted = restricted_after(self._source, stop)
        parser = self._parser(start, stop)
        if self._is_cut(start, stop):
            raise ReadingError("the formula goes on in what stands before or after this display: write it in one")
        statements = self._statements(parser)
        steps = self._steps(statements)
        if not statements and any(beside.premises.relations for beside in self._reasons.values()):
            raise ReadingError("a condition without a step: put it beside its step")
        self._declared.seen.update(s for one in statements for m in one.members for s in m.value.free_symbols)
        if statements and statements[-1].ops and not statements[-1].members[-1].unread:
            self.last = statements[-1].members[-1]
        if not steps:
            return None
        return WrittenChain(tuple(steps), steps[0].line, abbreviations=dict(self._declared.abbreviations))

    def _is_cut(self, start: int, stop: int) -> bool:
        """Whether a sign after or before which a formula goes on stands at an end of it, or of a formula beside it."""
        solid = [t for t in self._symbols if t.kind not in ("gap", "row", "note", "end") and t.text not in _LAYOUT]
        if not solid or touched(self._source, start, stop):
            return bool(solid)
        first, last = solid[0], solid[-1]
        begins = first.text in _JOINING or (first.text == "-" and self.follows)
        return begins or (goes_on(last) and (len(solid) == 1 or solid[-2].text not in ("^", "_")))

    def _parser(self, start: int, stop: int) -> LatexParser:
        """Before the rows between these places, what is opaque in them found."""
        symbols = tokens(self._source, start, stop, self._declared.macros, recover=True)
        self._symbols = symbols = products(symbols, self._declared.names.keys() - self._declared.guessed.keys())
        flat = self._joined(rows_of(symbols), symbols[-1])
        parser = LatexParser(self._source, flat, self._declared.names)
        parser.lenient = True
        for one in all_applied(self._source, flat, self._declared.applied):
            if not vague(flat, one.start, one.stop):
                self._name(parser, one)
        return parser

    def _name(self, parser: LatexParser, one: Opaque) -> None:
        """Let the parser read a quantity by its name; and as a product, where nobody says that it is a value."""
        declared = self._declared
        parser.opaque[one.start] = (declared.name_of(one), one.stop)
        known = one.text.partition(" ")[0].lstrip("\\") in declared.functions
        factors = None if known else as_product(self._source, parser.symbols, one)
        if factors is not None:
            first, second = factors
            parser.products[one.start] = (declared.name_of(first), first.stop)
            parser.opaque[second.start] = (declared.name_of(second), second.stop)

    # --- rows
    def _joined(self, rows: list[list[Token]], end: Token) -> list[Token]:
        """The rows as one list, reasons set aside, rows that continue the one before without a break."""
        for number, whole in enumerate(rows):
            try:
                self._row(number, whole)
            except ReadingError as error:
                self._unread_row(number, whole, error.message)
        return [*self._flat, Token("end", "", end.position, end.position)]

    def _row(self, number: int, whole: list[Token]) -> None:
        if len(whole) > LONGEST_ROW:
            raise ReadingError(f"a line of more than {LONGEST_ROW} symbols", self._source, whole[0].position)
        if begins_with_words(whole):
            self._lost = self._lost or _ASIDE
        whole = with_conjunctions(whole)
        after_comma, self._comma = self._comma, bool(whole) and whole[-1].text == ","
        if {t.text for t in whole if t.kind != "gap"} <= {r"\vdots", "&", ".", ","}:
            return
        row, beside = self._without_reason(whole) if whole else ([], None)
        row, of_all = split(row)
        row = self._checked(row)
        if of_all and not row:
            raise ReadingError("something is said of all, and what that is stands elsewhere")
        for piece, ends in of_all:
            found = _Beside(premises=self._of_all(piece, ends=ends))
            beside = found if beside is None else beside.with_more(found)
        if not row:
            self._beside(self._current, beside)
            return
        if self._flat:
            first = row[0]
            dangling = self._dangling
            seen = next((t for t in row if t.text not in ("{", "}")), first)
            if first.text == "{" and seen.text in ("+", "-", "*", "/") and not dangling:
                said = "a line that starts with a sign in braces may continue the line above: take the braces away"
                raise ReadingError(said, self._source, first.position)
            if first.text == "-" and not dangling and not (self._solved and _has_a_left_side(whole)):
                raise ReadingError(
                    "a line that starts with a minus sign could continue the line above: bracket it, "
                    "or end the line above with the sign",
                    self._source,
                    first.position,
                )
            if not dangling and first.text not in _CONTINUING:
                if after_comma and self._only_bounds(row):
                    self._lost = self._lost or _ASIDE
                self._break(number, first.position)
        self._beside(self._current, beside)
        self._flat += row
        above = len(row) > 1 and row[-2].text in ("^", "_")  # a star there is part of a name
        self._dangling = not above and self._goes_on(row[-1])

    def _only_bounds(self, row: list[Token]) -> bool:
        """Whether the row may be a condition of those before: it bounds names and says nothing else."""
        return says_only_bounds(self._source[row[0].position : row[-1].end].replace("&", ""), self._declared.macros)

    def _goes_on(self, last: Token) -> bool:
        """Whether the formula goes on after the symbol; after what is no notation, and has no argument, it may."""
        if last.kind == "text" and declared_as(last.value, self._declared.names) is not None:
            return False
        return goes_on(last) or (last.kind == "unread" and not self._source.endswith("}", last.position, last.end))

    def _break(self, number: int, position: int) -> None:
        self._current = number
        self._flat.append(Token("row", str(number), position, position))

    def _unread_row(self, number: int, row: list[Token], why: str) -> None:
        """One symbol for the row; where it might continue the row before, that is not read to its end."""
        place = Token("unread", "unread", row[0].position, row[-1].end, why)
        first = next((t for t in row if t.text != "&" and t.kind != "gap"), row[0])
        if first.text in RELATIONS or first.text in CONNECTORS:
            self._break(number, place.position)
        self._flat.append(place)
        solid = [t for t in row[: reason_at(row)] if t.text != "&" and t.kind != "gap"]
        above = len(solid) > 1 and solid[-2].text in ("^", "_")
        self._dangling = bool(solid) and not above and self._goes_on(solid[-1])

    def _without_reason(self, row: list[Token]) -> tuple[list[Token], _Beside | None]:
        start, stop = words_before(row)
        cut = start if stop else reason_at(row)
        if cut is None:
            return row, None
        begin = row[cut].position
        end, rest = (row[start].end, row[stop:]) if stop else (row[-1].end, row[:cut])
        alone = all(t.kind == "gap" or t.text in ("&", "{", "}") for t in rest)
        try:
            raw = expand(self._source[begin:end], self._declared.macros)
            words, apart = [t.value for t in row[cut:] if t.kind == "text"], alone or row[cut].kind != "text"
            refuse_what_goes_on(raw, words, related=alone or relates(rest), apart=apart)
        except ReadingError as error:
            raise ReadingError(error.message, self._source, begin) from None
        try:
            return rest, self._reason(raw, begin, alone=alone)
        except ReadingError as error:
            if alone:
                raise
            return rest, _Beside(unread=error.message)

    def _beside(self, row: int, beside: _Beside | None) -> None:
        """Beside the line where the row began, whichever of its lines it stands on."""
        if beside is not None:
            known = self._reasons.get(row)
            self._reasons[row] = beside if known is None else known.with_more(beside)

    def _checked(self, row: list[Token]) -> list[Token]:
        """Without alignment marks and wide spaces, which must not stand where they might separate two formulas."""
        row = as_it_looks(without_number(without_empty_groups(row)))
        while row and (row[-1].text in (".", ",", ";", "&") or row[-1].kind == "gap"):
            row = row[:-1]
        while row and (row[0].text == "&" or row[0].kind == "gap"):
            row = row[1:]
        if row and row[0].text == ":":
            row, self._lost = row[1:], self._lost or "what is said before the colon was not read"
        kept: list[Token] = []
        cases, cut = 0, False
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
                    if token.text == "&" and not relates(kept) and not cut:
                        cut = True  # alone, it aligns
                        continue
                    if relates(kept) and relates(row, index + 1):
                        kept.append(Token("sign", ",", token.position, token.end))
                        continue
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
            if part.role == "over":
                for one in outer_parts(mathematics):
                    first = tokens(one, recover=True)[0]
                    self._symbol(first.value or first.text.lstrip("\\"))
            elif part.role == "at":
                at = at.with_more(self._relations(mathematics))
            elif part.role:
                premises = premises.with_more(self._premises(part.role, mathematics, position))
        used = " ".join(part.mathematics for part in parts if part.role)
        self.said.append((position, raw, used))
        shown = re.sub(r"\\(?:text|textrm|mbox|textit|tag\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1", text)
        shown = " ".join(shown.split()).rstrip(".,;").strip()
        theorem, citation = cited(shown, self._declared.works)
        said = restricting(text, parts) if theorem is None else ""
        lost = f"what {said!r} beside it means was not read" if said else ""
        reason = Reason(shown, theorem, citation, at.relations, at.texts)
        premises = replace(premises, taken=premises.taken | at.taken)
        return _Beside(reason, premises, at.needs, lost=lost)

    def _of_all(self, piece: list[Token], *, ends: bool) -> _Read:
        r"""The conditions under which a claim is said after ``\forall``, as far as they can be read.

        Raises:
            ReadingError: where less is declared of a name than what is said of it, or more may be said than that.
        """
        text = "" if not piece else self._source[piece[0].position : piece[-1].end]
        parts = outer_parts(expand(text, self._declared.macros).replace("&", " "))
        found, waiting, unclear = _Read(), list[str](), "is this a range, or a claim? write it on a line of its own"
        for part in parts:
            symbols = tokens(part)
            sign = next((t for t in symbols if t.text in RANGING), symbols[-1])
            if sum(t.text in RANGING for t in symbols) > 1 and sign.text == r"\in":
                raise ReadingError(unclear)
            if any(t.kind == "text" or t.text in (":", *CONNECTORS) for t in symbols):
                raise ReadingError(unclear)
            if sign.kind == "end":
                waiting.append(self._symbol(name_of(part)).name)
                continue
            if sign.text != r"\in" and len(parts) > 1 and not ends:
                raise ReadingError(unclear)
            found = found.with_more(self._range(part, sign, waiting, self._elsewhere(piece)))
            waiting = []
        self._lost = self._lost or ("what is said after 'for all' was not read" if waiting else "")
        known = self._declared.conditions
        return _Read() if all(r in known or r.swapped in known for r in found.relations) else found

    def _elsewhere(self, piece: list[Token]) -> set[str]:
        """The letters and words of the display outside of the piece, and those in what they stand for."""
        words = {t.value or t.text.lstrip("\\") for t in self._symbols if t not in piece}
        words |= set(map(canonical, words))
        stands_for = [v for name, v in self._declared.names.items() if words.intersection(name.split("_"))]
        linked = [c for c in self._declared.conditions if len(c.free_symbols) > 1]
        names = (
            s.name
            for one in (*stands_for, *linked)
            if isinstance(one, sp.Expr) or one in linked
            for s in one.free_symbols
        )
        return words.union(*(name.rstrip("'").split("_") for name in names))

    def _range(self, part: str, sign: Token, others: Sequence[str], elsewhere: set[str]) -> _Read:
        r"""What is said of a name, and of others with it: ``x, y \in [0, 1]``; of nothing else, it is of no matter."""
        read: _Read | None = None
        written = part[: sign.position].strip()
        with suppress(ReadingError):
            said = in_relations(part, written) if sign.text == r"\in" else None
            read = _Read() if said == "" else self._relations(part if said is None else said)
        name = None if read is None else of_what(read.relations)
        if read is None or name is None:
            name = self._symbol(name_of(written))
        names = [name, *map(self._symbol, others)]
        for each in (one for one in names if elsewhere.intersection(one.name.rstrip("'").split("_"))):
            self._refuse_narrower(each, () if read is None else tuple(r.subs({name: each}) for r in read.relations),
                                  both_ends=sign.text == r"\in")  # fmt: skip
        if read is None:
            self._lost = self._lost or "what is said after 'for all' was not read"
            return _Read()
        relations = tuple(r.subs({name: each}) for each in names for r in read.relations)
        return _Read(relations, (), (), read.taken)

    def _symbol(self, name: str) -> sp.Symbol:
        """The variable of which something is said; none of the letters with a meaning of their own is one."""
        known = declared_as(name, self._declared.names)
        if known is None and (canonical(name) in ("e", "pi") or name in LETTERS):
            raise ReadingError(f"{name} has a meaning of its own here, and is no variable: declare it, or take another")
        return sp.Symbol(known or canonical(name))

    def _refuse_narrower(self, name: sp.Symbol, said: Sequence[Relation], *, both_ends: bool) -> None:
        """Raise where more is declared of a name than what the text says when it speaks of all of its values."""
        if declared_as(name.name, self._declared.names) is None:
            self._declared.guessed_now(name.name)
        quantities = {sp.Symbol(q) for q, one in self._declared.opaque.items() if name.name in one.letters}
        known = [c for c in self._declared.conditions if c not in self._declared.of_kinds]
        less = [c for c in known if c.free_symbols & quantities]
        less += narrower(name, said, known, both_ends=both_ends)
        if less:
            raise ReadingError(f"it is said of all {name}, and {less[0]} is assumed of it: declare what it is said of")

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
                wide = word.startswith(("for", "whenever")) or (
                    r"\in" in part and word in ("where", "with", "under", "given")
                )
                names = {of_what(read.relations), *of_both_signs(read.relations)} - {None}
                for name in sorted(names, key=str) if wide else ():
                    self._refuse_narrower(name, read.relations, both_ends=r"\in" in part)
                with_them = assumed_with(read.relations, read.needs, part, integers_among(self._declared.conditions))
            except ReadingError as error:
                said = f"this condition cannot be read: {error.message}"
                raise ReadingError(said, self._source, position) from None
            more = tuple(r for r in with_them if isinstance(r, Relation))
            found = found.with_more(_Read((*read.relations, *more), (), (*read.texts, *in_plain(more)), read.taken))
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
            node, meaning, relations = self._declared.condition(part, parse_latex)
            read = _Read(relations, tuple(meaning.needs), texts_of(node, relations), frozenset(meaning.taken))
            found = found.with_more(read)
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
                parser.at = start
                found.append(_Statement([self._passed_over(parser, error.message, whole=True)]))
                joint.before = "row"
        if joint.before in CONNECTORS:
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
            before, after = parser.peek(-1), parser.peek(1)
            if (before.kind, after.kind) == ("number", "number") and after.position == token.end:
                self._lost = self._lost or _ASIDE
                parser.fail("a comma between two numbers: of decimals, or of a list?", token)
            parser.advance()
            joint.before = ","
            beside = token.text != r"\land" and token.value != "and"
            if beside and relates(parser.symbols, parser.at, breaks=(",", ";", *CONNECTORS)):
                self._lost = self._lost or _ASIDE
            return
        if found and joint.before not in CONNECTORS and joint.before not in (",", "row"):
            parser.fail("expected an operator or a relation", token)
        statement = _Statement(before=joint.before)
        self._begin(parser, statement)
        if found and not found[-1].ops and not found[-1].defines and joint.before == "row":
            why = "does it continue the line before, which has no relation?"
            statement.members[0] = replace(statement.members[0], unread=statement.members[0].unread or why)
        self._continue(parser, statement, joint.row)
        self._refuse_range(statement, {s for one in found for m in one.members for s in m.value.free_symbols})
        reason = self._reasons.get(joint.row, _Beside()).reason
        if statement.defines and not statement.ops and reason is not None and (reason.theorem or reason.at):
            why = f"a definition claims nothing that {reason.text!r} could support"
            statement.members[0] = replace(statement.members[0], unread=why, silent=False)
        if not statement.ops and not statement.defines and statement.before == "row" and found:
            # a row without a relation might continue the one before
            last = found[-1].members[-1]
            found[-1].members[-1] = replace(last, unread=last.unread or "does the next line continue it?")
        found.append(statement)
        joint.before = "end of statement"

    def _refuse_range(self, statement: _Statement, spoken_of: set[sp.Symbol]) -> None:
        """Raise where what follows a comma may say of which values the claim before it is one: ``x^2 = x, x > -1``."""
        if statement.before != "," or statement.unread or "=" in statement.ops:
            return
        said = _relations([statement])
        name = of_what(said)
        if name in spoken_of and all(one.free_symbols == {name} for one in said):
            self._refuse_narrower(name, said, both_ends=False)

    def _passed_over(self, parser: LatexParser, why: str, *, whole: bool = False) -> _Member:
        """Go on to the next relation or connector outside brackets (`whole`: the next row); what was passed over."""
        first, depth, cases = parser.peek(), 0, 0
        last, silent, quantified = first, True, first.text == r"\forall"
        while (token := parser.peek()).kind != "end":
            cases += (token.text == r"\cases") - (token.text == r"\endcases")
            outside = depth <= 0 and cases <= 0 and not whole
            relates = token.text in (*RELATIONS, *CONNECTORS) or (token.text in INEXACT and not quantified)
            if (token.kind == "row" and cases <= 0) or (outside and relates):
                break
            silent = silent and _claims_nothing(token, parser.peek(1).text)
            depth += (token.text in CLOSERS) - (token.text in ENDS)
            last = parser.advance()
        silent = silent and depth == 0 and token.kind in ("end", "row")
        if last is first and whole and parser.peek().kind == "row" and parser.peek() is first:
            parser.advance()
        return _Member(sp.nan, (), "", first.position, max(last.end, first.position), why, silent)

    def _begin(self, parser: LatexParser, statement: _Statement) -> None:
        start = parser.at
        name = None
        if parser.peek().text in (*RELATIONS, *INEXACT):
            at, why = parser.peek().position, "nothing stands on its left: it continues what is written elsewhere"
            before = self.before if start == 0 else None
            statement.members.append(before or _Member(sp.nan, (), "", at, at, why))
            return
        if self._function(parser, statement):
            return
        try:
            name = read_name(parser)
        except ReadingError:
            name = None
        if name is None or parser.peek().text != ":=":
            parser.at = start
            member = self._member(parser)
            statement.members.append(member)
            if not member.unread and parser.take(":="):  # of a value, such as f(x)
                statement.members[0] = meant = replace(self._member(parser), silent=False)
                if not member.value.is_Symbol and not self._declared.is_fresh(member.value):
                    why = "a definition of what is no name: nothing that mentions it is known"
                    statement.members[0] = replace(member, unread=why, silent=False)
                    for symbol in member.value.free_symbols:
                        self._declared.perhaps.setdefault(symbol, self._lines.of(member.start)[0])
                if self._declared.is_fresh(member.value) and not meant.unread and not meant.others:
                    self._declared.define_value(member.value.name, meant.value, meant.needs, meant.text, meant.taken)
                statement.defines = True
            return
        position = parser.peek().position
        if not self._declared.is_free(name):
            self._doubt(name, position, "is defined", " once more")
            raise already_declared(name, self._source, position)
        parser.advance()
        member = self._member(parser)
        member = replace(member, silent=False)
        supposed = supposes(self._source, self._start) or self._restricted
        if supposed or any(map(_restricts, self._reasons.values())):
            member = replace(member, unread=member.unread or "a definition under a condition")
            self._doubt(name, position, "is defined", ", under a condition")
            statement.members.append(member)
            return
        if member.others:
            member = replace(member, unread=f"{_SEVERAL}: {member.doubts[0]}", others=())
        if member.unread and self._declared.guessing:
            statement.members.append(member)  # the name is guessed where it is used
            return
        if member.unread:
            self._doubt(name, position, "is defined", ", which was not read")
            statement.members.append(member)
            return
        self._declared.abbreviate(canonical(name), member.value, member.needs, member.text, member.taken)
        statement.members.append(member)
        statement.defines = True

    def _doubt(self, name: str, position: int, what: str, how: str = "") -> None:
        """Let the name mean nothing from here on, as something was done to it there."""
        self._declared.doubt(name, f"{name} {what} in line {self._lines.of(position)[0]}{how}")

    def _function(self, parser: LatexParser, statement: _Statement) -> bool:
        """After ``f(t) :=``, of variables of which nothing is known: f is a function from here on.  Whether it is so.

        What stands for quantities of which only the kind is known may change with a variable, and is no formula.
        """
        start, names = parser.at, self._declared.names
        name, variables = _head_of_function(parser)
        again = is_function(names.get(name), defined=True)
        if parser.peek(-1).text != ":=":  # f(t) = 2, of which nothing may be known
            if again and any(declared_as(v, names) is None for v in variables):
                self._doubt(name, self._start, "may be defined anew")
            parser.at = start
            return False
        if again:
            self._doubt(name, parser.peek(-1).position, "is defined", " once more")
            raise already_declared(name, self._source, parser.peek(-1).position)
        heads = {head for head in self._declared.applied if head.lstrip("\\") == name}
        free = heads and self._declared.is_free(name) and all(map(self._declared.is_anything, variables))
        supposed = supposes(self._source, self._start) or self._restricted or self._lost
        if not free or supposed or any(map(_restricts, self._reasons.values())):
            parser.at = start
            return False
        hidden = {v: names.pop(v, None) for v in variables}
        names.update({v: sp.Symbol(v) for v in variables})
        try:
            member = self._member(parser)
        finally:
            for variable, value in hidden.items():
                del names[variable]
                names.update({} if value is None else {variable: value})
        inside = {s.name for s in member.value.free_symbols}
        following = parser.peek(1).text if parser.peek().kind == "row" else parser.peek().text
        alone = parser.peek().kind in ("end", "row")  # what goes on may be a condition, or a claim of the variables
        alone = alone and following not in {*RELATIONS, *INEXACT, *CONNECTORS}
        if member.unread or member.others or not alone or inside & self._declared.opaque.keys():
            parser.at = start
            return False
        self._declared.abbreviate(name, member.value, member.needs, member.text, member.taken, variables)
        self._declared.applied -= heads  # its values are known from here on
        for start in [i for i, symbol in enumerate(parser.symbols) if symbol.text in heads]:
            parser.opaque.pop(start, None)
            parser.products.pop(start, None)
        statement.members.append(replace(member, silent=False))
        statement.defines = True
        return True

    def _continue(self, parser: LatexParser, statement: _Statement, row: int) -> None:
        parser.related = True
        while parser.peek().text in RELATIONS or parser.peek().text in INEXACT:
            sign = parser.advance()
            if sign.text == r"\in" and not statement.ops and self._in_interval(parser, statement, row):
                continue
            statement.members.append(self._member(parser))
            statement.ops.append(RELATIONS.get(sign.text, sign.text))
            statement.rows.append(row)
            statement.marks.append(sign.value)
        parser.related = False
        token = parser.peek()
        if token.kind in ("end", "row") or token.text in CONNECTORS or token.text in (",", ";", r"\land"):
            return
        if token.text == ":=":
            parser.refuse("':=' needs a new name on its left", token)
        parser.fail("expected an operator, a relation or the end", token)

    def _in_interval(self, parser: LatexParser, statement: _Statement, row: int) -> bool:
        r"""After ``f \in``: ``[a, b)`` as a <= f and f < b; False where no interval stands there."""
        at, opener, inside = parser.at, parser.peek().text, statement.members[-1]
        if opener not in ("(", "[") or inside.unread or inside.others:
            return False
        parser.advance()
        low = self._member(parser)
        high = self._member(parser, (")", "]")) if parser.take(",") else low
        closer = parser.advance().text
        bad = low.unread or high.unread or low.others or high.others or closer not in (")", "]")
        if bad or high is low or not _ends_a_member(parser.peek()) or {low.value, high.value} == {-sp.oo, sp.oo}:
            parser.at = at
            return False
        ends = [Relation(inside.value, ">" if opener == "(" else ">=", low.value)]
        ends += [Relation(inside.value, "<" if closer == ")" else "<=", high.value)]
        if statement.before == ",":  # x^2 \\le x, x \\in [0, 1]
            refuse_constants(ends)
            if inside.value.is_Symbol:
                self._refuse_narrower(inside.value, ends, both_ends=True)
        below = [(low, "<" if opener == "(" else "<=")] if low.value != -sp.oo else []
        above = [("<" if closer == ")" else "<=", high)] if high.value != sp.oo else []
        statement.members = [*(end for end, _ in below), inside, *(end for _, end in above)]
        statement.ops = [*(op for _, op in below), *(op for op, _ in above)]
        statement.rows, statement.marks = [row] * len(statement.ops), [""] * len(statement.ops)
        if inside.value.is_Symbol:
            self._lost = self._lost or "it may say what the name stands for"
        return True

    def _member(self, parser: LatexParser, closing: tuple[str, ...] = ()) -> _Member:
        """An expression up to a relation, a comma, or what closes it."""
        at = parser.at
        while True:
            try:
                return self._understood(parser, closing)
            except ReadingError as error:
                parser.at = at
                passed = self._passed_over(parser, error.message)
                if not self._named(parser, at, error):
                    many = vague(parser.symbols, at, parser.at)
                    return replace(passed, unread=f"{many}(…) stands for many values") if many else passed
                parser.at = at
            finally:
                parser.readings = None

    def _understood(self, parser: LatexParser, closing: tuple[str, ...]) -> _Member:
        """What stands here; where a reader may differ, in each reading."""
        at, found, taken = parser.at, list[_Member](), list[bool]()
        while True:
            parser.at, parser.doubts, parser.readings = at, [], taken
            one = self._one_reading(parser, closing)
            said = zip(parser.doubts, [*taken, *[False] * len(parser.doubts)], strict=False)
            found.append(replace(one, choices=tuple(said)))
            taken += [False] * (len(parser.doubts) - len(taken))
            while taken and taken[-1]:
                taken.pop()
            if not taken:
                break
            taken[-1] = True
            if len(found) >= _MOST_READINGS:
                raise ReadingError(f"{_SEVERAL}, in too many ways: {parser.doubts[0]}")
        texts = {(one.text, one.value): one for one in reversed(found)}
        others = tuple(one for key, one in texts.items() if key != (found[0].text, found[0].value))
        doubts = tuple(dict.fromkeys(said.partition("?")[0] + "?" for said in parser.doubts)) if others else ()
        return replace(found[0], others=others, doubts=doubts)

    def _one_reading(self, parser: LatexParser, closing: tuple[str, ...]) -> _Member:
        start = parser.peek().position
        node: Node = parser.expression()
        end = parser.peek(-1).end
        if not _ends_a_member(parser.peek()) and parser.peek().text not in closing:
            parser.fail("expected an operator, a relation or the end")
        meaning = self._declared.meaning(self._source)
        value = meaning.expression(node)
        self._declared.refuse_vectors(text_of(node))
        text = plain(value) if meaning.opened else text_of(node)
        return _Member(value, tuple(meaning.needs), text, start, end, taken=frozenset(meaning.taken))

    def _varied(self, parser: LatexParser, error: Varies) -> bool:
        """Read a quantity that changes with the index of a sum as a member of a family; whether that may be done.

        A sum without a range goes from 1 to a last index.
        """
        position = error.position or 0
        if not error.name:
            known = position in parser.without_range or UPTO.lstrip("_") in self._source
            parser.without_range.add(position)
            return not known
        here = [at for at, (name, _) in parser.opaque.items() if name == error.name]
        here = [at for at in here if parser.symbols[at].position == position and at not in parser.products]
        raised = any(parser.symbols[parser.opaque[at][1]].text in ("^", "!") for at in here)
        sets = {parser.set_at(at, error.index) for at in here}
        family = self._declared.vary(error.name, error.index, *sets, raised=raised) if len(sets) == 1 else ""
        for at in here if family else ():
            parser.opaque[at] = f"{family.removesuffix(MARK)}[{error.index}]", parser.opaque[at][1]
        return family != ""

    def _named(self, parser: LatexParser, start: int, error: ReadingError) -> bool:
        """Give a name to what could not be understood, between `start` and where the parser is; whether that is new."""
        if error.position is None or error.text != self._source:
            return False
        if isinstance(error, Varies) and self._varied(parser, error):
            return True
        if isinstance(error, Applied) and error.name in self._declared.said and self._declared.guessed_now(error.name):
            return True  # the text says that it is a number
        undeclared = error.name if isinstance(error, Undeclared) else ""
        if undeclared.isalpha() and len(undeclared) > 1 and self._source.startswith(undeclared, error.position):
            return False  # letters side by side may be a product
        position = min(error.position, parser.peek(-1).position)
        one = around(self._source, parser.symbols, start, parser.at, position, parser.opaque)
        if one is not None and vague(parser.symbols, one.start, one.stop):
            return False
        may_be_named = one is not None and (not undeclared or one.kind not in ("val", "size"))
        if not may_be_named and self._declared.guessed_now(undeclared):
            return True
        if one is None or not (may_be_named or undeclared.endswith(MARK)):  # no member of a family that is known
            return False
        self._name(parser, one)
        return True

    # --- steps
    def _steps(self, statements: list[_Statement]) -> list[WrittenStep]:
        groups: list[tuple[str, list[_Statement]]] = []  # how it is joined, and its conjuncts
        solved = self._solved if len(statements) > 1 else ""
        self._lost = self._lost or (_ONE_WAY if solved else "")
        for statement in statements:
            if statement.before == "," and groups and groups[-1][1][-1].ops:
                groups[-1][1].append(statement)
            else:
                joined = statement.before if statement.before in CONNECTORS else "row"
                if joined == "row" and solved and groups and all(one.claims for one in (*groups[-1][1], statement)):
                    joined = _TRANSFORMED
                groups.append((joined, [statement]))
        steps: list[WrittenStep] = []
        listed = len(statements) > 1 and all(one.before == "," for one in statements[1:])
        if listed and not any(one.ops or one.unread for one in statements) and not self._worded():
            return steps  # what is only mentioned claims nothing
        for index, (joined, group) in enumerate(groups):
            following = groups[index + 1][0] if index + 1 < len(groups) else "row"
            if joined != "row":
                before = groups[index - 1]
                sign = r"\iff" if joined == _TRANSFORMED else joined
                steps.append(self._implied(sign, before[1], group, index > 1 and before[0] != "row"))
            elif following == "row" or (following == _TRANSFORMED and solved == "asserted"):
                for statement in group:
                    steps += self._single(statement, alone=len(statements) == 1)
        return steps

    def _worded(self) -> bool:
        """Whether words or the paper's own commands stand in what was read, which may say what no sign does."""
        symbols = self._flat
        beside = " ".join(one.reason.text or "" for one in self._reasons.values() if one.reason is not None)
        return _WORD.search(beside) is not None or any(
            (token.kind == "command" and is_own(token.text))
            or (token.kind == "text" and following.text not in ("(", "["))
            for token, following in pairwise([*symbols, Token("end", "", 0, 0)])
        )

    def _unread(self, start: int, end: int, why: str) -> WrittenStep:
        """A part of the source that could not be read."""
        return WrittenStep((), latex=self._shown(start, end), unread=why, **self._lines.place(start))

    def _single(self, statement: _Statement, *, alone: bool) -> list[WrittenStep]:
        steps: list[WrittenStep] = []
        members = statement.members
        if not (statement.ops or statement.defines or alone) and not statement.unread:
            why = "no relation stands here: it may belong to what is beside it"
            return [self._unread(members[0].start, members[-1].end, why)]
        if not statement.ops and not statement.defines and not statement.unread and self._worded():
            why = "no relation that could be checked stands here"
            return [self._unread(members[0].start, members[-1].end, why)]
        if not statement.ops and statement.unread:
            if alone and members[0].silent:
                return []
            return [self._unread(members[0].start, members[-1].end, statement.unread)]
        for i, op in enumerate(statement.ops):
            left, right = members[i], members[i + 1]
            last = i + 1 == len(statement.ops) or statement.rows[i + 1] != statement.rows[i]
            beside = self._reasons.get(statement.rows[i], _Beside())
            beside = beside if last else beside.before_its_last
            mark, sign = statement.marks[i].strip(), SIGNS.get(op, op)
            digits = "" if mark else self._digits(op, left, right)
            if digits:
                op, left, right = "<", *_to_its_digits(left, right, digits)
            other = f"{mark!r} above a sign may make it another one" if not is_label(mark) else ""
            if why := _inexact(op) or left.unread or right.unread or beside.unread or other:
                self._may_define(op, left, right)
                steps.append(self._unread(left.start if i == 0 or left.unread else right.start, right.end, why))
                continue
            place = left.start if i == 0 else right.start
            latex = f"{self._slice(left)} {sign} {self._slice(right)}"
            pairs = [(a, b) for a in (left, *left.others) for b in (right, *right.others) if a.goes_with(b)]
            both = [one for pair in pairs for one in pair]
            doubts = "; ".join(dict.fromkeys((*left.doubts, *right.doubts)))
            lost = self._lost or beside.lost
            said = [f"{_SEVERAL}, so in {len(pairs)} readings: {doubts}"] if doubts else []
            said += ["to less than one unit of its last digit"] if digits else []
            if r"\to" in statement.ops:
                lost = lost or "an arrow may make one part of the line the condition of another"
            defines = left.text if i == 0 and self._may_define(op, left, right) else ""
            if defines and defines not in self._declared.guessed:  # a value, f(x), may be defined twice
                lost, defines = lost or f"it may define {defines}", ""
            lost = lost or self._perhaps(left, right)
            if statement.marks[i]:
                why, uncertain = explained(self._source, self._stop, statement.marks[i])
                said += [why] if why else []
                lost = lost or uncertain
            reasons = [beside.reason] if beside.reason is not None else []
            reasons += [Reason("; ".join(said))] if said else []
            steps.append(
                WrittenStep(
                    tuple(Relation(a.value, op, b.value) for a, b in pairs),  # type: ignore[arg-type]
                    latex=latex,
                    premises=beside.premises.relations,
                    continues=i > 0 and not (steps[-1].unread or digits or statement.ops[i - 1] in INEXACT),
                    reason=reduce(Reason.with_more, reasons) if reasons else None,
                    needs=(*(need for one in both for need in one.needs), *beside.needs),
                    texts=tuple((a.text, b.text) for a, b in pairs) if all(one.text for one in both) else (),
                    premise_texts=beside.premises.texts,
                    lost=lost,
                    readings=len(pairs),
                    defines=defines,
                    taken=beside.premises.taken.union(*(one.taken for one in both)),
                    **self._lines.place(place),
                )
            )
        return steps

    def _digits(self, op: str, left: _Member, right: _Member) -> str:
        r"""The decimal in ``1000 e^{-1/29} \approx 966.10``, where a number stands on its left; empty elsewhere."""
        members = (left, right)
        exact = op == r"\approx" and not any(one.unread or one.others or one.value.free_symbols for one in members)
        digits = self._slice(right)
        return digits if exact and re.fullmatch(r"-?\d+\.\d+", digits) else ""

    def _may_define(self, op: str, left: _Member, right: _Member) -> bool:
        """Whether an equation may define the name on its left, of which the text has not spoken before."""
        if (
            op == "="
            and (self._lost or self.supposed)
            and (name := left.text.partition("(")[0]) in self._declared.defined
            and left.value != right.value
        ):
            self._doubt(name, left.start, "may be defined anew")
        named = op == "=" and not left.unread and left.text == str(left.value)
        found = named and self._declared.is_new(left.value, right.value)
        if found:
            line = self._lines.of(left.start)[0]
            self._declared.perhaps.setdefault(left.value, line)
            opaque = self._declared.opaque
            if not any(s.name in opaque for s in right.value.free_symbols):
                said = _function_of(opaque[left.text]) if left.text in opaque else left.text
                if said:
                    self._declared.proposed.setdefault(said, (right.text or plain(right.value), line))
        return found

    def _perhaps(self, *members: _Member) -> str:
        """Why what is said of names may be what defines them; empty where they are known."""
        symbols = {s for member in members for s in member.value.free_symbols} & self._declared.perhaps.keys()
        return next((f"{s} may be defined in line {self._declared.perhaps[s]}" for s in sorted(symbols, key=str)), "")

    def _implied(self, sign: str, left: list[_Statement], right: list[_Statement], continues: bool) -> WrittenStep:
        why = next((s.unread for s in (*left, *right) if s.unread), "")
        doubts = (doubt for s in (*left, *right) for m in s.members for doubt in m.doubts)
        why = why or next((f"{_SEVERAL}: {doubt}" for doubt in doubts), "")
        try:
            if why:
                raise ReadingError(why)
            return self._implication(sign, left, right, continues)
        except ReadingError as error:
            return self._unread(left[0].members[0].start, right[-1].members[-1].end, error.message)

    def _implication(self, sign: str, left: list[_Statement], right: list[_Statement], continues: bool) -> WrittenStep:
        backwards, both = CONNECTORS[sign]
        place = right[0].members[0].start
        beside = self._beside_all(left, right)
        if beside.unread:
            raise ReadingError(beside.unread)
        extra = beside.premises
        sides = [_relations(side) for side in (left, right)]
        premises, claim = sides[::-1] if backwards else sides
        if not premises or not claim:
            raise ReadingError("an implication needs a relation on both sides", self._source, place)
        refuse_constants(premises)
        if extra.relations and both:
            raise ReadingError("write the condition of an equivalence as an assumption", self._source, place)
        members = [m for s in (*left, *right) for m in s.members]
        texts = [_texts(side) for side in (left, right)]
        given, claimed = texts[::-1] if backwards else texts
        return WrittenStep(
            claim,
            latex=f"{self._conjunction(left)} {sign} {self._conjunction(right)}",
            premises=(*premises, *extra.relations),
            both_ways=both,
            continues=continues,
            reason=beside.reason,
            needs=(*(need for m in members for need in m.needs), *beside.needs),
            texts=claimed,
            premise_texts=(*given, *extra.texts),
            lost=self._lost or beside.lost or self._perhaps(*members),
            taken=extra.taken.union(*(m.taken for m in members)),
            **self._lines.place(place),
        )

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
                    *(f"{SIGNS[op]} {self._slice(m)}" for op, m in zip(s.ops, s.members[1:], strict=True)),
                ]
            )
            for s in statements
        )

    def _slice(self, member: _Member) -> str:
        return self._shown(member.start, member.end, self._declared.macros)

    def _shown(self, start: int, end: int, macros: Macros = MappingProxyType({})) -> str:
        """A part of the source without breaks, marks and comments."""
        raw = expand(re.sub(r"(?<!\\)%[^\n]*", "", self._source[start:end]), macros)
        raw = _MARKS.sub(lambda mark: mark[0] if mark["table"] else " ", raw)
        return " ".join(raw.split())


def _to_its_digits(left: _Member, right: _Member, digits: str) -> tuple[_Member, _Member]:
    """The two sides of what a decimal says of a number: both rounding and cutting off are within its last digit."""
    places = len(digits.partition(".")[2])
    unit = f"0.{'1'.rjust(places, '0')}"
    distance = replace(left, value=sp.Abs(left.value - right.value), text=f"abs({left.text} - ({digits}))")
    return distance, replace(right, value=sp.Rational(1, 10**places), text=unit)


def _ends_a_member(token: Token) -> bool:
    return token.kind in ("end", "row") or token.text in (*RELATIONS, *CONNECTORS, *INEXACT, ",", ";", r"\land", ":=")


def texts_of(node: Node, relations: tuple[Relation, ...]) -> Texts:
    """Both sides of each relation of a chain, in plain notation."""
    members = node.members if isinstance(node, Chain) else ()
    written = list(map(text_of, members))
    return tuple(pairwise(written)) if all(written) and len(written) == len(relations) + 1 else in_plain(relations)


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


def _relations(statements: list[_Statement]) -> tuple[Relation, ...]:
    return tuple(
        Relation(s.members[i].value, op, s.members[i + 1].value)  # type: ignore[arg-type]
        for s in statements
        for i, op in enumerate(s.ops)
    )
