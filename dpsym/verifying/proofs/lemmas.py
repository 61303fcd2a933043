"""Named facts about functions of the reals: `premises |- conclusion`, wherever the premises hold.

They stand in `facts.txt`, one in a line.  Each is short enough to be looked up in a textbook; the names are those of
the library for Coq.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import Statement, canonical, names, statement

_TEXT = (Path(__file__).parent / "facts.txt").read_text(encoding="utf-8")
TABLE = "\n".join(line for line in _TEXT.splitlines() if line and not line.startswith("#"))
_BETWEEN = re.compile(r", (?![^()]*\))")  # commas that are not those of a call


class Lemma(NamedTuple):
    """Premises, a conclusion, and the names that stand for any expression."""

    premises: tuple[Statement, ...]
    conclusion: Statement
    parameters: frozenset[str]


@lru_cache(maxsize=1)
def lemmas() -> dict[str, Lemma]:
    """All of them by name."""
    found = {}
    for line in TABLE.strip().splitlines():
        name, said = line.split(": ", 1)
        before, conclusion = said.split("|-")
        premises = tuple(statement(text) for text in _BETWEEN.split(before) if text.strip())
        result = statement(conclusion)
        spoken = (names(canonical(e)) for s in (*premises, result) for e in (s.left, s.right))
        free = (n for n in frozenset[str]().union(*spoken) if n != "oo" and not n.startswith("#"))
        found[name] = Lemma(premises, result, frozenset(free))
    return found


def lemma(name: str) -> Lemma:
    """The lemma of that name; raises Rejected where there is none."""
    if name not in lemmas():
        raise Rejected(f"there is no lemma {name!r}")
    return lemmas()[name]
