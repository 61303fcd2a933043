"""Every entry, found by walking the folders: a module's value `x` of the right type is the entry `x`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeAlias, TypeVar

from dpsym.catalogue.proof_records import Record, hash_of_file, hash_of_statement, records
from dpsym.core.verdicts import Verdict
from dpsym.statements import Definition, Mechanism, MechanismClaim, Result, Theorem

Provable: TypeAlias = Theorem | MechanismClaim | Result
Entry = TypeVar("Entry", Definition, Mechanism, Theorem, Result, Provable)


class UnknownEntry(LookupError):
    """No entry has that name; the message offers the nearest one."""


@cache
def definitions() -> dict[str, Definition]:
    """Every notion of privacy, by id."""
    return _collected(Definition, "notions")


@cache
def mechanisms() -> dict[str, Mechanism]:
    """Every mechanism, by id."""
    return _collected(Mechanism, "mechanisms")


@cache
def mechanism_named(name: str) -> Mechanism | None:
    """One mechanism, without loading the others; None where there is none of that name."""
    package = importlib.import_module("dpsym.entries.mechanisms")
    if not any(module.name == name for module in pkgutil.iter_modules(package.__path__)):
        return None
    entry = getattr(importlib.import_module(f"dpsym.entries.mechanisms.{name}"), name, None)
    return entry if isinstance(entry, Mechanism) else None


@cache
def theorems() -> dict[str, Theorem]:
    """Every theorem, by id: those between notions, and the laws of each notion."""
    return _collected(Theorem, "notions", "theorems")


@cache
def results() -> dict[str, Result]:
    """Every result that is no implication between guarantees, by id."""
    return _collected(Result, "results")


@cache
def claims() -> dict[str, MechanismClaim]:
    """Every claim about a mechanism, by id: the mechanism's and the definition's, as in `gaussian_zcdp`."""
    found = [MechanismClaim(m, c) for m in mechanisms().values() for c in m.claims]
    return dict(sorted((c.id, c) for c in found))


def provable() -> dict[str, Provable]:
    """Everything that a derivation file can prove, by id."""
    return {**theorems(), **claims(), **results()}


def proof_of(theorem: Provable) -> Path | None:
    """The derivation file meant to prove the theorem, where there is one; that it exists proves nothing."""
    package = Path(__file__).parents[1]
    for folder in (package / "_proofs", package.parent / "proofs"):  # installed, or a checkout
        for ending in ("md", "tex", "txt"):
            if (file := folder / f"{theorem.id}.{ending}").is_file():
                return file
    return None


def record_of(theorem: Provable) -> Record | None:
    """What the last check of its proof found; None where there is none of this very file and this very statement."""
    file = proof_of(theorem)
    record = None if file is None else records(file.parent).get(theorem.id)
    if file is None or record is None:
        return None
    current = record.proof == hash_of_file(file) and record.statement == hash_of_statement(theorem)
    return record if current else None


def status(theorem: Provable) -> Verdict:
    """How the theorem is known: what its checked proof is worth, no more than the theorems that this uses.

    `CITED`, taken from its source, where there is no such proof.
    """
    if provable().get(theorem.id) != theorem:
        raise UnknownEntry(f"{theorem.id!r} is not the catalogue's theorem of that name")
    return _worth(theorem, ())


def _worth(theorem: Provable, above: tuple[str, ...]) -> Verdict:
    record = record_of(theorem)
    if record is None or theorem.id in above:
        return Verdict.CITED
    used = [theorems().get(name) for name in record.uses]
    worth = [Verdict.CITED if t is None else _worth(t, (*above, theorem.id)) for t in used]
    return max((record.verdict, *worth), key=list(Verdict).index)


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


def _collected(kind: type[Entry], *folders: str) -> dict[str, Entry]:
    found = (m for folder in folders for m in _modules(f"dpsym.entries.{folder}"))
    return dict(sorted(_entries(found, kind).items()))


def _modules(package: str) -> Iterator[ModuleType]:
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        yield importlib.import_module(f"{package}.{module.name}")


def _entries(modules: Iterable[ModuleType], kind: type[Entry]) -> dict[str, Entry]:
    """The values of that type; one that a module imports from another is the same value, and no second entry."""
    entries: dict[str, Entry] = {}
    for module in modules:
        for name, entry in vars(module).items():
            if not isinstance(entry, kind):
                continue
            if entry.id != name:
                raise LookupError(f"{module.__name__} holds an entry named {entry.id!r} as {name!r}")
            if entries.setdefault(name, entry) is not entry:
                raise LookupError(f"{module.__name__} holds a second entry named {name!r}")
    return entries
