"""Every entry, found by walking the folders: a file `x.py` holds the entry `x`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TypeVar

from dpsym.statements import Definition, Mechanism, Theorem

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
