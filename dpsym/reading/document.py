"""Derivation files: Markdown, LaTeX, reStructuredText, notebooks or plain text to declarations and chains of steps."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from dpsym import catalogue
from dpsym.reading import places as displays
from dpsym.reading.beside import RELATING
from dpsym.reading.declarations import Declared, Line, declare, declared_names, text_of
from dpsym.reading.definitions import defined_in
from dpsym.reading.errors import ReadingError, in_document
from dpsym.reading.front_matter import KEYS, FrontMatter, read_front_matter
from dpsym.reading.hypotheses import declared_by
from dpsym.reading.latex_grammar import parse_latex
from dpsym.reading.macros import Macros, expand
from dpsym.reading.outer_files import LARGEST_FILE, Whole, with_cells, with_inputs
from dpsym.reading.places import MOST_DISPLAYS, Places, find_blocks, find_displays, unquoted
from dpsym.reading.plain_lines import read_line, read_parts
from dpsym.reading.steps import Lines, read_display
from dpsym.reading.tex_scopes import MarkdownMacros, Scopes, refuse_definitions
from dpsym.reading.written import Case, Document, WrittenChain, WrittenStep, unread_step

__all__ = ["KINDS", "LARGEST_FILE", "MOST_DISPLAYS", "read_document", "read_path"]

Kind = Literal["markdown", "latex", "plain", "rst", "notebook"]

KINDS: dict[str, Kind] = {
    ".md": "markdown", ".markdown": "markdown", ".tex": "latex", ".txt": "plain", ".rst": "rst", ".ipynb": "notebook",
}  # fmt: skip
_MOST_UNREAD = 50  # declarations, each of which is looked for anew

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?:Case[ \t]+\$(?P<case>[^$\n]+)\$)?(?P<rest>.*)$", re.MULTILINE)
_NAMES_A_CASE = re.compile(r" *#{1,6}[ \t]+(?:(?:The|In|First|Second|Other)[ \t]+)*Case\b", re.IGNORECASE)
_RELATION_IN_TEXT = re.compile(rf"\$[^$\n]*(?:{RELATING.pattern})[^$\n]*\$")
_DIRECTIVE = re.compile(r"^[ \t]*%+[ \t]*dpsym:[ \t]*(.*)$", re.MULTILINE)
_COMMENT_OF_RST = re.compile(r"^\.\.[ \t]+dpsym:[ \t]*(.*)$", re.MULTILINE)
_LABEL = re.compile(r"\\(?:label|tag\*?)\s*\{([^{}]*)\}|:label:[ \t]*(\S+)")
_WORD = re.compile(r"(title|proves|let|where|assume)\b:?[ \t]+(.*)$", re.DOTALL)


def read_document(
    text: str,
    *,
    kind: Kind,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    name: str = "",
    mending: bool = False,
) -> Document:
    """The derivation as declarations and chains; `let`, `where`, `assume` add to what the text declares.

    Args:
        mending: what cannot be read becomes a step that says so, and the rest is read; otherwise it is an error.

    Raises:
        ReadingError: with line and column, what was wrong and what was expected; where mending, for what is no text,
            too large, or given from outside, and for front matter that is not closed.
        EmptyDomain: when it is certain that no point satisfies what is declared.
    """
    _refuse_no_text(text, name)
    return _read(Whole(text), kind, name, mending, let=let, where=where, assume=assume)


def _read(whole: Whole, kind: Kind, name: str, mending: bool, **given: Iterable[str]) -> Document:
    text = whole.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    outside = FrontMatter()
    for key in ("let", "where", "assume"):
        for line in given[key]:
            outside.add(key, Line(line))
    try:
        if kind == "notebook":
            whole = with_cells(text)
            text = whole.text
        return _Reader(kind, text, whole, outside, mending).read()
    except ReadingError as error:
        if name and error.line is not None:
            raise in_document(ReadingError(str(error).partition(": ")[2]), error.line, error.column, name) from None
        raise


def read_path(
    path: str | Path,
    *,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    mending: bool = False,
) -> Document:
    r"""The derivation in a file, its kind by its suffix; "-" is plain text from standard input.

    Where `mending`, LaTeX files of the same folder and below that it takes in with ``\input`` are read in their places.

    Raises:
        ReadingError: for an unknown suffix, a file that is no text or too large, and what `read_document` refuses.
        OSError: where the file cannot be opened.
    """
    given = {"let": let, "where": where, "assume": assume}
    if str(path) == "-":
        return read_document(sys.stdin.read(LARGEST_FILE + 1), kind="plain", name="-", mending=mending, **given)
    path = Path(path)
    if path.suffix.lower() not in KINDS:
        raise ReadingError(f"{path}: expected a file ending in {', '.join(KINDS)}")
    kind = KINDS[path.suffix.lower()]
    if path.stat().st_size > 4 * LARGEST_FILE:
        raise ReadingError(f"{path} is too large")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReadingError(f"{path} is not UTF-8 text") from None
    if kind != "latex" or not mending:
        return read_document(text, kind=kind, name=str(path), mending=mending, **given)
    _refuse_no_text(text, str(path))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _read(with_inputs(text, path), kind, str(path), mending, **given)


def _refuse_no_text(text: str, name: str) -> None:
    if len(text) > LARGEST_FILE:
        raise ReadingError(f"{name or 'the text'} has {len(text)} characters; at most {LARGEST_FILE} are read")
    if "\x00" in text:
        raise ReadingError(f"{name or 'the text'} contains a NUL character: not a text file")


@dataclass(slots=True)
class _Body:
    """What is left to read once the declarations and the places of the displays are known."""

    text: str
    front: FrontMatter
    places: Places = field(default_factory=Places)
    headings: Sequence[re.Match[str]] = ()
    scopes: Scopes | None = None
    macros: MarkdownMacros | None = None

    def macros_of(self, start: int, stop: int, mending: bool) -> Macros:
        """The macros in force in a display.

        Raises:
            ReadingError: where it contains a definition, and where what commands stand for is not known.
        """
        if self.macros is not None:
            return self.macros.at(stop)
        if self.scopes is None:
            return {}
        if mending and (why := self.scopes.lost(stop)):
            raise ReadingError(why)
        return self.scopes.of_display(start, stop)


class _Reader:
    """One document; `mending` as in `read_document`."""

    def __init__(self, kind: Kind, text: str, whole: Whole, outside: FrontMatter, mending: bool) -> None:
        self._kind, self._text, self._whole, self._outside, self._mending = kind, text, whole, outside, mending
        self._lines = Lines(text, whole.pieces)
        self._chains: list[WrittenChain] = []

    def read(self) -> Document:
        """The whole of it."""
        if self._kind == "plain":
            return self._plain()
        body = {"latex": self._latex, "rst": self._rst}.get(self._kind, self._markdown)()
        return self._document(body)

    # --- declarations and places
    def _markdown(self) -> _Body:
        text = self._text
        front, taken = read_front_matter(text.split("\n"), mending=self._mending)
        start = sum(len(line) + 1 for line in text.split("\n")[:taken])
        text = unquoted(text)
        found = Places()
        ends = [p.start for p in self._whole.pieces if p.start > start] if self._kind == "notebook" else []
        for begin, stop in zip([start, *ends], [*ends, len(text)], strict=True):
            find_displays(text, displays.MARKDOWN, begin, stop, found, mending=self._mending)
        macros = MarkdownMacros(text, start, found.others) if self._mending else None
        if macros is None:
            refuse_definitions(text, start, found.others)
        elif macros.text != text:
            text = macros.text
        taken_up = sorted((*found.displays, *found.others, *((b, e) for b, e, _ in found.unread)))
        headings = [m for m in _HEADING.finditer(text, start) if not _inside(m.start(), taken_up)]
        return _Body(text, front, found, headings, macros=macros)

    def _rst(self) -> _Body:
        front = FrontMatter(mending=self._mending)
        for match in _COMMENT_OF_RST.finditer(self._text):
            self._directive(front, match[1], match.start(1), {})
        found = Places()
        find_blocks(self._text, found)
        return _Body(self._text, front, found)

    def _latex(self) -> _Body:
        front, found = FrontMatter(mending=self._mending), Places()
        scopes, lost = self._scopes()
        text = scopes.text
        begin, end = None, len(text)
        regions: list[tuple[int, int]] = []
        for match in _DIRECTIVE.finditer(self._text, 0, end):
            where = match.start(1)
            line = Line(match[1].strip(), self._lines.of(where)[0])
            if hidden := scopes.skipped(where):
                front.refuse(f"a line 'dpsym:' inside {hidden} or after it is no part of the document", line, 1)
            elif line.text in ("begin", "end"):
                if (line.text == "begin") != (begin is None):
                    front.refuse(f"'{line.text}' stands twice", line, 1)
                    continue
                if begin is not None:
                    regions.append((begin, match.start()))
                begin = match.end() if line.text == "begin" else None
            else:
                self._directive(front, match[1], where, scopes.at(match.start(1)))
        if begin is not None:
            regions.append((begin, end))
        if not regions:
            first = _DIRECTIVE.search(self._text)
            regions = [(first.start() if first else 0, end)]
        for begin, stop in regions:
            if not self._mending:
                scopes.inspect(begin, stop)
            find_displays(text, displays.LATEX, begin, stop, found, mending=self._mending)
            known = sorted((*(b for b, _ in found.displays), *(b for b, *_ in found.unread)))
            for at, why in scopes.hidden(begin, stop):
                after = next((known_at for known_at in known if known_at > at), stop)
                found.unread.append((at, min(after, _paragraph(text, at, stop)), why))
            found.unread += [
                (at, text.find("}", at) + 1, why) for at, why in self._whole.missing
                if begin <= at < stop and not scopes.skipped(at)
            ]  # fmt: skip
        found.unread += lost
        return _Body(text, front, found, scopes=scopes)

    def _scopes(self) -> tuple[Scopes, list[tuple[int, int, str]]]:
        """The groups of the text, up to where these cannot be followed any more."""
        text, lost = self._text, list[tuple[int, int, str]]()
        while True:
            try:
                return Scopes(text, lambda position: self._lines.of(position)[0]), lost
            except ReadingError as error:
                if not self._mending or error.line is None:
                    raise
                at = sum(len(line) + 1 for line in text.split("\n")[: error.line - 1])
                lost = [(at, len(self._text), f"from here on nothing is read: {_without_place(error)}")]
                text = text[:at]

    def _directive(self, front: FrontMatter, said: str, where: int, macros: Macros) -> None:
        line = Line(said.strip(), self._lines.of(where)[0])
        word = _WORD.match(line.text)
        if word is None:
            front.refuse(f"expected {', '.join(KEYS)}, begin or end after 'dpsym:'", line)
            return
        try:
            front.add(word[1], Line(expand(word[2], macros), line.line))
        except ReadingError as error:
            front.refuse(error.message, line)

    # --- what is declared
    def _declared(self, front: FrontMatter) -> tuple[Declared, str]:
        """What is declared, and where something was not read, which may exclude points."""
        front = _merged(front, self._outside)
        forgotten: dict[str, str] = {}
        unread = list(front.unread)
        while True:
            found = _stated(front) or Declared()
            found.mending = self._mending
            for name, why in forgotten.items():
                found.forget([name], why)
            try:
                declare(front.let, front.where, front.assume, found)
                break
            except ReadingError as error:
                blamed = _blamed(front, error)
                if not self._mending or not blamed:
                    raise
                if len(unread) > _MOST_UNREAD:
                    blamed = [x for x in (*front.let, *front.where, *front.assume) if x.line]
                why = _without_place(error)
                unread += [(line, why) for line in blamed]
                for line in blamed:
                    names = declared_names(line.text, condition=line in front.assume)
                    forgotten |= dict.fromkeys(names, f"line {line.line}: {why}")
                front = _without(front, blamed)
                twice = [x for x in front.let if forgotten.keys() & declared_names(x.text) and x.line]
                unread += [(line, "a declaration of the same name was not read") for line in twice]
                front = _without(front, twice)
        unread.sort(key=lambda pair: pair[0].line)
        for line, why in unread:
            self._chains.append(WrittenChain((unread_step(why, line.line, 1, line.text),), line.line))
        doubt = f"line {unread[0][0].line} was not read, and may be a condition" if unread else ""
        return found, doubt

    # --- plain text
    def _plain(self) -> Document:
        front = FrontMatter(mending=self._mending)
        body: list[tuple[int, str]] = []
        for number, line in enumerate(self._text.split("\n"), start=1):
            statement = line.partition("#")[0].strip()
            word = _WORD.match(statement)
            if word is not None:
                front.add(word[1], Line(word[2], number))
            elif statement:
                body.append((number, line))
        declared, doubt = self._declared(front)
        chains = self._chains
        previous: list[WrittenStep] = []
        for number, line in body:
            try:
                steps, continues = read_line(line, number, declared, previous)
            except ReadingError as error:
                if not self._mending:
                    column = None if error.position is None else error.position + 1
                    raise in_document(error, number, column) from None
                declared.forget(defined_in(line), f"line {number}: {error.message}")
                steps, continues = read_parts(line, number, declared, previous, error)
            unread = any(s.unread for s in steps)
            own = doubt or (f"line {number} was not read, and may be a condition" if unread else "")
            if continues and previous:
                last = chains[-1]
                chains[-1] = replace(last, steps=(*last.steps, *steps), doubt=last.doubt or own)
            elif steps:
                abbreviations = dict(declared.abbreviations)
                chains.append(WrittenChain(tuple(steps), number, abbreviations=abbreviations, doubt=own))
            previous = steps or previous
        return self._finished(declared, _merged(front, self._outside))

    # --- displays
    def _document(self, body: _Body) -> Document:
        declared, doubt = self._declared(body.front)
        declared.labels = frozenset(filter(None, (m[1] or m[2] for m in _LABEL.finditer(self._text))))
        places = [(start, stop, "") for start, stop in body.places.displays]
        cases: dict[int, Case | None] = {}
        for start, stop, why in sorted((*places, *body.places.unread)):
            chain = self._display(body, start, stop, why, declared)
            if chain is None:
                continue
            heading = next((h for h in reversed(body.headings) if h.start() < start), None)
            if heading is not None and heading.start() not in cases:
                cases[heading.start()] = self._case(heading, declared)
            case = None if heading is None else cases[heading.start()]
            outer = doubt or ("its case was not read" if case is not None and case.unread else "")
            file = self._lines.file(start)
            self._chains.append(replace(chain, case=case, doubt=outer or chain.doubt, file=file))
        return self._finished(declared, _merged(body.front, self._outside))

    def _display(self, body: _Body, start: int, stop: int, why: str, declared: Declared) -> WrittenChain | None:
        """One display; what cannot be read as a whole, or delimited, is one step."""
        try:
            if why:
                raise ReadingError(why)
            declared.macros = body.macros_of(start, stop, self._mending)
            return read_display(body.text, start, stop, declared, self._lines)
        except ReadingError as error:
            inside = error.position is not None and error.text == body.text
            line, column = self._lines.of(error.position if inside else start)  # type: ignore[arg-type]
            if not self._mending:
                raise in_document(error, line, column) from None
            text = body.text[start:stop]
            declared.forget(defined_in(text), f"line {line}: {error.message}")
            step = unread_step(error.message, line, column, text)
            return WrittenChain((step,), line, doubt="it was not read")

    def _case(self, heading: re.Match[str], declared: Declared) -> Case | None:
        """What is assumed below; a case that cannot be read is a step that says so."""
        try:
            return _case(heading, declared, self._lines)
        except ReadingError as error:
            if not self._mending:
                raise
            (line, column), why = self._lines.of(heading.start()), _without_place(error)
            step = unread_step(why, line, column, heading[0])
            self._chains.append(WrittenChain((step,), line, file=self._lines.file(heading.start())))
            return Case((), (), step.latex.lstrip("# "), why)

    def _finished(self, declared: Declared, front: FrontMatter) -> Document:
        return Document(
            self._kind, tuple(self._chains), declared.known, declared.conditions, declared.distributions,
            declared.kinds, declared.assumed, front.title, front.proves,
        )  # fmt: skip


def _merged(found: FrontMatter, outside: FrontMatter) -> FrontMatter:
    return FrontMatter(
        found.title, found.proves, [*outside.let, *found.let], [*outside.where, *found.where],
        [*outside.assume, *found.assume], found.unread, found.mending,
    )  # fmt: skip


def _without(front: FrontMatter, lines: Sequence[Line]) -> FrontMatter:
    let, where, assume = ([x for x in given if x not in lines] for given in (front.let, front.where, front.assume))
    return replace(front, let=let, where=where, assume=assume)


def _blamed(front: FrontMatter, error: ReadingError) -> list[Line]:
    """The declaration that the error speaks of."""
    return [x for x in (*front.let, *front.where, *front.assume) if x.line and x.line == error.line][:1]


def _without_place(error: ReadingError) -> str:
    return error.message.partition(": ")[2] if error.line is not None else error.message


def _inside(at: int, regions: Sequence[tuple[int, int]]) -> bool:
    """Whether the place is in one of these, which are sorted."""
    number = bisect_right(regions, (at, sys.maxsize))
    return number > 0 and regions[number - 1][0] <= at < regions[number - 1][1]


def _paragraph(text: str, at: int, stop: int) -> int:
    """Where the paragraph ends."""
    end = text.find("\n\n", at, stop)
    return stop if end < 0 else end


def _case(heading: re.Match[str] | None, declared: Declared, lines: Lines) -> Case | None:
    """What is assumed under a heading ``Case $…$``; every other heading ends a case."""
    if heading is None:
        return None
    text = heading["case"]
    more = heading["rest"] if text else heading[0] if _NAMES_A_CASE.match(heading[0]) else ""
    if _RELATION_IN_TEXT.search(more):
        what = "a case is written 'Case $…$', and all that is assumed in it in one relation there"
        raise in_document(ReadingError(what), *lines.of(heading.start()))
    if text is None:
        return None
    try:
        node, meaning = parse_latex(text, declared.names), declared.meaning(text)
        return Case(tuple(meaning.relation(node)), tuple(meaning.needs), text_of(node))
    except ReadingError as error:
        raise in_document(error, *lines.of(heading.start("case"))) from None


def _stated(front: FrontMatter) -> Declared | None:
    """What the theorem that the file proves declares; an unknown one is reported where the file is checked."""
    theorem = catalogue.provable().get(front.proves or "")
    return None if theorem is None else declared_by(theorem)
