"""The first stage: a document as blocks with their places, displays, prose, headings and what was passed over."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from dpsym.language.documents.blocks import ENDS_A_BLOCK
from dpsym.language.documents.citations import keys
from dpsym.language.documents.declarations import Line
from dpsym.language.documents.derivation import Kind
from dpsym.language.documents.front_matter import KEYS, FrontMatter, read_front_matter
from dpsym.language.documents.kinds import (
    of_cells,
    of_dialects,
    of_directives,
    of_shorthands,
    parts,
    unescaped,
    with_text_between,
)
from dpsym.language.documents.passed_over import MOST_PASSED_OVER, in_latex, other_files
from dpsym.language.documents.sentences import INLINE
from dpsym.language.documents.texts import BODY, Beside, Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.environments import DISPLAYS, after_begin
from dpsym.language.latex.macro_scopes import Scopes
from dpsym.language.latex.macros import expand

_ENVIRONMENT = r"\\begin\s*\{(?P<environment>" + "|".join(DISPLAYS) + r")(?P<star>\*?)\}"
_DISPLAY = rf"(?P<dollars>(?<!\\)\$\$)|(?P<bracket>(?<!\\)\\\[)|{_ENVIRONMENT}"
_MATH = r"^(?P<math>[ \t]*(?:```+|~~~+)[ \t]*math(?:[ \t][^`\n]*)?$)"
_OPENING_MARKDOWN = re.compile(
    rf"{_MATH}|^(?P<fence>[ \t]*(?:```+(?![^\n]*`)|~~~+))|(?P<comment>(?<!\\)<!--)|(?P<code>(?<![\\`])`+)"
    r"|(?<!\\)(?P<tag><(?:[A-Za-z][\w+.-]+:[^<>\s]*|[A-Za-z/](?:[^<>$`\n\"']|\"[^\"\n]*\"|'[^'\n]*')*)>)"
    rf"|{_DISPLAY}",
    re.MULTILINE,
)
_OPENING_RST = re.compile(rf"{_MATH}|(?P<code>(?<![\\`])`+)|{_DISPLAY}", re.MULTILINE)
_OPENING_LATEX = re.compile(_DISPLAY)
_HEADING = re.compile(
    r"^#{1,6}[ \t]+(?:Case(?:[ \t]+\(?(?:\d\w{0,3}|[A-Za-z]\d{0,3}|[ivxIVX]{1,4}|one|two|three|four)\)?[:.,]?)?"
    r"[ \t]+\(?\$(?P<case>[^$\n]+)\$)?(?P<rest>.*)$",
    re.MULTILINE,
)
_TABLE = re.compile(r"^(?=[^\n]*\|)[ \t]*[|:-][|:\- \t]*-[|:\- \t]*$", re.MULTILINE)  # the row below its head
_TICKS = re.compile("`+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_MATHEMATICS = re.compile(
    rf"{INLINE.pattern}"
    r"|^[ \t]*\\(?:(?:re)?newcommand|providecommand|def|DeclareMathOperator)(?![A-Za-z]).*$",
    re.MULTILINE,
)
_FENCE = re.compile(
    r"^ {0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*\n(?P<body>[\s\S]*?)^ {0,3}(?P=mark)[`~]*[ \t]*$",
    re.MULTILINE,
)
_READS = re.compile(r"\\\w+\s*(?:\{[^{}\n]*\}\s*)*")
_DIRECTIVE = re.compile(r"^[ \t]*%+[ \t]*dpsym:[ \t]*(.*)$", re.MULTILINE)
DECLARES = re.compile(r"(title|proves|let|where|assume)\b:?[ \t]+(.*)$", re.DOTALL)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Source:
    """A document as blocks, each from where to where in the text.

    Attributes:
        written: the text, with the place in its file of each of its places.
        front: what it declares.
        displays: the mathematics of each display.
        prose: what is no display, code or comment.
        scopes: the macros in force at each place.
        headings: those of Markdown.
        within: the parts of a LaTeX text that are read.
        passed_over: where something stands that is not read, and why.
        files: those beside it that it reads, or looks for.
        missing: the commands that read a file which was not found or not read, each with its line.
        fences: the lines of code fences with formulas in plain notation, with their numbers.
        works: the keys of its bibliography.
    """

    kind: Kind
    written: Written
    front: FrontMatter
    displays: Sequence[Span]
    prose: Sequence[Span]
    scopes: Scopes
    headings: Sequence[re.Match[str]] = ()
    within: Sequence[Span] = ()
    passed_over: Mapping[int, str] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    works: Container[str] = ()
    missing: tuple[str, ...] = ()
    fences: Sequence[Sequence[tuple[int, str]]] = ()


def source_of(kind: Kind, text: str, folder: Path | None, *, fences: bool = False) -> Source:
    """The blocks of a text; `folder` has the files that a LaTeX text reads, `fences` asks for those of Markdown."""
    match kind:
        case "latex":
            return _latex(text, folder)
        case "rst":
            return _of_markdown(kind, of_directives(Written(text)), FrontMatter())
        case "notebook":
            return _of_markdown(kind, unescaped(of_dialects(of_cells(text)), whole=False), FrontMatter())
    lines = text.split("\n")
    front, taken = read_front_matter(lines)
    body = Written(text).rewritten([(0, sum(len(line) + 1 for line in lines[:taken]), "")])
    found = _of_markdown(kind, unescaped(of_dialects(body)), front)
    return replace(found, fences=tuple(_fences(text))) if fences else found


def _fences(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each fence of code in no other language, with their numbers, where a relation stands in one."""
    for match in _FENCE.finditer(text):
        first = text.count("\n", 0, match.start("body")) + 1
        lines = [(n, line) for n, line in enumerate(match["body"].split("\n"), first) if line.partition("#")[0].strip()]
        if match["info"] in ("", "text", "plain", "dpsym") and re.search("[<>=]", "".join(line for _, line in lines)):
            yield lines


