"""A language server: what a check finds, under the lines of a document while it is written.

A document is checked in another process, a few seconds after the last change.  What was decided before comes from the
cache; what takes longer is said when it is found.  A change stops the check of the text before it.
"""

from __future__ import annotations

import asyncio
import io
import itertools
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dpsym import __version__

if TYPE_CHECKING:
    from dpsym.checking import Cache

PAUSE = 0.4  # seconds without a change until the text is checked
PARTS = (2.0, 10.0, 60.0, None)  # seconds of a check after which what was found is shown; it goes on from the cache
SLOTS = 64  # documents whose checks can be stopped apart from each other
MOST_EDITS = 10  # suggestions that are tried as changes of the text

_SEVERITIES = {
    "refuted": lsp.DiagnosticSeverity.Error,
    "fails": lsp.DiagnosticSeverity.Warning,
    "open": lsp.DiagnosticSeverity.Information,
    "supported": lsp.DiagnosticSeverity.Information,
    "unread": lsp.DiagnosticSeverity.Hint,
}
_SUFFIXES = {"latex": ".tex", "tex": ".tex", "markdown": ".md"}
_SIGNS = {
    "proved": "✓", "certified": "✓", "cited": "✓", "supported": "~", "open": "?", "unread": "…", "fails": "✗",
    "refuted": "✗",
}  # fmt: skip


@dataclass(slots=True)
class _Open:
    """A document in the editor, and what was found of its latest text."""

    slot: int
    version: int = 0
    waiting: asyncio.Task[None] | None = None
    lines: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)


def server(time_limit: float) -> LanguageServer:
    """A server; `time_limit` is for one step, in seconds."""
    return _Server(time_limit)


