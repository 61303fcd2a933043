"""How much of public papers, posts and notes is read as they are, and what is decided of it; written as a page.

    python benchmarks/papers.py FOLDER [--limit SECONDS] [--jobs N] [--only PART] [--reports FOLDER]
                                       [--sidecars FOLDER] [--write benchmarks/papers.md]

FOLDER holds the texts of the documents that benchmarks/papers.tsv names; they are other people's, and not in this
repository.  In a copy of it each is checked as it is, and once more with what `dpsym check --init` writes, unedited.
`--write` replaces the numbers of the page, which stand between two comments; `--reports` keeps every
report as JSON.  With `--sidecars` only the documents for which that folder has declarations (by the name that
`--init` would give them) are checked, with these in place of the proposed ones.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from dpsym.checking import Cache, Report, check_document
from dpsym.core.verdicts import Verdict
from dpsym.deciding import InternalContradiction
from dpsym.language import read_path
from dpsym.language.documents.sidecar import beside, proposed
from dpsym.rendering.report import as_data

LIST = Path(__file__).parent / "papers.tsv"
BEGIN, END = "<!-- numbers: python benchmarks/papers.py FOLDER --write benchmarks/papers.md -->", "<!-- end -->"


@dataclass(frozen=True, slots=True)
class Paper:
    """A document of the list."""

    file: str
    title: str
    repository: str
    path: str
    commit: str

    @property
    def address(self) -> str:
        """Where its text is; nothing where that is not known."""
        return f"https://github.com/{self.repository}/blob/{self.commit}/{quote(self.path)}" if self.repository else ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one document or of several: displays and steps with those of them that were read whole, and the verdicts."""

    displays: int = 0
    displays_read: int = 0
    steps: int = 0
    steps_read: int = 0
    reading: float = 0.0  # seconds
    verdicts: Mapping[str, int] = field(default_factory=Counter)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.displays + other.displays, self.displays_read + other.displays_read, self.steps + other.steps,
            self.steps_read + other.steps_read, self.reading + other.reading,
            Counter(self.verdicts) + Counter(other.verdicts),
        )  # fmt: skip


def papers() -> list[Paper]:
    """The list."""
    with LIST.open(encoding="utf-8", newline="") as lines:
        return [Paper(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def counted(report: Report, reading: float) -> Counts:
    """What a report says."""
    whole = [all(s.decision.verdict is not Verdict.UNREAD for s in chain.steps) for chain in report.chains]
    found = Counter(str(s.decision.verdict) for s in report.steps)
    steps = found.total()
    return Counts(len(whole), sum(whole), steps, steps - found[str(Verdict.UNREAD)], reading, found)


def checked(path: Path, limit: float, jobs: int, cache: Cache) -> tuple[Report, float]:
    """The report on a document, and how long it took to read."""
    started = time.process_time()
    document = read_path(path)
    reading = time.process_time() - started
    return check_document(document, file=path.name, time_limit=limit, jobs=jobs, cache=cache), reading


def measured(
    folder: Path, chosen: Sequence[Paper], given: argparse.Namespace
) -> Iterator[tuple[Paper, Counts, Counts]]:
    """Each document as it is, and with the proposed declarations beside it."""
    cache = Cache(given.cache)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "copy"
        shutil.copytree(folder, copy)
        for one in chosen:
            path, found = copy / one.file, []
            for stage in ("as it is", "after --init"):
                if stage == "after --init":
                    written = given.sidecars and (given.sidecars / beside(path).name).read_text(encoding="utf-8")
                    beside(path).write_text(written or proposed(path.name, read_path(path)), encoding="utf-8")
                try:
                    report, reading = checked(path, given.limit, given.jobs, cache)
                except (
                    ValueError,
                    InternalContradiction,
                ) as error:  # no document, contradictory declarations, a defect
                    print(f"{one.file}, {stage}: {error}", file=sys.stderr, flush=True)
                    found.append(Counts())
                    continue
                found.append(counted(report, reading))
                print(
                    f"{one.file}, {stage}: {dict(found[-1].verdicts)} {report.seconds:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
                if given.reports is not None:
                    kept = given.reports / f"{one.file.replace('/', '-')}.{stage.replace(' ', '-')}.json"
                    kept.write_text(json.dumps(as_data(report), indent=1, ensure_ascii=False), encoding="utf-8")
            yield one, found[0], found[1]


def page(found: Sequence[tuple[Paper, Counts, Counts]], limit: float, declared: str) -> str:
    """A table: what is read, and the verdicts as the documents are and with what is `declared` beside them."""
    whole = [sum((row[n] for row in found), Counts()) for n in (1, 2)]
    lines = [
        f"{len(found)} documents, at most {limit:g} s for a step, on {platform.machine()} with Python "
        f"{platform.python_version()}. As they are, {_part(whole[0].displays_read, whole[0].displays)} of the displays "
        f"and {_part(whole[0].steps_read, whole[0].steps)} of the steps are read; with {declared}, "
        f"{_part(whole[1].displays_read, whole[1].displays)} and {_part(whole[1].steps_read, whole[1].steps)}. "
        f"Reading all of them takes {whole[0].reading:.1f} s.",
        "",
        f"| document | displays read | steps read | verdicts, as it is | with {declared} |",
        "|---|---|---|---|---|",
    ]
    for one, plain, with_them in [*found, (None, *whole)]:
        name = "all" if one is None else f"[{_cell(one.title)}]({one.address})" if one.address else _cell(one.title)
        read = [f"{plain.displays_read}/{plain.displays}", f"{plain.steps_read}/{plain.steps}"]
        lines.append(f"| {' | '.join([name, *read, _said(plain.verdicts), _said(with_them.verdicts)])} |")
    return "\n".join(lines)


def _said(verdicts: Mapping[str, int]) -> str:
    return ", ".join(f"{verdicts[word]} {word}" for word in map(str, Verdict) if verdicts.get(word))


def _part(some: int, of: int) -> str:
    return f"{some} of {of} ({100 * some / max(of, 1):.0f} %)"


def _cell(text: str) -> str:
    for sign in "\\|[]*_`":
        text = text.replace(sign, f"\\{sign}")
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=3.0, help="seconds for a step")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="documents whose name contains this")
    parser.add_argument("--sidecars", type=Path, help="declarations written by a person, in place of the proposed")
    parser.add_argument("--reports", type=Path, help="keep the reports there, as JSON")
    parser.add_argument("--cache", type=Path, help="keep there what was decided")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    chosen = [one for one in papers() if given.only in one.file and (given.folder / one.file).is_file()]
    if given.sidecars is not None:
        chosen = [one for one in chosen if (given.sidecars / beside(Path(one.file)).name).is_file()]
    elif missing := [one.file for one in papers() if given.only in one.file and one not in chosen]:
        print(f"not in {given.folder}: {', '.join(missing)}", file=sys.stderr)
    if given.reports is not None:
        given.reports.mkdir(parents=True, exist_ok=True)
    declared = "what `--init` writes, unedited" if given.sidecars is None else "declarations of a person"
    text = page(list(measured(given.folder, chosen, given)), given.limit, declared)
    if given.write is None:
        print(text)
        return 0
    before, _, rest = given.write.read_text(encoding="utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        print(f"{given.write} has no line {BEGIN!r} with {END!r} after it", file=sys.stderr)
        return 2
    given.write.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
