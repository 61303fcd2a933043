"""Relations of the field whose truth is known without the prover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

FILES = ("conversions", "mechanisms", "analysis", "domains")


@dataclass(frozen=True, slots=True)
class Entry:
    """A relation, its declarations, whether it is true and why; for a false one a point at which it fails."""

    id: str
    kind: str
    true: bool
    let: tuple[str, ...]
    assume: tuple[str, ...]
    where: tuple[str, ...]
    relation: str
    why: str
    fails_at: Mapping[str, Fraction] | None

    def __str__(self) -> str:
        return f"{self.id}: {self.relation}  for {'; '.join((*self.let, *self.assume, *self.where))}"


def entries() -> tuple[Entry, ...]:
    """All of them, in the order of the files.

    Raises:
        ValueError: for a line that is not an entry, or an identifier that stands twice.
    """
    found = tuple(
        _entry(line) for name in FILES for line in _lines(Path(__file__).parent / f"{name}.txt") if line.strip()
    )
    if len({e.id for e in found}) != len(found):
        raise ValueError("an identifier stands twice")
    return found


def _lines(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


def _entry(line: str) -> Entry:
    fields = [f.strip() for f in line.split("|")]
    if len(fields) != (6 if fields[2] == "T" else 7) or fields[2] not in ("T", "F"):
        raise ValueError(f"not an entry: {line}")
    declarations = [d.strip() for d in fields[3].split(";") if d.strip()]
    point = None
    if fields[2] == "F":
        pairs = [p.split("=") for p in fields[6].split(",") if p.strip() != "-"]
        point = {name.strip(): Fraction(value.strip()) for name, value in pairs}
    return Entry(
        id=fields[0],
        kind=fields[1],
        true=fields[2] == "T",
        let=tuple(d for d in declarations if not d.startswith(("assume ", "where "))),
        assume=tuple(d.removeprefix("assume ") for d in declarations if d.startswith("assume ")),
        where=tuple(d.removeprefix("where ") for d in declarations if d.startswith("where ")),
        relation=fields[4],
        why=fields[5],
        fails_at=point,
    )
