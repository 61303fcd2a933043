"""What Coq has checked of a derivation, as recorded, and the files for it to download."""

from __future__ import annotations

import tarfile
from functools import cache
from pathlib import Path

from dpsym.exporting.coq.developments import CONCLUSION
from dpsym.exporting.coq.records import KERNEL, FileRecord, TheoremRecord, current, hash_of_text, read
from writing import text

_ROOT = Path(__file__).parents[2]
_ARCHIVE = _ROOT / "docs" / "certificates" / "coq.tar.xz"  # of what `dpsym export coq proofs` has written


def checked_by_coq(file: Path) -> str:
    """What Coq has accepted of a derivation file as it is now; empty where nothing of it is recorded."""
    found = current(file, file.parent / KERNEL, file.parent)
    if found is None or not found.theorems:
        return ""
    rows = [f"| {_line(t)} | {_of(t)} | {text(', '.join(t.assumes)) or '–'} |" for t in found.theorems]
    table = "\n".join(
        ["| line | theorem | rests on, beside the axioms of Coq's real numbers |", "|---|---|---|", *rows]
    )
    name = f"{file.stem}.v"
    download = f" The file: {{download}}`{name} <../_coq/{name}>`." if name in developments() else ""
    concluded = " and what it concludes" if any(t.title == CONCLUSION for t in found.theorems) else ""
    steps = sum(t.title != CONCLUSION for t in found.theorems)
    return (
        f"Coq has checked {steps} of its {len(found.decided)} decided steps{concluded}; "
        f"[what that means](../../certificates.md#for-coq).{download}\n\n{table}"
    )


def _line(theorem: TheoremRecord) -> str:
    return "conclusion" if theorem.title == CONCLUSION else str(theorem.line)


def _of(theorem: TheoremRecord) -> str:
    if theorem.title == CONCLUSION:
        return "what the file concludes"
    said = "the step as it stands" if theorem.whole else "what was left to ask when integrals and the like had values"
    facts = "a fact" if len(theorem.supposes) == 1 else f"{len(theorem.supposes)} facts"
    return f"{said}, under {facts} about divergences" if theorem.supposes else said


@cache
def developments() -> dict[str, str]:
    """The files for Coq that are those recorded, by their names."""
    recorded = {Path(name).stem: one for name, one in read(_ROOT / "proofs" / KERNEL).items()}
    if not _ARCHIVE.is_file():
        return {}
    with tarfile.open(_ARCHIVE) as archive:
        members = [(Path(m.name).name, archive.extractfile(m)) for m in archive.getmembers() if m.isfile()]
        found = {name: opened.read().decode() for name, opened in members if opened is not None}
    return {name: content for name, content in found.items() if _is(recorded.get(Path(name).stem), content)}


def _is(one: FileRecord | None, content: str) -> bool:
    return one is not None and hash_of_text(content) == one.coq
