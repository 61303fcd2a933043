"""A language server: what a check finds, under the lines of a document while it is written.

A document is read at once after each change, and checked in another process; what was decided before comes from the
cache.  An answer about a text that has changed meanwhile is dropped.
"""

from __future__ import annotations

import asyncio
import inspect
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dpsym import __version__

PAUSE = 0.4  # seconds without a change until the text is checked

_SEVERITIES = {
    "refuted": lsp.DiagnosticSeverity.Error,
    "open": lsp.DiagnosticSeverity.Information,
    "supported": lsp.DiagnosticSeverity.Information,
    "unread": lsp.DiagnosticSeverity.Hint,
}
_SIGNS = {"proved": "✓", "certified": "✓", "cited": "✓", "supported": "~", "open": "?", "unread": "…", "refuted": "✗"}


@dataclass(slots=True)
class _Open:
    """A document in the editor, and what was found of its latest text."""

    version: int = 0
    waiting: asyncio.Task[None] | None = None
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
        self._offer(lsp.TEXT_DOCUMENT_DID_OPEN, self._changed)
        self._offer(lsp.TEXT_DOCUMENT_DID_CHANGE, self._changed)
        self._offer(lsp.TEXT_DOCUMENT_DID_SAVE, self._changed)
        self._offer(lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed)
        self._offer(lsp.TEXT_DOCUMENT_HOVER, self._hover)
        self._offer(lsp.TEXT_DOCUMENT_INLAY_HINT, self._hints)
        self._offer(lsp.SHUTDOWN, self._stopped)

    def _offer(self, feature: str, answer: Callable[[Any], Any]) -> None:
        """Answer with a method, which pygls cannot mark, from inside a function."""
        if inspect.iscoroutinefunction(answer):

            async def later(asked: Any) -> Any:
                return await answer(asked)

            self.feature(feature)(later)
        else:
            self.feature(feature)(lambda asked: answer(asked))  # noqa: PLW0108 - a method cannot be marked

    async def _changed(
        self, change: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams | lsp.DidSaveTextDocumentParams
    ) -> None:
        uri = change.text_document.uri
        one = self._open.setdefault(uri, _Open())
        one.version += 1
        if one.waiting is not None:
            one.waiting.cancel()
        one.waiting = asyncio.create_task(self._check(uri, one, one.version))

    async def _check(self, uri: str, one: _Open, version: int) -> None:
        await asyncio.sleep(PAUSE)
        text = self.workspace.get_text_document(uri).source
        if self._worker is None:  # a fork would copy the server's threads
            self._worker = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        found = self._worker.submit(checked, text, str(path_of(uri)), self._time_limit)
        try:
            report = await asyncio.wrap_future(found)
        except Exception as error:  # noqa: BLE001 - the worker may have died; the next change starts another
            self._worker = None
            report = {"problem": f"nothing was checked: {type(error).__name__}: {error}"}
        if one.version != version or self._open.get(uri) is not one:
            return
        one.steps = [step for step in report.get("steps", []) if not step["file"]]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, diagnostics(report, text), self.workspace.get_text_document(uri).version)
        )

    def _closed(self, closing: lsp.DidCloseTextDocumentParams) -> None:
        uri = closing.text_document.uri
        one = self._open.pop(uri, None)
        if one is not None and one.waiting is not None:
            one.waiting.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _hover(self, asked: lsp.HoverParams) -> lsp.Hover | None:
        one = self._open.get(asked.text_document.uri)
        line = asked.position.line + 1
        said = [message(step) for step in (one.steps if one else []) if step["line"] == line]
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n\n".join(said))) if said else None

    def _hints(self, asked: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        uri = asked.text_document.uri
        one = self._open.get(uri)
        lines = self.workspace.get_text_document(uri).lines
        words: dict[int, list[str]] = {}
        for step in one.steps if one else []:
            at = step["line"] - 1
            if asked.range.start.line <= at <= min(asked.range.end.line, len(lines) - 1):
                words.setdefault(at, []).append(f"{_SIGNS[step['verdict']]} {step['verdict']}")
        ends = {at: len(lines[at].rstrip("\n")) for at in words}
        return [
            lsp.InlayHint(lsp.Position(at, ends[at]), ", ".join(said), padding_left=True) for at, said in words.items()
        ]

    def _stopped(self, _: Any) -> None:
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)


def path_of(uri: str) -> Path:
    """The file of a document; one that is not saved has the name that its address ends in."""
    parts = urlsplit(uri)
    return Path(url2pathname(unquote(parts.path)) if parts.scheme == "file" else Path(unquote(parts.path)).name)


def checked(text: str, path: str, time_limit: float) -> dict[str, Any]:
    """The report on a text as data; where there is none, `problem` says why, with `line` where it stands in one."""
    from dpsym.checking import Cache, check_document, user_folder
    from dpsym.deciding import EmptyDomain
    from dpsym.language import ReadingError
    from dpsym.language.documents.document import read_text
    from dpsym.rendering.report import as_data

    try:
        document = read_text(text, Path(path))
        return as_data(check_document(document, file=path, time_limit=time_limit, cache=Cache(user_folder())))
    except (ReadingError, EmptyDomain, OSError) as error:
        return {"problem": str(error), "line": getattr(error, "line", None) or 1}


def diagnostics(report: dict[str, Any], text: str) -> list[lsp.Diagnostic]:
    """What was not accepted, at its lines; what is to be said of the whole, at the first."""
    lines = text.split("\n")

    def at(line: int, column: int, severity: lsp.DiagnosticSeverity, said: str, code: str) -> lsp.Diagnostic:
        line = min(max(line, 1), len(lines))
        start, end = lsp.Position(line - 1, max(0, column - 1)), lsp.Position(line - 1, len(lines[line - 1]))
        return lsp.Diagnostic(lsp.Range(start, end), said, severity=severity, code=code, source="dpsym")

    if "problem" in report:
        return [at(report.get("line", 1), 1, lsp.DiagnosticSeverity.Error, report["problem"], "unreadable")]
    found = [
        at(step["line"], step["column"], _SEVERITIES[step["verdict"]], message(step), step["verdict"])
        for step in report["steps"]
        if step["verdict"] in _SEVERITIES and not step["file"]
    ]
    return found + [at(1, 1, lsp.DiagnosticSeverity.Information, note, "note") for note in report["notes"]]


def message(step: dict[str, Any]) -> str:
    """A step's verdict with its reason, the point at which it fails, and what would make it true."""
    said = [f"{step['verdict']}: {step['why']}"]
    if step["witness"] is not None:
        point = ", ".join(f"{name} = {value}" for name, value in step["witness"].items()) or "every point"
        said.append(f"at {point}")
        sides = (("left side", step["lhs_value"]), ("right side", step["rhs_value"]))
        said += [f"{side} = {value}" for side, value in sides if value is not None]
    if step["obligation"]:
        said.append(f"needed there: {step['obligation']}")
    if step["suggestion"]:
        said.append(f"suggestion: {step['suggestion']}")
    return "\n".join(said)
