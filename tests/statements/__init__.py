"""Statements of teaching material as claims, with what is known of them without dpsym."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from corpus import Entry

FILES = ("textbook", "textbook_chinese", "blog", "reference_page", "slides", "errata")
UNREADABLE = "unreadable"

_KEYS = {"says", "let", "where", "assume", "claim", "means", "truth", "fails", "verdict", "no claim", "address"}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement or a part of one; `claim` is empty where it says nothing that can be checked."""

    id: str
    source: str
    said: Mapping[str, str] = field(repr=False)

    @property
    def says(self) -> str:
        """In words."""
        return self.said.get("says", "")

    @property
    def claim(self) -> str:
        """As dpsym reads it."""
        return self.said.get("claim", "")

    @property
    def expected(self) -> str:
        """The verdict that the checker has to give."""
        return self.said["verdict"]

    @property
    def true(self) -> bool:
        """Whether it holds, by the reason in `why`."""
        return self.said["truth"].startswith("true")

    @property
    def why(self) -> str:
        """Why it is true or false, or no claim."""
        return self.said.get("no claim") or self.said["truth"].partition(",")[2].strip()

    @property
    def is_about_a_mechanism(self) -> bool:
        """Whether the claim is of the form MECHANISM satisfies GUARANTEE."""
        return " satisfies " in self.claim

    def declared(self, key: str) -> tuple[str, ...]:
        """The declarations of a kind: let, where or assume."""
        return tuple(part.strip() for part in self.said.get(key, "").split(";") if part.strip())

    @property
    def in_numbers(self) -> Entry | None:
        """The claim as a relation between numbers, without abbreviations; None where it is about distributions."""
        text = self.said.get("means", self.claim)
        if "means" not in self.said and (
            self.expected == UNREADABLE or self._distributions or self.is_about_a_mechanism
        ):
            return None
        if "=>" in text:
            return None
        replaced: dict[str, str] = {}
        for part in self.declared("where"):
            name, value = (side.strip() for side in part.split("=", 1))
            replaced[name] = f"({_expanded(value, replaced)})"
        point = None
        if not self.true:
            pairs = [p.split("=") for p in self.said["fails"].split(",") if p.strip() != "-"]
            point = {_spelled(name.strip()): Fraction(value.strip()) for name, value in pairs}
        return Entry(
            id=self.id,
            kind="statement",
            true=self.true,
            let=tuple(_spelled(d) for d in self.declared("let") if d not in self._distributions),
            assume=tuple(_spelled(_expanded(a, replaced)) for a in self.declared("assume")),
            where=(),
            relation=_spelled(_expanded(text, replaced)),
            why=self.why,
            fails_at=point,
        )

    @property
    def _is_numeric(self) -> bool:
        readable = self.expected != UNREADABLE
        return readable and not self._distributions and not self.is_about_a_mechanism and "=>" not in self.claim

    @property
    def _distributions(self) -> list[str]:
        kinds = ("distribution", "Normal", "Bernoulli", "privacy_loss")
        return [d for d in self.declared("let") if any(kind in d.partition(":")[2] for kind in kinds)]


def statements() -> tuple[Statement, ...]:
    """All of them, in the order of the files.

    Raises:
        ValueError: for a paragraph that is no statement, or an identifier that stands twice.
    """
    found = tuple(s for name in FILES for s in _read(Path(__file__).parent / f"{name}.txt"))
    if len({s.id for s in found}) != len(found):
        raise ValueError("an identifier stands twice")
    return found


def _read(path: Path) -> Iterator[Statement]:
    source, *paragraphs = path.read_text(encoding="utf-8").strip().split("\n\n")
    for paragraph in paragraphs:
        name, *lines = paragraph.splitlines()
        said = dict(line.split(": ", 1) for line in lines)
        wanted = {"no claim"} if "no claim" in said else {"says", "claim", "truth", "verdict"}
        if not re.fullmatch(r"S\d-\d\d[a-z]?'?", name) or not wanted <= set(said) <= _KEYS:
            raise ValueError(f"not a statement: {paragraph}")
        yield Statement(name, source, said)


def _expanded(text: str, replaced: Mapping[str, str]) -> str:
    for name, value in replaced.items():
        text = re.sub(rf"(?<![\w']){re.escape(name)}(?![\w'])", value, text)
    return text


def _spelled(text: str) -> str:
    """Primes are no part of a Python name."""
    return text.replace("'", "_prime")
