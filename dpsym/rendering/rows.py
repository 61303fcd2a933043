"""The catalogue as rows of a table, all that a list needs: kept for the user, as building every entry takes a second.

What is kept counts for exactly the texts that it was made from: the entries, the code that reads them, the proofs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dpsym.core.display import short
from dpsym.core.nearest import expected_one_of
from dpsym.core.user_folder import user_folder
from dpsym.entries.index import places
from dpsym.rendering.page import Page, Part, Table, lines, says

KINDS = ("definitions", "mechanisms", "theorems", "results", "claims")
WORTH = ("proved", "certified", "cited")
_READ = ("entries", "catalogue", "statements", "core", "rendering")  # the rooms that a row is made by


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as a list shows it.

    Attributes:
        id, title, source: of the entry.
        shown: how its name is written, with its parameters.
        locator_verified: whether somebody has read the statement at its place; None for what is said here.
        status: what its proof is worth; None for what needs none.
        premises, conclusion: the notions of what it starts from and leads to.
        spoken: other notions that it speaks of.
    """

    id: str
    shown: str
    title: str
    source: str
    locator_verified: bool | None
    status: str | None
    premises: tuple[str, ...] = ()
    conclusion: str | None = None
    spoken: tuple[str, ...] = ()

    __repr__ = short


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
        if self.kind is not None and plural(self.kind) not in KINDS:
            _refuse(f"unknown kind of entry {self.kind!r}: {expected_one_of(str(self.kind), KINDS)}")
        for role in ("source", "target", "notion"):
            name: str | None = getattr(self, role)
            if name is not None and name not in places("Definition"):
                from dpsym import catalogue

                object.__setattr__(self, role, catalogue.look_up(name, catalogue.definitions(), "notion").id)
        if self.status is not None and self.status not in WORTH:
            _refuse(f"unknown worth {self.status!r}: {expected_one_of(self.status, WORTH)}")

    @property
    def says_nothing(self) -> bool:
        """Whether everything is asked for; a mechanism's claims are then left to its own page."""
        return self == Filter()

    def of_kind(self, kind: str) -> bool:
        """Whether entries of that kind are asked for."""
        return (self.kind is None or kind == plural(self.kind)) and not (self.says_nothing and kind == "claims")

    def admits(self, row: Row) -> bool:
        """Whether the entry is asked for, its kind apart."""
        if self.source is not None and self.source not in row.premises:
            return False
        if self.target is not None and self.target != row.conclusion:
            return False
        if self.notion is not None and self.notion not in {*row.premises, row.conclusion, *row.spoken}:
            return False
        return self.status is None or self.status == row.status


def _refuse(why: str) -> None:
    from dpsym.catalogue import UnknownEntry

    raise UnknownEntry(why)


def plural(kind: str) -> str:
    """The kind of several."""
    return kind if kind.endswith("s") else f"{kind}s"


def chosen(asked: Filter, *, remember: bool = False) -> dict[str, list[Row]]:
    """The rows that are asked for, by kind; kinds of which none is are left out.

    Args:
        asked: what is wanted.
        remember: take them from the user's folder where they are there, and else leave them there.
    """
    found = {}
    for kind, rows in (_remembered() if remember else _made()).items():
        if not asked.of_kind(kind):
            continue
        admitted = [row for row in rows if asked.admits(row)]
        if admitted or kind == plural(asked.kind or ""):
            found[kind] = admitted
    return found


def page(found: Mapping[str, Sequence[Row]]) -> Page:
    """Each kind with its entries: id, title, what it is worth, source."""
    parts: list[Part] = []
    for kind, rows in found.items():
        worth = ("worth",) if any(row.status is not None for row in rows) else ()
        there = tuple((r.shown, r.title, *((r.status or "",) if worth else ()), r.source) for r in rows)
        parts += [says(), Table((kind, "", *worth, "source"), there)]
    return Page("", tuple(parts[1:]) if any(found.values()) else lines(["nothing in the catalogue is of that kind"]))


def as_data(found: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    """The answer of `list`, for programs."""
    return {kind: [_data(row) for row in rows] for kind, rows in found.items()}


def _data(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "source": row.source,
        "locator_verified": row.locator_verified,
        "status": row.status,
        "from": list(row.premises),
        "to": row.conclusion,
    }


def _made() -> dict[str, list[Row]]:
    from dpsym.rendering import listing

    return {kind: [listing.row(entry) for entry in entries.values()] for kind, entries in listing.kinds().items()}


def _remembered() -> dict[str, list[Row]]:
    """What was made of the same texts before, or is made now and kept."""
    file = user_folder("listing") / f"{_state()}.json"
    with suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(file.read_text(encoding="utf-8"))
        return {kind: [_row(one) for one in kept[kind]] for kind in KINDS}
    made = _made()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        for older in file.parent.glob("*.json"):
            older.unlink()
        beside = file.with_suffix(".part")
        beside.write_text(json.dumps({kind: [asdict(row) for row in rows] for kind, rows in made.items()}))
        beside.replace(file)
    return made


def _row(kept: dict[str, Any]) -> Row:
    return Row(**{**kept, "premises": tuple(kept["premises"]), "spoken": tuple(kept["spoken"])})


def _state() -> str:
    """A hash of all that the rows are made from."""
    from importlib.metadata import version

    package = Path(__file__).parents[1]
    hashed = hashlib.sha256(version("sympy").encode())
    for path in _texts(package):
        hashed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()


def _texts(package: Path) -> Iterable[Path]:
    for room in _READ:
        yield from sorted((package / room).rglob("*.py"))
        yield from sorted((package / room).rglob("*.toml"))
    for proofs in (package / "_proofs", package.parent / "proofs"):
        yield from sorted(path for path in proofs.glob("*") if path.is_file())
