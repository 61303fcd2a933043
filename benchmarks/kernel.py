"""How much of proofs/ Coq has checked, from the record: python benchmarks/kernel.py writes it into kernel.md.

`python benchmarks/kernel.py --record [NAME ...]` records anew what is proved first: the checker's verdicts, what Coq
accepts, and the archive of files for Coq, of these derivations or of all that have changed since they were recorded.
"""

from __future__ import annotations

import argparse
import io
import re
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from dpsym import catalogue
from dpsym.cli import run
from dpsym.exporting.coq.developments import CONCLUSION
from dpsym.exporting.coq.records import KERNEL, FileRecord, current, hash_of_text, read

PROOFS = Path(__file__).parents[1] / "proofs"
ARCHIVE = PROOFS.parent / "docs" / "certificates" / "coq.tar.xz"
PAGE = Path(__file__).with_name("kernel.md")


def main() -> None:
    """Record what is asked for, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", nargs="*", metavar="NAME", help="record anew: these, or all that have changed")
    names = parser.parse_args().record
    if names is not None:
        _record(names)
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def _record(names: Iterable[str]) -> None:
    """The verdicts, what Coq accepts, the archive, and the page of proofs."""
    files = [file for name in names for file in PROOFS.rglob(f"{name}.md")] if names else _derivations()
    provable = catalogue.provable()
    theorems = [file.stem for file in files if file.parent == PROOFS and file.stem in provable]
    if not names:
        theorems = [name for name in theorems if catalogue.record_of(provable[name]) is None]
        files = [file for file in files if current(file, PROOFS / KERNEL, PROOFS) is None]
    if theorems and run(["proofs", "--write", *theorems]) != 0:
        raise SystemExit("there is no verdict of some of them")
    with tempfile.TemporaryDirectory() as folder:
        if files and run(["export", "coq", *map(str, files), "--out", folder, "--record", str(PROOFS / KERNEL)]) == 2:
            raise SystemExit("Coq was not asked")
        _archive(Path(folder), read(PROOFS / KERNEL))
    run(["proofs", "--page", str(PROOFS.parent / "docs" / "proofs.md")])


def _derivations() -> list[Path]:
    """All of them."""
    return sorted(file for file in PROOFS.rglob("*.md") if file.name != "README.md")


def with_tables(page: str) -> str:
    """The page with the tables of what is recorded, each under its own head."""
    for head, rows in _tables(read(PROOFS / KERNEL)):
        table = re.compile(rf"^{re.escape(head)}\n(\|.*\n)+", re.MULTILINE)
        page, found = table.subn("\n".join([head, *rows, ""]).replace("\\", r"\\"), page)
        if found != 1:
            raise ValueError(f"there is no table {head}")
    return page


def _tables(recorded: dict[str, FileRecord]) -> Iterator[tuple[str, list[str]]]:
    steps = [t for one in recorded.values() for t in one.theorems if t.title != CONCLUSION]
    conclusions = [t for one in recorded.values() for t in one.theorems if t.title == CONCLUSION]
    yield (
        "| what | number |",
        _rows(
            ("derivation files", len(_derivations())),
            ("of them recorded", len(recorded)),
            ("decided steps in these", sum(len(one.decided) for one in recorded.values())),
            ("theorems of steps", len(steps)),
            ("of the step as it stands", sum(t.whole for t in steps)),
            ("with the claim as the file spells it", sum(t.as_read for t in steps)),
            ("with hypotheses that are shown to be met, or none", sum(t.met for t in steps)),
            ("that suppose something of divergences or the like", sum(bool(t.supposes) for t in steps)),
            ("theorems of what a file concludes", len(conclusions)),
            ("with hypotheses that are shown to be met, or none", sum(t.met for t in conclusions)),
        ),
    )
    rests = Counter(f"`{a}`" for t in (*steps, *conclusions) for a in t.assumes)
    yield "| hypothesis of the library | theorems that rest on it |", _rows(*rests.most_common())
    why = Counter(
        _kind(w) for one in recorded.values() for t, w in one.left_out if t.startswith("step") and not t.endswith("met")
    )
    yield "| steps without a theorem | number |", _rows(*why.most_common())
    lacking = {
        name.removesuffix(".md"): _lacking(one)
        for name, one in recorded.items()
        if all(t.title != CONCLUSION for t in one.theorems)
    }
    yield "| file without a conclusion | what it lacks |", _rows(*lacking.items(), right="---")


def _rows(*rows: tuple[str, object], right: str = "---:") -> list[str]:
    return [f"|---|{right}|", *(f"| {left} | {value} |" for left, value in rows)]


def _lacking(one: FileRecord) -> str:
    """Why there is no theorem of what a file concludes: line by line, where the reason names lines."""
    reason = dict(one.left_out).get(CONCLUSION, "it concludes nothing, or in cases that are not about numbers")
    found = []
    for line in sorted(set(map(int, re.findall(r"(?:line |step_)(\d+)", reason)))):
        own = [_kind(w) for t, w in one.left_out if re.match(rf"step_{line}(_\d+)?$", t)]
        not_itself = "it is cited" if line not in one.decided else "its theorem is not of the step as it stands"
        found.append(f"line {line}: {'; '.join(dict.fromkeys(own)) or not_itself}")
    other = "it rests on what is not declared" if reason.startswith("it rests on") else _kind(reason)
    return ". ".join(found) or other


def _archive(folder: Path, recorded: dict[str, FileRecord]) -> None:
    """The archive with the files that are recorded, from a folder and from what it had."""
    with tarfile.open(ARCHIVE) as old:
        texts = {Path(m.name).stem: file.read() for m in old if (file := old.extractfile(m)) is not None}
    texts |= {file.stem: file.read_bytes() for file in folder.glob("*.v")}
    with tarfile.open(ARCHIVE, "w:xz", preset=9) as new:
        for name, one in sorted(recorded.items()):
            text = texts[Path(name).stem]
            if hash_of_text(text.decode()) != one.coq:
                raise SystemExit(f"{name}: what is recorded is not in {folder}")
            entry = tarfile.TarInfo(f"{Path(name).stem}.v")
            entry.size = len(text)
            new.addfile(entry, io.BytesIO(text))


def _kind(why: str) -> str:
    return re.split(r":|\(", why)[0].strip()


if __name__ == "__main__":
    main()
