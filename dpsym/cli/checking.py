"""The command that checks derivation files, once or whenever they change."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpsym.api.processes import processors
from dpsym.cli.arguments import (
    DONE,
    INTERRUPTED,
    JSON,
    REFUTED,
    UNDECIDED,
    UNREADABLE,
    Amount,
    Whole,
    Word,
    answer,
    aside,
    one_line,
)
from dpsym.cli.defaults import defaults
from dpsym.core.doing import doing, waiting_for
from dpsym.core.nearest import why_not_opened
from dpsym.rendering import reports as formats

if TYPE_CHECKING:
    from dpsym.checking import Cache, Report

_LOOKS = 0.5  # seconds between two looks at watched files
_FOR_A_CERTIFICATE, _IN_PASSING = 10.0, 0.5  # seconds, where certificates are wanted and where they are only counted


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(readable=False))
@click.option(
    "--format",
    "format_",
    type=Word(formats.names()),
    help="Of the report; tex is the paper with notes in its margin, sarif and github are for continuous integration.",
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report there, in the format of its name: .html, .md, .tex, .sarif, .txt. Repeatable.",
)
@click.option("--let", multiple=True, metavar="COND", help='A further name with its domain: "rho > 0". Repeatable.')
@click.option("--where", multiple=True, metavar="NAME=EXPR", help="A further abbreviation. Repeatable.")
@click.option("--assume", multiple=True, metavar="COND", help="A further condition. Repeatable.")
@click.option("--time-limit", type=Amount(min=0.1, max=86_400), default=10.0, show_default=True,
              help="Seconds for one step.")  # fmt: skip
@click.option("--file-time-limit", type=Amount(min=0.1, max=864_000), help="Seconds for one file.")
@click.option("--jobs", type=Whole(1, 256), help="Steps checked at a time [default: one per processor].")
@click.option(
    "--init", "propose", is_flag=True, help="Propose declarations for a paper, in PAPER.dpsym.yaml beside it."
)
@click.option("--inline", is_flag=True, help="Also check chains such as $a = b <= c$ in lines of prose.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, and only what changed.")
@click.option("--no-cache", is_flag=True, help="Decide everything anew; keep nothing.")
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Decide everything anew, and write certificates of the steps there, for `dpsym verify`.",
)
@JSON
def check(
    files: Sequence[str],
    format_: str | None,
    outputs: Sequence[Path],
    let: Sequence[str],
    where: Sequence[str],
    assume: Sequence[str],
    time_limit: float,
    file_time_limit: float | None,
    jobs: int | None,
    propose: bool,
    inline: bool,
    watch: bool,
    no_cache: bool,
    certificate: Path | None,
    as_json: bool,
) -> int:
    """Check every step of papers: Markdown, LaTeX, notebooks, reStructuredText, plain text (- is standard input).

    A folder stands for all papers in it; of LaTeX for those that are documents of their own.

    Exit status: 0 every step proved, certified or cited, 1 some step refuted, 3 none refuted, but some that fail as
    read or are undecided, 2 a file could not be read.

    \b
    dpsym check proof.md
    dpsym check paper.tex --format html -o report.html
    """
    from dpsym.checking import Cache, check_document, user_folder
    from dpsym.deciding import EmptyDomain, InternalContradiction
    from dpsym.language import ReadingError, read_path
    from dpsym.language.documents.sidecar import beside

    files = papers(files)
    for output in outputs:
        if output.exists() and any(Path(file).exists() and output.samefile(file) for file in files):
            raise click.UsageError(f"-o {output}: that is a paper to be checked; name another file")
    if propose:
        return _propose(files)
    defaults().pass_over("adjacency", None, "a document says itself which data sets are neighbours")
    cache: Cache | None = None
    no_cache = no_cache or certificate is not None
    if watch or not no_cache:
        cache = Cache(None if no_cache else user_folder(), undecided=watch and file_time_limit is None)

    defects: list[str] = []
    errors: list[str] = []
    sources = {file: [Path(file), beside(Path(file))] for file in files}

    def once(file: str, earlier: Cache | None) -> Report | str:
        try:
            with waiting_for(f"checking {file}"):
                document = read_path(file, let=let, where=where, assume=assume, inline=inline)
                sources[file] = [*sources[file][:2], *document.files]
                return check_document(
                    document, file=file, time_limit=time_limit, file_time_limit=file_time_limit,
                    jobs=jobs or processors(), cache=earlier, telling=doing,
                    certify=_IN_PASSING if certificate is None else _FOR_A_CERTIFICATE,
                )  # fmt: skip
        except (ReadingError, EmptyDomain, OSError) as error:
            message = why_not_opened(file, error) if isinstance(error, OSError) else str(error)
            return message if file in message else f"{file}: {message}"
        except Exception as error:  # a defect that one file shows must not take the others with it
            if os.environ.get("DPSYM_TRACEBACK"):
                raise
            defects.append(file)
            kind = "" if isinstance(error, InternalContradiction) else f"{type(error).__name__}: "
            return f"{file}: internal error, nothing was decided: {kind}{error}"

    def all_of(chosen: Sequence[str]) -> int:
        reports: list[Report] = []
        unreadable = False
        for file in chosen:
            found = once(file, cache)
            if isinstance(found, str):
                errors.append(one_line(found))
                aside(f"dpsym check: {errors[-1]}")
                unreadable = unreadable or file not in defects
                continue
            reports.append(found)
            if found.interrupted and file_time_limit is None:
                break
        if reports:
            for output in outputs or (None,):
                called = formats.of_name(output) if format_ is None and output is not None else format_
                text = _as_json(reports, len(files) > 1) if as_json else formats.write(called or formats.USUAL, reports)
                if output is None:
                    answer(text)
                else:
                    output.write_text(text + "\n", encoding="utf-8")
        if reports and certificate is not None:
            _certify(reports, certificate)
        status = _status(reports, unreadable, file_time_limit is not None, bool(defects))
        if errors and not reports and as_json:
            from dpsym.rendering import data

            answer(data.document(data.error("unreadable" if unreadable else "internal", "; ".join(errors), status)))
        return status

    return _watch(sources, all_of) if watch else all_of(files)


def _certify(reports: Sequence[Report], path: Path) -> None:
    """Write the steps' certificates, and say how many there are."""
    import json

    from dpsym.checking.certifying import certificates

    found = certificates(reports)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    steps = found["steps"]
    whole, there = (sum(bool(step[key]) for step in steps) for key in ("replayed", "certificate"))
    aside(f"{path}: {there} certificates for {len(steps)} steps, {whole} of them of the step as it stands")


