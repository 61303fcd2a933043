"""A derivation file as a reader sees it: its prose and displays, each line with the verdict recorded for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dpsym.catalogue.proof_records import Record, StepRecord
from dpsym.core.verdicts import Verdict
from links import page_of_proof
from writing import badge, code, folded, text

_DISPLAY = re.compile(r"\$\$(?P<body>.*?)\$\$", re.DOTALL)
_NAME = re.compile(r"\[(\w+)\](?![(\[{])(?=[^$]*(?:\$[^$]*\$[^$]*)*\Z)")  # outside mathematics
_OUTER = re.compile(r"\s*\\begin\{aligned\}(?P<body>.*)\\end\{aligned\}\s*", re.DOTALL)
_TOKENS = re.compile(r"\\\\|\\begin|\\end|(?<!\\)&")
MARK = "⟦{}⟧"  # becomes a badge when the mathematics is converted


def proof(file: Path, record: Record | None, level: int = 3, *, lines_only: bool = False) -> str:
    """The proof as Markdown, its headings at that level; of what is no Markdown the file as it is.

    With `lines_only` what the file declares, and how each line was decided, is left out.
    """
    written = file.read_text(encoding="utf-8").replace("\r\n", "\n")
    steps = () if record is None else record.steps
    body = _with_verdicts(written, steps, level) if file.suffix == ".md" else code(written, "text")
    if lines_only:
        return body
    parts = [_start(written), body]
    if steps:
        parts.append(folded("How each line was decided", "\n".join(_reasons(steps))))
    return "\n\n".join(filter(None, parts))


def _front(written: str) -> tuple[str, str, int]:
    """The head, the body, and the lines before the body."""
    if not written.startswith("---\n"):
        return "", written, 0
    end = written.index("\n---\n", 3) + 5
    return written[4 : end - 5], written[end:], written[:end].count("\n")


def _start(written: str) -> str:
    """What the file declares, as it stands there."""
    head = [
        line for line in _front(written)[0].splitlines() if not line.startswith(("title:", "proves:")) and line.strip()
    ]
    return f"Declared:\n\n{code(chr(10).join(head), 'yaml')}" if head else ""


def _with_verdicts(written: str, steps: Sequence[StepRecord], level: int) -> str:
    _, body, before = _front(written)
    by_line: dict[int, list[StepRecord]] = {}
    for step in steps:
        by_line.setdefault(step.line, []).append(step)
    placed: set[int] = set()

    def marked(found: re.Match[str]) -> str:
        first = before + body.count("\n", 0, found.start("body")) + 1
        rows = []
        for start, row in _rows(found["body"]):
            line = first + found["body"].count("\n", 0, start)
            lines = range(line, line + row.strip().count("\n") + 1)
            placed.update(lines)
            rows.append((row.strip(), [step for n in lines for step in by_line.get(n, ())]))
        content = " \\\\\n".join(_beside(rows))
        return f"\n\n$$\n\\begin{{aligned}}\n{content}\n\\end{{aligned}}\n$$\n\n"

    shown = re.sub(r"^#+ ", f"{'#' * level} ", _DISPLAY.sub(marked, body), flags=re.MULTILINE)
    shown = re.sub(r"\]\((\w+)\.(?:md|tex|txt)\)", lambda m: f"](../{page_of_proof(m[1])})", shown)
    shown = _NAME.sub(lambda m: f"[`{m[1]}`](../{page_of_proof(m[1])})" if page_of_proof(m[1]) else m[0], shown)
    rest = [s for s in steps if s.line not in placed]
    left = [f"- line {s.line}: {badge(s.verdict)} {text(s.why)}" for s in rest]
    return "\n\n".join(filter(None, [shown.strip(), "\n".join(left)]))


def _rows(display: str) -> Iterator[tuple[int, str]]:
    """The rows of a display, each with where its text starts; line ends inside `cases` and the like end no row."""
    body = _OUTER.fullmatch(display)
    start, end = (body.start("body"), body.end("body")) if body else (0, len(display))
    depth, last = 0, start
    for token in _TOKENS.finditer(display, start, end):
        depth += {"\\begin": 1, "\\end": -1}.get(token[0], 0)
        if token[0] == "\\\\" and depth == 0:
            yield _stripped(display, last, token.start())
            last = token.end()
    if display[last:end].strip():
        yield _stripped(display, last, end)


def _stripped(display: str, start: int, end: int) -> tuple[int, str]:
    return start + len(display[start:end]) - len(display[start:end].lstrip()), display[start:end]


def _beside(rows: Sequence[tuple[str, Sequence[StepRecord]]]) -> Iterator[str]:
    """Each row, the weakest of its verdicts in a last column of the display."""
    columns = max(_columns(row) for row, _ in rows)
    last = columns + columns % 2  # which is aligned to the right, as every other one
    for row, steps in rows:
        if steps:
            weakest = max((s.verdict for s in steps), key=list(Verdict).index)
            yield rf"{row} {'&' * (last + 1 - _columns(row))} \text{{{MARK.format(weakest)}}}"
        else:
            yield row


def _columns(row: str) -> int:
    """How many a row has, those of `cases` and the like apart."""
    depth, found = 0, 1
    for token in _TOKENS.finditer(row):
        depth += {"\\begin": 1, "\\end": -1}.get(token[0], 0)
        found += token[0] == "&" and depth == 0
    return found


def _reasons(steps: Sequence[StepRecord]) -> Iterator[str]:
    yield "| line | verdict | method | reason |"
    yield "|---|---|---|---|"
    for step in steps:
        yield f"| {step.line} | {badge(step.verdict)} | {step.method} | {text(step.why)} |"
