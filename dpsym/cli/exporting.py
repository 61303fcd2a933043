"""`dpsym export`: derivations and certificates for other proof assistants."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpsym.cli.arguments import DONE, JSON, UNDECIDED, Amount, Unreadable, Whole, answer, one_line, shortened
from dpsym.core.doing import waiting_for

if TYPE_CHECKING:
    from dpsym.exporting.coq.developments import Derivation

_TOGETHER = 12  # files that Coq is asked of at once


@click.group()
def export() -> None:
    """Write derivations for another proof assistant."""


@export.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False), help="Where to.")
@click.option("--unchecked", is_flag=True, help="Don't ask coqc, and leave nothing out that it does not accept.")
@click.option("--time-limit", type=Amount(min=0.1, max=86_400), default=10.0, show_default=True,
              help="Seconds for one step.")  # fmt: skip
@click.option("--jobs", type=Whole(1, 256), help="Processes at a time [default: one per processor].")
@click.option("--record", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Record there what Coq accepts of the derivations in its folder.")  # fmt: skip
@JSON
def coq(
    files: Sequence[Path],
    out: Path,
    unchecked: bool,
    time_limit: float,
    jobs: int | None,
    record: Path | None,
    as_json: bool,
) -> int:
    """Write derivations (or certificates, .json) for Coq: one file each, with a theorem for each step that is proved.

    Each file is compiled by `coqc` alone; it needs Coquelicot and Interval. Anything that Coq does not accept is left
    out and named. A folder stands for the derivations in it.

    Exit status: 0 every decided step is exported, 3 some are not or there is none, 2 a file could not be read.
    """
    from dpsym.checking.cache import user_folder
    from dpsym.cli.checking import processors
    from dpsym.exporting.coq.compiling import Coq, NoCoq, version
    from dpsym.exporting.coq.developments import all_exported
    from dpsym.exporting.coq.records import FileRecord, record_of, write
    from dpsym.rendering import data

    chosen = [one for file in files for one in (_in(file) if file.is_dir() else [file])]
    if not chosen:
        raise Unreadable("there is no derivation (*.md) in there")
    if record is not None and (unchecked or any(not one.is_relative_to(record.parent) for one in chosen)):
        raise Unreadable(f"{record} is for what Coq was asked of, and for derivations in {record.parent}")
    kept = user_folder().parent
    try:
        asked = None if unchecked else Coq(kept / "coq")
    except NoCoq as error:
        raise Unreadable(f"{error}; --unchecked writes the files without asking it") from None
    out.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, object]] = []
    records: dict[Path, FileRecord] = {}
    jobs = jobs or processors()
    derivations = (each for file in chosen for each in _derivations(file, time_limit, kept, jobs))
    while some := list(islice(derivations, _TOGETHER)):
        with waiting_for(f"exporting {shortened(some[0].name)} and {len(some) - 1} more"):
            made = all_exported(some, asked, jobs)
        for derivation, one in zip(some, made, strict=True):
            target = _target(out, derivation.name, {str(other["coq"]) for other in found})
            target.write_text(one.text, encoding="utf-8")
            if record is not None:
                records[Path(derivation.name)] = record_of(Path(derivation.name), derivation, one)
            left = [{"step": title, "why": why} for title, why in one.left_out]
            found.append(
                {"file": derivation.name, "coq": str(target), "theorems": list(one.theorems), "left_out": left}
            )
            if not as_json:
                answer(one_line(f"{target}: {one.summary(derivation)}"))
                for title, why in one.left_out:
                    answer(f"  {one_line(f'{title}: {why}', 200)}")
        if record is not None:
            write(record, record.parent, records, version())
    if as_json:
        answer(data.document(found if len(found) > 1 else found[0]))
    return UNDECIDED if any(one["left_out"] or not one["theorems"] for one in found) else DONE


def _target(out: Path, name: str, taken: Container[str]) -> Path:
    stem = re.sub(r"[^A-Za-z0-9_]", "_", Path(name).stem)
    targets = (out / f"{stem}{'' if n == 1 else f'_{n}'}.v" for n in count(1))
    return next(one for one in targets if str(one) not in taken)


def _in(folder: Path) -> list[Path]:
    """The derivations in a folder, and in those in it."""
    return sorted(file for file in folder.rglob("*.md") if file.name != "README.md")


def _derivations(file: Path, time_limit: float, kept: Path, jobs: int) -> Iterator[Derivation]:
    """The derivation in a file; or those whose steps' certificates are in it."""
    from dpsym.deciding import EmptyDomain
    from dpsym.exporting.coq.derivations import checked
    from dpsym.language import ReadingError
    from dpsym.verifying import loaded

    try:
        if file.suffix != ".json":
            with waiting_for(f"checking {shortened(str(file))}"):
                found = checked(file, time_limit, kept / "certified", jobs)
            yield found
            return
        data = loaded(file.read_bytes())
        one = {"file": str(file), "line": 1, "certificate": data}
        yield from _from_certificates(data["steps"] if data.get("format") == "dpsym certificates" else [one])
    except (ReadingError, EmptyDomain, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"{shortened(str(file))}: {one_line(str(error))}") from None


def _from_certificates(steps: Iterable[Mapping[str, Any]]) -> Iterator[Derivation]:
    from dpsym.exporting.coq.derivations import Titles
    from dpsym.exporting.coq.developments import Derivation, Step

    by_file: dict[str, tuple[Titles, list[Step]]] = {}
    for step in steps:
        titles, found = by_file.setdefault(step["file"], (Titles(), []))
        said, whole = step.get("step", ""), step.get("replayed")
        found.append(Step(titles.of(step["line"]), step["certificate"], said, step["line"] if said else 0, whole))
    for file, (_, found) in by_file.items():
        yield Derivation(file, tuple(found))