def _propose(files: Sequence[str]) -> int:
    """Write what the documents leave unsaid, as it would be read, beside each of them."""
    from dpsym.deciding import EmptyDomain
    from dpsym.language import ReadingError, read_path
    from dpsym.language.documents.sidecar import beside, proposed

    status = DONE
    for file in files:
        target = beside(Path(file))
        try:
            if file == "-":
                raise ReadingError("declarations are proposed for files: there is nothing beside standard input")
            if target.exists():
                raise FileExistsError(f"{target} is there already: edit it, or delete it first")
            document = read_path(file)
            guessed = document.guessed
            target.write_text(proposed(Path(file).name, document), encoding="utf-8")
        except (ReadingError, EmptyDomain, OSError) as error:
            why = why_not_opened(error.filename, error) if isinstance(error, OSError) and error.filename else str(error)
            aside(f"dpsym check: {one_line(why)}")
            status = UNREADABLE
            continue
        harvested = sum(guess.line > 0 for guess in guessed.values())
        answer(f"{target}: {len(guessed)} names, {harvested} as the text says, {len(guessed) - harvested} guessed")
    return status


def papers(files: Sequence[str]) -> list[str]:
    """The files, with those of each folder in its place, and those of each pattern that no shell has replaced.

    Raises:
        UsageError: for a folder without papers, and a pattern that no file has.
    """
    from glob import glob

    from dpsym.language.documents.document import KINDS

    def of_folder(folder: Path) -> list[str]:
        inside = [p for p in sorted(folder.rglob("*")) if "/." not in f"/{p.relative_to(folder).as_posix()}"]
        found = [p for p in inside if p.is_file() and p.suffix.lower() in KINDS and p.suffix.lower() != ".txt"]
        parts = [p for p in found if KINDS[p.suffix.lower()] == "latex" and b"\\documentclass" not in p.read_bytes()]
        return [str(p) for p in found if p not in parts] or [str(p) for p in parts]

    chosen: list[str] = []
    for file in files:
        there = of_folder(Path(file)) if Path(file).is_dir() else [file]
        if not Path(file).exists() and any(sign in file for sign in "*?["):
            there = sorted(glob(file, recursive=True))  # noqa: PTH207 - as a shell has it
        if not there:
            raise click.UsageError(f"{file}: there is no paper, a file ending in {', '.join(KINDS)}")
        chosen += there
    return list(dict.fromkeys(chosen))


def _as_json(reports: Sequence[Report], several: bool) -> str:
    from dpsym.rendering import data, report

    objects = [report.as_data(r) for r in reports]
    return data.document(objects if several else objects[0])


def _status(reports: list[Report], unreadable: bool, limited: bool, defects: bool) -> int:
    if unreadable:
        return UNREADABLE
    if any(r.interrupted for r in reports) and not limited:
        return INTERRUPTED
    statuses = {r.exit_status for r in reports} | ({UNDECIDED} if defects else set())
    return next((s for s in (REFUTED, UNDECIDED) if s in statuses), DONE)


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
