r"""What formulas in lines of prose state of names: what fails at a point is refuted only if they hold there.

Whatever the words around a formula make of it (a bound, a case, a remark), it may be a condition of the steps near it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import sympy as sp

from dpsym.core.relations import Proposition
from dpsym.language.documents.declarations import Declared, Line, declare
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.harvest import INLINE, LONGEST, SENTENCE_ENDS, declared_in
from dpsym.language.documents.remarks import RELATING, SUPPOSING
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import GREEK

MOST_READ = 4_000  # formulas; more are unread
_SENTENCE = 300  # characters before a formula that may belong to its sentence
_STATES = re.compile(
    rf"{RELATING.pattern}|\\(?:to|(?:long)?rightarrow|gtrsim|lesssim|approx|sim|asymp|propto|subset\w*|notin|mid|perp)(?![A-Za-z])"
)


def stated(
    written: Written, spans: Iterable[tuple[int, int]], macros: Callable[[int], Macros], declared: Declared
) -> Iterator[Stated]:
    """What each formula in the parts of the text that are no displays, code or comments states, in their order."""
    meant = {sp.Symbol(n): v for n, v in declared.names.items() if isinstance(v, sp.Expr) and v != sp.Symbol(n)}
    number = 0
    for begin, end in spans:
        for match in INLINE.finditer(written.text, begin, end):
            first, last = match.span(1 if match[1] is not None else 2)
            if _STATES.search(written.text, first, last) is None:
                continue
            number += 1
            formula, known = written.text[first:last], macros(first)
            sentence = SENTENCE_ENDS.split(written.text[max(begin, first - _SENTENCE) : first])[-1]
            conditions = _conditions(formula, known, declared) if number <= MOST_READ else None
            yield Stated(
                first,
                written.of(first)[0],
                re.sub(r"\s+", " ", formula).strip(),
                letters_in(formula, known),
                None if conditions is None else tuple(c.subs(meant) for c in conditions),
                SUPPOSING.search(sentence) is not None,
            )


def _conditions(formula: str, macros: Macros, declared: Declared) -> tuple[Proposition, ...] | None:
    """What it says; None where that cannot be read."""
    if len(formula) > 4 * LONGEST:
        return None
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        shown = expand(formula, macros).replace(":=", "=")
        return tuple(declared.meaning(shown).relation(parse_latex(shown, declared.names)))
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        bounds = [declare([Line(said)], [], []).conditions for _, said in declared_in(formula, macros)]
        return tuple(c for one in bounds for c in one) if bounds else None
    return None


def letters_in(formula: str, macros: Macros) -> frozenset[str]:
    """The letters that names in it may be made of."""
    try:
        symbols = tokens(formula, 0, None, macros, recover=True)
    except ReadingError:
        return frozenset(re.findall("[A-Za-z]+", formula))
    return frozenset(_letters(symbols))


def _letters(symbols: list[Token]) -> Iterator[str]:
    sets = False  # whether the letter of a set follows, as in \mathbb{R}
    for token in symbols:
        if token.text in (r"\mathbb", r"\mathcal"):
            sets = True
        elif token.kind == "command" and token.text[1:] in GREEK:
            yield token.text[1:].removeprefix("var")
        elif token.kind == "letter" and not sets and token.text != "e":
            yield from {token.text, *token.text}
        sets = sets and token.text in (r"\mathbb", r"\mathcal", "{")


def letters_of(names: Iterable[str]) -> frozenset[str]:
    """The letters that these names are made of."""
    parts = (part for name in names for part in re.findall("[A-Za-z]+", name.replace("_", " ")))
    return frozenset(part.removeprefix("var") for part in parts)
