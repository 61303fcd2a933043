r"""What lines of prose state of names.  Nothing of it is used: what is declared decides, and the report says the rest.

A formula states something with a relation (``x > 1``, between dollars or without), or as a name alone beside words that
give it values or a meaning: "for any real $x$", "where $c$ is twice $x$", "let $A$ be the sure event".  What fails at a
point is refuted only if all of it holds there, whatever the words around a formula make of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import sympy as sp

from dpsym.core.families import MARK
from dpsym.core.relations import Proposition, is_function
from dpsym.language.documents.built_in import words_in
from dpsym.language.documents.declarations import Declared, Line, declare
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.phrases import (
    DENYING,
    FREE,
    GIVING,
    INTRODUCING,
    IS,
    JOINING,
    KIND,
    KINDS,
    KNOWN,
    OBJECT_AFTER,
    OBJECT_BEFORE,
    OF_ANOTHER,
    OTHER_KINDS,
    QUANTIFIES,
    RANGES_OVER,
    RELATION_IN_WORDS,
    SIGNS_IN_WORDS,
    STANDS_FOR,
    VALUES,
    kinds_in,
    of_kinds,
)
from dpsym.language.documents.proposals import bounds_in
from dpsym.language.documents.quantifiers import of_both_signs
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.sensitivities import defines_one, sensitivities_in
from dpsym.language.documents.sentences import (
    INLINE,
    LONGEST,
    NEAR,
    SENTENCE,
    SENTENCE_ENDS,
    Formula,
    formulas,
    names_alone,
)
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.functions import LETTERS
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macros import Macros
from dpsym.language.latex.names import bare
from dpsym.language.latex.standard import RELATIONS
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import GREEK, SENSITIVITY, canonical, declared_as
from dpsym.language.parsing import parse_line

_MOST_LISTED = 20  # names of which words after the last one say something
MOST_READ = 4_000  # formulas; more are unread
_SIGNS = re.compile(
    rf"{RELATING.pattern}|:(?!=)|[\u2254\u2255\u225c\u225d\u2208\u2248]"
    rf"|\\(?:{'|'.join({*RELATIONS.split()} - {'parallel', 'nparallel'})}|to|(?:long)?rightarrow|mapsto|gets|leftarrow)"
    r"(?![A-Za-z])|\\(?:mbox|text\w*)\s*\{\s*(?:is|equals|denotes|means|stands for)\s*\}"
)
_COMPARES = re.compile(r"[<>=\u2264\u2265\u2248\u225c]|\\(?:leq?|geq?|approx|equiv|propto)(?![A-Za-z])")
_CONTAINS = re.compile(r"(?P<set>.+)\\(?:ni|owns)(?![A-Za-z])(?P<one>.+)", re.DOTALL)
_SPACES = re.compile(r"\\[,;:! ]|\\q?quad(?![A-Za-z])|[\s&]")
_ONE_OF_ITS_KIND = re.compile(r"\b[Tt]he(?: [\w-]+){1,3}\s*$")  # "the positive number $x$"
_ASIDE = re.compile(r",[^,]{0,40},|\([^()]{0,40}\)")  # "$x$ is, of course, negative"
_FIRST_WORDS = re.compile(r"[,(]?(?:\s*(?!\\(?:begin|end)\b|\$\$)[^\s,;]+){0,7}")
_FORMULA = "\u27e8\u27e9"  # in the place of one
_WORD = r"(?<![\w\\$^_{./=])[A-Za-z]\w{0,15}'*"
_NAMED = r"\u27e8[^\u27e8\u27e9<>=]{1,40}\u27e9"
_RELATED = re.compile(  # without signs of mathematics around it
    rf"(?P<name>{_WORD}|{_NAMED})\s*(?P<sign><=|>=|:=|!=|=(?!=)|<|>|[\u2264\u2265\u2208\u2254\u2260]|\u27e8\s*(?:{_SIGNS.pattern})\s*\u27e9)"
    rf"\s*(?P<value>[^\s,;:|$<>=\u27e8][^\s;:|$<>=\u27e8]*|{_NAMED})"
)
_RELATION_IN_WORDS = re.compile(rf"\A{RELATION_IN_WORDS}", re.IGNORECASE)
_IN_WORDS = re.compile(rf"(?P<name>{_WORD}|{_NAMED}){RELATION_IN_WORDS}", re.IGNORECASE)
_CODE = re.compile(r"(?<!`)`([^`\n]{1,80})`(?!`)")
_MARKUP = re.compile(  # a tag, and not what stands between two signs: x <b and b> 0
    r"</?[A-Za-z][\w-]*(?:\s+[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s<>]+))*\s*/?>|(?<!\\)%[^\n]*|\\[A-Za-z]+\*?\s*\[[^\]\n]*\]|https?://\S+"
)
_PLAIN_SIGNS = {"\u2264": "<=", "\u2265": ">=", "\u2254": "=", "\u2260": "!=", ":=": "="}
_APPLIED_ALONE = re.compile(r"\s*(\\?[A-Za-z]+(?:_\w|_\{\w+\})?)\s*\([\s\w\\,']*\)[\s.,]*")

_Read: TypeAlias = tuple[tuple[Proposition, ...] | None, Mapping[str, tuple[Proposition, ...]]]


def stated(
    written: Written,
    spans: Sequence[tuple[int, int]],
    lines: Sequence[Formula],
    declared: Declared,
    displays: Sequence[tuple[int, int]] = (),
) -> list[Stated]:
    """What the formulas in `lines`, and the words in these parts of the text, state, in their order.

    `displays` are checked themselves.
    """
    checked = {start for start, _ in displays}
    code = list(_code_in_lines(written.text, spans, displays))
    every = sorted([*lines, *formulas(written.text, code, lambda at: {})], key=lambda one: one.start)
    reads = dict[str, _Read]()
    found = [one for span in (*spans, *code) for one in _in_plain_words(written, span, declared, reads)]
    read_in_words = {one.place for one in found if one.conditions is not None}
    before: Formula | None = None
    listed: tuple[str, ...] = ()  # the names that end with the one before
    for one in every:
        first, before = before, one
        if one.start in checked:
            continue
        line = written.of(one.start)[0]
        words = "" if first is None else _between(first, one)
        joins = JOINING.fullmatch(words) is not None and len(listed) < _MOST_LISTED
        together = (*listed, *one.names) if joins else one.names
        if _SIGNS.search(one.shown) and not defines_one(one.shown, declared.names):
            found.append(_of_relation(one, line, declared, _once(_read, one.shown, declared, reads)))
        elif one.names and (said := _in_words(one, together, declared)) is not None:
            found.append(replace(said, line=line))
        elif (head := _head(one)) and not _is_function(head, declared):  # y(x) changes with x
            found.append(_loose(one, one, line, letters_of([head])))
        if first is not None and words and not _names_its_sensitivity(first, one):
            joined = _joined(first, words, one, line, listed or one.names, declared)
            found += (said for said in joined if said.loose or first.at not in read_in_words)
        listed = together
    return sorted(found, key=lambda one: one.place)


def stated_beside(asides: Iterable[tuple[int, str, str]], written: Written, declared: Declared) -> Iterator[Stated]:
    """What words beside steps state, but for what of them is used: a condition, a value."""
    known = dict[tuple[str, str], list[Stated]]()
    for place, raw, used in asides:
        if (raw, used) not in known:
            known[raw, used] = list(_stated_alone(raw, used, declared))
        yield from (replace(one, place=place, line=written.of(place)[0]) for one in known[raw, used])


def _stated_alone(raw: str, used: str, declared: Declared) -> Iterator[Stated]:
    words, taken = words_in(raw) or f"${raw}$", _SPACES.sub("", used)
    whole = [(0, len(words))]
    lines = (replace(one, before=one.own) for one in formulas(words, whole, lambda at: {}))
    said = [one for one in lines if _SPACES.sub("", one.shown).strip(".,;()") not in taken]
    for one in stated(Written(words), whole, said, declared):
        if not one.letters and one.conditions is not None:  # of numbers: it is said of every step
            one = replace(one, subjects=frozenset({""}), letters=frozenset({""}))
        yield one


def _of_relation(
    one: Formula, line: int, declared: Declared, read: _Read, letters: frozenset[str] | None = None
) -> Stated:
    """What a formula with a relation states; nothing that can be read where words beside it deny it."""
    conditions, ranges = read
    if conditions is not None:
        meant = {sp.Symbol(n): v for n, v in declared.names.items() if isinstance(v, sp.Expr) and v != sp.Symbol(n)}
        conditions = tuple(c.subs(meant) for c in conditions)
    restates, denied = _tone(one.before, re.split(r"[.,;:]", one.after)[0])
    conditions = None if denied else conditions
    whole = letters_in(one.shown, one.macros) if letters is None else letters
    subjects = whole if conditions is not None or letters is not None else _subjects(one, declared, whole)
    compares = _COMPARES.search(one.shown) is not None
    return Stated(one.start, line, _short(one.shown), subjects, conditions, whole, ranges, restates, compares)


@lru_cache(maxsize=64)  # long lists say everything alike
def _tone(before: str, after: str) -> tuple[bool, bool]:
    """Whether the words before a relation say that it is known, and whether those beside it deny it."""
    restates = KNOWN.search(before) is not None and GIVING.search(before) is None
    return restates, DENYING.search(f"{before} {after}") is not None


def _joined(
    first: Formula, words: str, second: Formula, line: int, names: tuple[str, ...], declared: Declared
) -> Iterator[Stated]:
    """What two formulas in a sentence say with the words between them: "$c$ for $2x$", "$c$ varies with $x$"."""
    stands_for = STANDS_FOR.fullmatch(words) is not None
    heads = (head for head in map(_head, (first, second)) if head and (stands_for or not _is_function(head, declared)))
    letters = letters_of(names or first.names or [*heads][:1])
    if not letters:
        return
    text = _short(f"{first.shown}${words}${second.shown}")
    if stands_for or ((not second.names or r"\mathbb" in second.shown) and RANGES_OVER.fullmatch(words)):
        yield Stated(first.start, line, text, letters, None, letters)
    yield _loose(first, second, line, letters, text)


def _names_its_sensitivity(first: Formula, second: Formula) -> bool:
    r"""The sensitivity of $f$ is $\Delta f$."""
    own = SENSITIVITY.fullmatch(second.names[0]) if len(second.names) == 1 else None
    return own is not None and first.names == (own["of"],)


def _is_function(name: str, declared: Declared) -> bool:
    known = declared_as(name, declared.names)
    return known is not None and is_function(declared.names[known])


def _loose(first: Formula, second: Formula, line: int, subjects: frozenset[str], text: str = "") -> Stated:
    """What two formulas in a sentence, or one, may say of a name that changes with another one in them."""
    letters = letters_in(first.shown, first.macros) | letters_in(second.shown, second.macros)
    return Stated(second.start, line, text or _short(second.shown), subjects, None, letters, loose=True)


def _code_in_lines(
    text: str, spans: Sequence[tuple[int, int]], displays: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """What stands as code in a line: outside of the prose and of displays."""
    for (_, end), (begin, _) in pairwise(spans):
        if end < begin and not any(start <= begin and end <= stop for start, stop in displays):
            yield from ((m.start(1), m.end(1)) for m in [_CODE.match(text, end, begin)] if m is not None)


def _in_plain_words(
    written: Written, span: tuple[int, int], declared: Declared, reads: dict[str, _Read]
) -> Iterator[Stated]:
    """What stands in the words themselves, or in code in a line: "for x > 1", "let x be at least 2"."""
    blank = lambda match: " " * len(match[0])  # noqa: E731
    begin, end = span
    shown = INLINE.sub(_simple, _MARKUP.sub(blank, written.text[begin:end]).replace("`", " "))
    of_prose = (written, begin, declared, reads)
    for match in _RELATED.finditer(shown):
        if "\u27e8" in match[0]:
            yield from _in_latex(match, match["sign"].strip(f"{_FORMULA} "), match["value"], *of_prose)
            continue
        text = f"{match['name']} {_PLAIN_SIGNS.get(match['sign'], match['sign'])} {match['value'].rstrip('.,)')}"
        one = _formula_in_words(written.text, begin, match, text)
        letters = letters_of(re.findall("[A-Za-z]+", text))
        read = _once(_read_plain, text, declared, reads, match["name"])
        yield replace(_of_relation(one, written.of(one.start)[0], declared, read, letters), compares=True)
    for match in _IN_WORDS.finditer(shown):
        sign = next((sign for group, sign in SIGNS_IN_WORDS.items() if match[group]), r"\le")
        yield from _in_latex(match, sign, match["value"] or match["number"] or match["last"], *of_prose)
    spoken_of = [n for n, value in declared.names.items() if isinstance(value, sp.Symbol)]
    names = [re.escape(n) for n in (*spoken_of, *declared.variables) if n not in "aAI"]
    alone = re.compile(rf"(?<![\w\\$'\u2019./-])(?:{'|'.join(names)})(?![\w'\u2019./-]|\s*[=<>])")
    for match in alone.finditer(shown) if names else ():
        one = _formula_in_words(written.text, begin, match, match[0])
        if OF_ANOTHER.search(one.before) and KIND.search(one.before[-NEAR:] + one.after[:NEAR]) is None:
            continue
        if (in_words := _in_words(one, (match[0],), declared)) is not None:
            yield replace(in_words, line=written.of(one.start)[0])


def _simple(formula: re.Match[str]) -> str:
    """A formula in angle brackets, with nothing in them where it is more than a name, a number or a sign."""
    shown = formula[1] or formula[2] or ""
    related = _SIGNS.search(shown) is not None and not _SIGNS.fullmatch(shown.strip())
    marks = (len(formula[0]) - len(shown)) // 2
    return "\u27e8".rjust(marks) + (" " * len(shown) if related else shown) + "\u27e9".ljust(marks)


def _in_latex(
    match: re.Match[str],
    sign: str,
    value: str,
    written: Written,
    begin: int,
    declared: Declared,
    reads: dict[str, _Read],
) -> Iterator[Stated]:
    """What a name, a relation and a value in a sentence state together: ``$x$ $<$ $0$``, "x between 1 and 2"."""
    found = match.groupdict("")
    parts = (found["name"], value, found.get("first", ""))
    name, value, low = (VALUES.get(part.lower(), part).strip(f"{_FORMULA} ") for part in parts)
    bare = found["name"] == name
    known = [declared_as(one, declared.names) for one in ((name,) if bare else names_alone(name))]
    if not known or not all(one is not None and _is_number(one, declared) for one in known):
        return
    if bare and len(name) > 1:
        name = rf"\{name}" if name in GREEK else rf"\mathrm{{{name}}}"
    text = rf"{low} \le {name} \le {value}" if low else f"{name} {sign} {value}"
    one = _formula_in_words(written.text, begin, match, text)
    asserted = found.get("be") or found.get("verb") or found.get("eq")
    if asserted and OF_ANOTHER.search(one.before):
        return
    denied = DENYING.search(found.get("be", "")) is not None
    read = (None, {}) if denied else _once(_read, text, declared, reads)
    said = _of_relation(one, written.of(one.start)[0], declared, read, letters_in(text, {}))
    told = f"${match[0].replace(found['name'], found['name'] + '$', 1)}" if bare else match[0]
    known_so = bool(asserted) and QUANTIFIES.search(one.before) is None
    told = re.sub(f"[{_FORMULA}]", "$", _short(told))
    yield replace(said, text=told, compares=True, restates=said.restates or known_so)


def _is_number(name: str, declared: Declared) -> bool:
    return name not in declared.random and isinstance(declared.names[name], sp.Expr)


def _formula_in_words(text: str, begin: int, match: re.Match[str], what: str) -> Formula:
    start, stop = begin + match.start(), begin + match.end()
    before = SENTENCE_ENDS.split(text[max(0, start - SENTENCE) : start].replace("`", " "))[-1]
    after = INLINE.sub(_FORMULA, text[stop : stop + NEAR].replace("`", " "))
    return Formula(start, start, stop, what, INLINE.sub(" ", before), before, after, after, {})


def _once(how: Callable[..., _Read], text: str, declared: Declared, reads: dict[str, _Read], *more: str) -> _Read:
    """What a relation says, read once; of very many the rest is unread."""
    key = f"{how.__name__} {text}"
    if key not in reads:
        reads[key] = how(text, declared, *more) if len(reads) < MOST_READ else (None, {})
    return reads[key]


def _read_plain(text: str, declared: Declared, name: str) -> _Read:
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        conditions = tuple(declared.meaning(text).relation(parse_line(text, declared.names)))
        spelled = declared_as(name, declared.names)
        alone = spelled is not None and all(len(c.free_symbols) == 1 for c in conditions)
        return conditions, {spelled: conditions} if alone and spelled is not None else {}
    return None, {}


def _head(one: Formula) -> str:
    """What is applied to letters, where that is all of a formula."""
    applied = _APPLIED_ALONE.fullmatch(one.shown)
    names = () if applied is None else names_alone(applied[1])
    return names[0] if names else ""


def _read(formula: str, declared: Declared) -> _Read:
    """What a formula with a relation says, None where that cannot be read; and the names that it bounds by numbers."""
    if len(formula) > 4 * LONGEST:
        return None, {}
    ranges, shown = dict[str, tuple[Proposition, ...]](), _CONTAINS.sub(r"\g<one> \\in \g<set>", formula)
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        for name, said in bounds_in(shown).items():
            ranges[name] = declare([Line(said)], [], []).conditions
    whole = shown.replace(":=", "=")
    value = whole.partition("=")[2]  # of a name that is new: y = -x > 0
    for shown in (whole, value) if RELATING.search(value) else (whole,):
        with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
            conditions = tuple(declared.meaning(shown).relation(parse_latex(shown, declared.names)))
            free = {s.name for c in conditions if len(c.free_symbols) == 1 for s in of_both_signs([c])}
            return conditions, {**dict.fromkeys(free, conditions), **ranges}
    return (tuple(c for several in ranges.values() for c in several), ranges) if ranges else (None, {})


def _subjects(one: Formula, declared: Declared, whole: frozenset[str]) -> frozenset[str]:
    """The letters of what an unread relation says something of: of a new name alone, where it says what that is."""
    sign = _SIGNS.search(one.shown)
    if sign is None or (RELATING.fullmatch(sign[0]) and sign[0] not in ("=", r"\in")):
        return whole
    left = letters_in(one.shown[: sign.start()], one.macros)
    known = {letter for name in declared.names for letter in letters_of([name])}
    return left if sign[0] != "=" or (left and not left & known) else whole


def _in_words(one: Formula, names: tuple[str, ...], declared: Declared) -> Stated | None:
    """What the words beside names say of their values or their meaning; None where they say nothing of it."""
    if {*names} <= {"e", "pi", *LETTERS} or one.after.lstrip().startswith("the same holds with"):
        return None  # those have a reader of their own; other values are put in
    before, after = one.before[-NEAR:], SENTENCE_ENDS.split(one.after)[0]
    said = IS.match(after)
    first = said and _FIRST_WORDS.match(said[0] + _ASIDE.sub(" ", after[said.end() :]))
    words = "" if first is None else f"{first[0]} {_FORMULA}"
    after = _RELATION_IN_WORDS.sub("", words).removesuffix(f" {_FORMULA}")  # what relates the name is read
    variables = declared.variables
    known = [declared_as(name, declared.names) or (name if name in variables else None) for name in names]
    opens = (INTRODUCING if None in known else QUANTIFIES).search(before) or OBJECT_BEFORE.search(before)
    before = "" if opens is None else before[opens.start() :]
    if not (before or after):
        return None
    letters = letters_of(names)
    unread = Stated(one.start, 0, _short(f"{before}${one.shown}${after}"), letters, None, letters)
    of_numbers = all(
        name is None
        or name in variables
        or (isinstance(declared.names[name], sp.Symbol) and name not in declared.random)
        for name in known
    )
    anew = before or INTRODUCING.search(after)
    if None in known or (anew and not declared.defined.isdisjoint(known)):
        return unread
    if not of_numbers:
        return None
    beside = f"{before} {after}"
    kinds = kinds_in(beside)
    other = OTHER_KINDS.search(beside) or OBJECT_BEFORE.search(before) or OBJECT_AFTER.match(after)
    if other or {*kinds} - KINDS.keys() or (kinds and DENYING.search(beside)):
        return unread
    if not kinds:
        return None
    try:
        ranges = {name: declare([Line(of_kinds(name, kinds))], [], []).conditions for name in names}
    except ValueError:
        return unread
    known_so = not before and FREE.search(after) is None and re.match(r"\s*,?\s*(?:is|are)\b", after) is not None
    restates = known_so or _ONE_OF_ITS_KIND.search(one.before) is not None
    conditions = tuple(c for several in ranges.values() for c in several)
    return replace(unread, conditions=conditions, ranges=ranges, restates=restates)


def _between(first: Formula, second: Formula) -> str:
    """The words between two formulas of a sentence or a row; empty where there are too many, or the second goes on."""
    words = first.after
    apart = len(words) > NEAR or second.at - first.stop > len(words) + 2 or words.count(",") > 1
    if apart or second.after.startswith("-") or words.startswith("-") or SENTENCE_ENDS.search(words):
        return ""
    return "" if _SIGNS.search(second.shown) or _SIGNS.search(first.shown) else words


def _short(text: str) -> str:
    return " ".join(text.split())


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
