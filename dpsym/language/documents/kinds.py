r"""Kinds of documents as Markdown: notebooks, reStructuredText, and the dialects of Markdown itself.

Each is rewritten, part by part: mathematics on its own becomes a fence ``math``, mathematics in a line stands between
dollars, what is code or a comment goes.  `Written` knows where each part stood.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from html import unescape
from itertools import groupby
from typing import Any

from dpsym.language.documents.blocks import END_OF_RAW, ENDS_A_BLOCK, blocks, lines_of
from dpsym.language.documents.texts import Edit, Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.environments import DISPLAYS
from dpsym.language.latex.macros import group_end

# --- notebooks
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_JSON_ESCAPE = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.", re.DOTALL)
_LONE = re.compile("[\ud800-\udfff]")
_CELL_APART = "\n\n\f"


def _located(value: Any, places: Iterator[tuple[int, int]]) -> Any:
    """A JSON value with the place of each string in its stead: they stand in this order in the text."""
    if isinstance(value, dict):
        return {key: _located(one, places) for key, one in value.items() if next(places)}
    if isinstance(value, list):
        return [_located(one, places) for one in value]
    return next(places) if isinstance(value, str) else value


def _with_keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def of_cells(text: str) -> Written:
    """What is written in the Markdown cells of a Jupyter notebook.

    Raises:
        ReadingError: where the text is no notebook.
    """
    try:
        data = json.loads(text, object_pairs_hook=_with_keys_once)
        data = _located(data, (match.span(1) for match in _STRING.finditer(text)))
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"no notebook: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("cells", data.get("worksheets")), list):
        raise ReadingError("no notebook: it has no cells")
    edits: list[Edit] = []
    cells: list[tuple[int, int]] = []
    end = length = 0
    for number, lines in _cells(data, text):
        before = _CELL_APART if cells else ""
        cells.append((length + len(before), number))
        for start, stop in lines:
            inside = list(_unescaped_json(text, start, stop))
            edits += [(end, start, before), *inside]
            length += len(before) + stop - start + sum(len(new) - (b - a) for a, b, new in inside)
            end, before = stop, ""
    edits.append((end, len(text), ""))
    found = Written(text).rewritten(edits)
    found.cells = cells
    return found


def _cells(data: dict[str, Any], text: str) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The number of each Markdown cell, and where the strings of its source stand."""
    sheets = [data, *_objects(data, "worksheets")]  # as before version 4
    for number, cell in enumerate((cell for sheet in sheets for cell in _objects(sheet, "cells")), start=1):
        lines, kind = cell.get("source"), cell.get("cell_type")
        found = [one for one in (lines if isinstance(lines, list) else [lines]) if isinstance(one, tuple)]
        if found and isinstance(kind, tuple) and text[slice(*kind)] == "markdown":
            yield number, found


def _objects(value: dict[str, Any], key: str) -> list[dict[str, Any]]:
    listed = value.get(key)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _unescaped_json(text: str, start: int, stop: int) -> Iterator[tuple[int, int, str]]:
    for match in _JSON_ESCAPE.finditer(text, start, stop):
        meant = _LONE.sub("\ufffd", json.loads(f'"{match[0]}"'))
        yield match.start(), match.end(), meant.replace("\x00", " ").replace("\f", " ")


