r"""``\Delta f`` as one name: the sensitivity of f, where a text says so, or where f is a function in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.macros import Macros
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import SENSITIVITY

_NEAR = 120  # characters of a sentence on either side of a formula
_SAYS_SO = re.compile(r"sensitiv", re.IGNORECASE)
_SAYS_OTHERWISE = re.compile(
    r"\b(?:laplacians?|laplace operator|(?:finite|forward|backward) differences?|increments?)\b", re.I
)
_SENTENCE_ENDS = re.compile(r"[.!?;]\s|\n[ \t]*\n")
_OPTIMA = (r"\max", r"\sup")


class _Any(Container[str]):
    """Every sensitivity is declared, and nothing else."""

    def __contains__(self, name: object) -> bool:
        return SENSITIVITY.fullmatch(str(name)) is not None


def sensitivities_in(text: str, symbols: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """What may be one in these symbols, and from which to which symbol."""
    for at, token in enumerate(symbols):
        if token.text == r"\Delta":
            cursor = Cursor(text, symbols, _Any())
            cursor.at = at
            with suppress(ReadingError):
                name = read_name(cursor)
                if SENSITIVITY.fullmatch(name):
                    yield name, at, cursor.at


def defines_one(formula: str, names: Container[str]) -> bool:
    r"""Whether a formula says what a declared one is: ``\Delta f = \max_{x \sim x'} |f(x) - f(x')|``."""
    with suppress(ReadingError):
        symbols = tokens(formula, 0, None, {}, recover=True)
        return any(
            name in names and at == 0 and symbols[end].text in ("=", ":=") and symbols[end + 1].text in _OPTIMA
            for name, at, end in sensitivities_in(formula, symbols)
        )
    return False


def sensitivities(
    source: str, displays: Iterable[tuple[int, int]], lines: Iterable[tuple[int, int]],
    macros: Callable[[int], Macros], functions: Container[str],
) -> Mapping[str, bool]:  # fmt: skip
    """Those of the displays, and whether the text says that they are; of the others f is only a function in it."""
    found, said, mapped = set[str](), set[str](), set[str]()
    shown = [*displays]
    for start, stop in [*shown, *lines]:
        symbols: list[Token] = []
        with suppress(ReadingError):
            symbols = [t for t in tokens(source, start, stop, macros(start), recover=True) if t.text != "&"]
        for name, at, end in sensitivities_in(source, symbols):
            if (start, stop) in shown:
                found.add(name)
            if at == 0 and _says_so(source, start, stop, symbols[end:]):
                said.add(name)
        for letter, sign in pairwise(symbols):  # f: X -> R
            if letter.kind == "letter" and sign.text in (":", r"\colon") and any(t.text == r"\to" for t in symbols):
                mapped.add(letter.text)
    if _SAYS_OTHERWISE.search(source):
        found &= said
    return {name: name in said for name in sorted(found) if name in said or name[-1] in mapped or name[-1] in functions}


def _says_so(source: str, start: int, stop: int, after: Sequence[Token]) -> bool:
    """Whether a formula that begins with the name is no more, or defines it, and the words call it a sensitivity."""
    equal, optimum = after[0].text in ("=", ":="), after[min(1, len(after) - 1)].text in _OPTIMA
    before = _SENTENCE_ENDS.split(source[max(0, start - _NEAR) : start])[-1]
    words = before + _SENTENCE_ENDS.split(source[stop : stop + _NEAR])[0]
    return (equal and optimum) or ((equal or after[0].kind == "end") and _SAYS_SO.search(words) is not None)
