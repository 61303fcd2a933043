"""The catalogue's entries by kind, notion and worth: found by name, filtered, listed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from dpsym import catalogue
from dpsym.catalogue import UnknownEntry
from dpsym.catalogue.words import called
from dpsym.core.nearest import did_you_mean
from dpsym.core.verdicts import Verdict
from dpsym.entries import works
from dpsym.queries.vocabulary import WORDS
from dpsym.rendering import glossary
from dpsym.rendering.bibtex import locator_verified
from dpsym.rendering.glossary import Term
from dpsym.rendering.rows import Row
from dpsym.statements import Definition, Mechanism, MechanismClaim, Result, Theorem

Entry: TypeAlias = Definition | Mechanism | Theorem | Result | MechanismClaim
Kinds: TypeAlias = Mapping[str, Mapping[str, Entry]]

_SUGGESTED = 3  # names, at most, where one is misspelled


def kinds() -> Kinds:
    """Every kind of entry; the claims are those of the mechanisms, one by one."""
    return {
        "definitions": catalogue.definitions(),
        "mechanisms": catalogue.mechanisms(),
        "theorems": catalogue.theorems(),
        "results": catalogue.results(),
        "claims": catalogue.claims(),
    }


def find(name: str) -> Entry:
    """The entry of that id, of whatever kind.

    Raises:
        UnknownEntry: naming the nearest.
    """
    for entries in (catalogue.definitions(), catalogue.mechanisms(), catalogue.theorems(), catalogue.results()):
        known: Mapping[str, Entry] = entries
        if (alike := name if name in known else "_".join(name.lower().split())) in known:
            return known[alike]
    if (claim := catalogue.claim(name)) is not None:
        return claim
    everything = {n: e for entries in kinds().values() for n, e in entries.items()}
    if name not in everything:
        there = [*everything, *WORDS, *glossary.names(), *works.works()]
        hint = called(name) or did_you_mean(name, there, _SUGGESTED) or _written(name)
        raise UnknownEntry(f"nothing is called {name!r}{hint} (`dpsym list` names all entries)")
    return everything[name]


def _written(about: str) -> str:
    """Which works have these words, such as an author's name, in their authors or title."""
    said = re.compile(rf"\b{re.escape(about)}\b", re.IGNORECASE) if about.strip() and not about.isdecimal() else None
    keys = [key for key, work in works.works().items() if said is not None and said.search(str(work))][:_SUGGESTED]
    return f"; a work on it is shown by its key: {', '.join(keys)}" if keys else ""


def cited(key: str) -> Term | None:
    """A work by its key, with what the catalogue has from it; None where there is none of that key."""
    known = next((k for k in works.works() if k.casefold() == key.strip("[] ").casefold()), None)
    if known is None:
        return None
    work = works.works()[known]
    where = f" <{work.url}>" if work.url else ""
    every = {n: e for kind, entries in kinds().items() if kind != "definitions" for n, e in entries.items()}
    used = [name for name, entry in every.items() if known in row(entry).source]
    return Term(known, f"{work}{where} The catalogue has from it: {', '.join(used) or 'nothing by itself'}.")


def notions(entry: Entry) -> tuple[tuple[str, ...], str | None]:
    """The notions of its premises, and that of its conclusion, where it has one."""
    match entry:
        case Theorem():
            return tuple(p.definition.id for p in entry.premises), entry.conclusion.definition.id
        case Result():
            return tuple(p.definition.id for p in entry.premises), None
        case MechanismClaim():
            return (), entry.claim.guarantee.definition.id
    return (), None


def _spoken(entry: Entry) -> Iterator[str]:
    if isinstance(entry, Definition):
        yield entry.id
    if isinstance(entry, Mechanism):
        yield from (claim.guarantee.definition.id for claim in entry.claims)


def worth(entry: Entry) -> Verdict | None:
    """What its proof is worth; None for what needs none."""
    return None if isinstance(entry, Definition | Mechanism) else catalogue.status(entry)


def row(entry: Entry) -> Row:
    """The entry as a list shows it."""
    known, (premises, conclusion) = worth(entry), notions(entry)
    return Row(
        entry.id,
        str(entry) if isinstance(entry, Definition | Mechanism) else entry.id,
        entry.title,
        str(entry.source),
        locator_verified(entry.source),
        None if known is None else str(known),
        premises,
        conclusion,
        tuple(_spoken(entry)),
    )
