"""The works that statements are taken from, by the key that a `Source` names; the data are in `works.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OWN = frozenset({"dpsym", "given"})  # keys for what is proved here, and for what the user supposes


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A publication; `numbering` says which version's theorem numbers the locators use."""

    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    kind: str = "inproceedings"
    url: str = ""
    numbering: str = ""

    def __str__(self) -> str:
        *first, last = self.authors
        names = f"{', '.join(first)} and {last}" if first else last
        return f"{names}. {self.title}. {self.venue}, {self.year}."


@cache
def works() -> Mapping[str, Work]:
    """Every work, by its key."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {key: Work(**fields | {"authors": tuple(fields["authors"])}) for key, fields in data.items()}
