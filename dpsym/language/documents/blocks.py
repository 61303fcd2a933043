"""Markdown's blocks, line by line: what is open in a quote, in an item of a list or in a cell ends where that ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpsym.language.documents.texts import Edit

_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
_OPENS_QUOTE = re.compile(
    r" {0,3}(?:>[ \t]?)+[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*"
    r"(?:\$\$|\\\\?\[|\\begin|```|~~~|<(?:!--|pre|script|style))"
)
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}|$)")
_HTML = re.compile(
    r"</?(?:div|p|table|t[drh]|section|article|details|summary|center|h\d|[ou]l|li|figure|blockquote)\b",
    re.IGNORECASE,
)  # no mark of Markdown is one from here to the next blank line
_TAG = re.compile(rf"{_HTML.pattern}|</?[A-Za-z][\w-]*(?:\s[^<>]*)?>\s*$", re.IGNORECASE)  # alone, after a blank line
_OPENS = re.compile(
    r"(?P<lead> *)(?:(?P<mark>`{3,}(?![^`]*`)|~{3,}) *(?P<info>.*)|<(?P<tag>(?i:pre|script|style|textarea))\b|<!--)"
)
_PROSE = re.compile(  # a directive that holds Markdown
    r"\{(?:(?:prf|proof):\w+|admonition|note|tip|warning|important|hint|caution|danger|attention|error|seealso|todo|theorem"
    r"|proof|lemma|definition|corollary|proposition|example|remark|exercise(?:-start)?|solution(?:-start)?|dropdown"
    r"|details|card|grid(?:-item(?:-card)?)?|tab-(?:item|set)|div|aside|margin|sidebar|topic|container|epigraph)\}"
)
END_OF_RAW = re.compile(r"</(?:pre|script|style|textarea)", re.IGNORECASE)  # any of them ends all of them
ENDS_A_BLOCK = re.compile(  # code in a line, and a comment in it, do not go on past it
    r"\n[ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t\n]|>|\||```|~~~|</?[A-Za-z!?]"
    r"|(?:=+|-+|(?:[*_-][ \t]*){3,})[ \t]*\n)"
)


@dataclass(slots=True)
class _Opened:
    """What hides lines, or shows them as mathematics: what closes it, and in which quote and item it stands."""

    closer: str
    depth: int
    outer: int  # how far the signs of the quote are set in
    indent: int
    first: int  # where code begins that goes; -1: it is none
    left: str  # in the place of the code
    edits: list[Edit]  # of these lines, should it never be closed

    def is_closed(self, line: str) -> bool:
        """Whether the line closes it; one that is set in is code."""
        if self.closer[0] in "`~":
            return (
                not line[self.indent :].startswith(" " * 4)
                and line.strip().startswith(self.closer)
                and not line.strip().strip(self.closer[0])
            )
        return "-->" in line if self.closer == "-->" else END_OF_RAW.search(line) is not None


def _goes_on(line: str) -> bool:
    """Whether the line can belong to the paragraph before it."""
    solid = line.lstrip()
    alike = solid[:1] == "|" or (solid[:1] == "<" and not _HTML.match(solid) and not _OPENS.match(solid))
    return alike or ENDS_A_BLOCK.match(f"\n{line}\n") is None


def lines_of(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where each line starts, and where the next one does."""
    while start < stop:
        end = text.find("\n", start, stop) + 1 or stop
        yield start, end
        start = end


def blocks(text: str) -> Iterator[Edit]:
    """No signs of quotes, no lines of code, and fences that a program finds without knowing of quotes and items.

    A sign of a quote that begins inside of a paragraph is a relation.
    """
    depth, blank, in_html = 0, True, False
    items, in_text = list[tuple[int, int]](), False  # in how many quotes each item stands, and where its text begins
    prose = list[str]()  # what closes each directive
    opened: _Opened | None = None
    for start, end in lines_of(text, 0, len(text)):
        last = end - (text[end - 1] == "\n")
        mark = _QUOTE.match(text, start, last) if text.find(">", start, last) >= 0 else None
        is_quote = mark is not None and (depth or blank or opened or _OPENS_QUOTE.match(text, start, last))
        is_code = opened is not None and not opened.depth and mark and not mark[0].find(">") < opened.indent
        now = mark[0].count(">") if mark and is_quote and not is_code else 0
        begin = mark.end() if mark and now else start
        line = text[begin:last].expandtabs(4)
        outer = len(text[start:begin]) - len(text[start:begin].lstrip())
        solid = line.lstrip()
        indent = len(line) - len(solid) if solid else len(text)
        if opened is not None and (now < opened.depth or outer < opened.outer or indent < opened.indent):
            yield (opened.first, start, opened.left) if opened.first >= 0 else (start, start, f"{opened.closer}\n")
            opened = None
        before, depth, was_blank, blank = depth, now, blank, start == last or text[start:last].isspace()
        if opened is not None:
            closed = opened.is_closed(line)
            if closed and opened.first >= 0:
                yield opened.first, end, opened.left
            elif closed and opened.closer[0] in "`~":
                yield start, last, opened.closer
            elif opened.first >= 0:
                opened.edits += [(start, begin, "")] * (begin > start)
            elif begin > start:
                yield start, begin, ""
            opened = None if closed else opened
            continue
        breaks = now > before and not was_blank
        if breaks or begin > start:
            yield start, begin, "\n" * breaks
        in_html = bool(solid) and (
            in_html or (solid[0] == "<" and (_TAG if was_blank else _HTML).match(solid) is not None)
        )
        begins_one = now > before or not _goes_on(line)
        goes_on = in_text and not begins_one  # with the paragraph of the item
        while items and not goes_on and (items[-1][0] > now or (outer, indent)[items[-1][0] == now] < items[-1][1]):
            items.pop()
        at = items[-1][1] if items and items[-1][0] == now and not goes_on else 0
        while solid and (solid[0] in "-*+" or solid[0].isdigit()) and (item := _ITEM.match(line, at)) is not None:
            items.append((now, at := item.end()))
        in_text = bool(items) and _goes_on(line[at:])
        found = _OPENS.match(line, at) if "`" in line or "~" in line or "<" in line else None
        if found is None:
            continue
        closer, info, is_set_in = found["mark"], found["info"], len(found["lead"]) > 3
        where = now, max((column for deep, column in items if deep < now), default=0), at
        if closer is None:
            closer = f"</{found['tag'].lower()}>" if found["tag"] else "-->"
            if not is_set_in and not (begun := _Opened(closer, *where, -1, "", [])).is_closed(line[found.end() :]):
                yield begin, last, line[found.end("lead") :]
                opened = begun
        elif prose and not info and closer.startswith(prose[-1]):
            prose.pop()
            yield begin, last, ""
        elif _PROSE.match(info):
            prose.append(closer)
            yield begin, last, ""
        else:
            is_code = not re.match(r"math(?!\S)|\{math\}", info)
            is_fence = not (is_code and (is_set_in or in_html))
            shown = line[found.start("mark") :] * is_fence
            if not (is_code and is_fence):
                yield begin, last, shown
                opened = _Opened(closer, *where, -1, "", []) if is_fence else None
            else:
                left = f"{shown}\n{closer}\n" if info[:1] == "{" else "\n"  # others may write something
                opened = _Opened(closer, *where, begin, left, [(begin, last, shown)])
    yield from opened.edits if opened is not None else ()
