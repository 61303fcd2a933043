"""The command that checks derivation files, once or whenever they change."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpsym.cli.arguments import DONE, INTERRUPTED, JSON, REFUTED, UNDECIDED, UNREADABLE, answer, one_line
from dpsym.rendering import reports as formats

if TYPE_CHECKING:
    from dpsym.checking import Cache, Report

_AFTER, _EVERY = 2.0, 5.0  # seconds until something is said, and between words
_LOOKS = 0.5  # seconds between two looks at watched files


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "format_", type=click.Choice(formats.names()), default=formats.USUAL, help="Of the report.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report there.")
@click.option("--let", multiple=True, metavar="COND", help='A further name with its domain: "rho > 0". Repeatable.')
@click.option("--where", multiple=True, metavar="NAME=EXPR", help="A further abbreviation. Repeatable.")
@click.option("--assume", multiple=True, metavar="COND", help="A further condition. Repeatable.")
@click.option("--time-limit", type=click.FloatRange(min=0.1, max=86_400), default=10.0, show_default=True,
              help="Seconds for one step.")  # fmt: skip
@click.option("--file-time-limit", type=click.FloatRange(min=0.1, max=864_000), help="Seconds for one file.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Steps checked at a time [default: one per processor].")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, and only what changed.")
@click.option("--no-cache", is_flag=True, help="Decide everything anew; keep nothing.")
@JSON
def check(
    files: Sequence[str],
    format_: str,
    output: Path | None,
    let: Sequence[str],
    where: Sequence[str],
    assume: Sequence[str],
    time_limit: float,
    file_time_limit: float | None,
    jobs: int | None,
    watch: bool,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Check every step of derivation files: Markdown, LaTeX or plain text (- is plain text from standard input).

    Exit status: 0 every step proved, certified or cited, 1 some step refuted, 3 none refuted but some undecided,
    2 a file could not be read.

    \b
    dpsym check proof.md
    dpsym check paper.tex --format html -o report.html
    """
    from dpsym.checking import Cache, check_document, user_folder
    from dpsym.deciding import EmptyDomain, InternalContradiction
    from dpsym.language import ReadingError, read_path

    cache: Cache | None = None if no_cache and not watch else Cache(None if no_cache else user_folder())
    declared = {"let": let, "where": where, "assume": assume}

    defects: list[str] = []

    def once(file: str, earlier: Cache | None) -> Report | str:
        try:
            document = read_path(file, **declared)
            return check_document(
                document, file=file, time_limit=time_limit, file_time_limit=file_time_limit,
                jobs=jobs or processors(), cache=earlier, telling=_teller(file),
            )  # fmt: skip
        except InternalContradiction as error:
            defects.append(file)
            return f"{file}: internal error, nothing was decided: {error}"
        except (ReadingError, EmptyDomain, OSError) as error:
            message = str(error)
            return message if file in message else f"{file}: {message}"

    def all_of(chosen: Sequence[str]) -> int:
        reports: list[Report] = []
        unreadable = False
        for file in chosen:
            found = once(file, cache)
            if isinstance(found, str):
                click.echo(f"dpsym check: {one_line(found)}", err=True)
                unreadable = unreadable or file not in defects
                continue
            reports.append(found)
            if found.interrupted and file_time_limit is None:
                break
        if reports:
            text = _as_json(reports, len(files) > 1) if as_json else formats.write(format_, reports)
            if output is None:
                answer(text)
            else:
                output.write_text(text + "\n", encoding="utf-8")
        return _status(reports, unreadable, file_time_limit is not None, bool(defects))

    return _watch(files, all_of) if watch else all_of(files)


def processors() -> int:
    """How many processors this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


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


def _teller(file: str) -> Callable[[str], None]:
    """Says on standard error how far it got: after two seconds, and every five."""
    start = last = time.monotonic()

    def tell(words: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - start > _AFTER and (now - last > _EVERY or last == start):
            last = now
            print(f"dpsym: checking {file}: {words} … ({now - start:.0f} s)", file=sys.stderr, flush=True)

    return tell


def _watch(files: Sequence[str], check_all: Callable[[Sequence[str]], int]) -> int:
    """Until it is interrupted; what is decided stays decided while its text and conditions stay the same."""
    seen: dict[str, tuple[int, int] | None] = {}
    status = DONE
    try:
        while True:
            changed = [f for f in files if f not in seen or seen[f] != _state(f)]
            seen |= {f: _state(f) for f in changed}
            if changed:
                status = check_all(changed)
                if status == INTERRUPTED:
                    return status
                sys.stdout.flush()
            time.sleep(_LOOKS)
    except KeyboardInterrupt:
        return INTERRUPTED


def _state(file: str) -> tuple[int, int] | None:
    try:
        found = Path(file).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
