r"""Abbreviations that a LaTeX document defines for itself: ``\newcommand{\eps}{\varepsilon}``, within limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from dpsym.reading.errors import ReadingError

MOST_MACROS = 500
LONGEST_BODY = 1_000
LONGEST_EXPANSION = 20_000
MOST_EXPANSIONS = 500

_DEFINITION = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|(?P<operator>DeclareMathOperator))\*?\s*"
    r"(?:\{\s*(?P<braced>\\[A-Za-z]+)\s*\}|(?P<bare>\\[A-Za-z]+))\s*(?:\[(?P<count>[1-9])\])?\s*(?=\{)"
    r"|\\def\s*(?P<plain>\\[A-Za-z]+)(?P<parameters>(?:#[1-9])*)(?=\{)",
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")


@dataclass(frozen=True, slots=True)
class Macro:
    """What stands for a command, with #1, #2, … for its arguments."""

    arguments: int
    body: str


Macros: TypeAlias = Mapping[str, Macro]


def read_macros(text: str) -> dict[str, Macro]:
    r"""The macros defined by ``\newcommand``, ``\renewcommand``, ``\providecommand``, ``\def`` and operators.

    A definition with optional arguments, or longer than the limits, is passed over: its use is then refused.
    """
    found: dict[str, Macro] = {}
    for match in islice(_DEFINITION.finditer(text), MOST_MACROS):
        group = _group(text, match.end(), match.end() + LONGEST_BODY)
        if group is None:
            continue
        body = text[match.end() + 1 : group - 1]
        if match["operator"]:
            body = rf"\operatorname*{{{body}}}"
        count = int(match["count"] or 0) or (match["parameters"] or "").count("#")
        found[match["braced"] or match["bare"] or match["plain"]] = Macro(count, body)
    return found


def expand(text: str, macros: Macros) -> str:
    """The text without macros.

    Raises:
        ReadingError: where an argument is missing, or the expansion exceeds the limits.
    """
    if not macros:
        return text
    for _ in range(MOST_EXPANSIONS):
        match = next((m for m in _COMMAND.finditer(text) if m[0] in macros), None)
        if match is None:
            return text
        replaced, end = expanded_once(text, match.start(), match.end(), len(text), macros[match[0]])
        text = f"{text[: match.start()]}{replaced}{text[end:]}"
        if len(text) > LONGEST_EXPANSION:
            break
    raise ReadingError(f"the macros expand to more than {LONGEST_EXPANSION} characters")


def expanded_once(text: str, start: int, end: int, stop: int, macro: Macro) -> tuple[str, int]:
    """What the call at `text[start:end]` stands for, and where its arguments end.

    Raises:
        ReadingError: where an argument is missing.
    """
    given: list[str] = []
    for _ in range(macro.arguments):
        while end < stop and text[end].isspace():
            end += 1
        if end >= stop or text[end] == "}":
            raise ReadingError(f"{text[start:end].strip()} takes {macro.arguments} argument(s)", text, start)
        if text[end] == "{":
            after = _group(text, end, stop)
            if after is None:
                raise ReadingError("this brace is not closed", text, end)
            given.append(text[end + 1 : after - 1])
            end = after
        else:
            command = _COMMAND.match(text, end, stop)
            after = end + 1 if command is None else command.end()
            given.append(text[end:after])
            end = after
    body = re.sub(r"#([1-9])", lambda m: given[int(m[1]) - 1] if int(m[1]) <= len(given) else "", macro.body)
    if len(body) > LONGEST_EXPANSION:
        raise ReadingError(f"the macros expand to more than {LONGEST_EXPANSION} characters", text, start)
    return (f"{body} " if re.search(r"\\[A-Za-z]+$", body) and text[end : end + 1].isalpha() else body), end


def _group(text: str, start: int, stop: int) -> int | None:
    """Where the brace group ends that starts here."""
    depth = 0
    for at in range(start, min(stop, len(text))):
        if text[at] in "{}" and text[at - 1] != "\\":
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return at + 1
    return None
