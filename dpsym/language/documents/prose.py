r"""What the prose around a display makes of it: rows that are transformed, a definition under a condition, a reason.

Only words that stand directly before or after the display count.
"""

from __future__ import annotations

import re

from dpsym.language.documents.phrases import HEDGING
from dpsym.language.documents.proposals import says_only_bounds
from dpsym.language.documents.remarks import OPERATING, RELATING, SUPPOSING
from dpsym.language.documents.sentences import SENTENCE_ENDS

_BEFORE, _AFTER, _EXPLANATION = 160, 240, 1500  # characters of prose that are looked at

_LABELS = r"(?:\s|\\label\{[^{}]*\})*"
OPENED = re.compile(  # by one sign: that of a formula in the line before is not eaten
    rf"(?:\s|[:,])*(?:\$\$?|\\[\[(]|```+ *math|(?:\\begin\{{[A-Za-z]+\*?\}}{_LABELS})+)?{_LABELS}\Z"
)
CLOSED = re.compile(
    r"\s*(?:\$\$?|\\[\])]|(?:\s*\\end\{[A-Za-z]+\*?\})+|```+)?(?:[ \t]|\n(?![ \t]*\n)|\\label\{[^{}]*\}|,)*"
)
_SPACED = r"(?:\s|[{}~]|\\[,;:! ]|\\(?:q?quad|math(?:bin|rel|ord))(?![A-Za-z]))*"
_OPERATION = r"\b(?:plus|minus|times|(?:divided|multiplied) by)\b"
_JOINED_AFTER = re.compile(  # a formula that begins with a sign; a sign in the line, or its word
    r"(?:\$\$|\$(?!\$)|\\[\])]|\\end\{[A-Za-z]+\*?\}|```+|(?=[^$\\`]))"
    rf"(?:[\s.,]*(?:(?:\$(?!\$)|\\\(){_SPACED}(?:{OPERATING}|{RELATING.pattern})"
    rf"|(?:\$\$|\\\[|\\begin\{{[A-Za-z]+\*?\}}|```+ *math){_SPACED}(?!-)(?:{OPERATING})|{_OPERATION})"
    r"|[ \t]*[-+*/^][ \t]*(?:\$|\\[(\[]|\d)|[ \t]*(?:\d[\d.]*|[A-Za-z])[ \t]*(?:\n|\Z))"
)
_NUMBER_OR_LETTER = r"(?:\d+(?:\.\d+)?|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))"
_ALONE_BEFORE = re.compile(  # a paragraph without a word: ``2 $$x = x$$``
    r"(?:\A\s*|\n[ \t]*\n)(?:[ \t>|]|[-*+][ \t]|\w+[.)][ \t])*(?!\w+\)[ \t]*\Z)"
    rf"(?:[-+][ \t]*)?{_NUMBER_OR_LETTER}(?:[ \t]*[-+*/^()][ \t]*|{_NUMBER_OR_LETTER})*[ \t]*\n?[ \t]*\Z"
    r"|(?<![+/^=<])[+/^=<][ \t]*\n?[ \t]*\Z"
)
_OPENER = re.compile(r"(?:\$\$|\\\[)\s*\Z")
_JOINED_BEFORE = re.compile(rf"(?:(?:{OPERATING}|{RELATING.pattern})(?:\s|\{{\}})*(?:\$|\\\))\s*|{_OPERATION}\s*)\Z")
_COMMENT = re.compile(r"<!--[\s\S]*?-->")
HEADING = re.compile(r"^#{1,6}[ \t].*$|\\begin\s*\{document\}", re.MULTILINE)
_FOR_ALL = re.compile(r"for (?:all|any|every|each) \$(?P<said>[^$]+)\$\s*(?:[.,;:]|\n[ \t]*\n|\Z)")
_MAY_FOLLOW_A_DEFINITION = re.compile(
    r"(?:[.,;:)\]#>|*$\\]|[A-Z]|\d|\Z|(?:and|be|as|to be|denotes?|then|so|we|let|which)\b"
    r"|where\b(?![^.]*\b(?:even|odd|if|when|whenever|otherwise|case|unless|large|small)\b))"
)
_TRANSFORMS = re.compile(
    r"\b(?:solv(?:e|es|ed|ing)\W+(?:(?:this|it|that|the \w+|both|each)\W+(?:\$[^$]*\$\W+)?)?for\b"
    r"|solving (?:this|the) (?:in)?equ\w+"
    r"|re-?arrang(?:e|es|ed|ing)\b|(?:isolat|exponentiat|invert)ing\b"
    r"|taking (?:the |natural |square |cube |\$?\w\$?-?th )*(?:logs?|logarithms?|roots?|reciprocals?|exponentials?)\b"
    r"|(?:multiply|divid|subtract|add)ing (?:[^.;]{0,40} )?(?:both sides|each side|through))",
    re.IGNORECASE,
)
_ALONE = (
    re.compile(  # around the words that say so: nothing else is said of the first row
        r"\W*(?:(?:we|now|we now|let us)\W+)?\Z", re.IGNORECASE
    ),
    re.compile(
        r"(?:\W|\$[^$]*\$|\b(?:for|the|terms?|sides?|both|each|by|of|with|respect|to|this|in|inequality|equation|and)\b)*\Z",
        re.IGNORECASE,
    ),
)
_NOT_TRANSFORMED = re.compile(r"\b(?:not|no|never|cannot|can't|without|if|unless|wrong\w*|false\w*)\b", re.IGNORECASE)
_LABEL = re.compile(
    r"[\s{$]*(?:\\(?:text|mathrm|textrm|rm)\s*\{?)?\s*\(?([A-Za-z0-9]{1,4}|\*{1,3}|\\star|\\dagger)\)?[\s}$]*"
)
_CONDITION = re.compile(r"\b(?:for|provided|given|assuming|where|under|as long)\b")
_EXPLAINS = r"\s*(?:follows|is|holds|uses|used|by|from|comes|applies|because|since|due|via)\b"


