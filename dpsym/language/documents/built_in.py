r"""Letters and functions with a meaning of their own, of which a text speaks: ``\log = \log_2``, "the policy $\pi$".

What the words say of such a name is not judged.  Where it stands alone in a line, or is a side of a relation that does
not hold of what it means here, the text may give it another meaning: that is said, and not used.  Only the few usual
phrases ("the natural logarithm", "the standard normal") change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress

from dpsym.core import functions
from dpsym.core.relations import Relation
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.sentences import SENTENCE_ENDS, Formula, formulas
from dpsym.language.documents.texts import Written
from dpsym.language.documents.ties import is_identity
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.functions import LETTERS, WORDS
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.tree import Binary, Call, Name, Number
from dpsym.numbers import compare

_FUNCTIONS = {**LETTERS, **WORDS}
_ANY = "|".join(sorted(_FUNCTIONS, key=len, reverse=True))
_HEAD = rf"(?P<name>\\(?:(?:operatorname\*?|math\w+|text\w*)\s*\{{\s*)?(?:{_ANY})(?![A-Za-z]))\}}?"
_APPLIED = r"\s*(?:\\left)?(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|(?<![A-Za-z])[A-Za-z]|\\[a-z]+)?"
_ALONE = re.compile(rf"\s*{_HEAD}(?P<at>{_APPLIED})[\s.,]*")
_OF_A_LETTER = re.compile(r"(?:\s|\\left|\\right|[(){}])*(?:[A-Za-z]|\\[a-z]+)?(?:\s|\\right|[(){}])*")  # or of nothing
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|\\[A-Za-z]+")
_SIGN = re.compile(
    r":=|:\s*=|=:|=|[:\u2254\u225c\u2208]|\\(?:coloneqq?|colon|triangleq|equiv|doteq|in|sim|to|mapsto|gets|leftarrow|propto|approx)"
    r"(?![A-Za-z])|<|>|\\(?:l[et]|leq|g[et]|geq|ll|gg)(?![A-Za-z])"
)
_PLAIN = re.compile(  # where e and pi are numbers: powers, multiples, parts, roots, ends of intervals
    r"(?<![A-Za-z\\])e\s*\^|\d\s*(?:e|\\pi)(?![A-Za-z])|(?:(?<![A-Za-z\\])e|\\pi)\s*/|/\s*[({]*\s*(?:e|\\pi)(?![A-Za-z])"
    r"|\\[dt]?frac\s*(?:\{[^{}]*\}|\w)\s*(?:\{[^{}]*\}|\\pi|\w)|\\sqrt\s*(?:\{[^{}]*\}|\\pi)|\\(?:text|mathrm)\w*\s*\{[^{}]{2,}\}"
    r"|[\[(]\s*(?:-?\s*\d+|-\s*\\pi)\s*,\s*(?:e|\\pi)\s*[\])]"
)
_MENTIONED = re.compile(r"(?<![A-Za-z\\])e(?![A-Za-z_'])|\\pi(?![A-Za-z])(?!\s*[_'])")
_AT_ITS_END = re.compile(
    r"(?P<other>.*(?:[<>]|\\(?:leq?|geq?|l[et]|g[et])(?![A-Za-z])))\s*(?:e|\\pi)[\s.,]*", re.DOTALL
)
_USUAL = re.compile(  # phrases beside a name that say of it what it means here, too
    r"2\.71|3\.14|\bstandard (?:normal|gaussian)|\bnatural (?:log|exp)|\bgamma function"
    r"|\beuler['\u2019]?s? (?:number|constant)|\b(?:greatest|largest|least|smallest) integer\b",
    re.IGNORECASE,
)
_USUAL_FORMULA = re.compile(
    r"2\.71|3\.14|\\int[\s\S]*2\s*\\pi|\\frac\s*\{?1\}?\s*\{\s*\\sqrt\s*\{\s*2\s*\\pi|N\}?\s*\(0,\s*1\)"
)
_UNUSUAL = re.compile(
    r"\b(?:not|no|never|unlike|instead|rather|inverse|half|twice|complement\w*|tail|\w+n['\u2019]t)\b", re.IGNORECASE
)
_MEANS = re.compile(r"\s*,?\s*(?:\w+ ){0,2}?(?:denot\w*|stands?|means|(?<=we )mean|refers?)\b", re.IGNORECASE)
_IS = re.compile(r"\s*,?\s*(?:is|are)\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\s*\\(max|min|sup|inf|sum|prod)\s*")
_WRITES = re.compile(r"\b(?:let|define|set|put|denote|write|take|call)\b(?: (?:\w+ ){0,2}\w+)?\W*$", re.IGNORECASE)
_LOGARITHM = re.compile(r"\blog(?:arithm)?s?\b|\bin bits\b|\$\\(?:log|ln)\$", re.IGNORECASE)
_NATURAL = re.compile(r"\bnatural\b|\bbase[- ]\$?(?:\\mathrm\s*\{?)?e\b", re.IGNORECASE)
_BASE = re.compile(
    r"\b(?:base(?! (?:case|mechanism|algorithm|measure|model|method|noise)s?\b)|binary|decimal|dyadic|in bits|digits)\b"
    r"|\bcommon log",
    re.IGNORECASE,
)
_ARITHMETIC = re.compile(
    r"\b(?:arithmetic|addition|subtraction|multiplication|division|rounding)\s+(?:here\s+|always\s+)?"
    r"(?:is|are|means?|denotes?|takes?|wraps?|saturates?)\b(?! (?:associative|commutative))"
    r"|\b(?:operations?|calculations?|computations?|(?:in)?equalit(?:y|ies)|equations?|numbers|everything"
    r"|we (?:work|compute|calculate))\b[^.$]{0,40}(?:\$\\mathbb\s*\{?[FZ]\}?_"
    r"|\b(?:mod(?:ulo)?|finite field|(?:floating|fixed)[- ]point"
    r"|(?:hexa)?decimal|octal|binary|up to (?:an? )?(?:absolute |universal )?constants?)\b)",
    re.IGNORECASE,
)
_ONLY_A_SIGN = re.compile(
    r"[-+*/=<>!|\s]+|\\(?:cdot|times|leq?|geq?|neq?|[lg]t|pm|div|sum|prod|approx|sim|lesssim|gtrsim|preceq|oplus|otimes)\s*"
)
_WORDS_IN_A_DISPLAY = re.compile(r"\\(?:text\w*|mbox|hbox|(?:short)?intertext|tag\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_VALUE = re.compile(r"\s*(?:[A-Za-z]|\\[A-Za-z]+)(?:\s*_\s*(?:\w|\{[^{}]*\}|\\[A-Za-z]+))?\s*\(")  # f(x), f_i(x)
_LONGEST = 60  # characters of what is said that are told
_SPACE = re.compile(r"(?<!\\)\\(?:q?quad(?![A-Za-z])|[,;:! ])|&")
_MATHEMATICS, _NAMES = re.compile(r"\$[^$]*\$"), frozenset(f.name for f in functions.ALL)


def of_other_meaning(
    written: Written, spans: Sequence[tuple[int, int]], displays: Sequence[tuple[int, int]], declared: Container[str]
) -> Iterator[Stated]:
    """Each place where the text may give a letter or function with a meaning of its own another one.

    The prose and the words in displays are looked at.  An empty name stands for the signs themselves.
    """
    text, first = written.text, displays[0][0] if displays else 0
    words = "\n\n".join(filter(None, (_reasons(text[begin:end]) for begin, end in displays)))
    for said, where in ((text, spans), (words, [(0, len(words))])):
        of_text = said is text
        for one in formulas(said, where, lambda at: {}):
            formula = said[one.start : one.stop]
            if of_text or one.before.strip():  # a display itself is a claim
                for name in dict.fromkeys(n for n in _spoken_of(formula, one) if n not in declared):
                    yield _stated(written, one.start if of_text else first, formula, name)
        for begin, end in where:
            for sentence in SENTENCE_ENDS.split(said[begin:end]):
                if _LOGARITHM.search(sentence) and not _NATURAL.search(sentence) and _BASE.search(sentence):
                    yield _stated(written, begin if of_text else first, sentence, "log")
                if (said_of_all := _ARITHMETIC.search(sentence)) is not None:
                    yield _stated(written, begin if of_text else first, said_of_all[0], "")


def _stated(written: Written, place: int, said: str, name: str) -> Stated:
    subjects = frozenset({name})
    return Stated(0, written.of(place)[0], " ".join(said.split())[:_LONGEST], subjects, None, subjects)


def _reasons(display: str) -> str:
    """The words in a display, with its formulas between dollars; empty without words."""
    rows = (_WORDS_IN_A_DISPLAY.split(row) for row in _SPACE.sub(" ", display).split(r"\\"))
    shown = ([f"${m.strip()}$" if n % 2 == 0 and m.strip() else m.strip() for n, m in enumerate(row)] for row in rows)
    return "\n\n".join(map(" ".join, shown)) if _WORDS_IN_A_DISPLAY.search(display) else ""


def _spoken_of(formula: str, one: Formula) -> Iterator[str]:
    """The names of which a formula in a line may say that they mean something else; an empty one for all signs."""
    before, after = one.before, SENTENCE_ENDS.split(one.after)[0]
    words = f"{before} {after}"
    if _USUAL_FORMULA.search(formula) or (_USUAL.search(words) is not None and not _UNUSUAL.search(words)):
        return
    at_its_end = _AT_ITS_END.fullmatch(formula)
    if at_its_end is None or not re.search(r"[A-Za-z]", _SIGN.sub("", at_its_end["other"])):  # a bound of another name
        yield from (name.strip("\\") for name in _MENTIONED.findall(_PLAIN.sub(" 1 ", formula)))
    sides, signs = _SIGN.split(formula), _SIGN.findall(formula)
    means = _MEANS.match(after) is not None or _WRITES.search(one.own) is not None
    for n, side in enumerate(sides):
        member = _ALONE.fullmatch(side)
        if member is None or not _OF_A_LETTER.fullmatch(member["at"]) or (name := _name(member)) not in _FUNCTIONS:
            continue
        is_letter = name in LETTERS or not member["at"].strip()
        others = "".join(other for m, other in enumerate(sides) if m != n)
        same = member["at"].strip(" (){}") in _LETTER.findall(others) if member["at"].strip() else False
        defined = n + 1 < len(sides) or same or signs[-1:] == ["=:"]  # what stands last is a value, unless 2^x = exp(x)
        if (is_letter or means) if not signs else ((is_letter or defined) and not _holds(formula)):
            yield _FUNCTIONS[name]
    if signs:
        yield from _in_what_is_false(formula)
    if means or _IS.match(after) is not None:
        yield from _written_by_signs(formula, means=means)


def _in_what_is_false(formula: str) -> Iterator[str]:
    """The functions in a relation between numbers that does not hold of them."""
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        node = parse_latex(formula)
        if not any(r.free_symbols for r in Meaning(formula).relation(node)) and not _holds(formula):
            yield from re.findall(r"function='\\*(\w+)'", repr(node))


def _written_by_signs(formula: str, *, means: bool) -> Iterator[str]:
    """The function that is written by brackets or signs, as rounding is, and is all of the formula."""
    if means and _ONLY_A_SIGN.fullmatch(formula):
        yield ""
    if means and (operator := _OPERATOR.fullmatch(formula)) is not None:
        yield operator[1]
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        node = parse_latex(formula.replace(r"\cdot", "x"))
        if isinstance(node, Call) and (name := node.function.lstrip("\\")) in _NAMES:
            by_signs = _ALONE.fullmatch(formula) is None and all(isinstance(x, Name) for x in node.arguments)
            yield from [name] * (means or by_signs)
        elif means and isinstance(node, Binary) and not _VALUE.match(formula):
            yield from [""] * all(isinstance(x, Name | Number) for x in (node.left, node.right))


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
