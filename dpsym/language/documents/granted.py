r"""What lines of prose grant the displays near them: "let $q = 1 - p$", "where $k \le d$", "suppose that $n \ge m$".

A display is checked under what is granted where it stands, and the report says so: nobody has confirmed it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from dpsym.deciding import Domain, EmptyDomain
from dpsym.language.documents.declarations import Declared
from dpsym.language.documents.derivation import Around, Case, Said, Tie
from dpsym.language.documents.guesses import Guess
from dpsym.language.documents.phrases import (
    DENYING,
    ELSEWHERE,
    FREED,
    HEDGING,
    LEADING,
    LISTING,
    PHRASES,
    SUPPOSING,
)
from dpsym.language.documents.prose import OPENED
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.roles import LAYOUT
from dpsym.language.documents.sentences import INLINE, LONGEST, SENTENCE, SENTENCE_ENDS, Formula, is_quoted, names_alone
from dpsym.language.documents.stated import letters_in, letters_of
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.environments import DISPLAYS

_MOST = 20  # for one display
_INNERMOST = 9  # the level of a theorem: every heading ends it, and it ends no section
_ENDS_A_SENTENCE = re.compile(rf"{SENTENCE_ENDS.pattern}|\$\$|\\\[|\\begin\{{")  # or another display stands in it
_FOOTNOTE = re.compile(r"\[\^[\w-]+\]")
_IN_A_DISPLAY = f"[a-z]*(?:cases|matrix|array)|{'|'.join(DISPLAYS)}"
_DIVIDES = re.compile(
    r"^(?P<marks>#{1,6})[ \t](?![ \t\d.]*Proof\b)|^[ \t]*\\(?P<sub>(?:sub)*)section\*?\s*\{(?!Proof\b)"
    rf"|\\(?:begin|end)\s*\{{(?!proof|document|{_IN_A_DISPLAY})[A-Za-z]+\*?\}}|\\(?:paragraph|item)(?![A-Za-z])"
    r"|\\end\s*\{proof\}"
    r"|^[>\s]*(?:\*\*|__)[^*_\n]+(?:\*\*|__)|^[ \t]*(?:[-+*]|\(?\w{1,3}[.)])[ \t]"
    r"|^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$|^(?:Example|Case|Step|Remark|Claim)\b[ \w]{0,12}[.:]",
    re.MULTILINE,
)
_ASIDE = re.compile(  # what begins a part of a paragraph that is said aside; an abbreviation ends no sentence
    r"\\(?:footnote|caption|marginpar)(?:\[[^\]\n]*\])?\{|^[ \t]*(?:\[\^[^\]\n]+\]:|\||[*_]*(?:Figure|Table)\b)"
    r"|\b(?:et al|cf|fig|tab|resp)\.\s[^.!?]*\Z",
    re.MULTILINE,
)
_RESTRICTING = re.compile(r"\s*,?\s*(?:for|at|on|over|in|with probability)\s*")  # between two formulas
_EQUALS = re.compile(r"=:|:=|\\(?:coloneqq|eqqcolon|triangleq|doteq|equiv)(?![A-Za-z])")
_POSITIVE_PART = re.compile(r"[_^]\s*\{?\s*\+")
_TYING = re.compile(  # between two formulas
    r"\s+(?:(?:to )?(?:be|for|is|denotes?|depends? on|var(?:y|ies) with|stands? for|equals?)|(?P<by>by)) +"
    r"|(?P<each>,? (?:we )?(?:let|write|denote by|define|set|put|call)) +"
)
_EACH = re.compile(r"\b(?:for (?:each|every|all|any)|given(?: each| every| any)?)\s*\Z", re.IGNORECASE)
_BINDS = re.compile(r"\\(?:sum|prod|max|min|sup|inf|lim|int|math|operatorname|Pr)")  # letters in it may be its own
_TAG = re.compile(r"<[^<>]*>")
_QUOTES = re.compile(r"[\"\u201c\u201e]|``")


@dataclass(frozen=True, slots=True)
class Grant:
    """A formula that the words before it grant, from `place` to `stop`, in this `reach`; without one, they may not.

    `defines` is the name on its left where it is an equation.
    """

    place: int
    stop: int
    line: int
    text: str
    defines: str
    letters: frozenset[str]
    reach: str  # "here": in its sentence; "around": also a display right before it; "from here on": what follows


class Grants:
    """Those of a document, each for the displays after it in its section or theorem."""

    def __init__(self, written: Written, lines: Iterable[Formula], displays: Sequence[tuple[int, int]]) -> None:
        self._text, every = written.text, list(lines)
        self._found = list(_grants(written, every))
        self._freed = [(one.at, letters) for one in every if (letters := _freed(one))]
        divisions = [(m.start(), _level(m)) for m in _DIVIDES.finditer(written.text)]
        starts = [start for start, _ in displays]
        before = [bisect(starts, at) - 1 for at, _ in divisions]
        outside = (n < 0 or displays[n][1] <= at for n, (at, _) in zip(before, divisions, strict=True))
        self._divisions = [one for one, is_outside in zip(divisions, outside, strict=True) if is_outside]

    @property
    def defined(self) -> dict[str, Guess]:
        """The names that are given values: those of counts need not be whole, whatever the habit is."""
        return {one.defines: Guess(f"{one.defines} > 0", one.line) for one in reversed(self._found) if one.defines}

    def given(self, near: Around, names: Iterable[str], known: frozenset[str]) -> Iterator[Grant]:
        """What is granted to a display with these names, and to what that speaks of, the last first.

        `known` are the names that are defined already.
        """
        waiting = [one for one in reversed(self._found) if one.reach and self._reaches(one, near)]
        waiting = [one for one in waiting if one.defines not in known]
        letters = letters_of(names)
        for _ in range(_MOST):
            one = next((w for w in waiting if _is_needed(w, letters)), None)
            if one is None:
                return
            waiting.remove(one)
            letters |= one.letters
            yield one

    def ties(self, near: Around, names: Iterable[str], used: Iterable[int]) -> Iterator[Tie]:
        """What the text may define these names by and is not used: all names there, its text, and the name.

        `used` are the lines that are.
        """
        letters, lines = letters_of(names), {*used}
        for one in self._found:
            may_be = one.place < near.until and one.line not in lines and one.defines and not _BINDS.search(one.text)
            if may_be and letters_of([one.defines]) <= letters:
                yield one.letters | {one.defines}, one.text, one.defines

    def section(self, place: int) -> int:
        """Where the section, theorem or item begins in which a place is."""
        return next((start for start, _ in reversed(self._divisions) if start < place), 0)

    def section_ends(self, place: int) -> int:
        """Where the section ends in which a place is, with the theorems and items in it."""
        return next((at for at, level in self._divisions if at > place and level < _INNERMOST), len(self._text))

    def freed(self, start: int, end: int) -> frozenset[str]:
        """The letters of names of whose values the text says something between these places."""
        return frozenset().union(*(letters for at, letters in self._freed if start <= at < end))

    def _reaches(self, one: Grant, near: Around) -> bool:
        """Whether it stands before the display, or is said of it right after, with no new section between."""
        first, last = sorted((one.place, near.start))
        if one.place > near.start and not (one.reach == "around" and one.place < near.until):
            return False
        if one.reach == "here":
            opened = OPENED.search(self._text, max(one.stop, near.start - 80), near.start)
            end = near.start if opened is None else opened.start()
            return _ENDS_A_SENTENCE.search(self._text, one.stop, end) is None
        sentence = SENTENCE_ENDS.search(self._text, one.stop, max(one.stop, near.start))
        own_letters = letters_of([one.defines]) if one.defines else one.letters
        if sentence is not None and own_letters & self.freed(sentence.end(), near.start):
            return False  # a later sentence gives its names other values
        own = next((level for place, level in reversed(self._divisions) if place < first), 0)
        return all(level > own for place, level in self._divisions if first < place < last)


def _level(division: re.Match[str]) -> int:
    if division["marks"]:
        return len(division["marks"])
    return _INNERMOST if division["sub"] is None else 1 + division["sub"].lower().count("sub")


def _is_needed(one: Grant, letters: frozenset[str]) -> bool:
    return letters_of([one.defines]) <= letters if one.defines else one.letters <= letters


def _freed(one: Formula) -> frozenset[str]:
    """The letters of names of whose values a formula, or the words around it, say something."""
    if one.names:
        return letters_of(one.names) if FREED.search(f"{one.before} {one.rest}") else frozenset()
    if not RELATING.search(one.shown) or len(one.shown) > LONGEST:
        return frozenset()
    left = names_alone(one.shown.partition("=")[0].rstrip(": "))
    return letters_of(left) if left else letters_in(one.shown, one.macros)


def _equation(text: str) -> str:
    """The formula with one sign of equality for all, and a name alone on its left if it has one."""
    left, sign, right = _EQUALS.sub("=", text).partition("=")
    turned = sign and names_alone(right.strip(" .,")) and not names_alone(left)
    return f"{right.strip(' .,')} = {left}" if turned else left + sign + right


def _tied(one: Formula, following: Formula | None) -> tuple[str, str] | None:
    """A name and what the text says that it stands for, or varies with, in two formulas: "let $c$ be $u(h)$"."""
    words = _TYING.fullmatch(one.after)
    if following is None or words is None:
        return None
    if words["each"] is not None:
        return (following.shown, one.shown) if _EACH.search(one.own) else None
    return (following.shown, one.shown) if words["by"] is not None else (one.shown, following.shown)


def _grants(written: Written, lines: Sequence[Formula]) -> Iterator[Grant]:
    listed: str | None = None  # what the phrase before the formula before proposes
    for one, following in zip_longest(lines, lines[1:]):
        if (tied := _tied(one, following)) is not None and len(name := names_alone(tied[0])) == 1:
            text, line = f"{tied[0]} = {tied[1]}", written.of(one.at)[0]
            yield Grant(one.at, one.stop + 1, line, text, name[0], letters_in(text, one.macros), "")
        before = _FOOTNOTE.sub("", one.before if one.is_first else f"it {one.before}")
        own = next(((p, m) for p in PHRASES["granted"] if (m := p.before.search(before))), None)
        joined = listed if LISTING.fullmatch(one.own) else None
        listed = joined if own is None else own[0].proposes
        text = _equation(one.shown)
        left = names_alone(text.partition("=")[0]) if "=" in text else ()
        defines = left[0] if len(left) == 1 else ""
        words = LAYOUT.sub(" ", one.own if own is None else before[: own[1].start()])
        if listed is None and text == one.shown:
            continue
        listed = listed if listed is not None and _may_grant(one, words, listed, defines, written) else None
        if (listed or defines) and len(one.shown) <= LONGEST and RELATING.search(text):
            letters = letters_in(text, one.macros)
            yield Grant(one.at, one.stop + 1, written.of(one.at)[0], text, defines, letters, listed or "")


def _may_grant(one: Formula, words: str, reach: str, defines: str, written: Written) -> bool:
    """Whether nothing around the phrase, before which these words stand in its sentence, may deny or restrict it."""
    text = written.text
    ends = SENTENCE_ENDS.search(text, one.stop, one.stop + SENTENCE)
    following = "" if ends is None else SENTENCE_ENDS.split(text[ends.end() : ends.end() + SENTENCE])[0]
    said = LAYOUT.sub(" ", f"{words} {one.rest.partition('and if')[0]}")
    following = LAYOUT.sub(" ", INLINE.sub(" ", following))
    if is_quoted(written, one.at) or _QUOTES.search(_TAG.sub(" ", said)) or (ends and ends[0].startswith("?")):
        return False
    if _RESTRICTING.fullmatch(one.after) or _POSITIVE_PART.search(one.shown):
        return False  # or it says what a notation means
    if _ASIDE.search(text[text.rfind("\n\n", 0, one.at) + 1 : one.at]):
        return False
    if HEDGING.search(SUPPOSING.sub(" ", said)) or DENYING.search(following):
        return False
    if ELSEWHERE.search(said) or ELSEWHERE.search(following):
        return False
    return bool(defines) if reach == "around" and words.strip(" ,") else LEADING.fullmatch(words) is not None


def granted(case: Case | None, grants: Iterable[Grant], declared: Declared, read: Callable[[str], Case]) -> Case | None:
    """The case, with what is granted besides, the last first.

    Left out is what cannot be read, what is known, and what has no point with what is said later.
    """
    own = () if case is None else case.relations
    found: list[tuple[Grant, Case]] = []
    for one in grants:
        try:
            more = read(one.text)
            here = (*own, *(r for _, other in found for r in other.relations))
            Domain((*here, *more.relations))
        except (ReadingError, EmptyDomain, ValueError):
            continue
        if not {*more.relations} <= {*here, *declared.conditions}:
            found.append((one, more))
    found.sort(key=lambda pair: pair[0].place)
    parts = [*([] if case is None else [case]), *(more for _, more in found)]
    if not found:
        return case
    return Case(
        tuple(r for part in parts for r in part.relations),
        tuple(n for part in parts for n in part.needs),
        ", ".join(part.text for part in parts if part.text),
        frozenset().union(*(part.taken for part in parts)),
        tuple(Said(Guess(more.text, one.line), more.relations) for one, more in found),
    )