def parts(text: str) -> Iterator[tuple[int, int]]:
    """Where the cells of a notebook's text start and end; of another text the whole."""
    start = 0
    for match in re.finditer("\f", text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


# --- LaTeX
_DEFINES = r"(?:def|let|[A-Za-z]*[cC]ommand\*?)\s*\{?\s*"
_SHORTHAND = re.compile(
    rf"(?<!\\)%[^\n]*|\\{_DEFINES}(?P<name>\\[A-Za-z]+)\s*\}}?\s*\{{\s*"
    rf"(?P<body>\\(?:begin|end)\s*\{{(?:{'|'.join(DISPLAYS)})\*?\}}(?:\{{\w+\}})?)\s*%?\s*\}}"
)


def of_shorthands(written: Written) -> Written:
    r"""LaTeX with displays in place of commands that stand for their ends: ``\def\be{\begin{equation}}``."""
    text = written.text
    found = {m["name"]: (m.end(), m["body"]) for m in _SHORTHAND.finditer(text) if m["name"] is not None}
    once = [n for n in found if len(re.findall(rf"\\{_DEFINES}{re.escape(n)}(?![A-Za-z])", text)) == 1]
    if not once:
        return written
    uses = re.compile(rf"(?<!\\)(?:{'|'.join(map(re.escape, once))})(?![A-Za-z@])").finditer(text)
    return written.rewritten((*u.span(), found[u[0]][1]) for u in uses if u.start() >= found[u[0]][0])


_ROWS = re.compile(  # environments without columns of their own kinds, and no comments
    r"(?<!\\)%[^\n]*|\\begin\s*\{(?P<name>(?:align|flalign|gather|eqnarray)\*?)\}(?P<body>(?:(?!\\(?:begin|end)\s*\{(?P=name)\})[\s\S])*)"
    r"\\end\s*\{(?P=name)\}"
)
_BETWEEN = re.compile(r"(?<!\\)\\(?:short)?intertext\s*(?=\{)")


def with_text_between(written: Written) -> Written:
    r"""LaTeX with ``\intertext{…}`` as a paragraph between displays."""
    return written.rewritten(_texts_between(written.text))


def _texts_between(text: str) -> Iterator[Edit]:
    for rows in _ROWS.finditer(text):
        for match in _BETWEEN.finditer(text, *rows.span("body")) if rows["name"] is not None else ():
            end = group_end(text, match.end(), rows.end("body"))
            if end is not None:
                yield match.start(), match.end() + 1, rf"\end{{{rows['name']}}}{{}}{chr(10)}"
                yield end - 1, end, rf"{chr(10)}\begin{{{rows['name']}}}"


# --- displays of directives
_OPTIONS = re.compile(r"(?:[ \t]*:[\w-]+:[^\n]*(?:\n|$))+|[ \t]*---[ \t]*\n(?:[^\n]*\n)*?[ \t]*---[ \t]*(?:\n|$)")


def _display(text: str, begin: int, end: int, inside: int, line: int, stop: int) -> Iterator[Edit]:
    """The directive at `text[begin:end]` as displays: one for each formula between blank lines.

    `inside`: where a formula may begin in its first line; `line`: where its next line starts, and options may.
    """
    options = _OPTIONS.match(text, line, stop)
    places = list(_paragraphs(text, inside, stop))
    if options is not None:
        places = [*_paragraphs(text, inside, line), *_paragraphs(text, options.end(), stop)]
    if places and options is not None and "nowrap" in options[0]:  # it holds environments, or dollars
        yield begin, places[0][0], "\n"
        yield places[-1][1], end, "\n"
        return
    at, opened = begin, ""
    for first, last in places:
        yield at, first, f"{opened}\n```math\n"
        at, opened = last, "\n```\n"
    yield at, end, opened


def _paragraphs(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where the runs of lines start and end that are not blank."""
    for blank, lines in groupby(lines_of(text, start, stop), lambda line: text[slice(*line)].isspace()):
        if not blank:
            (begin, end), *more = lines
            end = more[-1][1] if more else end
            yield begin, end - (text[end - 1] == "\n")


# --- Markdown
_MYST = re.compile(
    r"^[ \t]*(?P<mark>```+|~~~+|:::+)[ \t]*\{math\}(?P<first>[^`\n]*(?:\n|\Z))[\s\S]*?"
    r"(?P<end>^[ \t]*(?P=mark)[`~:]*[ \t]*$\n?|\Z)"
    r"|(?:^ {0,3}%[^\n]*(?:\n|\Z))+",
    re.MULTILINE,
)
_HOLDS_A_DISPLAY = re.compile(r"\$\$|\\\[|\\begin\s*\{")
_INSIDE = re.compile(
    r"(?P<fence>^[ \t]*(?P<mark>`{3,}+|~{3,}+)[\s\S]*?(?:^[ \t]*(?P=mark)|\Z))"
    r"|\{math\}`(?P<role>[^`]+)`|(?<!`)(?P<ticks>`++).{0,2000}?(?<!`)(?P=ticks)(?!`)"
    r"|(?<!\\)<(?P<tag>(?i:pre|script|style|textarea))\b[^>\n]*>|(?P<label>\(\\#eq:[^()\n]*\))|(?P<entity>&(?:lt|gt|le|ge|ne|amp);)",
    re.MULTILINE,
)


def of_dialects(written: Written) -> Written:
    r"""Markdown without what only some of its programs know: MyST's directives and roles, quotes, labels, HTML.

    What is open at the end of a cell ends there.
    """
    for edits in (blocks, _directives, _inside):
        text = written.text
        found = ((start + a, start + b, new) for start, stop in parts(text) for a, b, new in edits(text[start:stop]))
        written = written.rewritten(found)
    return written


def _directives(text: str) -> Iterator[Edit]:
    """Mathematics of MyST, and its comments."""
    for match in _MYST.finditer(text):
        if match["mark"] is not None:
            inside, line = match.span("first")
            yield from _display(text, *match.span(), inside, line, match.start("end"))
            continue
        for start, end in lines_of(text, *match.span()):
            before = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]
            goes_on = start == match.start() and before.strip()  # in other dialects, with its paragraph
            if not (goes_on and _HOLDS_A_DISPLAY.search(text, start, end)):
                yield start, end - (text[end - 1] == "\n"), ""


def _inside(text: str) -> Iterator[Edit]:
    """What stands in the lines."""
    at, unclosed = 0, set[str]()
    while (match := _INSIDE.search(text, at)) is not None:
        at = match.end()
        if match["role"] is not None:
            yield from _in_line(text, match.start(), match.end(), *match.span("role"))
        elif match["label"] is not None:
            yield match.start(), at, ""
        elif match["entity"] is not None:
            yield match.start(), at, unescape(match[0])
        elif (tag := match["tag"]) is not None and tag not in unclosed:
            closing = END_OF_RAW.search(text, at)
            if closing is None:
                unclosed.add(tag)
                continue
            close, line = closing.start(), text.rfind("\n", 0, match.start()) + 1
            if text[line : match.start()].strip() and ENDS_A_BLOCK.search(text, at, close):
                continue  # it ends with its block
            yield at, close, ""
            at = close


def _in_line(text: str, begin: int, end: int, start: int, stop: int) -> Iterator[Edit]:
    """Mathematics in a line, between dollars."""
    inside = text[start:stop]
    start, stop = start + len(inside) - len(inside.lstrip()), stop - len(inside) + len(inside.rstrip())
    yield begin, start, "$"
    for match in re.compile(r"[ \t]*\n\s*").finditer(text, start, stop):
        yield match.start(), match.end(), " "
    yield stop, end, "$"


# --- Markdown's escapes
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ESCAPED_MATHEMATICS = re.compile(r"\\\\(\\?)[\[(]")
_DELIMITER = re.compile(r"\\(\\[][()])")
_VERBATIM = re.compile(
    r"(?:^|\n)[ \t]*(`{3,}+|~{3,}+)[\s\S]*?\n[ \t]*\1|\$\$[\s\S]*?\$\$|(?<!`)(`++).{0,2000}?(?<!`)\2(?!`)"
    r"|\\begin\{(?P<environment>[a-z]+\*?)\}(?:(?!\\\\\\\\|\\begin\{(?P=environment)\})[\s\S])*?\\end\{(?P=environment)\}"
)


def unescaped(written: Written, *, whole: bool = True) -> Written:
    r"""Markdown whose mathematics is written with its escapes, ``\\[ \\frac{1}{2} \\]``; other text as it is.

    `whole`: what stands between the brackets is written with escapes, too; Jupyter takes it as it is.
    """
    text = written.text
    if not _ESCAPED_MATHEMATICS.search(_VERBATIM.sub("", text)):
        return written
    return written.rewritten(_escapes(text, _ESCAPE if whole else _DELIMITER))


def _escapes(text: str, escape: re.Pattern[str]) -> Iterator[Edit]:
    """Where an escape stands outside of code and of ``$$``, and what it stands for."""
    kept = [match.span() for match in _VERBATIM.finditer(text)]
    starts = [begin for begin, _ in kept]
    for match in escape.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or kept[before][1] <= match.start():
            yield match.start(), match.end(), match[1]


# --- reStructuredText
_LINE = re.compile(r"(?P<indent>[ \t]*)(?P<rest>[^\n]*)")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]+|$)(?:(?P<name>[A-Za-z][\w:+.-]*?)[ ]?::(?=\s|$)[ \t]*|(?P<other>[_\[|]))?")
_LITERAL = re.compile(
    r"(?:[a-z]+:)?(?:code(?:-block|-cell)?|sourcecode|parsed-literal|literalinclude|raw|highlight|doctest|test(?:code|setup"
    r"|output|cleanup)|jupyter-execute|ipython|plot|prompt|graphviz|digraph|graph|mermaid|tikz|productionlist|csv-table"
    r"|replace|image|toctree|autosummary|bibliography|exec)"
)
_ROLE = re.compile(
    r"(?P<fence>^```math\n[\s\S]*?\n```$)|:math:`(?P<math>[^`]+)`|(?<!`)`(?P<after>[^`]+)`:math:"
    r"|(?P<literal>``.*?``)|(?P<named>:[\w:+.-]+:`[^`]*`)|(?<![`\w])`(?P<default>[^`]+)`(?![`_])|\\(?P<bracket>[][()])",
    re.MULTILINE,
)


def of_directives(written: Written) -> Written:
    r"""reStructuredText: ``.. math::`` and ``:math:`x```; literal blocks and comments go."""
    text = written.text
    plain = written.rewritten(_blocks(text))
    by_default = re.search(r"^\.\.[ \t]+default-role::[ \t]*math[ \t]*$", text, re.MULTILINE) is not None
    return plain.rewritten(_roles(plain.text, by_default=by_default))


def _blocks(text: str) -> Iterator[Edit]:
    lines = list(lines_of(text, 0, len(text)))
    at = 0
    while at < len(lines):
        start, end = lines[at]
        line = _LINE.match(text, start, end)
        indent, rest = (len(line["indent"]), line["rest"].rstrip()) if line is not None else (0, "")
        explicit = _EXPLICIT.match(rest)
        name = explicit["name"].lower() if explicit is not None and explicit["name"] else None
        after = at + 1
        while after < len(lines) and _deeper(text, lines[after], indent):
            after += 1
        stop = lines[after - 1][1]
        if name == "math" and explicit is not None:
            yield from _display(text, start, stop, start + indent + explicit.end(), end, stop)
        elif name is not None and _LITERAL.fullmatch(name):
            yield end if name == "raw" else start, stop, "\n"
        elif explicit is not None and name is None and explicit["other"] is None:
            if rest == ".." and text[slice(*lines[min(at + 1, len(lines) - 1)])].isspace():
                after, stop = at + 1, end  # a comment of nothing
            yield start, stop, "\n"
        elif rest.endswith("::") and explicit is None:
            yield end, stop, "\n" * (stop > end)
        else:
            after = at + 1
        at = after


def _deeper(text: str, line: tuple[int, int], indent: int) -> bool:
    """Whether it is blank or begins further right."""
    inside = text[slice(*line)]
    return inside.isspace() or len(inside) - len(inside.lstrip(" \t")) > indent


def _roles(text: str, *, by_default: bool) -> Iterator[Edit]:
    for match in _ROLE.finditer(text):
        group = next((g for g in ("math", "after") if match[g] is not None), "default" if by_default else "")
        if match["bracket"] is not None:
            yield match.start(), match.end(), match["bracket"]
        elif group and match[group] is not None:
            yield from _in_line(text, match.start(), match.end(), *match.span(group))
