"""Which file holds which entry, read from the entries' text, so that only what is asked for is built.

An entry is written `name = Theorem(` (or `Definition`, `Mechanism`, `Result`) at the left margin, up to a `)` there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_ENTRY = re.compile(r"^(\w+) = (?:Definition|Mechanism|Theorem|Result)\($(.*?)^\)", re.MULTILINE | re.DOTALL)
_SETTING = re.compile(r"^    setting=Setting\.(\w+),$", re.MULTILINE)
_CONCLUSION = re.compile(r"^    conclusion=(\w+)\(", re.MULTILINE)
_PREMISE = re.compile(r"^    premises=\(\s*(\w+)\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry is, and of a theorem what it speaks of and the notions of its first premise and conclusion."""

    module: str
    setting: str
    premise: str
    conclusion: str


@cache
def places(folder: str) -> dict[str, Place]:
    """The place of each entry in a folder of entries, by name."""
    found = {}
    for path in Path(__file__).with_name(folder).glob("*.py"):
        for name, body in _ENTRY.findall(path.read_text(encoding="utf-8")):
            setting, premise, conclusion = (p.search(body) for p in (_SETTING, _PREMISE, _CONCLUSION))
            found[name] = Place(
                f"dpsym.entries.{folder}.{path.stem}",
                setting[1] if setting else "SAME",
                premise[1] if premise else "",
                conclusion[1] if conclusion else "",
            )
    return dict(sorted(found.items()))