class _Server(LanguageServer):
    def __init__(self, time_limit: float) -> None:
        super().__init__("dpsym", __version__)
        self._time_limit = time_limit
        self._open: dict[str, _Open] = {}
        self._worker: ProcessPoolExecutor | None = None
        self._processes = multiprocessing.get_context("spawn")  # a fork would copy the server's threads
        self._wanted = self._processes.Array("L", SLOTS)  # the version of each document that is worth checking
        self._slots = itertools.count()
        self._offer(lsp.TEXT_DOCUMENT_DID_OPEN, self._changed)
        self._offer(lsp.TEXT_DOCUMENT_DID_CHANGE, self._changed)
        self._offer(lsp.TEXT_DOCUMENT_DID_SAVE, self._changed)
        self._offer(lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed)
        self._offer(lsp.TEXT_DOCUMENT_HOVER, self._hover)
        self._offer(lsp.TEXT_DOCUMENT_INLAY_HINT, self._hints)
        self._offer(lsp.TEXT_DOCUMENT_CODE_ACTION, self._actions)
        self._offer(lsp.SHUTDOWN, self._stopped)

    def _offer(self, feature: str, answer: Callable[[Any], Any]) -> None:
        self.feature(feature)(lambda asked: answer(asked))  # noqa: PLW0108 - pygls marks what it is given

    def _changed(
        self, change: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams | lsp.DidSaveTextDocumentParams
    ) -> None:
        uri = change.text_document.uri
        one = self._open.get(uri)
        if one is None:
            one = self._open[uri] = _Open(next(self._slots) % SLOTS)
        self._outdate(one)
        one.waiting = asyncio.create_task(self._check(uri, one, one.version))

    def _outdate(self, one: _Open) -> None:
        """Whatever is found of its text now is no longer wanted."""
        one.version += 1
        one.steps = []
        self._wanted[one.slot] = one.version
        if one.waiting is not None:
            one.waiting.cancel()

    async def _check(self, uri: str, one: _Open, version: int) -> None:
        await asyncio.sleep(PAUSE)
        document = self.workspace.get_text_document(uri)
        text, shown, path = document.source, document.version, path_of(uri)
        if not path.suffix:  # it was never saved
            path = path.with_suffix(_SUFFIXES.get(document.language_id or "", ""))
        for seconds in PARTS:
            report = await self._checked(text, str(path), seconds, one.slot, version)
            if one.version != version or self._open.get(uri) is not one:
                return
            one.lines, one.steps = io.StringIO(text, newline="").readlines(), report.get("steps", [])
            found = [self._as_client_counts(one, d) for d in diagnostics(report, text)]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, shown))
            if not report.get("interrupted"):
                return

    async def _checked(self, text: str, path: str, seconds: float | None, slot: int, version: int) -> dict[str, Any]:
        if self._worker is None:
            begin: Callable[..., object] = _watch
            self._worker = ProcessPoolExecutor(1, self._processes, begin, (self._wanted,))
        try:
            asked = self._worker.submit(checked, text, path, self._time_limit, seconds, slot, version)
            return await asyncio.wrap_future(asked)
        except Exception as error:  # noqa: BLE001 - a defect must not end the session
            if isinstance(error, BrokenExecutor):  # the next change starts another one
                self._worker = None
            return {"problem": f"nothing was checked: {type(error).__name__}: {error}"}

    def _as_client_counts(self, one: _Open, found: lsp.Diagnostic) -> lsp.Diagnostic:
        """Its columns in the units that the editor counts."""
        found.range = self.workspace.position_codec.range_to_client_units(one.lines, found.range)
        return found

    def _closed(self, closing: lsp.DidCloseTextDocumentParams) -> None:
        uri = closing.text_document.uri
        one = self._open.pop(uri, None)
        if one is not None:
            self._outdate(one)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _hover(self, asked: lsp.HoverParams) -> lsp.Hover | None:
        one = self._open.get(asked.text_document.uri)
        line = asked.position.line + 1
        said = [step["message"] for step in (one.steps if one else []) if step["line"] == line and not step["file"]]
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n\n".join(said))) if said else None

    def _hints(self, asked: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        one = self._open.get(asked.text_document.uri)
        words: dict[int, list[str]] = {}
        for step in one.steps if one else []:
            at = step["line"] - 1
            if not step["file"] and asked.range.start.line <= at <= asked.range.end.line:
                words.setdefault(at, []).append(f"{_SIGNS[step['verdict']]} {step['verdict']}")
        lines = one.lines if one else []
        ends = {at: len(lines[at].rstrip("\r\n")) for at in words if at < len(lines)}
        units = self.workspace.position_codec.client_num_units
        return [
            lsp.InlayHint(lsp.Position(at, units(lines[at][:end])), ", ".join(words[at]), padding_left=True)
            for at, end in ends.items()
        ]

    def _actions(self, asked: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Each suggestion in these lines, put into the text."""
        uri = asked.text_document.uri
        one = self._open.get(uri)
        found = []
        for step in one.steps if one else []:
            lines = range(step["line"] - 1, step["last"])
            if step["edit"] is None or asked.range.end.line < lines.start or asked.range.start.line >= lines.stop:
                continue
            start, end = (_place(one.lines if one else [], step["edit"][key]) for key in ("start", "end"))
            where = self.workspace.position_codec.range_to_client_units(one.lines if one else [], lsp.Range(start, end))
            change = lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(where, step["edit"]["text"])]})
            about = [d for d in asked.context.diagnostics if d.code == step["verdict"] and d.message == step["message"]]
            title = f"dpsym: {step['suggestion']}"
            found.append(lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, diagnostics=about, edit=change))
        return found

    def _stopped(self, _: Any) -> None:
        for one in self._open.values():
            self._outdate(one)
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)


def _place(lines: Sequence[str], offset: int) -> lsp.Position:
    """The line and column of a place in the text."""
    for number, line in enumerate(lines):
        if offset < len(line) or number == len(lines) - 1:
            return lsp.Position(number, offset)
        offset -= len(line)
    return lsp.Position(0, 0)


def path_of(uri: str) -> Path:
    """The file of a document; one that is not saved has the name that its address ends in."""
    parts = urlsplit(uri)
    return Path(url2pathname(unquote(parts.path)) if parts.scheme == "file" else Path(unquote(parts.path)).name)


# --- in the other process

_wanted: Sequence[int] = ()  # as the server says


def _watch(wanted: Sequence[int]) -> None:
    global _wanted  # noqa: PLW0603 - a process that is started has no other place
    _wanted = wanted


@cache
def _known() -> Cache:
    """Of the whole session: what is open is asked again with every change."""
    from dpsym.checking import Cache, user_folder

    return Cache(user_folder(), undecided=True)


def checked(
    text: str, path: str, time_limit: float, seconds: float | None = None, slot: int = 0, version: int = 0
) -> dict[str, Any]:
    """The report on a text as data, without the steps that were not reached in these seconds.

    With each step: `last`, the line in which its display ends, `message`, its verdict with its reason and its evidence,
    and `edit`, the change that puts its suggestion into the text.  Where there is no report, `problem` says why, with
    `line` where it stands in one; of a text that is no derivation nothing is said.  The check stops when another
    version is wanted of the document in the slot.
    """
    from dpsym.checking import check_document
    from dpsym.checking.results import NOT_REACHED
    from dpsym.deciding import EmptyDomain, InternalContradiction
    from dpsym.language import ReadingError
    from dpsym.language.documents.document import KINDS, read_text
    from dpsym.rendering.report import as_data, evidence, resting

    def outdated() -> bool:
        return bool(_wanted) and _wanted[slot] != version

    def telling(_: str) -> None:
        if outdated():
            raise KeyboardInterrupt

    nothing: dict[str, Any] = {"steps": [], "notes": []}
    if Path(path).suffix.lower() not in KINDS:
        return nothing
    try:
        document = read_text(text, Path(path))
        if outdated():
            return {"interrupted": True}
        if document.kind == "plain" and all(step.unread for chain in document.chains for step in chain.steps):
            return nothing
        report = check_document(
            document, file=path, time_limit=time_limit, file_time_limit=seconds, jobs=1, cache=_known(), telling=telling
        )
    except (ReadingError, EmptyDomain, InternalContradiction, OSError) as error:
        return {"problem": str(error), "line": getattr(error, "line", None) or 1}
    found = as_data(report)
    lasts = [(max(chain.chain.last, chain.chain.line), one) for chain in report.chains for one in chain.steps]
    edits = _edits(text, path, found["steps"]) if not outdated() else {}
    for number, (step, (last, one)) in enumerate(zip(found["steps"], lasts, strict=True)):
        rests = [f"rests on {', '.join(said)}" for said in [resting(one)] if said]
        said = "\n".join((f"{step['verdict']}: {step['why']}", *evidence(one), *rests))
        step |= {"last": last, "message": said, "edit": edits.get(number)}
    found["steps"] = [step for step in found["steps"] if step["why"] != NOT_REACHED.why]
    return found


def _edits(text: str, path: str, steps: Sequence[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """The changes that put suggestions into the text, by the number of the step."""
    from dpsym.checking.edits import edited
    from dpsym.language.documents.document import read_text

    suggested = [n for n, step in enumerate(steps) if step["suggestion"] and not step["file"]][:MOST_EDITS]
    found = {n: edited(text, n, steps[n]["suggestion"], lambda new: read_text(new, Path(path))) for n in suggested}
    return {
        n: {"start": edit.start, "end": edit.end, "text": edit.text} for n, edit in found.items() if edit is not None
    }


# --- what is shown


def diagnostics(report: dict[str, Any], text: str) -> list[lsp.Diagnostic]:
    """What was not accepted, at its lines; what is to be said of the whole, at the first."""
    lines = text.split("\n")

    def at(line: int, column: int, severity: lsp.DiagnosticSeverity, said: str, code: str) -> lsp.Diagnostic:
        line = min(max(line, 1), len(lines))
        start, end = (
            lsp.Position(line - 1, max(0, column - 1)),
            lsp.Position(line - 1, len(lines[line - 1].rstrip("\r"))),
        )
        return lsp.Diagnostic(lsp.Range(start, end), said, severity=severity, code=code, source="dpsym")

    if "problem" in report:
        return [at(report.get("line", 1), 1, lsp.DiagnosticSeverity.Error, report["problem"], "unreadable")]
    found = [
        at(step["line"], step["column"], _SEVERITIES[step["verdict"]], step["message"], step["verdict"])
        for step in report["steps"]
        if step["verdict"] in _SEVERITIES and not step["file"]
    ]
    return found + [at(1, 1, lsp.DiagnosticSeverity.Information, note, "note") for note in report["notes"]]
