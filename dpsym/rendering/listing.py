"""The catalogue's entries by kind, notion and worth: found by name, filtered, listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

from dpsym import catalogue
from dpsym.catalogue import UnknownEntry
from dpsym.core.verdicts import Verdict
from dpsym.rendering import text
from dpsym.rendering.bibtex import locator_verified
from dpsym.statements import Definition, Mechanism, MechanismClaim, Result, Theorem

Entry: TypeAlias = Definition | Mechanism | Theorem | Result | MechanismClaim
Kinds: TypeAlias = Mapping[str, Mapping[str, Entry]]

_SUGGESTED = 3  # names, at most, where one is misspelled
_WORTH = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


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
    everything = {n: e for entries in kinds().values() for n, e in entries.items()}
    if name not in everything:
        near = get_close_matches(name, everything, n=_SUGGESTED, cutoff=0.5)
        near = near or [n for n in everything if name and name.lower() in n][:_SUGGESTED]
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise UnknownEntry(f"nothing is called {name!r}{hint} (`dpsym list` names everything)")
    return everything[name]


@dataclass(frozen=True, slots=True)
class Filter:
    """What is to be listed; None does not matter.

    Attributes:
        kind: one kind of entries, in the singular or the plural.
        source, target: the notion of a premise, and that of the conclusion or the claim.
        notion: a notion that the entry speaks of, in whatever role.
        status: what its proof is worth; definitions and mechanisms have none.

    Raises:
        UnknownEntry: for a kind, a notion or a worth that does not exist.
    """

    kind: str | None = None
    source: str | None = None
    target: str | None = None
    notion: str | None = None
    status: str | None = None

    def __post_init__(self) -> None:
        if self.kind is not None and _plural(self.kind) not in kinds():
            raise UnknownEntry(f"unknown kind of entry {self.kind!r} (there are: {', '.join(kinds())})")
        for name in (self.source, self.target, self.notion):
            if name is not None:
                catalogue.look_up(name, catalogue.definitions(), "notion")
        if self.status is not None and self.status not in map(str, _WORTH):
            raise UnknownEntry(f"unknown worth {self.status!r} (there are: {', '.join(map(str, _WORTH))})")

    @property
    def says_nothing(self) -> bool:
        """Whether everything is asked for; a mechanism's claims are then left to its own page."""
        return self == Filter()

    def admits(self, entry: Entry) -> bool:
        """Whether the entry is asked for, its kind apart."""
        premises, conclusion = notions(entry)
        if self.source is not None and self.source not in premises:
            return False
        if self.target is not None and self.target != conclusion:
            return False
        if self.notion is not None and self.notion not in {*premises, conclusion, *_spoken(entry)}:
            return False
        return self.status is None or self.status == str(worth(entry))


def _plural(kind: str) -> str:
    return kind if kind.endswith("s") else f"{kind}s"


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


def chosen(asked: Filter) -> Kinds:
    """The entries that are asked for, by kind; kinds of which none is are left out."""
    found = {}
    for kind, entries in kinds().items():
        if (asked.kind is not None and kind != _plural(asked.kind)) or (asked.says_nothing and kind == "claims"):
            continue
        admitted = {name: entry for name, entry in entries.items() if asked.admits(entry)}
        if admitted or kind == _plural(asked.kind or ""):
            found[kind] = admitted
    return found


def as_table(found: Kinds) -> str:
    """Each kind with its entries: id, title, what it is worth, source."""
    blocks = []
    for kind, entries in found.items():
        heads, rows = [kind, "", "source"], []
        for entry in entries.values():
            known = worth(entry)
            name = str(entry) if isinstance(entry, Definition | Mechanism) else entry.id
            rows.append([name, entry.title, *([] if known is None else [str(known)]), str(entry.source)])
            heads = [kind, "", *([] if known is None else ["worth"]), "source"]
        blocks.append(text.table(heads, rows))
    return "\n\n".join(blocks) if any(found.values()) else "nothing in the catalogue is of that kind"


def as_data(found: Kinds) -> dict[str, Any]:
    """The answer of `list`, for programs."""
    return {kind: [_row(entry) for entry in entries.values()] for kind, entries in found.items()}


def _row(entry: Entry) -> dict[str, Any]:
    known, (premises, conclusion) = worth(entry), notions(entry)
    return {
        "id": entry.id,
        "title": entry.title,
        "source": str(entry.source),
        "locator_verified": locator_verified(entry.source),
        "status": None if known is None else str(known),
        "from": list(premises),
        "to": conclusion,
    }
