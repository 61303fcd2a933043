r"""What is said of every member of a family: ``epsilon_j > 0 for j in 1..k``, ``\epsilon_1, \dots, \epsilon_k > 0``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpsym.core.families import MARK
from dpsym.language.names import declared_as

_DOTS = r"(?:\.\.\.?|…|\\(?:[lc]?dots)\b)"
_LETTER = r"(?:\\?[A-Za-z]+'*)"
_FOR = re.compile(
    r"(?P<claim>.+?)[\s,]*(?:\\(?:quad|qquad)\s*)?"
    r"(?:\\(?:text|textrm|mbox)\s*\{\s*for(?:\s+(?:all|every|each|any))?\s*\}|\\forall|\bfor\b(?:\s+(?:all|every|each|any))?)"
    rf"\s*(?P<index>{_LETTER})(?:\s*(?:=|\\in\b|\bin\b)\s*(?P<over>.+))?",
    re.DOTALL,
)
_EVERY_INTEGER = re.compile(rf"(?P<claim>.+?)[\s,]*\bfor every integer\s+(?P<index>{_LETTER})", re.DOTALL)
_RANGE = re.compile(rf"(?P<first>[^,]+?)\s*(?:,[^,]*?)?,?\s*{_DOTS}\s*,?\s*(?P<last>[^,]+)", re.DOTALL)
_SUBSCRIPT = r"_(?:\{(?P<%s>[^{}]*)\}|(?P<%s>\\?[A-Za-z0-9]+))"
_LISTED = re.compile(
    rf"(?P<base>\\?[A-Za-z][A-Za-z\\{{}}]*?'*){_SUBSCRIPT % ('low', 'lo')}\s*,(?:[^,<>=]*?,)?\s*{_DOTS}\s*,\s*"
    rf"(?P=base){_SUBSCRIPT % ('high', 'hi')}(?P<said>.*)",
    re.DOTALL,
)
_NUMBERED = re.compile(r"(?P<base>[A-Za-z]\w*?)_\d+(?P<primes>'*)")
LONGEST = 500  # characters


@dataclass(frozen=True, slots=True)
class Ranged:
    """`claim` for every integer `index` from `first` to `last`, or where these are empty for every integer."""

    claim: str
    index: str
    first: str = ""
    last: str = ""


def ranged(text: str) -> Ranged | None:
    """What is said for every index of a range; None where it is something else."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    listed = _LISTED.fullmatch(text)
    if listed is not None:
        base, first, last = listed["base"], listed["low"] or listed["lo"], listed["high"] or listed["hi"]
        index = next(letter for letter in "jilmn" if letter not in (last, base))
        said = listed["said"].strip() or ": real"
        return Ranged(f"{base}_{index} {said}", index, first, last)
    if (every := _EVERY_INTEGER.fullmatch(text)) is not None:
        return Ranged(every["claim"], every["index"])
    found = _FOR.fullmatch(text)
    if found is None or found["over"] is None or r"\|" in found["claim"]:  # a norm is no member of a family
        return None
    over = found["over"].strip()
    if (to := re.fullmatch(r"\[([^,\]]+)\]", over)) is not None:
        return Ranged(found["claim"], found["index"], "1", to[1])
    over = re.sub(r"^(?:\\\{|\{)|(?:\\\}|\})$", "", over)
    ends = _RANGE.fullmatch(over)
    return None if ends is None else Ranged(found["claim"], found["index"], ends["first"].strip(), ends["last"].strip())


def with_free_index(text: str, declared: Mapping[str, Any]) -> str:
    """The same with an index that is no declared name, nor stands below one."""
    one = ranged(text)
    if one is None or declared_as(one.index, declared) is None:
        return text
    taken = {part for name in declared for part in name.rstrip("'").split("_")}
    free = next((x for x in "jilmnrstuvabcd" if x not in taken and not re.search(rf"\b{x}\b", text)), one.index)
    claim = re.sub(rf"(?<![A-Za-z0-9]){re.escape(one.index)}(?![A-Za-z0-9_])", free, one.claim)
    return f"{claim} for {free} in {one.first}..{one.last}" if one.first else f"{claim} for every integer {free}"


def any_member(name: str) -> str:
    """The name, with one index for all: of f_i and f_j the same is said, and something else of f."""
    return re.sub(r"_[a-z]$", "_i", name.rstrip("'"))


def family_of(name: str) -> str:
    """The family of which the name may be a member, ``x[]`` of ``x_1``; empty where it has no number."""
    found = _NUMBERED.fullmatch(name)
    return "" if found is None else found["base"] + found["primes"] + MARK
