r"""What lines of prose state of names.  Nothing of it is used: what is declared decides, and the report says the rest.

A formula states something with a relation (``x > 1``), or as a name alone beside words that give it values or a meaning:
"for any real $x$", "where $c$ is twice $x$", "let $A$ be the sure event".  What fails at a point is refuted only if all
of it holds there, whatever the words around a formula make of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import Proposition
from dpsym.language.documents.declarations import Declared, Line, declare
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.harvest import INLINE, LONGEST, SENTENCE_ENDS, declared_in
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import GREEK, declared_as, spellings

MOST_READ = 4_000  # formulas; more are unread
_SENTENCE, _NEAR = 300, 60  # characters of a sentence beside a formula, and of the words that join it to the next
_SIGNS = re.compile(
    rf"{RELATING.pattern}|:(?!=)|\\(?:to|(?:long)?rightarrow|gtrsim|lesssim|approx|sim|asymp|propto|subset\w*|notin|mid|perp"
    r"|mapsto|gets|leftarrow|coloneqq?|triangleq|doteq|simeq|cong|ni|colon)(?![A-Za-z])|[\u2254\u2255\u225c\u225d\u2208\u2248]"
)
_GIVES_VALUES = re.compile(  # the names after these words may have all values that are said
    r"\b(?:any|all|every|each|some|arbitrary|let|take|taking|fix|choose|pick|for|if|when|whenever|suppose|supposing"
    r"|assum\w+|given|consider|where|with|provided|case|on|over|under)\b",
    re.IGNORECASE,
)
_RESTATES = re.compile(
    r"\b(?:since|because|as|that|so|hence|thus|therefore|then|have|has|note|recall|from|by|using|which|implies|gives|is"
    r"|are|indeed)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:unless|until|not|no|never|neither|nor|cannot|fails?|except|without|false|wrong|outside|longer|\w+n['\u2019]t)\b",
    re.IGNORECASE,
)
_KINDS = {  # of values: what is said of x by "a positive integer $x$"
    "real": "{}: real", "positive": "{} > 0", "nonnegative": "{} >= 0", "negative": "{} < 0", "nonpositive": "{} <= 0",
    "integer": "{}: integer", "natural": "{}: integer, {} >= 0", "number": "{}: real",
}  # fmt: skip
_OTHER_KINDS = re.compile(
    r"\b(?:complex|rational|irrational|odd|even|prime|zero|nonzero|non-zero|infinite|infinity|unbounded|unrestricted|large\w*"
    r"|small\w*|great\w*|less|least|most|exceed\w*|above|below|between|within|outside|big\w*|tiny|huge|vanish\w*|one|two"
    r"|three|half|twice|double|thrice|square\w*|cube|root|sum|difference|product|inverse|reciprocal|logarithm|exponential"
    r"|minus|plus|times|equals?|equal|same|either|or|minimum|maximum|smaller|larger|never|not|bigger|absolute"
    r"|depend\w*|multiple|proportional|random|drawn|distributed|\d+)\b",
    re.IGNORECASE,
)
_KIND = re.compile(rf"\b(non-?)?({'|'.join(_KINDS)})s?\b", re.IGNORECASE)
_QUANTIFIES = re.compile(
    r"\b(?:any|all|every|each|some|arbitrary|let|take|fix|choose|pick|consider|given)\b", re.IGNORECASE
)
_INTRODUCES = re.compile(
    rf"{_QUANTIFIES.pattern}|\b(?:now|here|denote|call|write|define|set|put|suppose|assume|where|with|another|other|new"
    r"|instead|replace\w*|an?|the|by|as|for)\b",
    re.IGNORECASE,
)
_IS = r"(?:is|are|be|being|was|were|becomes?|may be|can be|will be|denotes?|equals?|stands? for|means|represents?|ranges? over)"
_SAYS_IT_IS = re.compile(rf"\s*,?\s*(?:(?:now|again|here|then|always|also)\s+)?{_IS}\b", re.IGNORECASE)
_JOINS = re.compile(  # between a name and a formula that it may stand for, or vary with
    rf"^\W*(?:(?:now|again|here|also)\s+)?(?:{_IS}|for|as|by|to|to be|depend\w*|functions? of|var(?:y|ies)|chang\w+"
    r"|determined|given|short for|abbreviat\w+|proportional)\b[^.;]*$|^\s*(?:[|:\u2014-]|--+)\s*$|^</td>\s*<td[^>]*>$",
    re.IGNORECASE,
)
_MAY_JOIN = re.compile(r"\s*(?:,|,?\s*(?:and|or))\s*")


@dataclass(frozen=True, slots=True)
class _Formula:
    """A formula in a line: where it starts, its text with the macros put in, and the words before and after it."""

    start: int
    shown: str
    before: str
    after: str
    macros: Macros
    names: tuple[str, ...]  # those that are all of it, as they are looked up


def stated(
    written: Written,
    spans: Iterable[tuple[int, int]],
    macros: Callable[[int], Macros],
    declared: Declared,
    steps: Sequence[tuple[int, int]] = (),
) -> Iterator[Stated]:
    """What each formula in the parts of the text that are no displays, code or comments states, in their order.

    `steps` are those in lines that are checked themselves.
    """
    meant = {sp.Symbol(n): v for n, v in declared.names.items() if isinstance(v, sp.Expr) and v != sp.Symbol(n)}
    checked, number = {start for start, _ in steps}, 0
    for begin, end in spans:
        previous: _Formula | None = None
        for one in _formulas(written.text, begin, end, macros):
            number += 1
            joined, previous = previous, one
            line = written.of(one.start)[0]
            if one.start in checked:
                continue
            if _SIGNS.search(one.shown):
                conditions, ranges = _read(one, declared) if number <= MOST_READ else (None, {})
                if conditions is not None:
                    conditions = tuple(c.subs(meant) for c in conditions)
                conditions = None if _DENIES.search(one.before) else conditions
                restates = bool(_RESTATES.search(one.before)) and not _GIVES_VALUES.search(one.before)
                yield Stated(
                    one.start, line, _short(one.shown), _subjects(one, declared, conditions), conditions,
                    letters_in(one.shown, one.macros), ranges, restates,
                )  # fmt: skip
            elif one.names and (said := _in_words(one, declared)) is not None:
                yield said_of(one, line, *said)
            if joined is not None and (words := _joining(joined, one)):
                names = joined.names or one.names
                text = f"{joined.shown}${words}${one.shown}"
                yield Stated(joined.start, line, _short(text), _letters_of_all(names), None, _letters_of_all(names))


def said_of(one: _Formula, line: int, words: str, conditions: tuple[Proposition, ...] | None,
            ranges: Mapping[str, tuple[Proposition, ...]], restates: bool) -> Stated:  # fmt: skip
    """What the words beside a name say of it."""
    letters = _letters_of_all(one.names)
    return Stated(one.start, line, _short(words), letters, conditions, letters, ranges, restates)


def _formulas(text: str, begin: int, end: int, macros: Callable[[int], Macros]) -> Iterator[_Formula]:
    found = list(INLINE.finditer(text, begin, end))
    ends = [begin, *(m.end() for m in found)]
    starts = [*(m.start() for m in found), end]
    for place, match in enumerate(found):
        start, stop = match.span(1 if match[1] is not None else 2)
        known, shown = macros(start), text[start:stop]
        with suppress(ReadingError):
            shown = expand(shown, known)
        before = SENTENCE_ENDS.split(text[max(begin, match.start() - _SENTENCE) : match.start()])[-1]
        after = text[match.end() : min(starts[place + 1], match.end() + _SENTENCE)]
        words = INLINE.sub(" ", before)
        if ends[place] > match.start() - len(before):
            own = text[ends[place] : match.start()]
            words = (
                words
                if _MAY_JOIN.fullmatch(own) or not own.strip(" ,")
                else own
                if _GIVES_VALUES.search(own)
                else words
            )
        yield _Formula(start, shown, words, after, known, _names_alone(shown))


def _names_alone(shown: str) -> tuple[str, ...]:
    """The names that are all of a formula, between commas; none where it is something else."""
    if len(shown) > LONGEST:
        return ()
    with suppress(ReadingError):
        cursor, names = Cursor(shown, tokens(shown, 0, None, {}, recover=True), None), list[str]()
        while True:
            name = read_name(cursor)
            names.append(spellings([name])[name])
            if not cursor.take(","):
                return tuple(names) if cursor.peek().kind == "end" else ()
    return ()


def _read(
    one: _Formula, declared: Declared
) -> tuple[tuple[Proposition, ...] | None, Mapping[str, tuple[Proposition, ...]]]:
    """What a formula with a relation says, None where that cannot be read; and the names that it bounds by numbers."""
    if len(one.shown) > 4 * LONGEST:
        return None, {}
    ranges = dict[str, tuple[Proposition, ...]]()
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        for name, said in declared_in(one.shown, {}):
            ranges[name] = declare([Line(said)], [], []).conditions
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        shown = one.shown.replace(":=", "=")
        return tuple(declared.meaning(shown).relation(parse_latex(shown, declared.names))), ranges
    return (tuple(c for several in ranges.values() for c in several), ranges) if ranges else (None, {})


def _subjects(one: _Formula, declared: Declared, conditions: tuple[Proposition, ...] | None) -> frozenset[str]:
    """The letters of what it says something of: of a name that is new, alone, where it says what that is."""
    whole = letters_in(one.shown, one.macros)
    sign = _SIGNS.search(one.shown)
    if conditions is not None or sign is None or (RELATING.fullmatch(sign[0]) and sign[0] not in ("=", r"\in")):
        return whole
    left = letters_in(one.shown[: sign.start()], one.macros)
    known = {letter for name in declared.names for letter in letters_of([name])}
    return left if sign[0] not in ("=", ":=") or (left and not left & known) else whole


def _in_words(
    one: _Formula, declared: Declared
) -> tuple[str, tuple[Proposition, ...] | None, Mapping[str, tuple[Proposition, ...]], bool] | None:
    """What the words beside names say of their values or their meaning; None where they say nothing of it."""
    after = SENTENCE_ENDS.split(one.after)[0]
    before = one.before[-_NEAR:]
    is_said = _SAYS_IT_IS.match(after)
    quantified = _QUANTIFIES.search(before)
    numbers = all(declared_as(name, declared.names) is not None for name in one.names)
    beside = f"{before[quantified.end() :] if quantified else ''} {after if is_said else ''}"
    shown = f"{before[quantified.start() :] if quantified else ''}${one.shown}${after if is_said else ''}"
    if not numbers:  # an event, a mechanism, a data set
        return (shown, None, {}, False) if is_said or _INTRODUCES.search(before) else None
    if not (is_said or quantified):
        return None
    kinds = [("non" if m[1] else "") + m[2].lower() for m in _KIND.finditer(beside)]
    if _OTHER_KINDS.search(beside) or any(kind not in _KINDS for kind in kinds) or (kinds and _DENIES.search(beside)):
        return shown, None, {}, False
    only_facts = not quantified and re.match(r"\s*,?\s*(?:is|are)\b", after) is not None
    kinds = [kind for kind in kinds if kind != "number" or (quantified and re.search(r"\b(?:any|every|all)\b", before))]
    if not kinds:
        return None
    ranges = dict[str, tuple[Proposition, ...]]()
    for name in one.names:
        said = ", ".join(_KINDS[kind].format(name, name).partition(": real")[0] for kind in kinds)
        with suppress(ReadingError, ValueError):
            whole = said if said != name and not said.startswith(f"{name},") else f"{name}: real"
            ranges[name] = declare([Line(whole)], [], []).conditions
    return shown, tuple(c for several in ranges.values() for c in several), ranges, only_facts


def _joining(first: _Formula, second: _Formula) -> str:
    """The words between a name and a formula that may be what it stands for; empty where they say nothing of it."""
    words = first.after
    if (
        not (first.names or second.names)
        or len(words) > _NEAR
        or first.start + len(first.shown) + len(words) + 8 < second.start
    ):
        return ""
    if SENTENCE_ENDS.search(words) or _SIGNS.search(second.shown) or _SIGNS.search(first.shown):
        return ""
    return words if _JOINS.search(words) else ""


def _short(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _letters_of_all(names: Iterable[str]) -> frozenset[str]:
    return letters_of(names)


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
