r"""What the prose around a display makes of it: a definition ("let"), a condition ("if"), and why a marked step holds.

Only words that stand directly before or after the display count.
"""

from __future__ import annotations

import re

from dpsym.language.documents.harvest import INLINE, SENTENCE_ENDS, says_only_bounds
from dpsym.language.documents.remarks import OPERATING, RELATING, SUPPOSING, is_condition, refuse_denials
from dpsym.language.errors import ReadingError
from dpsym.language.latex.macros import Macros

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
    r"|[ \t]*[-+*/^][ \t]*(?:\$|\\[(\[]|\d))"
)
_JOINED_BEFORE = re.compile(rf"(?:(?:{OPERATING}|{RELATING.pattern})(?:\s|\{{\}})*(?:\$|\\\))\s*|{_OPERATION}\s*)\Z")
_RESTRICTS = re.compile(
    r"\b(?:case\s+\w+\s*:|contradiction|contrary|(?:for|when|if|as)\s+(?:\w+\s+)*(?:large|small|big)"
    r"|requires?|required|solv(?:es?|ing)|look(?:ing)?\s+for|there\s+(?:is|are|exists?)|exists?|want|wish|hope"
    r"|false|untrue|wrong|fails?|reverse|instead of|rather than|would|could|might)\b",
    re.IGNORECASE,
)  # a no would be about something that the text may not claim
_BOUNDS = re.compile(r"\b(?:for|with|where)\s+(?:all|any|every|each|some|fixed)?\s*(?=\$)", re.IGNORECASE)
_FALSE = r"(?:false|untrue|wrong|incorrect|erroneous)"
_COMMENT = re.compile(r"<!--[\s\S]*?-->")
HEADING = re.compile(r"^#{1,6}[ \t].*$|\\begin\s*\{document\}", re.MULTILINE)
_DENIES = re.compile(
    rf"\b(?:(?:is|are|be|was|were|as)\s+(?:\w+\s+)?{_FALSE}|not\s+(?:\w+\s+)?(?:true|hold|correct|valid|the case)"
    r"|(?:wrong|incorrect|mistaken|erroneous|false)ly"
    rf"|(?:naive|{_FALSE})\s+(?:claim|statement|inequality|bound|identity|equation|formula|step|belief|argument)s?)\b",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SETS_A_CONDITION = re.compile(
    r"(?:^|\W)(?:if|when|whenever|where|with|provided|assum(?:e|ing)|suppose|for(?: (?:all|any|every|each|some))?"
    r"|unless|until|as long as|so long as|such that|let|given|requires?|choose|pick|take|set|under|whether|subject to"
    r"|(?:not|false|untrue|wrong|no longer)(?: (?:true|the case|clear|know[n]?))?)"
    r"(?:\s+(?:that|we have|it holds that|we had|we know(?: that)?))?$",
    re.IGNORECASE,
)
_CONDITION_AFTER = re.compile(
    r"(?:and |but |only )?(?:if|when|whenever|provided|as long as|so long as|assuming|unless|under|given|subject to)\b",
    re.IGNORECASE,
)
_BOUNDS_AFTER = re.compile(r"(?:for|where|with|and)\b", re.IGNORECASE)
_FOR_ALL = re.compile(r"for (?:all|any|every|each) \$(?P<said>[^$]+)\$\s*(?:[.,;:]|\n[ \t]*\n|\Z)")
_MAY_FOLLOW_A_DEFINITION = re.compile(
    r"(?:[.,;:)\]#>|*$\\]|[A-Z]|\d|\Z|(?:and|be|as|to be|denotes?|then|so|we|let|which)\b"
    r"|where\b(?![^.]*\b(?:even|odd|if|when|whenever|otherwise|case|unless|large|small)\b))"
)
_SENTENCE = re.compile(r"[^.;\n]*(?:(?:\n(?!\s*\n)|[.;](?!\s))[^.;\n]*)*")
_LABEL = re.compile(
    r"[\s{$]*(?:\\(?:text|mathrm|textrm|rm)\s*\{?)?\s*\(?([A-Za-z0-9]{1,4}|\*{1,3}|\\star|\\dagger)\)?[\s}$]*"
)
_EXPLAINS = r"\s*(?:follows|is|holds|uses|used|by|from|comes|applies|because|since|due|via)\b"


def touched(text: str, start: int, stop: int) -> bool:
    """Whether a formula beside a display goes on in it, or it goes on there: ``$$x = x$$ $+ 1$``."""
    before = text[max(0, start - _AFTER) : start]
    opened = OPENED.search(before)
    before = before if opened is None else before[: opened.start()]
    return _JOINED_AFTER.match(text, stop) is not None or _JOINED_BEFORE.search(before) is not None


def restricted_after(text: str, stop: int) -> bool:
    """Whether the words after a display that defines something may restrict where it does."""
    at = CLOSED.match(text, stop, min(len(text), stop + _AFTER))
    begin = stop if at is None else at.end()
    said = text[begin : begin + _AFTER].lstrip()
    bounded = _FOR_ALL.match(said)
    return _MAY_FOLLOW_A_DEFINITION.match(said) is None and not (bounded and says_only_bounds(bounded["said"], {}))


def supposes(text: str, start: int) -> bool:
    """Whether the words before the display make what it says a condition of what follows."""
    return SUPPOSING.search(words_before(text, start)) is not None


def denied(text: str, start: int) -> str:
    """The words by which the text says that the display is false; empty where it does not."""
    words = words_before(text, start)
    found = None if words.endswith((".", "!", "?", ";")) else _DENIES.search(words)
    return found[0] if found is not None else ""


def condition_before(text: str, start: int, macros: Macros) -> str:
    """Why what the display says may be a condition, or hold under one, by the words before; empty where it does not."""
    words, paragraph = words_before(text, start), _PARAGRAPH.split(_before(text, start, _AFTER))[-1]
    if (before := _SETS_A_CONDITION.search(words)) is not None:
        return f"after {before[0].strip(' .,;:(')!r} it may be assumed"
    condition = SUPPOSING.search(paragraph)
    if condition is not None and re.search(r"\bthen\b", words, re.IGNORECASE):
        return f"it may hold under what is said after {condition[0]!r}"
    restricted = _RESTRICTS.search(paragraph)
    if restricted is not None:
        return f"it may hold under what is said with {restricted[0]!r}"
    supposed = SUPPOSING.search(words)
    if supposed is not None and _relating(words[supposed.end() :]):
        return f"what is said after {supposed[0]!r} was not read"
    bound = _BOUNDS.search(words)
    if bound and not all(says_only_bounds(formula, macros) for formula in _relating(words[bound.end() :])):
        return f"what is said after {bound[0].strip()!r} was not read"
    return ""


def condition_after(text: str, start: int, stop: int, macros: Macros) -> str:
    """Why what the display says may hold under a condition only, by the words after it; empty where it does not."""
    at = CLOSED.match(text, stop, min(len(text), stop + _AFTER))
    begin = stop if at is None else at.end()
    sentence = _SENTENCE.match(text, begin, min(len(text), begin + _AFTER))
    said = "" if sentence is None else sentence[0]
    relating = _relating(said)
    word = _CONDITION_AFTER.match(said)
    if word is not None and (relating or "$" not in said):
        return f"what follows {word[0]!r} was not read"
    word = _BOUNDS_AFTER.match(said)
    if word is not None and not all(says_only_bounds(formula, macros) for formula in relating):
        return f"what follows {word[0]!r} was not read"
    return ""


def _relating(words: str) -> list[str]:
    """The formulas in the words that hold a relation."""
    formulas = (m[1] if m[1] is not None else m[2] for m in INLINE.finditer(words))
    return [formula for formula in formulas if RELATING.search(formula)]


def words_before(text: str, start: int) -> str:
    """The last sentence before the display, without the signs that open it."""
    return SENTENCE_ENDS.split(_before(text, start, _BEFORE) + "\n")[-1]


def _before(text: str, start: int, most: int) -> str:
    """What stands before the display, without the signs that open it."""
    before = _COMMENT.sub(" ", text[max(0, start - most) : start])
    opened = OPENED.search(before)
    return HEADING.split(before[: opened.start()] if opened is not None else before)[-1]


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
    words = re.sub(r"\s+", " ", whole).strip(" )$,")
    try:
        refuse_denials(words)
    except ReadingError as error:
        return "", error.message
    return words, f"({label[1]}) may hold under a condition" if _has_condition(words) else ""


def _has_condition(words: str) -> bool:
    return any(
        is_condition(words[m.start() :]) for m in re.finditer(r"\b(?:if|for|when|provided|under|as long)\b", words)
    )
