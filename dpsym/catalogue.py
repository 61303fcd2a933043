"""Every entry, found by walking the folders: a file `x.py` holds the entry `x`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import TypeVar

from dpsym.statements import Definition, Mechanism, Theorem
from dpsym.verdicts import Verdict

Entry = TypeVar("Entry", Definition, Mechanism, Theorem)


class UnknownEntry(LookupError):
    """No entry has that name; the message offers the nearest one."""


@cache
def definitions() -> dict[str, Definition]:
    """Every notion of privacy, by id."""
    return _walk("dpsym.definitions", Definition)


@cache
def mechanisms() -> dict[str, Mechanism]:
    """Every mechanism, by id."""
    return _walk("dpsym.mechanisms", Mechanism)


@cache
def theorems() -> dict[str, Theorem]:
    """Every theorem, by id."""
    return _walk("dpsym.theorems", Theorem)


def proof_of(theorem: Theorem) -> Path | None:
    """The derivation file meant to prove the theorem, where there is one; that it exists proves nothing."""
    here = Path(__file__).parent
    for folder in (here / "_proofs", here.parent / "proofs"):  # installed, or a checkout
        for ending in ("md", "tex", "txt"):
            if (file := folder / f"{theorem.id}.{ending}").is_file():
                return file
    return None


def status(theorem: Theorem) -> Verdict:
    """How the theorem is known: `CITED`, taken from its source.

    A file in `proofs/` does not change that before a checker has verified it, and there is none yet.
    """
    if theorems().get(theorem.id) != theorem:
        raise UnknownEntry(f"{theorem.id!r} is not the catalogue's theorem of that name")
    return Verdict.CITED


def look_up(name: str, entries: dict[str, Entry], kind: str) -> Entry:
    """The entry of that name.

    Raises:
        UnknownEntry: naming the nearest entry, and all of them.
    """
    if name in entries:
        return entries[name]
    from difflib import get_close_matches

    near = get_close_matches(name, entries, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownEntry(f"unknown {kind} {name!r}{hint} (there are: {', '.join(sorted(entries))})")


def _walk(package: str, kind: type[Entry]) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        entry = getattr(importlib.import_module(f"{package}.{module.name}"), module.name, None)
        if isinstance(entry, kind):
            if entry.id != module.name:
                raise LookupError(f"{package}.{module.name} holds an entry named {entry.id!r}")
            entries[entry.id] = entry
    return dict(sorted(entries.items()))
