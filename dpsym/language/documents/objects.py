r"""What the text says that names stand for, other than numbers: random values, vectors, matrices, sets.

A paper's names are numbers by habit, and values of its functions are too; what this finds is no such habit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dpsym.language.documents.phrases import DRAWING
from dpsym.language.documents.sentences import SENTENCE_ENDS, Formula, names_alone
from dpsym.language.documents.stated import letters_in

_PRIVATE = re.compile(
    r"\s*(?:is|are|be|satisf\w+|has)\b.*(?:\b[a-z]?[CRLG]?DP\b|privacy|\bprivate"
    r"|\b(?:plus|adding|with|by) (?:\w+ )?noise)",
    re.DOTALL,
)
_AND_PRIVATE = re.compile(r"\bDP(?: \w+){0,2}\s*\Z")  # before a name
_GIVEN_OUT = re.compile(
    r"\b(?:mechanism|algorithm|randomizer|curator|user|server)s?\b.*\b(?:returns?|outputs?|releases?|publish(?:es)?|reports?|sends?"
    r"|answers?)(?: with)?\W*\Z",
    re.DOTALL | re.IGNORECASE,
)
_IN_CHANCE = re.compile(
    r"(?:\\Pr|\bPr|\\mathbb\s*\{?P\}?|\\(?:operatorname|mathrm)\s*\{Pr\})\s*(?:_\s*(?:\w|\{[^{}]*\}))?\s*"
    r"(?:\\left|\\[bB]igg?[lr]?)?\s*\[[^\[\]]*\]"
)
_NOISY = re.compile(
    r"[AKMNRSTUWXYZB]\s*(?:\\left\s*)?\(|\\(?:math(?:rm|cal|sf|bf)|operatorname|text\w*)\s*\{?\s*\w+\s*\}?\s*\("
)
_CHANCE = re.compile(r"\\Pr|\bPr\b|\\mathbb|\\operatorname\*?\s*\{(?:Pr|E|Var)\}|\\mathrm\s*\{(?:Pr|E|Var)\}")
_DRAWS = re.compile(r"(\\overset\s*\{d\}|\\(?:sim|gets|leftarrow|xleftarrow)(?![A-Za-z])|\u223c)")
_REALS = (
    r"(?:\\(?:mathbb|mathbf|mathds)\s*(?:\{\s*[RC]\s*\}|[RC])|\\(?:R|RR|[Rr]eals?)(?![A-Za-z])|\u211d)"
    r"\s*\^(.{0,40})"
)
_OF_VECTORS = re.compile(
    rf"(?:(?::|\\colon)[^:]{{0,99}}\\(?:long)?(?:to|rightarrow)[^:]{{0,99}}|\)\s*\\in\s*){_REALS}", re.DOTALL
)
_OF_MATRICES = re.compile(rf"\\in\s*(?=.*\\times){_REALS}", re.DOTALL)
_MATRIX_BEFORE = re.compile(r"\bmatri(?:x|ces)(?:\s|,|and|of the form)*\Z")  # of its first name, or of several
_IS_MATRIX = re.compile(
    r"(?:\s|,|and|both|all|any|two|will|which|that)*(?:be|is|are|denotes?)\b"
    r"(?: (?!(?:of|for|with|in|to)\b)[\w-]+){0,4} matri(?:x|ces)\b"
)
_SET_SAID = re.compile(r":?=|\\(?:n?sub|n?sup)set(?:n?eqq?)?(?![A-Za-z])")
_FINITE = re.compile(
    r"\s*\\\\?\{(?:(?!\\mid|\\in|[:|]|dots\s*,?\s*\\\\?\}).)*\\\\?\}(?:\s*\^\s*\{?[a-z0-9]\}?)?[\s.,]*", re.DOTALL
)  # all are written
_NOT_FINITE = re.compile(
    r"\b(?:infinit\w*|empty|(?:un)?countabl\w*|denumerabl\w*|continu\w*)\b|\\infty|\\aleph|[=<]\s*0"
)
_SUBORDINATE = re.compile(r"(?:\A|:)\W*(?:If|When|Whenever|Since|As|Because)\b[^,]*\Z")
_CLAUSE = re.compile(r",\s+(?=(?:then|the|we|it|this|so|our)\b)")  # another one begins
_SCORE = r"(?:(?:an?|the|scores?|utility|quality|loss|query|parameters?|tuple|pair) )"
_OF_ANOTHER = re.compile(  # of which the formula, a mark here, is no name: "the input to the mechanism is"
    r"\binputs? to the (?:\w+ )?(?:mechanism|algorithm)s? (?:is|are)\b"
    r"|(?:[\w-]+ ){0,2}(?:mechanism|algorithm)s? (?:described by\b(?= \0\()|on an?\b(?=[^\0]{9,}\0))"
    rf"|\A.*\b(?:mechanism|algorithm)s? with(?= {_SCORE}*\0[(=]| (?:an? |the )?(?:score|utility|quality|loss) \0)",
    re.DOTALL,
)
_IS_NAMED = re.compile(r"-(?:mechanism|algorithm|sampler|randomizer)s?\b")
_DEFINES = re.compile(
    r"&|:=|\\(?:coloneqq|triangleq|doteq|eqdef)(?![A-Za-z])|\\(?:stackrel|overset)\s*\{.{1,40}?\}\s*\{?=\}?"
)
_VALUE = re.compile(r"[\s&]*\\?\w+\s*\([^()]*\)[\s.,$&]*(?:\\end\{.*)?")  # of a function
_ROWS = re.compile(r"\\\\|,|;|\\q?quad(?![A-Za-z])")


def sets_unsure(lines: Sequence[Formula], displays: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The sets that the text describes otherwise than by their members, and where: they may be empty, or infinite."""
    for one in lines:
        if _NOT_FINITE.search(f"{one.before} {one.own} {one.rest}"):
            yield from ((one.at, name) for name in one.names)
    rows = ((at, row) for at, shown in displays for row in shown.split(r"\\"))
    for at, text in (*((one.at, one.shown) for one in lines), *rows):
        for sign in _SET_SAID.finditer(text):
            left, right = text[: sign.start()].strip(" &\n$"), text[sign.end() :]
            size = re.fullmatch(r"\\?\|(.*?)\\?\|", left)
            if _NOT_FINITE.search(text[sign.start() :]) if size else _FINITE.fullmatch(right) is None:
                yield from ((at, name) for name in names_alone(left if size is None else size[1]))