def touched(text: str, start: int, stop: int) -> bool:
    """Whether a formula beside a display goes on in it, or it goes on there: ``$$x = x$$ $+ 1$``."""
    before = text[max(0, start - _AFTER) : start]
    opened = OPENED.search(before)
    near = _OPENER.sub("", before).replace("$", " ")
    before = before if opened is None else before[: opened.start()]
    if _ALONE_BEFORE.search(near):
        return True
    return _JOINED_AFTER.match(text, stop) is not None or _JOINED_BEFORE.search(before) is not None


def restricted_after(text: str, stop: int) -> bool:
    """Whether the words after a display that defines something may restrict where it does."""
    at = CLOSED.match(text, stop, min(len(text), stop + _AFTER))
    begin = stop if at is None else at.end()
    said = text[begin : begin + _AFTER].lstrip()
    bounded = _FOR_ALL.match(said)
    return _MAY_FOLLOW_A_DEFINITION.match(said) is None and not (bounded and says_only_bounds(bounded["said"], {}))


def transforms(text: str, start: int) -> str:
    """Whether the rows of a display are one relation, solved or transformed from row to row, by the words before it.

    Empty where they are not, "asserted" where the words claim the first row, too.
    """
    words = words_before(text, start)
    found = _TRANSFORMS.search(words)
    if found is None or _NOT_TRANSFORMED.search(words):
        return ""
    alone = _ALONE[0].match(words[: found.start()]) and _ALONE[1].match(words[found.end() :])
    return "given" if alone else "asserted"


def supposes(text: str, start: int) -> bool:
    """Whether the words before the display make what it says a condition of what follows."""
    return SUPPOSING.search(words_before(text, start)) is not None


def words_before(text: str, start: int) -> str:
    """The last sentence before the display, without the signs that open it."""
    before = _COMMENT.sub(" ", text[max(0, start - _BEFORE) : start])
    opened = OPENED.search(before)
    before = HEADING.split(before[: opened.start()] if opened is not None else before)[-1]
    return SENTENCE_ENDS.split(before + "\n")[-1]


def explained(text: str, stop: int, mark: str) -> tuple[str, str]:
    """What the prose after the display says of a marked step, and why it may be conditional; both may be empty."""
    label = _LABEL.fullmatch(mark)
    if label is None:
        return "", ""
    shown = re.escape(label[1])
    ahead = text[stop : stop + _EXPLANATION]
    said = re.search(rf"(?:\({shown}\)|\$\(?{shown}\)?\$){_EXPLAINS}(?P<why>[^.;\n]*(?:\n(?!\s*\n)[^.;\n]*)?)", ahead)
    if said is None:
        return "", ""
    whole = re.split(r",?\s+(?:and\s+)?\$?\([A-Za-z0-9*]{1,4}\)", said[0][said[0].index(label[1]) + len(label[1]) :])[0]
    words = " ".join(whole.split()).strip(" )$,")
    conditional = HEDGING.search(words) or (RELATING.search(words) and _CONDITION.search(words))
    return words, f"({label[1]}) may hold under a condition" if conditional else ""
