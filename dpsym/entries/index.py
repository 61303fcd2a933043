"""Which module holds which entry, read from the entries' text, so that only what is asked for is built.

An entry is written `name = Theorem(` (or `Definition`, `Mechanism`, `Result`) at the left margin, up to a `)` there; a
law that is the same for every notion that has it is written `name = post_processing(notion,`, or another of
`dpsym/entries/notions/closure.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_ENTRY = re.compile(r"^(\w+) = (Definition|Mechanism|Theorem|Result)\($(.*?)^\)", re.MULTILINE | re.DOTALL)
_LAW = re.compile(r"^(\w+) = (composition|post_processing|parallel|privacy_filter)\(\s*(\w+),", re.MULTILINE)
_SETTING_OF = {
    "composition": "COMPOSITION",
    "post_processing": "POST_PROCESSING",
    "parallel": "DISJOINT",
    "privacy_filter": "FILTERED",
}
_SETTING = re.compile(r"^    setting=Setting\.(\w+),$", re.MULTILINE)
_CONCLUSION = re.compile(r"^    conclusion=(\w+)\(", re.MULTILINE)
_PARAMS = re.compile(r"^    params=\{(.*?)\},$", re.MULTILINE | re.DOTALL)
_PARAMETER = re.compile(r"(\w+):")
_PREMISE = re.compile(r"^    premises=\(\s*(\w+)\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry is, and of a theorem what it speaks of and the notions of its first premise and conclusion."""

    module: str
    setting: str
    premise: str
    conclusion: str


class TwiceError(LookupError):
    """Two modules hold entries of one name and kind."""


@cache
def places(kind: str) -> dict[str, Place]:
    """The place of each entry of a kind ("Theorem", …), by name.

    Raises:
        TwiceError: for two entries of one name.
    """
    found: dict[str, Place] = {}
    for module, written in _texts().items():
        for name, setting, premise, conclusion in written.get(kind, ()):
            if name in found:
                raise TwiceError(f"{found[name].module} and {module} hold an entry {name!r}")
            found[name] = Place(module, setting, premise, conclusion)
    return dict(sorted(found.items()))


@cache
def parameters(kind: str) -> dict[str, tuple[str, ...]]:
    """The names of the parameters of each entry of a kind, as its text has them."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(Path(__file__).parent.glob("*/*.py")):
        for name, entry, body in _ENTRY.findall(path.read_text(encoding="utf-8")):
            params = _PARAMS.search(body) if entry == kind else None
            if params is not None:
                found[name] = tuple(_PARAMETER.findall(params[1]))
    return found


@cache
def _texts() -> dict[str, dict[str, list[tuple[str, str, str, str]]]]:
    """What each module of entries writes, by kind: name, setting, first premise, conclusion."""
    found: dict[str, dict[str, list[tuple[str, str, str, str]]]] = {}
    for path in sorted(Path(__file__).parent.glob("*/*.py")):
        written: dict[str, list[tuple[str, str, str, str]]] = {}
        text = path.read_text(encoding="utf-8")
        for name, law, notion in _LAW.findall(text):
            written.setdefault("Theorem", []).append((name, _SETTING_OF[law], notion, notion))
        for name, kind, body in _ENTRY.findall(text):
            setting, premise, conclusion = (p.search(body) for p in (_SETTING, _PREMISE, _CONCLUSION))
            said = (premise[1] if premise else "", conclusion[1] if conclusion else "")
            written.setdefault(kind, []).append((name, setting[1] if setting else "SAME", *said))
        found[f"dpsym.entries.{path.parent.name}.{path.stem}"] = written
    return found