def matrices(lines: Iterable[Formula]) -> frozenset[str]:
    r"""The names that the text calls matrices: "a matrix $A$", "let $A$ be one", `$A \in \mathbb{R}^{n \times d}$`."""
    found = set[str]()
    for one in lines:
        of = _OF_MATRICES.search(one.shown)
        if of is not None:
            found.update(names_alone(one.shown[: of.start()]))
        elif _MATRIX_BEFORE.search(one.before) or _IS_MATRIX.match(one.rest):
            found.update(one.names)
    return frozenset(found)


def letters_drawn(lines: Sequence[Formula], displays: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The letters of which the text says that they are drawn, or that what they stand for is; those of vectors."""
    found, vectors, sampled = set[str](), set[str](), set[str]()
    equations = list[tuple[frozenset[str], frozenset[str], frozenset[str]]]()
    for one in lines:
        if _said_of_it(one):
            found |= letters_in(one.shown, one.macros)
    for written in (*(one.shown for one in lines), *(row for shown in displays for row in _ROWS.split(shown))):
        text = _DEFINES.sub("=", written)
        if (of := _OF_VECTORS.search(text)) is not None:
            head = letters_in(text[: of.start()], {})
            (found if r"\times" in of[1] else vectors).update(head)
        left, sign, right = _DRAWS.split(text, maxsplit=1) if _DRAWS.search(text) else text.partition("=")
        left, right = (
            (right, left) if sign == "=" and _VALUE.fullmatch(right) and not _VALUE.fullmatch(left) else (left, right)
        )
        if sign == "=":
            head = letters_in(left.partition("(")[0], {})
            given = letters_in(left.partition("(")[2], {})  # its arguments
            equations.append((head, letters_in(_IN_CHANCE.sub("", right), {}), given))
            found |= head if _NOISY.search(right) and not _CHANCE.search(right) else set()
        elif sign:
            sampled |= letters_in(left, {})
    found, grown = found | sampled, True
    while grown:
        drawing = (left for left, right, given in equations if right & (found - given | sampled))
        more = {letter for left in drawing for letter in left} - found
        found, grown = found | more, bool(more)
    return frozenset(found), frozenset(vectors)


def _said_of_it(one: Formula) -> bool:
    r"""Whether the words around a formula may say that it is random, or a matrix.

    They say nothing of `$k$` in "the $k$-subset mechanism", nor of `$s$` in "If $s$ is monotonic, the mechanism is
    private" and in "the mechanism with a score $s$".
    """
    if re.match(r"-[A-Za-z]", one.after) and not _IS_NAMED.match(one.after):
        return False
    after, rest = SENTENCE_ENDS.split(one.after)[0], one.rest
    if _SUBORDINATE.search(one.before) and not after.lstrip().startswith(","):
        after, rest = _CLAUSE.split(after)[0], _CLAUSE.split(rest)[0]
    private = _PRIVATE.match(rest) is not None or _AND_PRIVATE.search(one.own) is not None
    private = private or (one.shown.endswith(")") and _GIVEN_OUT.search(one.before) is not None)
    mark = "\0(" if one.shown.startswith("(") else "\0=" if "=" in one.shown else "\0"
    return private or DRAWING.search(_OF_ANOTHER.sub("", f"{one.own}{mark}{after}")) is not None