def _of_markdown(kind: Kind, written: Written, front: FrontMatter) -> Source:
    """A document whose mathematics stands in Markdown."""
    text, opening = written.text, _OPENING_RST if kind == "rst" else _OPENING_MARKDOWN
    regions = [r for begin, end in parts(text) for r in _regions(text, begin, opening, end)]
    scopes = Scopes(_mathematics_alone(text, regions), page=True)
    displays = [(begin, end) for begin, end, is_display in regions if is_display]
    passed_over = _passed_over(text, displays, scopes, [(0, len(text))])
    passed_over |= dict(islice(other_files(text), MOST_PASSED_OVER))
    return Source(
        kind, written, front, displays, _between(regions, len(text)), scopes,
        headings=_outside(_HEADING.finditer(text), regions), passed_over=passed_over, works=keys(text),
    )  # fmt: skip


def _latex(text: str, folder: Path | None) -> Source:
    beside, front = Beside(folder), FrontMatter()
    lines = with_text_between(of_shorthands(beside.with_inputs(text)))
    text = lines.text
    scopes = Scopes(text)
    begin, within = None, list[Span]()
    for match in _DIRECTIVE.finditer(text):
        line, said = lines.of(match.start(1))[0], match[1].strip()
        try:
            if hidden := scopes.skipped(match.start(1)):
                raise ReadingError(f"a line 'dpsym:' inside {hidden} or after it is no part of the document")
            if said in ("begin", "end"):
                if (said == "begin") != (begin is None):
                    raise ReadingError(f"'{said}' stands twice")
                if begin is not None:
                    within.append((begin, match.start()))
                begin = match.end() if said == "begin" else None
                continue
            word = DECLARES.match(said)
            if word is None:
                raise ReadingError(f"expected {', '.join(KEYS)}, begin or end after 'dpsym:'")
            front.add(word[1], Line(expand(word[2], scopes.at(match.start(1))), line))
        except ReadingError as error:
            front.lose(Line(said, line), error)
    if begin is not None:
        within.append((begin, len(text)))
    if not within:
        first = _DIRECTIVE.search(text)
        within = [(first.start() if first else 0, len(text))]
    written = lines.with_text(scopes.text)
    shown = written.text
    regions = [r for begin, end in within for r in _regions(shown, begin, _OPENING_LATEX, end)]
    displays, prose = [(begin, end) for begin, end, _ in regions], _between(regions, len(shown))
    body = BODY.search(shown)
    inside = [(max(a, 0 if body is None else body.end()), b) for a, b in within]
    outside = [(max(a, begin), min(b, end)) for begin, end in prose for a, b in inside if begin < b and a < end]
    passed_over = _passed_over(shown, displays, scopes, within)
    passed_over |= dict(islice(in_latex(shown, outside), MOST_PASSED_OVER))
    read = ((at, _READS.match(shown, at)) for at, why in sorted(passed_over.items()) if ": another file" in why)
    missing = (f"{command[0].strip()} in line {written.of(at)[0]}" for at, command in read if command is not None)
    return Source(
        "latex", written, front, displays, prose, scopes, within=within, passed_over=passed_over,
        files=tuple(beside.files), works=keys(text, beside), missing=tuple(missing),
    )  # fmt: skip


