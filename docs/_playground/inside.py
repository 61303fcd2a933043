"""What runs in Pyodide for the page: modules that are fetched when they are asked for, commands, checks line by line.

Everything here takes and gives text; nothing from outside is evaluated.
"""

from __future__ import annotations

import gzip
import io
import json
import shlex
import sys
import zipimport
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

MODULES, REST = "/lib/modules.zip", "/lib/rest.zip"
_STEP = 10.0  # seconds for a step, as the command has


class _Rest:
    """Modules that few questions need: their archive is fetched when the first of them is imported."""

    def __init__(self, fetch: Callable[[], Any]) -> None:
        self._fetch = fetch
        self._names: set[str] | None = None

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        if name.partition(".")[0] not in {"click", "mpmath", "rich", "sympy"}:
            return None
        if not Path(REST).exists():
            Path(REST).write_bytes(gzip.decompress(self._fetch().to_bytes()))
        folder = name.rpartition(".")[0].replace(".", "/")
        return zipimport.zipimporter(f"{REST}/{folder}" if folder else REST).find_spec(name)


def mount(fetch_rest: Callable[[], Any]) -> None:
    """Make the archives importable."""
    sys.path.append(MODULES)
    sys.meta_path.append(_Rest(fetch_rest))


def warm() -> None:
    """Load what nearly every question needs."""
    import dpsym.checking
    import dpsym.language.documents.document
    import dpsym.rendering.report  # noqa: F401 - to have been imported


def run(command: str) -> str:
    """What a command line prints: `output`, `errors` and `status`, as JSON."""
    from dpsym.cli import run as run_command

    output, errors = io.StringIO(), io.StringIO()
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        return json.dumps({"output": "", "errors": f"dpsym: {error}\n", "status": 2})
    if arguments[:1] == ["dpsym"]:
        arguments = arguments[1:]
    with redirect_stdout(output), redirect_stderr(errors):
        status = run_command(arguments)
    return json.dumps({"output": output.getvalue(), "errors": errors.getvalue(), "status": status})


def check(text: str, name: str, post: Callable[[str], object], outdated: Callable[[], Any]) -> str:
    """Check a derivation; the report as JSON, or `problem` with its `line`.

    What is found is posted as soon as it is, as JSON: `lines`, those in which there are steps; then a `number` with
    `line` and `verdict`, step by step; then `report`, what `dpsym check` says; then suggestions, `number` with
    `suggestion` and the `edit` of the text that makes it.  The check ends early where `outdated()` comes to be true.
    """
    from dpsym.checking import check_document
    from dpsym.deciding import EmptyDomain, InternalContradiction
    from dpsym.language import ReadingError
    from dpsym.language.documents.document import read_text
    from dpsym.rendering.report import as_data

    def tell(**said: Any) -> None:
        post(json.dumps(said))

    def stop_if_outdated(_: str = "") -> None:
        if _waits_for(outdated):
            raise KeyboardInterrupt

    known = _known()
    try:
        document = read_text(text, Path(name))
        steps = [step for chain in document.chains for step in chain.steps]
        tell(lines=[step.line for step in steps])
        known.listen({id(step): number for number, step in enumerate(steps)}, tell)
        stop_if_outdated()
        report = check_document(
            document, file=name, time_limit=_STEP, jobs=1, cache=known, suggest=False, telling=stop_if_outdated
        )
        found = as_data(report)
        if report.interrupted:
            return json.dumps({"outdated": True})
        tell(report=found)
        for number, step in enumerate(found["steps"]):
            if step["verdict"] == "refuted":
                stop_if_outdated()
                step["suggestion"] = known.suggestion(number)
                tell(number=number, suggestion=step["suggestion"], edit=_edit(text, name, number, step["suggestion"]))
    except KeyboardInterrupt:
        return json.dumps({"outdated": True})
    except (ReadingError, EmptyDomain, InternalContradiction, OSError) as error:
        return json.dumps({"problem": str(error), "line": getattr(error, "line", None)})
    return json.dumps(found)


def _waits_for(outdated: Callable[[], Any]) -> bool:
    """What the page says, which may have changed since; False where this Python cannot wait for an answer."""
    from pyodide.ffi import can_run_sync, run_sync

    return bool(run_sync(outdated())) if can_run_sync() else False


def _edit(text: str, name: str, number: int, suggestion: str | None) -> dict[str, Any] | None:
    """The change of the text that makes the step what is suggested, in the units that the browser counts."""
    from dpsym.checking.edits import edited
    from dpsym.language.documents.document import read_text

    edit = edited(text, number, suggestion, lambda new: read_text(new, Path(name))) if suggestion else None
    if edit is None:
        return None
    start, end = (len(text[:place].encode("utf-16-le")) // 2 for place in (edit.start, edit.end))
    return {"from": start, "to": end, "insert": edit.text}


@cache
def _known() -> Any:
    """What was found since the page was opened: each verdict is told when it is, or when it is found again."""
    from dpsym.checking import Cache
    from dpsym.checking.steps import annotated

    class Live(Cache):
        def listen(self, numbers: dict[int, int], tell: Callable[..., None]) -> None:
            self._numbers, self._tell, self._found = numbers, tell, {}

        def get(self, task: Any) -> Any:
            result = super().get(task)
            if result is not None:
                self._note(task, result)
            return result

        def put(self, task: Any, result: Any) -> None:
            super().put(task, result)
            self._note(task, result)

        def _note(self, task: Any, result: Any) -> None:
            number = self._numbers.get(id(task.step))
            if number is not None:
                self._found[number] = task, result
                self._tell(number=number, line=task.step.line, verdict=str(result.decision.verdict))

        def suggestion(self, number: int) -> str | None:
            task, result = self._found[number]
            task = replace(task, suggest=True)
            better = super().get(task)
            if better is None:
                better = annotated(task, result)
                super().put(task, better)
            return better.suggestion

    return Live(undecided=True)


def loaded() -> str:
    """The names of the modules that were needed so far, as JSON."""
    return json.dumps(sorted(name for name, module in sys.modules.items() if module is not None))
