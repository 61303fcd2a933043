r"""What a command of the document's own stands for, put in its place: ``\newcommand{\eps}{\varepsilon}``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dpsym.language.errors import ReadingError

LONGEST_BODY = 1_000  # characters, of a definition
LONGEST_EXPANSION = 20_000  # characters: macros that use each other twice grow exponentially
MOST_EXPANSIONS = 500  # one after the other, so that a macro that uses itself ends

_COMMAND = re.compile(r"\\(?:[A-Za-z]+|[^A-Za-z])|~", re.DOTALL)
_ENDS_IN_WORD = re.compile(r"(?:^|[^\\])(?:\\\\)*\\[A-Za-z]+$")
_BRACES, _DELIMITERS = re.compile(r"\\.|[{}]|%[^\n]*", re.DOTALL), re.compile(r"\\.|[{}\[\]]", re.DOTALL)
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
_LONGEST_COMMAND = 40  # characters: more than one that takes arguments has, with one that it takes
_NO_ARGUMENT = {"&", "}", "$", "#", "^", "_", r"\\"}
_SIZE = re.compile(r"\\[bB]igg?\s*")  # what \abs[\big]{x} takes
_BRANCH = re.compile(r"\\If(?P<what>NoValue|Value|Boolean)(?P<which>TF|T|F)\s*\{\s*#(?P<number>[1-9])\s*\}")


@dataclass(frozen=True, slots=True)
class Macro:
    r"""What stands for a command, with #1, #2, … for its arguments; or the `doubt` for which it is refused.

    Of the parameters "m" is an argument, "s" a star, "o" an argument in brackets that may be missing, "O" with what
    stands for a missing one after it, "b" a size in brackets, as in ``\abs[\big]{x}``.
    """

    parameters: tuple[str, ...]
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
    given, value = list[str | None](), None
    for parameter in macro.parameters:
        at = _past_space(text, end, stop)
        if parameter == "m":
            value, end = _argument(text, at, stop, text[start:end].strip())
        elif text.startswith("*" if parameter == "s" else "[", at, stop):
            value, end = ("*", at + 1) if parameter == "s" else _in_brackets(text, at, stop)
            if parameter == "b" and not _SIZE.fullmatch(value):
                raise ReadingError("expected a size, such as [\\big]", text, at)
        else:
            value = parameter[1:] if parameter[0] == "O" else None
        given.append(value)
    body = ""
    for piece in re.split(r"(#[1-9])", _chosen(macro, given)):
        is_argument = piece[:1] == "#" and piece[1:].isdigit() and int(piece[1:]) <= len(given)
        value = given[int(piece[1:]) - 1] if is_argument else piece
        if value is None:
            raise ReadingError(f"{text[start:end].strip()} is used without what {piece} stands for", text, start)
        body = joined(body, value)
        if len(body) > LONGEST_EXPANSION:
            raise ReadingError(f"the macros expand to more than {LONGEST_EXPANSION} characters", text, start)
    if not _is_one(body) and argument_due(text[:start]):
        raise ReadingError(f"{text[start:end].strip()} stands for several symbols: put braces around it", text, start)
    return body, end


def _past_space(text: str, at: int, stop: int) -> int:
    while at < stop and text[at].isspace():
        at += 1
    return at


def _argument(text: str, at: int, stop: int, command_of: str) -> tuple[str, int]:
    """The next symbol, or what the next braces hold, and where it ends."""
    command = _COMMAND.match(text, at, stop)
    taken = text[at : at + 1] if command is None else command[0]
    if at >= stop or taken in _NO_ARGUMENT:
        raise ReadingError(f"{command_of} takes an argument", text, min(at, stop))
    if taken != "{":
        return taken, at + len(taken)
    after = group_end(text, at, stop)
    if after is None:
        raise ReadingError("this brace is not closed", text, at)
    return text[at + 1 : after - 1], after


def _in_brackets(text: str, at: int, stop: int) -> tuple[str, int]:
    """What the brackets that open at that place hold, and where they end: which bracket closes them must be plain."""
    depth = 0
    for match in _DELIMITERS.finditer(text, at + 1, stop):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth < 0 or match[0] == "[":
            break
        if match[0] == "]" and not depth:
            return text[at + 1 : match.start()], match.end()
    raise ReadingError("where does the argument in brackets end?", text, at)


def _chosen(macro: Macro, given: Sequence[str | None]) -> str:
    r"""The body with the branch of each ``\IfBooleanTF{#1}{…}{…}`` that holds of what was given."""
    body = macro.body
    while (match := _BRANCH.search(body)) is not None:
        number, what, end = int(match["number"]) - 1, match["what"], match.end()
        if number >= len(given) or (macro.parameters[number] == "s") != (what == "Boolean"):
            raise ReadingError(f"{match[0]}: of which argument?")
        holds, taken = (given[number] is not None) != (what == "NoValue"), ""
        for branch in match["which"]:
            value, end = _argument(body, _past_space(body, end, len(body)), len(body), match[0])
            taken = value if (branch == "T") == holds else taken
        body = joined(joined(body[: match.start()], taken), body[end:])
    return body


def _is_one(body: str) -> bool:
    """Whether it is one symbol, or one group, for TeX."""
    body = body.strip()
    return _ONE_SYMBOL.fullmatch(body) is not None or (body[:1] == "{" and group_end(body, 0, len(body)) == len(body))


def argument_due(before: str) -> bool:
    r"""Whether what comes next is an argument without braces: after ``^``, ``\sqrt``, ``\frac1``."""
    before = before[-_LONGEST_ARGUMENT:].rstrip()
    near = before if before.endswith("]") else before[-_LONGEST_COMMAND:]
    if _TAKING_ONE.search(near):
        return True
    if before.endswith("}"):
        depth = 0
        for match in reversed(list(_BRACES.finditer(before))):
            depth += (match[0] == "}") - (match[0] == "{")
            if depth == 0 and match[0] == "{":
                return _TAKING_TWO.search(before[: match.start()]) is not None
        return False
    last = _LAST.search(near)
    return last is not None and _TAKING_TWO.search(near[: last.start()]) is not None


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