def _passed_over(text: str, displays: Sequence[Span], scopes: Scopes, within: Sequence[Span]) -> dict[int, str]:
    """What may stand between the displays and is not read, with the reason."""
    starts = [start for start, _ in displays]
    found = {}
    for at, why in scopes.passed_over:
        before = bisect_right(starts, at) - 1
        if (before < 0 or displays[before][1] <= at) and any(begin <= at < end for begin, end in within):
            found[at] = why
    for start, stop in displays:
        if not text[start:stop].strip() and text[start - 2 : start] == "$$" and text[stop : stop + 2] != "$$":
            found[start] = "a display that is not closed"
    return found


def _outside(found: Iterable[re.Match[str]], regions: Sequence[tuple[int, int, bool]]) -> list[re.Match[str]]:
    """What begins in no display, code or comment."""
    starts = [begin for begin, _, _ in regions]
    ends = [0, *(end for _, end, _ in regions)]
    return [match for match in found if match.start() >= ends[bisect_right(starts, match.start())]]


def _mathematics_alone(text: str, regions: Sequence[tuple[int, int, bool]]) -> str:
    """The text with blanks in place of prose: displays, mathematics in lines, and lines that define commands stay."""
    spans = [(begin, end) for begin, end, is_display in regions if is_display]
    spans += [match.span() for match in _outside(_MATHEMATICS.finditer(text), regions)]
    shown, at = list[str](), 0
    for begin, end in sorted(spans):
        shown += [re.sub(r"[^\n]", " ", text[at:begin]), text[max(at, begin) : end]]
        at = max(at, end)
    return "".join([*shown, re.sub(r"[^\n]", " ", text[at:])])


def _between(regions: Sequence[tuple[int, int, bool]], length: int) -> list[Span]:
    """The prose: what is no display, code or comment."""
    ends = [0, *(end for _, end, _ in regions)]
    return list(zip(ends, [*(begin for begin, _, _ in regions), length], strict=True))


def _regions(text: str, start: int, opening: re.Pattern[str], stop: int) -> list[tuple[int, int, bool]]:
    """Where each display starts and ends, and each part of the text that is code or a comment (False).

    A display that is not closed ends with its paragraph.
    """
    found: list[tuple[int, int, bool]] = []
    position = start
    missing: set[str] = set()  # what closes nothing from here on, so that it is not looked for again
    edge = -1, -1  # the end of the block
    runs = defaultdict[str, list[int]](list)  # of backticks
    for run in _TICKS.finditer(text, start, stop):
        runs[run[0]].append(run.start())
    while (match := opening.search(text, position, stop)) is not None:
        kind, position = match.lastgroup, match.end()
        if kind == "tag":
            continue
        closer, is_display = _closer(match)
        inside = position - 2 * (kind == "comment")  # <!--> is one, too
        if kind == "code":  # a run of backticks is closed by one of the same length
            after = bisect_right(runs[closer], match.start())
            end = runs[closer][after] if after < len(runs[closer]) else -1
        else:
            end = -1 if closer in missing else text.find(closer, inside, stop)
        if end < 0:
            missing.add(closer)
        if kind in ("code", "comment"):
            if edge[0] < position:
                ends = ENDS_A_BLOCK.search(text, position, stop)
                edge = (stop, stop + 1) if ends is None else ends.span()
            if end < 0 or _goes_on_past_its_block(text, match, end, edge[1]):
                continue
        if end < 0:
            paragraph = _PARAGRAPH.search(text, position, stop)
            end, closer = (stop if paragraph is None else paragraph.start()), ""
        if is_display:
            begin = after_begin(text, match.groupdict().get("environment") or "", position)
            found.append((min(begin, end), end, True))
        else:
            found.append((match.start(), end + len(closer), False))
        position = end + len(closer)
    return found


def _goes_on_past_its_block(text: str, opened: re.Match[str], end: int, edge: int) -> bool:
    """Whether what stands in a line would be closed in another paragraph, item or cell of a table only."""
    line = text.rfind("\n", 0, opened.start()) + 1
    if opened.lastgroup == "comment" and not text[line : opened.start()].strip():
        return False  # a block of its own
    if edge <= end or ("\n" in text[opened.end() : end] and text.startswith("#", line)):
        return True
    if text.find("|", opened.end(), end) < 0:
        return False
    first, last = text.rfind("\n\n", 0, opened.end()) + 1, text.find("\n\n", end) % (len(text) + 1)
    return _TABLE.search(text, first, last) is not None


def _closer(match: re.Match[str]) -> tuple[str, bool]:
    """What ends this part of the text, and whether it is display mathematics."""
    said = match[0]
    match match.lastgroup:
        case "math":
            return "\n" + said.partition("math")[0].rstrip(), True
        case "fence":
            return "\n" + said, False
        case "comment":
            return "-->", False
        case "code":
            return said, False
        case "dollars":
            return "$$", True
        case "bracket":
            return r"\]", True
    return rf"\end{said[said.index('{') :]}", True
