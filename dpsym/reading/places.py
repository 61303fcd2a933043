"""Where the displays of a document are: in Markdown, LaTeX and reStructuredText."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from dpsym.reading.errors import ReadingError, in_document
from dpsym.reading.steps import Lines
from dpsym.reading.tex_scopes import DISPLAYS

MOST_DISPLAYS = 2_000

_FOREIGN = ("dmath", "dgroup", "IEEEeqnarray", "darray", "empheq", "xalignat", "prooftree")
_ENVIRONMENT = (
    rf"\\begin\s*\{{(?:(?P<environment>{'|'.join(DISPLAYS)})|(?P<foreign>{'|'.join(_FOREIGN)}))(?P<star>\*?)\}}"
)
_VERBATIM = r"\\begin\s*\{(?P<verbatim>verbatim|lstlisting|minted|comment)\}"
MARKDOWN = re.compile(
    r"^(?P<math>[ \t]*(?:```+|:::+)[ \t]*(?:math|\{math\})[ \t]*$)|^(?P<fence>[ \t]*(?:```+|~~~+))|(?P<comment><!--)"
    r"|(?P<code>(?<![\\`])`+)|(?P<kramdown>(?<!\\)\\\\\[(?![ \t]*-?[\d.]+[ \t]*[a-z]{2}[ \t]*\]))"
    rf"|(?P<dollars>(?<!\\)\$\$)|(?P<bracket>(?<!\\)\\\[)|{_ENVIRONMENT}",
    re.MULTILINE,
)
LATEX = re.compile(rf"{_VERBATIM}|(?P<dollars>(?<!\\)\$\$)|(?P<bracket>(?<!\\)\\\[)|{_ENVIRONMENT}", re.MULTILINE)
_CLOSING_MARKDOWN = re.compile(rf"\\end\s*\{{(?:{'|'.join(DISPLAYS)})\*?\}}")
_CLOSING = re.compile(rf"(?<!\\)\\\]|{_CLOSING_MARKDOWN.pattern}")
_CLOSED = re.compile(r"\\{1,2}\]|\$\$|\n?[ \t]*```|\\end\s*\{[^{}]*\}")
_BLANK = re.compile(r"\n[ \t]*\n")
_OPTIONS = re.compile(r"(?:[ \t]*\n)*(?:[ \t]*:[a-z-]+:[^\n]*(?:\n|$))*|", re.MULTILINE)
_RST = re.compile(r"^[ \t]*\.\.[ \t]+(?:(?P<name>[\w:+.-]+?)::(?=[ \t]|$)[ \t]*)?(?P<rest>[^\n]*)$", re.MULTILINE)
_RST_PLAIN = ("code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "raw", "highlight", "doctest",
              "testcode", "testoutput", "plot", "csv-table", "bibliography")  # fmt: skip


@dataclass(slots=True)
class Places:
    """What was found: displays, what is no mathematics (code and comments), what could not be delimited, and why."""

    displays: list[tuple[int, int]] = field(default_factory=list)
    others: list[tuple[int, int]] = field(default_factory=list)
    unread: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, start: int, end: int) -> None:
        """A display.

        Raises:
            ReadingError: for too many.
        """
        if len(self.displays) >= MOST_DISPLAYS:
            raise ReadingError(f"more than {MOST_DISPLAYS} displays")
        self.displays.append((start, end))


def find_displays(
    text: str, opening: re.Pattern[str], start: int, stop: int, found: Places, *, mending: bool = False
) -> None:
    """Add what stands between these places.

    Raises:
        ReadingError: for a display that is not closed, unless `mending`; for too many.
    """
    position = start
    missing: set[str] = set()  # what closes nothing from here on, so that it is not looked for again
    dollars: list[tuple[int, int]] = []
    while (match := opening.search(text, position, stop)) is not None:
        groups = match.groupdict()
        closer, is_display = _closer(groups, match)
        end = -1 if closer in missing else text.find(closer, match.end(), stop)
        if groups.get("code"):  # a run of backticks is closed by one of the same length
            same = re.compile(rf"(?<!`){closer}(?!`)").search(text, match.end(), stop) if end >= 0 else None
            end = same.start() if same else -1
        if groups.get("code") and _BLANK.search(text[match.end() : max(end, match.end())]):
            position = match.end()  # code in a line ends with its paragraph
            continue
        if end < 0:
            missing.add(closer)
            if groups.get("code") or groups.get("comment"):
                position = match.end()
                continue
            said = f"{match[0].strip()} is not closed by {closer.strip()}"
            if not mending:
                raise in_document(ReadingError(said), *Lines(text).of(match.start()))
            position = _unclosed(text, match, stop, said, found, dollars)
            continue
        after = end + len(closer)
        if not is_display:
            found.others.append((match.start(), after))
        elif groups.get("foreign"):
            said = f"the environment {groups['foreign']!r} is not read"
            if mending:
                found.unread.append((match.start(), after, said))
        else:
            begin = match.end()
            if groups.get("environment") == "alignat":
                begin = text.find("}", begin, stop) + 1 or begin
            if groups.get("math"):
                begin = _OPTIONS.match(text, begin, end).end()  # type: ignore[union-attr]
            if groups.get("dollars"):
                dollars.append((match.start(), end))
            found.add(begin, end)
        position = after
    if mending:
        found.unread += _closing_nothing(text, _CLOSING if opening is LATEX else _CLOSING_MARKDOWN, start, stop, found)


def _closing_nothing(
    text: str, closing: re.Pattern[str], start: int, stop: int, found: Places
) -> list[tuple[int, int, str]]:
    """What ends a display where none was begun, so that one may have been passed over."""
    known = sorted((*found.displays, *found.others, *((b, e) for b, e, _ in found.unread)))
    lost = []
    for match in closing.finditer(text, start, stop):
        at = match.start()
        number = bisect_right(known, (at, len(text)))
        if number == 0 or not known[number - 1][0] <= at <= known[number - 1][1]:
            paragraph = max(text.rfind("\n\n", start, at), known[number - 1][1] if number else 0, start)
            closer = _CLOSED.match(text, paragraph)
            paragraph = closer.end() if closer is not None and closer.end() <= at else paragraph
            lost.append((paragraph, match.end(), f"{match[0]} closes no display that was found"))
    return lost


def _unclosed(
    text: str, match: re.Match[str], stop: int, said: str, found: Places, dollars: list[tuple[int, int]]
) -> int:
    r"""Where to go on after what is not closed; which ``$$`` of several lacks its other one cannot be known."""
    if match.groupdict().get("dollars"):
        doubtful = next((begin for begin, end in dollars if _BLANK.search(text, begin, end)), match.start())
        found.displays[:] = [d for d in found.displays if d[0] < doubtful]
        found.unread[:] = [u for u in found.unread if u[0] < doubtful]
        found.unread.append((doubtful, stop, said))
        return stop
    paragraph = None if match.groupdict().get("fence") else _BLANK.search(text, match.end(), stop)
    end = stop if paragraph is None else paragraph.start()
    found.unread.append((match.start(), end, said))
    return end


def _closer(groups: dict[str, str | None], match: re.Match[str]) -> tuple[str, bool]:
    """What ends this part of the text, and whether it is display mathematics."""
    if groups.get("math"):
        return "\n" + re.match(r"[ \t]*(?:`+|:+)", match[0])[0], True  # type: ignore[index]
    if groups.get("fence"):
        return "\n" + match[0], False
    if groups.get("comment"):
        return "-->", False
    if groups.get("code"):
        return match[0], False
    if groups.get("verbatim"):
        return rf"\end{{{groups['verbatim']}}}", False
    if groups.get("kramdown"):
        return r"\\]", True
    if groups.get("dollars"):
        return "$$", True
    if groups.get("bracket"):
        return r"\]", True
    return rf"\end{{{groups['environment'] or groups['foreign']}{groups['star']}}}", True


def unquoted(text: str) -> str:
    """Markdown with blanks in place of the marks of quotation before the lines of a display."""
    if not re.search(r"^[ \t]*>", text, re.MULTILINE):
        return text
    lines, inside, quoted = text.split("\n"), False, False
    for number, line in enumerate(lines):
        match = re.match(r"[ \t]*(?:>[ \t]?)+", line)
        marks = match[0] if match is not None else ""
        rest = line[len(marks) :]
        above = lines[number - 1].strip() if number else ""  # else it may be a relation in a display
        opens = (quoted or not above) and re.match(r"\$\$|\\\\?\[|```+[ \t]*\{?math", rest.lstrip()) is not None
        if marks and (inside or opens):
            lines[number] = " " * len(marks) + rest
        inside, quoted = bool(marks) and (inside or opens), bool(marks)
    return "\n".join(lines)


def find_blocks(text: str, found: Places) -> None:
    """Add the ``.. math::`` blocks of reStructuredText, one display a paragraph; not what stands in code or comments.

    Raises:
        ReadingError: for too many.
    """
    lines, starts = text.split("\n"), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    number = 0
    while number < len(lines):
        line = lines[number]
        indent = len(line) - len(line.lstrip())
        match = _RST.match(line)
        after = _block_end(lines, number, indent)
        if match is not None and match["name"] == "math":
            begin = starts[number] + match.start("rest")
            _block(text, lines, starts, number, after, begin, found)
            number = after
        elif match is not None and (match["name"] is None or match["name"] in _RST_PLAIN):
            is_target = match["name"] is None and match["rest"].startswith(("_", "["))
            number = number + 1 if is_target else after
        elif match is None and line.rstrip().endswith("::"):
            found.others.append((starts[number] + len(line), starts[after] - 1))
            number = after
        else:
            number += 1


def _block_end(lines: list[str], number: int, indent: int) -> int:
    """The line after those that are further to the right."""
    end = number + 1
    for further in range(number + 1, len(lines)):
        line = lines[further]
        if line.strip():
            if len(line) - len(line.lstrip()) <= indent:
                break
            end = further + 1
    return end


def _block(text: str, lines: list[str], starts: list[int], number: int, after: int, begin: int, found: Places) -> None:
    """The paragraphs of a block: what stands beside its name, and below the options."""
    head = True
    start: int | None = begin
    for further in range(number + 1, after + 1):
        said = lines[further].strip() if further < after else ""
        option = head and re.fullmatch(r":[a-z-]+:.*", said) is not None
        if said and not option:
            head = head and not text[begin : starts[further]].strip()
            start = starts[further] if start is None else start
        elif start is not None:
            if text[start : starts[further] - 1].strip():
                found.add(start, starts[further] - 1)
            start = None
