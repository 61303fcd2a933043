"""Every entry, by its name; a question builds only the entries that it asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from dpsym.catalogue.proof_records import Record, hash_of_file, hash_of_statement, records
from dpsym.core.verdicts import Verdict
from dpsym.entries.index import places
from dpsym.statements import Definition, Mechanism, MechanismClaim, Result, Setting, Theorem

Provable: TypeAlias = Theorem | MechanismClaim | Result
Entry = TypeVar("Entry", Definition, Mechanism, Theorem, Result, Provable)


class UnknownEntry(LookupError):
    """No entry has that name, `text`; the message offers the nearest one."""

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text


class Entries(Mapping[str, Entry], Generic[Entry]):
    """The entries of a kind, by id; each is built, with those of its topic, when it is first asked for."""

    def __init__(self, kind: type[Entry]) -> None:
        self._places = places(kind.__name__)
        self._kind: type[Entry] = kind

    def __getitem__(self, name: str) -> Entry:
        module = self._places[name].module
        entry: object = getattr(import_module(module), name)
        if not isinstance(entry, self._kind) or entry.id != name:
            raise LookupError(f"{module}.{name} is no {self._kind.__name__} of that id")
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def definitions() -> Mapping[str, Definition]:
    """Every notion of privacy, by id."""
    return Entries(Definition)


def mechanisms() -> Mapping[str, Mechanism]:
    """Every mechanism, by id."""
    return Entries(Mechanism)


def theorems() -> Mapping[str, Theorem]:
    """Every theorem, by id: those between notions, and the laws of each notion."""
    return Entries(Theorem)


def theorems_from(
    notions: Collection[Definition], setting: Setting, *, unwanted: Collection[str] = ()
) -> list[Theorem]:
    """The theorems about this setting whose first premise is of one of these notions; no other is built.

    Those that conclude one of the `unwanted` notions are left out.
    """
    names, known = {notion.id for notion in notions}, theorems()
    return [
        known[name]
        for name, place in places("Theorem").items()
        if place.setting == setting.name and place.premise in names and place.conclusion not in unwanted
    ]


def results() -> Mapping[str, Result]:
    """Every result that is no implication between guarantees, by id."""
    return Entries(Result)


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
    """The record of the last check of its proof; None where there is none of this very file and this very statement."""
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
    if _of_that_name(theorem) != theorem:
        raise UnknownEntry(f"{theorem.id!r} is not the catalogue's theorem of that name")
    return _worth(theorem, ())


def _of_that_name(theorem: Provable) -> Provable | None:
    """The catalogue's, of which no other entries are built."""
    match theorem:
        case Theorem():
            return theorems().get(theorem.id)
        case Result():
            return results().get(theorem.id)
    return claim(theorem.id)


def claim(name: str) -> MechanismClaim | None:
    """The claim of that id; no other mechanism is built than those whose name it begins with."""
    for mechanism in [m for m in mechanisms() if name.startswith(f"{m}_")]:
        found = [MechanismClaim(mechanisms()[mechanism], c) for c in mechanisms()[mechanism].claims]
        if (own := next((c for c in found if c.id == name), None)) is not None:
            return own
    return None


def _worth(theorem: Provable, above: tuple[str, ...]) -> Verdict:
    record = record_of(theorem)
    if record is None or theorem.id in above:
        return Verdict.CITED
    used = [theorems().get(name) for name in record.uses]
    worth = [Verdict.CITED if t is None else _worth(t, (*above, theorem.id)) for t in used]
    return max((record.verdict, *worth), key=list(Verdict).index)


def look_up(name: str, entries: Mapping[str, Entry], kind: str) -> Entry:
    """The entry of that name, in whatever case.

    Raises:
        UnknownEntry: saying what it is called here, or naming the nearest entry, and all of them.
    """
    if name in entries:
        return entries[name]
    alike = [known for known in entries if known.lower() == name.lower()]
    if len(alike) == 1:
        return entries[alike[0]]
    from dpsym.catalogue.words import called
    from dpsym.core.nearest import did_you_mean, there_are

    hint = called(name) or did_you_mean(name, entries)
    raise UnknownEntry(f"unknown {kind} {name!r}{hint}{there_are(entries, f'dpsym list {kind}s')}", name)
