"""Which theorems a document uses, and which those use in their turn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from dpsym import catalogue
from dpsym.language import read_path
from dpsym.language.documents.derivation import Document


def used_by(document: Document) -> tuple[str, ...]:
    """The theorems that the document names as reasons."""
    reasons = (step.reason for chain in document.chains for step in chain.steps)
    return tuple(dict.fromkeys(r.theorem for r in reasons if r is not None and r.theorem is not None))


def lineage(names: Iterable[str]) -> set[str]:
    """The theorems, and those that their proofs as they stand use in their turn."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        theorem = catalogue.provable().get(name)
        file = None if theorem is None else catalogue.proof_of(theorem)
        pending += () if file is None else _used_in(file, file.stat().st_mtime_ns)
    return found


@lru_cache(maxsize=512)
def _used_in(file: Path, _: int) -> tuple[str, ...]:
    return used_by(read_path(file, strict=True))
