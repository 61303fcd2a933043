r"""``\Delta f`` as one name: the sensitivity of f, where a text says so, or where f is a function in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from dpsym.language.documents.sentences import SENTENCE_ENDS
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.macros import Macros
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import SENSITIVITY

_NEAR = 120  # characters of a sentence on either side of a formula
_SAYS_SO = re.compile(r"sensitiv", re.IGNORECASE)
# ... and not merely that k answers have one
_SAYS_OF = r"sensitivit\w+ of (?:the |a |our )?(?:function |query |score |statistic )?\$?\\?{}(?![\w'])"
_SAYS_NO = re.compile(r"\b(?:not|product|times|neither|nor|scaled|rather)\b", re.IGNORECASE)
_SAYS_OTHERWISE = re.compile(
    r"\b(?:laplacians?|laplace operator|(?:finite|forward|backward) differences?|increments?)\b", re.I
)
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
    """Those of the displays, and whether the text says of what; of others that they are one, or f is a function."""
    found, said, surely, mapped = set[str](), set[str](), set[str](), set[str]()
    shown = [*displays]
    for start, stop in [*shown, *lines]:
        symbols: list[Token] = []
        with suppress(ReadingError):
            symbols = [t for t in tokens(source, start, stop, macros(start), recover=True) if t.text != "&"]
        for name, at, end in sensitivities_in(source, symbols):
            if (start, stop) in shown:
                found.add(name)
            if at == 0 and (says := _says_so(source, start, stop, symbols[end:], name[-1])) is not None:
                (surely if says else said).add(name)
        for letter, sign in pairwise(symbols):  # f: X -> R
            if letter.kind == "letter" and sign.text in (":", r"\colon") and any(t.text == r"\to" for t in symbols):
                mapped.add(letter.text)
    if _SAYS_OTHERWISE.search(source):
        found &= surely
    called = said | surely
    return {n: n in surely for n in sorted(found) if n in called or n[-1] in mapped or n[-1] in functions}


def _says_so(source: str, start: int, stop: int, after: Sequence[Token], of: str) -> bool | None:
    """Whether the words call a formula, which begins with the name and is no more or defines it, that of f; or one."""
    equal, optimum = after[0].text in ("=", ":="), after[min(1, len(after) - 1)].text in _OPTIMA
    before = SENTENCE_ENDS.split(source[max(0, start - _NEAR) : start])[-1]
    words = before + SENTENCE_ENDS.split(source[stop : stop + _NEAR])[0]
    if equal and optimum:
        return True
    if not (equal or after[0].kind == "end") or not _SAYS_SO.search(words) or _SAYS_NO.search(words):
        return None
    return re.search(_SAYS_OF.format(of), words, re.IGNORECASE) is not None
