r"""What lines of prose state of names.  Nothing of it is used: what is declared decides, and the report says the rest.

A formula states something with a relation (``x > 1``, between dollars or without), or as a name alone beside words that
give it values or a meaning: "for any real $x$", "where $c$ is twice $x$", "let $A$ be the sure event".  What fails at a
point is refuted only if all of it holds there, whatever the words around a formula make of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

import sympy as sp

from dpsym.core.families import MARK
from dpsym.core.relations import Proposition, is_function
from dpsym.language.documents.declarations import Declared, Line, declare
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.proposals import bounds_in
from dpsym.language.documents.quantifiers import of_both_signs
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.sensitivities import defines_one, sensitivities_in
from dpsym.language.documents.sentences import INLINE, LONGEST, SENTENCE_ENDS
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.functions import LETTERS
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.latex.names import bare, read_name
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import GREEK, SENSITIVITY, canonical, declared_as
from dpsym.language.parsing import parse_line

MOST_READ = 4_000  # formulas; more are unread
_SENTENCE, _NEAR = 300, 60  # characters of a sentence beside a formula, and of the words that join it to the next
_SIGNS = re.compile(
    rf"{RELATING.pattern}|:(?!=)|\\(?:to|(?:long)?rightarrow|gtrsim|lesssim|approx|sim|asymp|propto|subset\w*|notin|mid|perp"
    r"|mapsto|gets|leftarrow|coloneqq?|triangleq|doteq|simeq|cong|ni|colon)(?![A-Za-z])|[\u2254\u2255\u225c\u225d\u2208\u2248]"
    r"|\\(?:mbox|text\w*)\s*\{\s*(?:is|equals|denotes|means|stands for)\s*\}"
)
_COMPARES = re.compile(r"[<>=\u2264\u2265\u2248\u225c]|\\(?:leq?|geq?|approx|equiv|propto|le|ge)(?![A-Za-z])")
_GIVES_VALUES = re.compile(  # the names after these words may have all values that are said
    r"\b(?:any|all|every|each|some|arbitrary|let|take|taking|fix|choose|pick|for|if|when|whenever|suppose|supposing"
    r"|assum\w+|given|consider|where|with|provided|case|over|under)\b",
    re.IGNORECASE,
)
_RESTATES = re.compile(
    r"\b(?:since|because|as|that|so|hence|thus|therefore|then|have|has|note|recall|from|by|using|which|implies|gives|is"
    r"|are|indeed)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:unless|until|not|no|never|neither|nor|cannot|fails?|except|without|false|wrong|untrue|invalid|violated|dropped"
    r"|outside|longer|\w+n['\u2019]t)\b",
    re.IGNORECASE,
)
_KINDS = {  # of values: what is said of x by "a positive integer $x$"
    "real": "{}: real", "positive": "{} > 0", "nonnegative": "{} >= 0", "negative": "{} < 0", "nonpositive": "{} <= 0",
    "integer": "{}: integer", "natural": "{}: integer, {} >= 0", "number": "{}: real",
}  # fmt: skip
_OTHER_KINDS = re.compile(
    r"\b(?:complex|rational|irrational|odd|even|prime|zero|nonzero|non-zero|infinite|infinity|unbounded|unrestricted"
    r"|large\w*|small\w*|great\w*|less|least|most|exceed\w*|above|below|between|within|outside|big\w*|tiny|huge"
    r"|vanish\w*|one(?! of)|two|three|half|twice|double|thrice|square\w*|cube|root|sum|difference|product|inverse"
    r"|reciprocal|logarithm|exponential"
    r"|minus|plus|times|equals?|equal|same|either|or|minimum|maximum|smaller|larger|never|not|bigger|absolute"
    r"|depend\w*|multiple|proportional|random|drawn|distributed|signs?|\d+)\b",
    re.IGNORECASE,
)
_KIND = re.compile(rf"\b(non-?)?({'|'.join(_KINDS)})s?\b", re.IGNORECASE)
_QUANTIFYING = r"\b(?:any|all|every|each|some|arbitrary|let|take|fix|choose|pick|consider)\b"
_QUANTIFIES = re.compile(
    rf"{_QUANTIFYING}(?:\s+[\w-]+){{0,4}}\W*$"
    rf"|\b(?:for|with|if|when|whenever|where)(?:\s+(?!the|this|that)[\w-]+){{0,2}}?\s+(?:{_KIND.pattern}|non-?zero|complex|large|small)\s*$"
    r"|\bsigns? of\s*$",
    re.IGNORECASE,
)
_IS_DENIED = re.compile(
    r"\s*(?:\w+\s+)?(?:is|are|was|be|do|does|did|need|may|can\w*|no|never|not|fails?|\w+n['\u2019]t)\b[^,.;:]*"
)
_LETTER = re.compile(r"(?<![\w\\$'\u2019./-])[B-HJ-Zb-z](?![\w'\u2019./-]|\s*[=<>])")
_FIRST_WORDS = re.compile(r",?(?:\s+[^\s,;]+){0,7}")
_INTRODUCES = re.compile(
    rf"{_QUANTIFYING}|\b(?:now|here|denote|call|write|define|set|put|suppose|assume|another|other|new|instead"
    r"|replace\w*)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:denotes?|stands?|means|becomes?|free|arbitrary|any|every|longer|again|now|another|other|different|new)\b",
    re.IGNORECASE,
)  # says of a name that is defined that it stands for something else
_IS = (
    r"(?:is|are|be|being|was|were|becomes?|may be|can be|will be|denotes?|equals?|exceeds?|stands? for|means"
    r"|represents?|ranges? over)"
)
_SAYS_IT_IS = re.compile(
    rf"\s*,?\s*(?:(?:now|again|here|then|always|also)\s+)?{_IS}\b"
    rf"|\s+(?:{_KIND.pattern}|of (?:any|either|both|arbitrary) sign|(?:on|over|in) the (?:\w+ )?real)s?\b",
    re.IGNORECASE,
)
_JOINS = re.compile(  # between a name and a formula that it may stand for, or vary with
    rf"\W*(?:(?:now|again|here|also|then)\s+)?(?:{_IS}|for|as|by|to be|depends?|functions?|var(?:y|ies)|changes?"
    r"|determined|given|short|abbreviates?|proportional)(?:\s+(?:on|upon|of|by|with|as|to|be|equal|defined|given|short|for|just"
    r"|simply|exactly|the|an?|number|value|quantity|function|constant|depend(?:s|ent|ing)|proportional|twice|half|square"
    r"|root|inverse|negative))*\W*|\s*(?:[|:\u2014-]|--+)\s*|</td>\s*<td[^>]*>",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(  # without signs of mathematics around it
    r"(?<![\w\\$^_{./=])(?P<name>[A-Za-z]\w{0,15}'*)\s*"
    r"(?P<sign><=|>=|:=|!=|=(?!=)|<|>|[\u2264\u2265\u2208\u2254\u2260])\s*(?P<value>[^\s,;:|$<>=][^\s;:|$<>=]*)"
)
_CODE = re.compile(r"(?<!`)`([^`\n]{1,80})`(?!`)")
_MARKUP = re.compile(  # a tag, and not what stands between two signs: x <b and b> 0
    r"</?[A-Za-z][\w-]*(?:\s+[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s<>]+))*\s*/?>|(?<!\\)%[^\n]*|\\[A-Za-z]+\*?\s*\[[^\]\n]*\]|https?://\S+"
)
_PLAIN_SIGNS = {"\u2264": "<=", "\u2265": ">=", "\u2254": "=", "\u2260": "!=", ":=": "="}


_APPLIED_ALONE = re.compile(r"\s*(\\?[A-Za-z]+(?:_\w|_\{\w+\})?)\s*\([\s\w\\,']*\)[\s.,]*")
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
    head: str = ""  # what is applied to letters, where that is all of it


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
    spans = list(spans)
    for begin, end in sorted([*spans, *_code_in_lines(written.text, spans, steps)]):
        yield from in_plain_words(written, begin, end, declared)
        previous: _Formula | None = None
        listed: tuple[str, ...] = ()  # the names that end with the one before
        for one in _formulas(written.text, begin, end, macros):
            number += 1
            joined, previous = previous, one
            line = written.of(one.start)[0]
            if one.start in checked:
                continue
            if _SIGNS.search(one.shown) and not defines_one(one.shown, declared.names):
                conditions, ranges = _read(one, declared) if number <= MOST_READ else (None, {})
                if conditions is not None:
                    conditions = tuple(c.subs(meant) for c in conditions)
                after = _IS_DENIED.match(one.after)
                conditions = None if _DENIES.search(f"{one.before} {after[0] if after else ''}") else conditions
                restates = bool(_RESTATES.search(one.before)) and not _GIVES_VALUES.search(one.before)
                yield Stated(
                    one.start, line, _short(one.shown), _subjects(one, declared, conditions), conditions,
                    letters_in(one.shown, one.macros), ranges, restates, _COMPARES.search(one.shown) is not None,
                )  # fmt: skip
            elif one.names and (said := _in_words(one, declared)) is not None:
                yield _said_of(one, line, *said)
            elif one.head and not _is_function(one.head, declared):  # y(x) changes with x
                yield _loose(one, one, line, letters_of([one.head]))
            if joined is None or not (words := _between(joined, one)):
                listed = one.names
                continue
            own = SENSITIVITY.fullmatch(one.names[0]) if len(one.names) == 1 else None
            if own is not None and joined.names == (own["of"],):
                continue  # the sensitivity of $f$ is $\Delta f$
            text, names = f"{joined.shown}${words}${one.shown}", letters_of(_spoken_of(joined, one, listed, declared))
            if names:
                if _JOINS.fullmatch(words):
                    yield Stated(joined.start, line, _short(text), names, None, names)
                yield _loose(joined, one, line, names, text)
            listed = (*listed, *one.names) if _MAY_JOIN.fullmatch(words) else one.names


def _spoken_of(first: _Formula, second: _Formula, listed: Sequence[str], declared: Declared) -> Sequence[str]:
    """The names, or the function that is not declared to be one, that one of two formulas is."""
    heads = (one.head for one in (first, second) if one.head and not _is_function(one.head, declared))
    return listed or second.names or [*islice(heads, 1)]


def _is_function(name: str, declared: Declared) -> bool:
    known = declared_as(name, declared.names)
    return known is not None and is_function(declared.names[known])


def _loose(first: _Formula, second: _Formula, line: int, subjects: frozenset[str], text: str = "") -> Stated:
    """What two formulas in a sentence, or one, may say of a name that changes with another one in them."""
    letters = letters_in(first.shown, first.macros) | letters_in(second.shown, second.macros)
    return Stated(second.start, line, _short(text or second.shown), subjects, None, letters, loose=True)


def _code_in_lines(
    text: str, spans: Sequence[tuple[int, int]], displays: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """What stands as code in a line: outside of the prose and of displays."""
    for (_, end), (begin, _) in pairwise(spans):
        if end < begin and not any(start <= begin and end <= stop for start, stop in displays):
            yield from ((m.start(1), m.end(1)) for m in [_CODE.match(text, end, begin)] if m is not None)


def in_plain_words(written: Written, begin: int, end: int, declared: Declared) -> Iterator[Stated]:
    """What stands in the words themselves, or in code in a line: "for x > 1"."""
    blank = lambda match: " " * len(match[0])  # noqa: E731
    shown = INLINE.sub(lambda m: "$" * len(m[0]), _MARKUP.sub(blank, written.text[begin:end]).replace("`", " "))
    for one in _letters_in_words(written.text, shown, begin, declared):
        if (said := _in_words(one, declared)) is not None:
            yield _said_of(one, written.of(one.start)[0], *said)
    known: dict[str, tuple[Proposition, ...] | None] = {}
    for match in _IN_WORDS.finditer(shown):
        text = f"{match['name']} {_PLAIN_SIGNS.get(match['sign'], match['sign'])} {match['value'].rstrip('.,)')}"
        before = SENTENCE_ENDS.split(shown[max(0, match.start() - _SENTENCE) : match.start()])[-1]
        if text not in known:
            known[text] = None
            with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
                known[text] = tuple(declared.meaning(text).relation(parse_line(text, declared.names)))
        conditions = known[text]
        spelled = declared_as(match["name"], declared.names)
        one_name = conditions is not None and all(len(c.free_symbols) == 1 for c in conditions)
        ranges = {spelled: conditions or ()} if spelled and one_name else {}
        letters = letters_of(re.findall("[A-Za-z]+", text))
        restates, denied = _tone(before)
        conditions = None if denied else conditions
        yield Stated(
            begin + match.start(), written.of(begin + match.start())[0], text, letters, conditions, letters, ranges,
            restates, compares=True,
        )  # fmt: skip


@lru_cache(maxsize=64)  # long lists say everything alike
def _tone(before: str) -> tuple[bool, bool]:
    """Whether the words before a relation say that it is known, and whether they deny it."""
    return bool(_RESTATES.search(before)) and not _GIVES_VALUES.search(before), bool(_DENIES.search(before))


def _letters_in_words(text: str, shown: str, begin: int, declared: Declared) -> Iterator[_Formula]:
    """The declared letters that stand in words without a mark, or as code: "let x be negative"."""
    for match in _LETTER.finditer(shown):
        at, end = begin + match.start(), begin + match.end()
        before, after = text[max(0, at - _SENTENCE) : at].replace("`", " "), text[end : end + _NEAR].replace("`", " ")
        if isinstance(declared.names.get(match[0]), sp.Symbol) and _KIND.search(before[-_NEAR:] + after):
            yield _Formula(at, match[0], SENTENCE_ENDS.split(before)[-1], after, {}, (match[0],))


def _said_of(one: _Formula, line: int, words: str, conditions: tuple[Proposition, ...] | None,
             ranges: Mapping[str, tuple[Proposition, ...]], restates: bool) -> Stated:  # fmt: skip
    """What the words beside a name say of it."""
    letters = letters_of(one.names)
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
        yield _Formula(start, shown, words, after, known, _names_alone(shown), _head(shown))


def _names_alone(shown: str) -> tuple[str, ...]:
    """The names that are all of a formula, between commas; none where it is something else."""
    if len(shown) > LONGEST:
        return ()
    with suppress(ReadingError):
        cursor, names = Cursor(shown, tokens(shown, 0, None, {}, recover=True), None), list[str]()
        while True:
            name = read_name(cursor)
            names.append(canonical(name))
            if not cursor.take(","):
                return tuple(names) if cursor.peek().kind == "end" else ()
    return ()


def _head(shown: str) -> str:
    applied = _APPLIED_ALONE.fullmatch(shown)
    names = () if applied is None else _names_alone(applied[1])
    return names[0] if names else ""


def _read(
    one: _Formula, declared: Declared
) -> tuple[tuple[Proposition, ...] | None, Mapping[str, tuple[Proposition, ...]]]:
    """What a formula with a relation says, None where that cannot be read; and the names that it bounds by numbers."""
    if len(one.shown) > 4 * LONGEST:
        return None, {}
    ranges = dict[str, tuple[Proposition, ...]]()
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        for name, said in bounds_in(one.shown).items():
            ranges[name] = declare([Line(said)], [], []).conditions
    whole = one.shown.replace(":=", "=")
    value = whole.partition("=")[2]  # of a name that is new: y = -x > 0
    for shown in (whole, value) if RELATING.search(value) else (whole,):
        with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
            conditions = tuple(declared.meaning(shown).relation(parse_latex(shown, declared.names)))
            free = {s.name for c in conditions if len(c.free_symbols) == 1 for s in of_both_signs([c])}
            return conditions, {**dict.fromkeys(free, conditions), **ranges}
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
    if one.after.lstrip().startswith("the same holds with"):
        return None  # other values are put in
    first = _FIRST_WORDS.match(SENTENCE_ENDS.split(one.after)[0])
    after, before = "" if first is None else first[0], one.before[-_NEAR:]
    is_said = _SAYS_IT_IS.match(after)
    quantified = _QUANTIFIES.search(before)
    beside = f"{before[quantified.start() :] if quantified else ''} {after if is_said else ''}"
    shown = f"{before[quantified.start() :] if quantified else ''}${one.shown}${after if is_said else ''}"
    known = [declared_as(name, declared.names) for name in one.names]
    numbers = None not in known
    if any(name in declared.abbreviations for name in known) and (quantified or (is_said and _ANOTHER.search(after))):
        return shown, None, {}, False
    if {*one.names} <= {"e", "pi", *LETTERS}:  # those have a reader of their own
        return None
    if not numbers:  # an event, a mechanism, a data set
        return (shown, None, {}, False) if is_said or _INTRODUCES.search(before) else None
    of_numbers = all(
        isinstance(declared.names[name or ""], sp.Symbol) and name not in declared.random for name in known
    )
    if not (is_said or quantified) or not of_numbers:
        return None
    kinds = [("non" if m[1] else "") + m[2].lower() for m in _KIND.finditer(beside)]
    if _OTHER_KINDS.search(beside) or any(kind not in _KINDS for kind in kinds) or (kinds and _DENIES.search(beside)):
        return shown, None, {}, False
    free = re.search(r"\b(?:any|every|arbitrary|all)\b", f"{before if quantified else ''} {after}") is not None
    only_facts = not quantified and not free and re.match(r"\s*,?\s*(?:is|are)\b", after) is not None
    kinds = [kind for kind in kinds if kind != "number" or free]
    if not kinds:
        return None
    bounds = [_KINDS[kind] for kind in kinds if kind not in ("real", "number")] or [_KINDS["real"]]
    ranges = dict[str, tuple[Proposition, ...]]()
    for name in one.names:
        try:
            said = ", ".join(bound.format(name, name) for bound in sorted(bounds, key=lambda b: ":" not in b))
            ranges[name] = declare([Line(said)], [], []).conditions
        except ValueError:
            return shown, None, {}, False
    return shown, tuple(c for several in ranges.values() for c in several), ranges, only_facts


def _between(first: _Formula, second: _Formula) -> str:
    """The words between two formulas of a sentence or a row; empty where there are too many, or the second goes on."""
    words = first.after
    apart = len(words) > _NEAR or first.start + len(first.shown) + len(words) + 8 < second.start
    if (
        apart
        or second.after.startswith("-")
        or words.startswith("-")
        or words.count(",") > 1
        or SENTENCE_ENDS.search(words)
    ):
        return ""
    return "" if _SIGNS.search(second.shown) or _SIGNS.search(first.shown) else words


def _short(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def letters_in(formula: str, macros: Macros) -> frozenset[str]:
    """The letters that names in it may be made of."""
    try:
        symbols = tokens(formula, 0, None, macros, recover=True)
    except ReadingError:
        return frozenset(re.findall("[A-Za-z]+", formula))
    return frozenset({*_letters(symbols), *(name for name, _, _ in sensitivities_in(formula, symbols))})


def _letters(symbols: list[Token]) -> Iterator[str]:
    sets = False  # whether the letter of a set follows, as in \mathbb{R}
    for token in symbols:
        if token.text in (r"\mathbb", r"\mathcal"):
            sets = True
        elif token.kind == "command" and token.text[1:] in GREEK:
            yield token.text[1:].removeprefix("var")
        elif token.kind == "text":
            yield from letters_of([bare(token.value)]) - {"e"}
        elif token.kind == "letter" and not sets and token.text != "e":
            yield from {token.text, *token.text}
        sets = sets and token.text in (r"\mathbb", r"\mathcal", "{")


def letters_of(names: Iterable[str]) -> frozenset[str]:
    """The letters that these names are made of."""
    parts = (
        part
        for name in (each.removesuffix(MARK) for each in names)
        for part in ([name] if SENSITIVITY.fullmatch(name) else re.findall("[A-Za-z]+", name.replace("_", " ")))
    )
    return frozenset(canonical(part).removeprefix("var") for part in parts)
