"""What Coq has accepted of the derivations in a folder, as recorded beside them, and whether it still counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dpsym.catalogue.proof_records import hash_of_file
from dpsym.exporting.coq.developments import Derivation, Exported, TheoremRecord

KERNEL = "kernel.json"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What came of one derivation.

    Attributes:
        proof: the hash of its file.
        coq: the hash of the file for Coq.
        decided: the lines of the steps that dpsym decided.
        theorems: those that Coq has accepted.
        left_out: what has no theorem, and why.
    """

    proof: str
    coq: str
    decided: tuple[int, ...]
    theorems: tuple[TheoremRecord, ...]
    left_out: tuple[tuple[str, str], ...]


def record_of(file: Path, derivation: Derivation, found: Exported) -> FileRecord:
    """What is recorded of a derivation that Coq was asked of."""
    if not found.asked and found.proved:
        raise ValueError(f"Coq was not asked of {file}")
    lines = tuple(step.line for step in derivation.steps)
    return FileRecord(hash_of_file(file), hash_of_text(found.text), lines, found.proved, found.left_out)


def hash_of_text(text: str) -> str:
    """The hash of a file for Coq."""
    return hashlib.sha256(text.encode()).hexdigest()


def write(place: Path, folder: Path, found: Mapping[Path, FileRecord], version: str) -> None:
    """Record what was found of files in a folder; what was recorded of files that are gone or changed is dropped."""
    kept = {name: old for name, old in read(place).items() if _counts(folder / name, old)}
    kept |= {file.relative_to(folder).as_posix(): one for file, one in found.items()}
    data = {
        "format": "dpsym kernel record",
        "version": 1,
        "coq": version.strip(),
        "files": {name: _data(one) for name, one in sorted(kept.items())},
    }
    place.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(place: Path) -> dict[str, FileRecord]:
    """What is recorded, by the file's path in the folder; nothing where there is no (readable) record."""
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
        return {name: _record(one) for name, one in data["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def current(file: Path, place: Path, folder: Path) -> FileRecord | None:
    """What is recorded of this very file; None where it has changed since."""
    found = read(place).get(file.relative_to(folder).as_posix())
    return found if found is not None and _counts(file, found) else None


def _counts(file: Path, found: FileRecord) -> bool:
    return file.is_file() and hash_of_file(file) == found.proof


def _data(one: FileRecord) -> dict[str, Any]:
    theorems = [{"theorem": found.pop("title"), **found} for found in map(asdict, one.theorems)]
    left_out = [{"step": title, "why": why} for title, why in one.left_out]
    return {**asdict(one), "theorems": theorems, "left_out": left_out}


def _record(one: Mapping[str, Any]) -> FileRecord:
    theorems = tuple(
        TheoremRecord(
            str(t["theorem"]), int(t["line"]), t["whole"] is True, t["as_read"] is True, t["met"] is True,
            tuple(map(str, t["assumes"])), tuple(map(str, t["supposes"])),
        )
        for t in one["theorems"]
    )  # fmt: skip
    left_out = tuple((str(x["step"]), str(x["why"])) for x in one["left_out"])
    return FileRecord(str(one["proof"]), str(one["coq"]), tuple(map(int, one["decided"])), theorems, left_out)
