r"""What a command of the document's own stands for, put in its place: ``\newcommand{\eps}{\varepsilon}``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dpsym.language.errors import ReadingError

LONGEST_BODY = 1_000  # characters, of a definition
LONGEST_EXPANSION = 20_000  # characters: macros that use each other twice grow exponentially
MOST_EXPANSIONS = 500  # one after the other, so that a macro that uses itself ends

_COMMAND = re.compile(r"\\(?:[A-Za-z]+|[^A-Za-z])|~", re.DOTALL)
_ENDS_IN_WORD = re.compile(r"(?:^|[^\\])(?:\\\\)*\\[A-Za-z]+$")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_TAKING_ONE = re.compile(
    r"\\(?:[dtc]?frac|[dt]?binom|sqrt(?:\s*\[[^\[\]]*\])?|bar|overline|hat|widehat|tilde|widetilde|dot|vec|boldsymbol|bm|"
    r"math(?:cal|scr|bb|bf|frak|sf|op))\s*$|[\^_]\s*$"
)
_TAKING_TWO = re.compile(r"\\(?:[dtc]?frac|[dt]?binom)\s*$")
_ONE_SYMBOL = re.compile(
    r"\s*(?:[^\\\s{}]|\\(?:[A-Za-z]+|[^A-Za-z])|\\(?:math\w+|text\w*|operatorname\*?|mbox)\s*\{[^{}]*\})\s*"
)
_LAST = re.compile(r"(?:\\(?:[A-Za-z]+|[^A-Za-z])|[^\\\s{])\s*$")  # a brace opens a group: what follows is in it
_LONGEST_ARGUMENT = 2_000  # characters before a macro in which it may be an argument
_NO_ARGUMENT = {"&", "}", "$", "#", "^", "_", r"\\"}


@dataclass(frozen=True, slots=True)
class Macro:
    """What stands for a command, with #1, #2, … for its arguments; or the `doubt` for which it is refused."""

    arguments: int
    body: str
    doubt: str = ""


Macros: TypeAlias = Mapping[str, Macro]


def expand(text: str, macros: Macros) -> str:
    """The text without macros.

    Raises:
        ReadingError: where an argument is missing, the meaning of a command is in doubt, or the expansion exceeds
            the limits.
    """
    if not macros:
        return text
    for _ in range(MOST_EXPANSIONS):
        match = next((m for m in _COMMAND.finditer(text) if m[0] in macros), None)
        if match is None:
            return text
        replaced, end = expanded_once(text, match.start(), match.end(), len(text), macros[match[0]])
        text = joined(joined(text[: match.start()], replaced), text[end:])
        if len(text) > LONGEST_EXPANSION:
            break
    raise ReadingError(f"the macros expand to more than {LONGEST_EXPANSION} characters")


def expanded_once(text: str, start: int, end: int, stop: int, macro: Macro) -> tuple[str, int]:
    """What the call at `text[start:end]` stands for, and where its arguments end.

    Raises:
        ReadingError: where an argument is missing, or the meaning is in doubt.
    """
    if macro.doubt:
        raise ReadingError(macro.doubt, text, start)
    given: list[str] = []
    for _ in range(macro.arguments):
        while end < stop and text[end].isspace():
            end += 1
        command = _COMMAND.match(text, end, stop)
        taken = text[end : end + 1] if command is None else command[0]
        if end >= stop or taken in _NO_ARGUMENT:
            raise ReadingError(f"{text[start:end].strip()} takes {macro.arguments} argument(s)", text, start)
        if taken == "{":
            after = group_end(text, end, stop)
            if after is None:
                raise ReadingError("this brace is not closed", text, end)
            given.append(text[end + 1 : after - 1])
            end = after
        else:
            given.append(taken)
            end += len(taken)
    body = ""
    for piece in re.split(r"(#[1-9])", macro.body):
        is_argument = piece[:1] == "#" and piece[1:].isdigit() and int(piece[1:]) <= len(given)
        body = joined(body, given[int(piece[1:]) - 1] if is_argument else piece)
        if len(body) > LONGEST_EXPANSION:
            raise ReadingError(f"the macros expand to more than {LONGEST_EXPANSION} characters", text, start)
    if not _is_one(body) and _is_argument(text[max(0, start - _LONGEST_ARGUMENT) : start]):
        raise ReadingError(f"{text[start:end].strip()} stands for several symbols: put braces around it", text, start)
    return body, end


def _is_one(body: str) -> bool:
    """Whether it is one symbol, or one group, for TeX."""
    body = body.strip()
    return _ONE_SYMBOL.fullmatch(body) is not None or (body[:1] == "{" and group_end(body, 0, len(body)) == len(body))


def _is_argument(before: str) -> bool:
    r"""Whether what comes next is an argument without braces: after ``^``, ``\sqrt``, ``\frac1``."""
    if _TAKING_ONE.search(before):
        return True
    before = before.rstrip()
    if before.endswith("}"):
        depth = 0
        for match in reversed(list(_BRACES.finditer(before))):
            depth += (match[0] == "}") - (match[0] == "{")
            if depth == 0 and match[0] == "{":
                return _TAKING_TWO.search(before[: match.start()]) is not None
        return False
    last = _LAST.search(before)
    return last is not None and _TAKING_TWO.search(before[: last.start()]) is not None


def joined(left: str, right: str) -> str:
    r"""One after the other: ``\p`` before ``i`` does not become ``\pi``."""
    return f"{left} {right}" if right[:1].isalpha() and _ENDS_IN_WORD.search(left[-100:]) else left + right


def group_end(text: str, start: int, stop: int) -> int | None:
    """Where the brace group ends that starts here."""
    depth = 0
    for match in _BRACES.finditer(text, start, stop):
        if match[0] in ("{", "}"):
            depth += 1 if match[0] == "{" else -1
            if depth == 0:
                return match.end()
    return None
