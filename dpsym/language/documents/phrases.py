r"""The phrases around a formula in a line, in one table, and what they propose of its names.

What is proposed is used as a guess and printed.  A phrase is the words right before a formula, its form, and the words
right after it.  Nothing is proposed by a sentence with a word of a condition, an alternative or a denial.
"""

from __future__ import annotations

import re
from typing import NamedTuple

KINDS = {  # of values: what is said of x by "a positive integer $x$"
    "real": "{}: real", "positive": "{} > 0", "nonnegative": "{} >= 0", "negative": "{} < 0", "nonpositive": "{} <= 0",
    "integer": "{}: integer", "natural": "{}: integer, {} >= 0", "number": "{}: real",
}  # fmt: skip
KIND = re.compile(rf"\b(non-?)?({'|'.join(KINDS)})s?\b", re.IGNORECASE)


def one_of(words: str) -> re.Pattern[str]:
    """Any of these words, which may be patterns."""
    return re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.IGNORECASE)


_DENYING = (
    r"not no never neither nor neg nexists cannot fails? except without false wrong unless until untrue invalid"
    r" violated dropped outside longer \w+n['\u2019]t"
)
HEDGING = one_of(  # what a sentence says beside these holds there alone, if at all
    rf"{_DENYING} if when whenever otherwise else contradiction contrary or drop relax(?:es|ed)? remov(?:es?|ed|ing)"
    r" authors? iff suppose supposing case whether would could might only"
)
DENYING = one_of(_DENYING)
JOINING = re.compile(r"\s*(?:,|,?\s*(?:and|or))\s*")

_KIND_OF = r"(?:(?:an?|any|some|all|every|each|the|that|us|fixed|given|odd|even|arbitrary) )*"
_NUMBERS = rf"{_KIND_OF}(?:{KIND.pattern} )*(?:integers?|numbers?|reals?|constants?)\b"
_OPENING = r"\b(?:let|fix|given|for|where|with|assum\w+|choose|pick|take|consider|throughout|here|denote) "
_A = r"(?: (?:an?|the|that|some))?"


class Phrase(NamedTuple):
    """Words right before and right after a formula of a form, and what they propose.

    The forms are "bound" (of names by numbers), "names" and "value" (an equation with a name on its left).  Proposed
    are the "bound", the "kind" of numbers that the words themselves name, or that it is "real".
    """

    before: str
    form: str
    after: str
    proposes: str


PHRASES = (
    Phrase(rf"\b(?:let|fix|choose|pick|given|where|with|assume(?: that)?){_A}", "bound", "", "bound"),
    Phrase(rf"\bfor (?:all|any|every|each|fixed){_A}", "bound", "", "bound"),
    Phrase(r"\b(?:parameter|number|real|integer|constant)s?", "bound", "", "bound"),
    Phrase(r"\b(?:rate|scale|order|budget|probability)", "bound", "", "bound"),
    Phrase(_OPENING + _NUMBERS, "bound", "", "kind"),
    Phrase("", "bound", rf" (?:be|is|are) {_NUMBERS}(?= ?(?:[.,;]|and\b|$))", "kind"),
    Phrase(_OPENING + _NUMBERS, "names", "", "kind"),
    Phrase("", "names", rf" (?:\w+ )?(?:be|is|are) {_NUMBERS}", "kind"),
    Phrase(r"\b(?:let|define|set|put|denote|write)(?: (?:us|we|now|also|by)|\W+and)*", "value", "", "real"),
    Phrase(r"\b(?:choose|pick|take|fix)(?: (?:us|we|now|also)|\W+and)*", "value", "", "real"),
)
