r"""What a display is there for, where the text's own words say so: it defines, assumes, cites, or states a theorem.

A role is no verdict: it tells which of the steps that are not settled are claims of a derivation.  What a display
supposes or defines is said of names as a line of prose says it, and so keeps what fails from being refuted.
Only what is listed counts, so that a claim is not taken for a definition: words that assert ("we have", "then") right
before a display take any role from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from dpsym.language.documents.derivation import Around
from dpsym.language.documents.phrases import CONDITION, DENYING, ELSEWHERE, HEDGING, LEADING, PHRASES
from dpsym.language.documents.prose import CLOSED, HEADING, OPENED
from dpsym.language.documents.sentences import INLINE, SENTENCE_ENDS

_BEFORE, _BEHIND = 600, 400  # characters before and after a display that are looked at
_FAR, _AFTER, _LONGEST = 4000, 200, 40  # characters: to where an environment may begin, looked at after, and told


class Kind(StrEnum):
    """What a display is that is no claim of a derivation."""

    DEFINITION = "definition"
    ASSUMPTION = "assumption"
    CITATION = "citation"
    STATEMENT = "statement"  # of a theorem, or of what is to be shown


@dataclass(frozen=True, slots=True)
class Role:
    """What a display is by the `words` of the text; `equations`: only the equations in it are."""

    kind: Kind
    words: str
    equations: bool = False

    def supposes(self, *, equation: bool) -> bool:
        """Whether it says what is supposed of names, or what they stand for: "let" may also bound them."""
        bounds = equation or not self.equations or self.words.lower() in ("let", "where")
        return self.kind is Kind.ASSUMPTION or (self.kind is Kind.DEFINITION and bounds)

    @property
    def name(self) -> str:
        """What it is, with its article."""
        return f"{'an' if self.kind is Kind.ASSUMPTION else 'a'} {self.kind}"

    def __str__(self) -> str:
        return f"{self.name}, by the words {self.words!r}" if self.words else self.name


_DEFINITION = r"(?:def(?:n|i|inition)?s?|dfn)"
_THEOREM = r"(?:theorem|thm|lemma|lem|proposition|prop|corollary|cor|claim|fact)s?"
_ENVIRONMENT = re.compile(
    rf"\\(?P<what>begin|end)\s*\{{(?:(?P<defines>{_DEFINITION})|(?P<states>{_THEOREM})|(?P<proof>proof))\*?\}}",
    re.IGNORECASE,
)
_MARKUP = (
    r"(?:[>\s*_#{]|<[^<>]*>|\\(?:textbf|emph|textit|textsc|paragraph|noindent|medskip|smallskip|bf|it)(?![A-Za-z]))*"
)
_HEAD = re.compile(
    rf"{_MARKUP}(?:(?P<defines>Definitions?)|(?P<states>Theorem|Lemma|Proposition|Corollary|Claim|Fact))\b"
    r"(?:\s*\d+(?:\.\d+)*'?)?\s*(?=[.:(*<}_\[\u2014-])"
)
_CLAIMS = re.compile(
    r"\b(?:have|has|get|gets|obtain|find|conclude|then|hence|thus|therefore|so|since|because|follows|implies|implying|gives|yields"
    r"|equivalent\w*|note|observe|holds?|satisf(?:y|ies) also|consequently|which)\b",
    re.IGNORECASE,
)

_ENDS_ALL = re.compile(
    rf"{HEADING.pattern}|^[ \t]*\\(?:sub)*section\*?\{{.*$"
    r"|\\(?:begin|end)\s*\{(?:theorem|lemma|proof|proposition|corollary|document)\*?\}(?:\[[^\]\n]*\])?",
    re.MULTILINE,
)
_PARAGRAPH = re.compile(rf"\n[ \t]*\n|{_ENDS_ALL.pattern}|^[ \t]*\\item\b", re.MULTILINE)
LAYOUT = re.compile(
    r"\\(?:label|cite\w*|ref|eqref)\s*(?:\[[^\]\n]*\])?\{[^{}]*\}|\\(?:noindent|medskip|smallskip|bigskip|par|qed)(?![A-Za-z])"
    r"|\\(?:begin|end)\{[A-Za-z]+\*?\}|[~*_]|<!--[\s\S]*?-->|^[ \t]*%[^\n]*",
    re.MULTILINE,
)
_GOES_ON_ALIKE = re.compile(r"\W*(?:(?:and|also)\b\W*)*")
_AND = re.compile(r"\s*(?:and|also|and also)\s*[,:]?\s*")  # all that stands between two displays
_SENTENCE_ENDS = re.compile(r"[.!?;](?:\s|\Z)|\n[ \t]*\n")


def around(text: str, begin: int, start: int, stop: int, end: int, before: Around | None) -> Around:
    """What is said around the display `text[start:stop]`, between the displays that end at `begin` and start at `end`.

    `before` is said around the display that ends at `begin`.
    """
    first = CLOSED.match(text, begin, start)
    begin = max(begin if first is None or before is None else first.end(), start - _BEFORE)
    opened = OPENED.search(text, max(begin, start - 80), start)
    stopped = max(begin, opened.start() if opened is not None else start)
    closed = CLOSED.match(text, stop, end)
    at = stop if closed is None else closed.end()
    alike = _GOES_ON_ALIKE.fullmatch(_words(text[begin:stopped])) and not _ENDS_ALL.search(text, begin, start)
    given: tuple[str, ...] = ()
    if before is not None and alike:
        role, hedged = before.role, before.hedged
        given = before.given if _AND.fullmatch(text, begin, stopped) else ()
    else:
        paragraph = max((m.end() for m in _PARAGRAPH.finditer(text, begin, stopped)), default=begin)
        sentence = max((m.end() for m in SENTENCE_ENDS.finditer(text, paragraph, stopped)), default=paragraph)
        words = _words(text[sentence:stopped])
        role = role_of(text, paragraph, start, at, words)
        plain = re.sub(r"\s+|(?<!~)~(?!~)", " ", INLINE.sub("$", text[sentence:stopped]))
        formulas = INLINE.finditer(text, sentence, stopped) if CONDITION.fullmatch(plain) else ()
        given = tuple(one[1] or one[2] for one in formulas)
        hedged = LEADING.fullmatch(words) is None
    until = _until(text, at, min(end, stop + _BEHIND))
    after = _words(text[at:until])
    hedged = hedged or HEDGING.search(_SENTENCE_ENDS.split(after)[0]) is not None
    return Around(start, until, role, given, hedged=hedged or any(p.search(after) for p in (DENYING, ELSEWHERE)))


def _until(text: str, at: int, end: int) -> int:
    """Where the rest of the sentence and the next one end."""
    solid = re.compile(r"\s*").match(text, at, end)
    ends = _SENTENCE_ENDS.finditer(text, at if solid is None else solid.end(), end)
    stops = [m.end() for _, m in zip(range(2), ends, strict=False)]
    return stops[-1] if len(stops) == 2 else end


def _words(text: str) -> str:
    """Without layout, and with a dollar in the place of each formula."""
    return re.sub(r"\s+", " ", LAYOUT.sub(" ", INLINE.sub("$", text)))


def role_of(text: str, begin: int, start: int, stop: int, words: str) -> Role | None:
    """The role of the display before which `words` stand in its sentence; None where it may be a claim of a derivation.

    Args:
        begin: where its paragraph begins.
        start: where the display begins.
        stop: where it ends.
        words: those before it, with a dollar in the place of each formula.
    """
    for before, after, proposes in PHRASES["display"]:
        found, more = before.search(words), after.match(text, stop, stop + _AFTER)
        if found is None or more is None or any(map(_CLAIMS.search, filter(None, found.groups()))):
            continue
        kind = Kind(proposes)
        return Role(kind, _short(found[0] or more[0]), equations=kind is Kind.DEFINITION)
    around = _inside(text, start) or _headed(text, begin, start)
    claims = _CLAIMS.search(words) and (around is None or around.kind is not Kind.STATEMENT)
    return None if claims else around


def _inside(text: str, at: int) -> Role | None:
    """By the environment of LaTeX in which it stands."""
    inside: list[re.Match[str]] = []
    for found in _ENVIRONMENT.finditer(text, max(0, at - _FAR), at):
        if found["what"] == "begin":
            inside.append(found)
        elif inside:
            inside.pop()
    if not inside or inside[-1]["proof"]:
        return None
    return Role(Kind.DEFINITION if inside[-1]["defines"] else Kind.STATEMENT, inside[-1][0])


def _headed(text: str, paragraph: int, at: int) -> Role | None:
    """By the word with which its paragraph begins."""
    found = _HEAD.match(text, paragraph, at)
    if found is None:
        return None
    kind = Kind.DEFINITION if found["defines"] else Kind.STATEMENT
    return Role(kind, found["defines"] or found["states"])


def _short(words: str) -> str:
    said = " ".join(words.replace("$", "\u2026").split()).strip(" ,:;.")
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}\u2026"
