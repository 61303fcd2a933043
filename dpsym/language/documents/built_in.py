r"""Letters and functions with a meaning of their own, to which a text gives another: ``\log = \log_2``.

Nothing that mentions such a name is read: only usual words ("the natural logarithm", "the standard normal") change
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from dpsym.core.relations import Relation
from dpsym.language.documents.harvest import SENTENCE_ENDS, Formula, formulas
from dpsym.language.documents.ties import is_identity
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.functions import LETTERS, WORDS
from dpsym.language.latex.grammar import parse_latex
from dpsym.numbers import compare

_FUNCTIONS = {**LETTERS, **WORDS}
_ANY = "|".join(sorted(_FUNCTIONS, key=len, reverse=True))
_HEAD = (
    r"(?P<name>e(?![A-Za-z])|\\pi(?![A-Za-z])"
    rf"|\\(?:(?:operatorname\*?|math\w+|text\w*)\s*\{{\s*)?(?:{_ANY})(?![A-Za-z]))\}}?"
)
_APPLIED = r"\s*(?:\\left)?(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|(?<![A-Za-z])[A-Za-z]|\\[a-z]+)?"
_ALONE = re.compile(rf"\s*{_HEAD}(?P<at>{_APPLIED})[\s.,]*")
_SIGN = re.compile(
    r":=|:\s*=|=:|=|[:\u2254\u225c\u2208]|\\(?:coloneqq?|colon|triangleq|equiv|doteq|in|sim|to|mapsto|gets|leftarrow|propto|approx)"
    r"(?![A-Za-z])|<|>|\\(?:leq?|geq?|ll|gg)(?![A-Za-z])"
)
_EQUATES = re.compile(
    r":=|:\s*=|=:?|[:\u2254\u225c]|\\(?:coloneqq?|colon|triangleq|equiv|doteq|to|mapsto|gets|leftarrow)"
)
_VERB = re.compile(
    r"\s*,?\s*(?:\(?(?:now|here|always|throughout|again|also|then|itself)\)?,?\s+)?(?:is|are|be|being|denotes?|stands?|means"
    r"|refers?|represents?|will|may|can|has|have|for|as|to|base|in base|with|ranges?|becomes?)\b",
    re.IGNORECASE,
)
_DENOTES = re.compile(r"\s*,?\s*(?:\w+ ){0,2}?(?:denot\w*|stands?|means|refers?|represents?|for|as)\b", re.IGNORECASE)
_INTRODUCED = re.compile(
    r"\b(?:let|here|where|write|writing|denote\w*|define|set|put|throughout|now|all|our|take|taking|call\w*|use|using|by"
    r"|fix|given|for|with|parameters?|logarithms?|over|policy|budget|probability|rate|scale|order)"
    r"(?: (?:a|an|the|every|any|each|all|us|we|now|also))?\W*$",
    re.IGNORECASE,
)
_LET = re.compile(
    r"\b(?:let|define|set|put|denote|write|consider|take|fix|choose)\b(?: (?:\w+ ){0,2}\w+)?\W*$", re.IGNORECASE
)
_NAMED = re.compile(
    r"\b(?:an?|the|each|every|any|some)\s+(?:\w+\s+)?(?!factor|constant|number|base|ratio|function|value)\w+\s+$",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"\b(?:factor|constant|number|base|function|of)s?\s+$", re.IGNORECASE)
_USUAL = re.compile(
    r"2\.71|3\.14|(?i:\bstandard (?:normal|gaussian)|\bnatural\b|euler['\u2019]?s? (?:number|constant)"
    r"|\bgamma function|\bharmonic number"
    r"|\b(?:concave|convex|increasing|decreasing|monoton\w+|continuous|differentiable|irrational|transcendental)\b)"
)  # says of a name what it means here, too
_USUAL_FORMULA = re.compile(
    r"2\.71|3\.14|\\int[\s\S]*2\s*\\pi|\\frac\s*\{?1\}?\s*\{\s*\\sqrt\s*\{\s*2\s*\\pi|N\}?\s*\(0,\s*1\)|\\ln(?![A-Za-z])"
)
_UNUSUAL = re.compile(
    r"\b(?:not|no|never|unlike|instead|rather|inverse|half|twice|complement\w*|tail|\w+n['\u2019]t)\b", re.IGNORECASE
)
_BASE = re.compile(
    r"\bbinary logarithms?|\blog(?:arithm)?s?\b[^.\n]{0,60}\b(?:binary|decimal|common)\b|\bin bits\b"
    r"|\blog(?:arithm)?s?\b[^.\n]{0,60}\b(?:to|in|with|of|are|is|taken|have|has)\s+(?:the\s+)?base[- ]"
    r"\$?\\?(?!e\b|\$?e\$)\w+"
    r"|\bbase[- ]\$?(?:2|10|two|ten)\$?\s+log(?:arithm)?s?\b",
    re.IGNORECASE,
)


def renamed(text: str, spans: Sequence[tuple[int, int]]) -> dict[str, str]:
    """The letters and functions (`Phi()`) with a meaning of their own that the prose gives another, and why."""
    found = dict[str, str]()
    for one in formulas(text, spans):
        formula = text[one.start : one.stop]
        for name in _given_another(formula, one):
            found[_key(name)] = f"the text gives {name} a meaning of its own: {' '.join(formula.split())}"
    for begin, end in spans:
        if (base := _BASE.search(text, begin, end)) is not None:
            found["log()"] = f"the text says {' '.join(base[0].split())!r} of its logarithms"
    return found


def _key(name: str) -> str:
    return f"{_FUNCTIONS[name]}()" if name in _FUNCTIONS else name


def _given_another(formula: str, one: Formula) -> list[str]:
    """The names that a formula, or the words beside it, may give another meaning."""
    before, after = one.sentence, SENTENCE_ENDS.split(one.after)[0]
    words = f"{before} {after.partition('$')[0]}"
    usual = _USUAL.search(words) is not None and not _UNUSUAL.search(words)
    if (alone := _ALONE.fullmatch(formula)) is not None:
        if usual or (_HARMLESS.search(before) and not _VERB.match(after)):
            return []
        name = _name(alone)
        if alone["at"].strip():
            said = bool(_DENOTES.match(after) or _LET.search(before))
        else:
            named = name not in _FUNCTIONS and _NAMED.search(before)
            said = bool(_VERB.match(after) or _INTRODUCED.search(before) or named)
        return [name] if said else []
    sign = _SIGN.search(formula)
    if sign is None or usual or _USUAL_FORMULA.search(formula):
        return []
    left, right = map(_ALONE.fullmatch, (formula[: sign.start()], formula[sign.end() :]))
    if left is not None and (_LET.search(before) or (_is_of_letters(left, sign[0]) and not _holds(formula))):
        return [_name(left)]
    equated = right is not None and _EQUATES.fullmatch(sign[0]) is not None and not right["at"].strip()
    if right is not None and (sign[0] == "=:" or (equated and _name(right) in _FUNCTIONS)):
        return [_name(right)]
    return []


def _is_of_letters(side: re.Match[str], sign: str) -> bool:
    """Whether a side is the name alone, or an equation speaks of it at a variable: of a number it may be true."""
    at = re.sub(r"\\left|\\right|[(){}\s]", "", side["at"])
    return not at or (_EQUATES.fullmatch(sign) is not None and re.fullmatch(r"[A-Za-z]|\\[a-z]+", at) is not None)


def _name(match: re.Match[str]) -> str:
    return re.sub(r"\\(?:operatorname\*?|math\w+|text\w*)|[\\{}\s]", "", match["name"])


def _holds(formula: str) -> bool:
    """Whether it is seen to be true of what the names mean anyway."""
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        relations = Meaning(formula).relation(parse_latex(formula))
        return all(is_identity(r, ()) if r.op == "=" else _is_true(r) for r in relations)
    return False


def _is_true(relation: Relation) -> bool:
    return not relation.free_symbols and compare(relation, {}, most_bits=256).holds is True
