"""`dpsym check`: once or whenever something changes, with reports in files, and proposals of declarations."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from dpsym.api.processes import processors
from dpsym.cli.arguments import aside, one_line
from dpsym.cli.defaults import Defaults
from dpsym.cli.questions import Given, Question
from dpsym.core.doing import waiting_for
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering import reports
from dpsym.rendering.answers import INTERRUPTED, Answer

if TYPE_CHECKING:
    from dpsym.api.checking import Checked, Unread

_LOOKS = 0.5  # seconds between two looks at watched files
_FOR_A_CERTIFICATE, _IN_PASSING = 10.0, 0.5  # seconds, where certificates are wanted and where they are only counted
_A_STEP = (
    10.0  # seconds of the wall's clock: a paper has many steps, and where work is counted it takes three times as long
)
_FILE = click.Path(dir_okay=False, path_type=Path)


class _Check(Question):
    def prepare(self, given: Given, known: Defaults) -> Given:
        """On all processors, with certificates."""
        given["jobs"] = processors(given.get("jobs"))
        given["certify"] = _FOR_A_CERTIFICATE if "certificate" in given else _IN_PASSING
        return {"time_limit": self.seconds, **given}

    def run(self, given: Given, form: str, known: Defaults) -> int:
        """Propose declarations; or check, once or until it is interrupted."""
        from dpsym.api.checking import papers, propose
        from dpsym.checking import Cache, user_folder
        from dpsym.language.documents.sidecar import beside

        files = papers(given["files"])
        for output in given.get("output", ()):
            with given_for("output", str(output)):
                _format(output, form)
                if output.exists() and any(Path(file).exists() and output.samefile(file) for file in files):
                    raise ReadingError("that is a paper to be checked; name another file")
        if "init" in given:
            return self._show(*propose(*files), {}, form)
        known.pass_over("adjacency", None, "a document says itself which data sets are neighbours")
        sources = {file: [Path(file), beside(Path(file))] for file in files}
        anew, watch = "no_cache" in given or "certificate" in given, "watch" in given
        if watch or not anew:
            undecided = watch and "file_time_limit" not in given
            given["cache"] = Cache(None if anew else user_folder(), undecided=undecided)

        def once(chosen: Sequence[str]) -> int:
            found = cast("Checked", self.ask(given | {"files": chosen}, form, known))
            for file, more in found.read.items():
                sources[file] = [*sources[file][:2], *more]
            return self._show(replace(found, several=len(files) > 1), found.unread, given, form)

        return _watch(sources, once) if watch else once(files)

    def _show(self, found: Answer, unread: Sequence[Unread], given: Given, form: str) -> int:
        """Print the reports, or write them where they are wanted, in the format of each name; and the certificates."""
        for one in unread:
            aside(f"dpsym check: {one_line(str(one))}")
        some = getattr(found, "reports", None) or getattr(found, "found", None)
        if not given.get("output") and (some or form == "json"):
            self.show(found, form, Defaults())
        for output in given.get("output", ()) if some else ():
            output.write_text(found.written(_format(output, form)) + "\n", encoding="utf-8")
        if some and (path := given.get("certificate")) is not None:
            written = cast("Checked", found).certificates()
            path.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
            steps = written["steps"]
            whole, there = (sum(bool(step[key]) for step in steps) for key in ("replayed", "certificate"))
            aside(f"{path}: {there} certificates for {len(steps)} steps, {whole} of them of the step as it stands")
        return found.status


def _format(output: Path, form: str) -> str:
    """The format that was asked for, or else that of the file's name."""
    asked = form == "json" or click.get_current_context().params["format_"] is not None
    return form if asked else reports.of_name(output)


def _watch(sources: Mapping[str, Sequence[Path]], check_all: Callable[[Sequence[str]], int]) -> int:
    """Until it is interrupted; what was found stays found while its text and conditions stay the same.

    `sources`: what each document was read from at its last check: its own file, its declarations, the files it reads.
    """
    seen: dict[Path, tuple[int, int] | None] = {}
    try:
        while True:
            changed = [f for f, paths in sources.items() if any(p not in seen or seen[p] != _state(p) for p in paths)]
            seen |= {p: _state(p) for f in changed for p in sources[f]}
            if changed:
                status = check_all(changed)
                seen = {p: _state(p) for f in changed for p in sources[f]} | seen  # those that were new to it
                if status == INTERRUPTED:
                    return status
                sys.stdout.flush()
            with waiting_for(""):
                time.sleep(_LOOKS)
    except KeyboardInterrupt:
        return INTERRUPTED


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


check = _Check(
    "checking.check", "checking", without=("text", "kind", "certify", "cache", "file"),
    arguments={"files": "FILE..."}, seconds=_A_STEP,
    formats=tuple(name for name in reports.names() if name not in Answer.FORMATS),
    more=(
        click.Option(["-o", "--output"], multiple=True, type=_FILE, metavar="FILE",
                     help="Write the report there, in the format of its name: .html, .md, .tex, .sarif, .json, .txt. "
                     "Repeatable."),
        click.Option(["--init"], is_flag=True, help="Propose declarations for a paper, in PAPER.dpsym.yaml beside it."),
        click.Option(["--watch"], is_flag=True, help="Check again whenever a file changes, and only what changed."),
        click.Option(["--no-cache"], is_flag=True, help="Decide everything anew; keep nothing."),
        click.Option(["--certificate"], type=_FILE, metavar="FILE", help="Decide everything anew, and write "
                     "certificates of the steps there, for `dpsym verify`."),
    ),
)  # fmt: skip
