"""Derivation files: Markdown, LaTeX or plain text to declarations and chains of steps."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from dpsym import catalogue
from dpsym.language.documents.declarations import Declared, Line, declare, text_of
from dpsym.language.documents.derivation import Case, Document, WrittenChain, WrittenStep
from dpsym.language.documents.front_matter import KEYS, FrontMatter, read_front_matter
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.harvest import INLINE, claims_in_a_line, harvest, possible
from dpsym.language.documents.hypotheses import declared_by
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.sidecar import beside, read_sidecar
from dpsym.language.documents.steps import Ended, read_display
from dpsym.language.documents.texts import Written, unescaped, with_inputs
from dpsym.language.errors import ReadingError, in_document
from dpsym.language.latex.functions import LETTERS
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macro_scopes import DISPLAYS, Scopes, refuse_definitions
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.opaque import applied
from dpsym.language.latex.tokens import tokens
from dpsym.language.names import declared_as
from dpsym.language.plain.lines import read_line

Kind = Literal["markdown", "latex", "plain"]

LARGEST_FILE = 2_000_000  # characters
MOST_DISPLAYS = 2_000
KINDS: dict[str, Kind] = {".md": "markdown", ".markdown": "markdown", ".tex": "latex", ".txt": "plain"}

_ENVIRONMENT = r"\\begin\{(?P<environment>" + "|".join(DISPLAYS) + r")(?P<star>\*?)\}"
_VERBATIM = r"\\begin\{(?P<verbatim>verbatim|lstlisting|minted|comment)\}"
_OPENING_MARKDOWN = re.compile(
    r"^(?P<math>[ \t]*```+[ \t]*math[ \t]*$)|^(?P<fence>[ \t]*(?:```+|~~~+))|(?P<comment><!--)|(?P<code>(?<![\\`])`+)"
    rf"|(?P<dollars>(?<!\\)\$\$)|(?P<bracket>(?<!\\)\\\[)|{_ENVIRONMENT}",
    re.MULTILINE,
)
_OPENING_LATEX = re.compile(
    rf"{_VERBATIM}|(?P<dollars>(?<!\\)\$\$)|(?P<bracket>(?<!\\)\\\[)|{_ENVIRONMENT}", re.MULTILINE
)
_HEADING = re.compile(r"^#{1,6}[ \t]+(?:Case[ \t]+\$(?P<case>[^$\n]+)\$)?(?P<rest>.*)$", re.MULTILINE)
_NAMES_A_CASE = re.compile(r"#{1,6}[ \t]+(?:(?:The|In|First|Second|Other)[ \t]+)*Case\b", re.IGNORECASE)
_RELATION_IN_TEXT = re.compile(rf"\$[^$\n]*(?:{RELATING.pattern})[^$\n]*\$")
_NAME_ALONE = re.compile(r"\s*[A-Za-z][A-Za-z0-9_]*'*\s*", re.ASCII)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_INLINE = re.compile(
    r"(?<![\\$])\$(?![\s$])[^$\n]*(?<![\s\\])\$|\\\((?:(?!\\\)).)*\\\)"
    r"|^[ \t]*\\(?:(?:re)?newcommand|providecommand|def|DeclareMathOperator)(?![A-Za-z]).*$",
    re.MULTILINE,
)
_BLANKED = re.compile(r"[^\n]")
_DIRECTIVE = re.compile(r"^[ \t]*%+[ \t]*dpsym:[ \t]*(.*)$", re.MULTILINE)
_WORD = re.compile(r"(title|proves|let|where|assume)\b:?[ \t]+(.*)$", re.DOTALL)


def read_document(
    text: str,
    *,
    kind: Kind,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    name: str = "",
    strict: bool = False,
    inline: bool = False,
    folder: Path | None = None,
) -> Document:
    """The derivation as declarations and chains; `let`, `where`, `assume` add to what the text declares.

    A display, line or part of one that cannot be read is a step that says so.

    Args:
        strict: refuse the document instead.
        inline: also read chains of two relations or more in lines of prose, if they do not declare anything.
        folder: where the files are that a LaTeX text reads; None: they are passed over.

    Raises:
        ReadingError: with line and column, what was wrong and what was expected.
        EmptyDomain: when it is certain that no point satisfies what is declared.
    """
    if len(text) > LARGEST_FILE:
        raise ReadingError(f"{name or 'the text'} has {len(text)} characters; at most {LARGEST_FILE} are read")
    if "\x00" in text:
        raise ReadingError(f"{name or 'the text'} contains a NUL character: not a text file")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    outside = FrontMatter()
    for key, given in (("let", let), ("where", where), ("assume", assume)):
        for line in given:
            outside.add(key, Line(line))
    try:
        return _READERS[kind](text, outside, strict, inline and not strict, folder)
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
    strict: bool = False,
    inline: bool = False,
) -> Document:
    """The derivation in a file, its kind by its suffix: .md, .tex or .txt; "-" is plain text from standard input.

    Raises:
        ReadingError: for an unknown suffix, a file that is no text or too large, and what `read_document` refuses.
        OSError: where the file cannot be opened.
    """
    if str(path) == "-":
        text = sys.stdin.read(LARGEST_FILE + 1)
        return read_document(text, kind="plain", let=let, where=where, assume=assume, name="-", strict=strict)
    path = Path(path)
    if path.suffix.lower() not in KINDS:
        raise ReadingError(f"{path}: expected a file ending in {', '.join(KINDS)}")
    if path.stat().st_size > 4 * LARGEST_FILE:
        raise ReadingError(f"{path} is too large")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReadingError(f"{path} is not UTF-8 text") from None
    return read_text(text, path, let=let, where=where, assume=assume, strict=strict, inline=inline)


def read_text(
    text: str,
    path: Path,
    *,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    strict: bool = False,
    inline: bool = False,
) -> Document:
    """The derivation in a text that is, or will be, that of the file, with the declarations beside it.

    Raises:
        ReadingError: for an unknown suffix, and what `read_document` refuses.
        OSError: where the declarations beside it cannot be opened.
    """
    if path.suffix.lower() not in KINDS:
        raise ReadingError(f"{path}: expected a file ending in {', '.join(KINDS)}")
    kind, told, guessed = KINDS[path.suffix.lower()], FrontMatter(), dict[str, Guess]()
    if not strict and (declarations := beside(path)).is_file():
        try:
            told, guessed = read_sidecar(declarations)
        except ReadingError as error:
            raise ReadingError(f"{declarations}, {error}") from None
    lines = ([line.text for line in more] for more in (told.let, told.where, told.assume))
    more_let, more_where, more_assume = lines
    document = read_document(
        text, kind=kind, let=[*let, *more_let], where=[*where, *more_where], assume=[*assume, *more_assume],
        name=str(path), strict=strict, inline=inline, folder=path.parent,
    )  # fmt: skip
    return replace(document, unconfirmed=tuple(guessed.values()))


def _markdown(text: str, outside: FrontMatter, strict: bool, inline: bool, folder: Path | None) -> Document:
    lines = text.split("\n")
    front, taken = read_front_matter(lines, strict=strict)
    written = Written(text) if strict else unescaped(text)
    start = written.at(sum(len(line) + 1 for line in lines[:taken]))
    regions = _regions(written, start, _OPENING_MARKDOWN, strict=strict)
    others = [(begin, end) for begin, end, is_display in regions if not is_display]
    scopes = None
    if strict:
        refuse_definitions(text, start, others)
    else:
        scopes = Scopes(_mathematics_alone(written.text, start, regions))
    places = [(begin, end) for begin, end, is_display in regions if is_display]
    if inline:
        places = sorted([*places, *_in_lines(written.text, start, len(written.text), regions)])
    headings = [m for m in _HEADING.finditer(written.text, start) if not any(b <= m.start() < e for b, e, _ in regions)]
    merged = _merged(front, outside)
    said = {} if strict or scopes is None or _declares(merged) else _harvested(written, start, regions, scopes)
    return _document("markdown", written, places, merged, headings, scopes=scopes, said=said, strict=strict)


def _mathematics_alone(text: str, start: int, regions: Sequence[tuple[int, int, bool]]) -> str:
    """The text with blanks in place of prose: displays, mathematics in lines, and lines that define commands stay."""
    inline = ((m.start(), m.end()) for m in _INLINE.finditer(text, start))
    spans = [(begin, end) for begin, end, is_display in regions if is_display]
    others = [(begin, end) for begin, end, is_display in regions if not is_display]
    spans += [(b, e) for b, e in inline if not any(begin <= b < end for begin, end, _ in regions)]
    spans = [(b, e) for b, e in spans if not any(begin <= b < end for begin, end in others)]
    parts, at = [], 0
    for begin, end in sorted(spans):
        parts += [_BLANKED.sub(" ", text[at:begin]), text[max(at, begin) : end]]
        at = max(at, end)
    return "".join([*parts, _BLANKED.sub(" ", text[at:])])


def _latex(text: str, outside: FrontMatter, strict: bool, inline: bool, folder: Path | None) -> Document:
    found = FrontMatter()
    lines = Written(text) if strict else with_inputs(text, folder)
    text = lines.text
    scopes = Scopes(text)
    begin, end = None, len(text)
    regions: list[tuple[int, int]] = []
    for match in _DIRECTIVE.finditer(text):
        line = lines.of(match.start(1))[0]
        if hidden := scopes.skipped(match.start(1)):
            raise in_document(
                ReadingError(f"a line 'dpsym:' inside {hidden} or after it is no part of the document"), line, 1
            )
        said = match[1].strip()
        if said in ("begin", "end"):
            if (said == "begin") != (begin is None):
                raise in_document(ReadingError(f"'{said}' stands twice"), line, 1)
            if begin is not None:
                regions.append((begin, match.start()))
            begin = match.end() if said == "begin" else None
            continue
        word = _WORD.match(said)
        if word is None:
            raise in_document(ReadingError(f"expected {', '.join(KEYS)}, begin or end after 'dpsym:'"), line, None)
        found.add(word[1], Line(_expanded(word[2], scopes.at(match.start(1)), line), line))
    if begin is not None:
        regions.append((begin, end))
    if not regions:
        first = _DIRECTIVE.search(text)
        regions = [(first.start() if first else 0, end)]
    for begin, end in regions if strict else ():
        scopes.inspect(begin, end)
    shown = lines.with_text(scopes.text)
    places = [
        (start, stop)
        for begin, end in regions
        for start, stop, is_display in _regions(shown, begin, _OPENING_LATEX, end, strict=strict)
        if is_display
    ]
    displays = [(begin, stop, True) for begin, stop in places]
    if inline:
        places = sorted(p for begin, end in regions for p in (*places, *_in_lines(shown.text, begin, end, displays)))
        places = list(dict.fromkeys(places))
    merged = _merged(found, outside)
    prose: Mapping[str, Guess] = {}
    if not (strict or _declares(merged)):
        prose = _harvested(shown, 0, displays, scopes)
    return _document("latex", shown, places, merged, scopes=scopes, said=prose, strict=strict)


def _in_lines(text: str, start: int, stop: int, regions: Sequence[tuple[int, int, bool]]) -> Iterator[tuple[int, int]]:
    """Where chains stand in lines of prose."""
    begins = [begin for begin, _, _ in regions]
    for match in INLINE.finditer(text, start, stop):
        region = bisect_right(begins, match.start()) - 1
        inside = region >= 0 and match.start() < regions[region][1]
        if not inside and claims_in_a_line(text, match):
            yield match.span(1 if match[1] is not None else 2)


def _declares(front: FrontMatter) -> bool:
    """Whether the document says itself what its names are."""
    return bool(front.let or front.where or front.assume or front.proves)


def _harvested(
    written: Written, start: int, regions: Sequence[tuple[int, int, bool]], scopes: Scopes
) -> Mapping[str, Guess]:
    spans, at = [], start
    for begin, end, _ in regions:
        spans.append((at, begin))
        at = end
    spans.append((at, len(written.text)))
    return possible(harvest(written, spans, scopes.at))


def _expanded(text: str, macros: Macros, line: int) -> str:
    try:
        return expand(text, macros)
    except ReadingError as error:
        raise in_document(ReadingError(error.message), line, None) from None


def _plain(text: str, outside: FrontMatter, strict: bool, inline: bool, folder: Path | None) -> Document:
    found = FrontMatter()
    body: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        statement = line.partition("#")[0].strip()
        word = _WORD.match(statement)
        if word is not None:
            found.add(word[1], Line(word[2], number))
        elif statement:
            body.append((number, line))
    front = _merged(found, outside)
    declared = declare(front.let, front.where, front.assume, _stated(front))
    chains: list[WrittenChain] = []
    previous: list[WrittenStep] = []
    for number, line in body:
        if len(chains) > MOST_DISPLAYS:
            raise in_document(ReadingError(f"more than {MOST_DISPLAYS} lines"), number, None)
        try:
            steps, continues = read_line(line, number, declared, previous)
        except ReadingError as error:
            column = None if error.position is None else error.position + 1
            if strict:
                raise in_document(error, number, column) from None
            head, defines, _ = line.partition("#")[0].partition(":=")
            if defines and _NAME_ALONE.fullmatch(head):
                declared.doubt(head.strip(), f"{head.strip()} is defined in line {number}, which was not read")
            lost = WrittenStep((), number, column or 1, line.strip(), unread=error.message)
            chains.append(WrittenChain((lost,), number))
            previous = []
            continue
        if continues and chains:
            chains[-1] = replace(chains[-1], steps=(*chains[-1].steps, *steps))
        elif steps:
            chains.append(WrittenChain(tuple(steps), number, abbreviations=dict(declared.abbreviations)))
        previous = steps  # nothing continues past a definition
    return _finished("plain", chains, declared, front)


_READERS = {"markdown": _markdown, "latex": _latex, "plain": _plain}


def _merged(found: FrontMatter, outside: FrontMatter) -> FrontMatter:
    return FrontMatter(
        found.title, found.proves, [*outside.let, *found.let], [*outside.where, *found.where],
        [*outside.assume, *found.assume],
    )  # fmt: skip


def _document(
    kind: Kind,
    lines: Written,
    places: Sequence[tuple[int, int]],
    front: FrontMatter,
    headings: Sequence[re.Match[str]] = (),
    *,
    scopes: Scopes | None = None,
    said: Mapping[str, Guess] = MappingProxyType({}),
    strict: bool = False,
) -> Document:
    source = lines.text
    declared = declare(front.let, front.where, front.assume, _stated(front))
    declared.guessing, declared.said = not (strict or _declares(front)), said
    declared.as_papers_do = not strict
    if not strict:
        heads = _applied(source, places, scopes)
        known = {*declared.names, *LETTERS}
        declared.applied = {h for h in heads if declared.guessing or declared_as(h, known) is None}
    chains: list[WrittenChain] = []
    before: Ended | None = None
    for start, stop in places:
        try:
            if scopes is not None:
                scopes.inspect(start, stop)
                declared.macros = scopes.of_display(start, stop)
            chain, before = read_display(source, start, stop, declared, lines, recover=not strict, before=before)
        except ReadingError as error:
            if not strict:
                chains.append(_unread(source, start, stop, lines, error))
                continue
            position = error.position if error.position is not None and error.text == source else start
            raise in_document(error, *lines.of(position)) from None
        if chain is not None:
            heading = next((h for h in reversed(headings) if h.start() < start), None)
            case = _case(heading, declared, lines)
            chains.append(replace(chain, case=case, last=lines.of(stop)[0], file=lines.file(start)))
    return _finished(kind, chains, declared, front)


def _applied(source: str, places: Sequence[tuple[int, int]], scopes: Scopes | None) -> set[str]:
    """The letters that are applied to something anywhere, and so stand for functions."""
    found = set()
    for start, stop in places:
        with suppress(ReadingError):
            macros = {} if scopes is None else scopes.of_display(start, stop)
            found |= applied(tokens(source, start, stop, macros, recover=True)[:-1])
    return found


def _unread(source: str, start: int, stop: int, lines: Written, error: ReadingError) -> WrittenChain:
    """A display of which nothing could be read."""
    latex = re.sub(r"\s+", " ", source[start:stop]).strip()
    line, column = lines.of(start)
    lost = WrittenStep((), line, column, latex, unread=error.message)
    return WrittenChain((lost,), line, last=lines.of(stop)[0], file=lines.file(start))


def _case(heading: re.Match[str] | None, declared: Declared, lines: Written) -> Case | None:
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


def _finished(kind: Kind, chains: Sequence[WrittenChain], declared: Declared, front: FrontMatter) -> Document:
    relations = (r for chain in chains for step in chain.steps for r in (*step.claim, *step.premises))
    declared.drop_unused({s for r in relations for s in r.free_symbols})
    return Document(
        kind,
        tuple(chains),
        declared.names,
        declared.conditions,
        declared.distributions,
        declared.kinds,
        declared.assumed,
        front.title,
        front.proves,
        declared.guessed,
        declared.opaque,
    )


def _regions(
    written: Written, start: int, opening: re.Pattern[str], stop: int | None = None, *, strict: bool = True
) -> list[tuple[int, int, bool]]:
    """Where each display starts and ends, and each part of the text that is code or a comment (False).

    Without `strict` a display that is not closed ends with its paragraph.
    """
    text = written.text
    stop = len(text) if stop is None else stop
    found: list[tuple[int, int, bool]] = []
    position = start
    missing: set[str] = set()  # what closes nothing from here on, so that it is not looked for again
    while (match := opening.search(text, position, stop)) is not None:
        groups = match.groupdict()
        closer, is_display = _closer(groups, match)
        end = -1 if closer in missing else text.find(closer, match.end(), stop)
        if groups.get("code"):  # a run of backticks is closed by one of the same length
            same = re.compile(rf"(?<!`){closer}(?!`)").search(text, match.end(), stop) if end >= 0 else None
            end = same.start() if same else -1
        if groups.get("code") and re.search(
            r"\n[ \t]*\n", text[match.end() : max(end, match.end())]
        ):  # code in a line ends with its paragraph
            position = match.end()
            continue
        if end < 0:
            missing.add(closer)
            if groups.get("code") or groups.get("comment"):
                position = match.end()
                continue
            if strict:
                said = ReadingError(f"{match[0].strip()} is not closed by {closer.strip()}")
                raise in_document(said, *written.of(match.start()))
            paragraph = _PARAGRAPH.search(text, match.end(), stop)
            end, closer = (stop if paragraph is None else paragraph.start()), ""
        if is_display:
            begin = match.end()
            if groups.get("environment") == "alignat":
                begin = text.index("}", begin) + 1
            found.append((begin, end, True))
            if sum(is_one for *_, is_one in found) > MOST_DISPLAYS:
                raise ReadingError(f"more than {MOST_DISPLAYS} displays")
        else:
            found.append((match.start(), end + len(closer), False))
        position = end + len(closer)
    return found


def _closer(groups: dict[str, str | None], match: re.Match[str]) -> tuple[str, bool]:
    """What ends this part of the text, and whether it is display mathematics."""
    if groups.get("math"):
        return "\n" + match[0].partition("math")[0].rstrip(), True
    if groups.get("fence"):
        return "\n" + match[0], False
    if groups.get("comment"):
        return "-->", False
    if groups.get("code"):
        return match[0], False
    if groups.get("verbatim"):
        return rf"\end{{{groups['verbatim']}}}", False
    if groups.get("dollars"):
        return "$$", True
    if groups.get("bracket"):
        return r"\]", True
    return rf"\end{{{groups['environment']}{groups['star']}}}", True
