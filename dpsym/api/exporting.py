"""`export`: derivations for another proof assistant."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpsym.api.findings import Findings
from dpsym.api.processes import processors
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.display import cut
from dpsym.core.doing import doing
from dpsym.core.spelling import spelled
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import DONE, UNDECIDED

if TYPE_CHECKING:
    from dpsym.exporting.coq.developments import Derivation

_TOGETHER = 12  # files that Coq is asked of at once
_LINE, _STEP = 500, 200  # characters of what is said of a file, and of a step


@each_keeping_time
def coq(
    *files: str | Path,
    out: str | Path,
    unchecked: bool = False,
    time_limit: float = Work(10),
    jobs: int | None = None,
    record: str | Path | None = None,
) -> Findings:
    """Write derivations (or certificates, .json) for Coq: one file each, with a theorem for each step that is proved.

    Each file is compiled by `coqc` alone; it needs Coquelicot and Interval. Anything that Coq does not accept is left
    out and named. A folder stands for the derivations in it.

    Args:
        files: the derivations.
        out (DIR): where to.
        unchecked: don't ask coqc, and leave nothing out that it does not accept.
        time_limit: for one step, in seconds.
        jobs (N): processes at a time; one for each processor, unless said.
        record: record there what Coq accepts of the derivations in its folder.

    Raises:
        ReadingError: for what cannot be read, and where there is no Coq.

    Command:
        dpsym export coq proofs --out coq

        Exit status: 0 every decided step is exported, 3 some are not or there is none, 2 a file could not be read.
    """
    from dpsym.checking.cache import user_folder
    from dpsym.exporting.coq.compiling import Coq, NoCoq, version
    from dpsym.exporting.coq.developments import all_exported
    from dpsym.exporting.coq.records import FileRecord, record_of, write

    target, kept = Path(out), user_folder().parent
    chosen = [one for file in map(Path, files) for one in (_in(file) if file.is_dir() else [file])]
    if not chosen:
        raise ReadingError("there is no derivation (*.md) in there")
    of = None if record is None else Path(record)
    if of is not None and (unchecked or any(not one.is_relative_to(of.parent) for one in chosen)):
        raise ReadingError(f"{of} is for what Coq was asked of, and for derivations in {of.parent}")
    try:
        asked = None if unchecked else Coq(kept / "coq")
    except NoCoq as error:
        raise ReadingError(f"{error}; {spelled('unchecked', 'True')} writes the files without asking it") from None
    target.mkdir(parents=True, exist_ok=True)
    found, said, records = list[dict[str, Any]](), list[str](), dict[Path, FileRecord]()
    together = processors(jobs)
    derivations = (each for file in chosen for each in _derivations(file, time_limit, kept, together))
    while some := list(islice(derivations, _TOGETHER)):
        doing(f"exporting {some[0].name} and {len(some) - 1} more")
        for derivation, one in zip(some, all_exported(some, asked, together), strict=True):
            file = _target(target, derivation.name, {str(other["coq"]) for other in found})
            file.write_text(one.text, encoding="utf-8")
            if of is not None:
                records[Path(derivation.name)] = record_of(Path(derivation.name), derivation, one)
            left = [{"step": title, "why": why} for title, why in one.left_out]
            found.append({"file": derivation.name, "coq": str(file), "theorems": list(one.theorems), "left_out": left})
            said.append(cut(f"{file}: {one.summary(derivation)}", _LINE))
            said += [f"  {cut(f'{title}: {why}', _STEP)}" for title, why in one.left_out]
        if of is not None:
            write(of, of.parent, records, version())
    lacking = any(one["left_out"] or not one["theorems"] for one in found)
    return Findings(tuple(found), tuple(said), UNDECIDED if lacking else DONE, alone=True)


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
    from dpsym.verifying import loaded

    with given_for("files", str(file)):
        try:
            if file.suffix != ".json":
                doing(f"checking {file}")
                yield checked(file, time_limit, kept / "certified", jobs)
                return
            data = loaded(file.read_bytes())
            one = {"file": str(file), "line": 1, "certificate": data}
            yield from _from_certificates(data["steps"] if data.get("format") == "dpsym certificates" else [one])
        except (EmptyDomain, ValueError, KeyError, TypeError, AttributeError) as error:
            raise error if isinstance(error, ReadingError) else ReadingError(str(error)) from None


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
