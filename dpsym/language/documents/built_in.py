r"""Letters and functions with a meaning of their own, of which a text speaks: ``\log = \log_2``, "the policy $\pi$".

What the words say of such a name is not judged.  Where it stands alone in a line, or is a side of a relation, the text
may give it another meaning: that is said, and not used, where it does not follow from what the name means here.  Only
the few usual phrases ("the natural logarithm", "the standard normal") change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress

from dpsym.core import functions
from dpsym.core.relations import Proposition
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.sentences import LONGEST, SENTENCE_ENDS, Formula, formulas
from dpsym.language.documents.texts import Written
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.functions import LETTERS, WORDS
from dpsym.language.latex.grammar import RELATIONS, parse_latex
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.tree import Binary, Call, Name, Number

_FUNCTIONS = {**LETTERS, **WORDS}
_RELATIONS = (
    "in", "to", "sim", "approx", "propto", "mapsto", "gets", "leftarrow", "ll", "gg", "colon", "coloneq", "coloneqq",
    "triangleq", "doteq", "equiv",
)  # fmt: skip
_SIGNS = {*RELATIONS, ":", ":=", *(rf"\{word}" for word in _RELATIONS)}
_DEFINES = re.compile(r":=|\\(?:coloneqq?|triangleq)(?![A-Za-z])")
_DEFINED = re.compile(rf"{_DEFINES.pattern}|=")
_BOUNDS = {"<", ">", "<=", ">=", r"\le", r"\ge"}
_OPERATIONS = ("cdot", "times", "pm", "div", "sum", "prod", "oplus", "otimes", "preceq", "lesssim", "gtrsim")
_ALL_SIGNS = {*_SIGNS, *(rf"\{word}" for word in _OPERATIONS)}
_BRACKETS = frozenset("(){}[].,")
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
_OPERATORS = {rf"\{word}" for word in ("max", "min", "sup", "inf", "sum", "prod")}
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
    r"|\b(?:fractional|integer) part of|\b(?:wedge|cross) product|\bin degrees\b|\bXOR\b|\bdenote iterations"
    r"|\b(?:sums?|operations?|calculations?|computations?|(?:in)?equalit(?:y|ies)|equations?|numbers|everything"
    r"|we (?:work|compute|calculate))\b[^.$]{0,40}(?:\$\\mathbb\s*\{?[FZ]\}?_"
    r"|\b(?:mod(?:ulo)?|finite field|(?:floating|fixed)[- ]point"
    r"|(?:hexa)?decimal|octal|binary|up to (?:an? )?(?:absolute |universal )?constants?)\b)",
    re.IGNORECASE,
)
_WORDS_IN_A_DISPLAY = re.compile(r"\\(?:text\w*|mbox|hbox|(?:short)?intertext|tag\*?)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_TOLD = 60  # characters of what is said that are told
_SPACE = re.compile(r"(?<!\\)\\(?:q?quad(?![A-Za-z])|[,;:! ])|&")
_NAMES = frozenset(f.name for f in functions.ALL)


def of_other_meaning(
    written: Written, spans: Sequence[tuple[int, int]], lines: Sequence[Formula], displays: Sequence[tuple[int, int]],
    declared: Container[str],
) -> Iterator[Stated]:  # fmt: skip
    """Each place where the text may give a letter or function with a meaning of its own another one.

    The prose and the words in displays are looked at.  An empty name stands for the signs themselves.
    """
    text, first = written.text, displays[0][0] if displays else 0
    words = "\n\n".join(filter(None, (words_in(text[begin:end]) for begin, end in displays)))
    in_displays = list(formulas(words, [(0, len(words))], lambda at: {}))
    yield from _in_displays(written, displays, declared)
    for said, where, those in ((text, spans, lines), (words, [(0, len(words))], in_displays)):
        of_text = said is text
        for one in those:
            if len(one.shown) <= LONGEST and (of_text or one.before.strip()):  # a display itself is a claim
                says = dict(_spoken_of(one.shown, one))
                for name in (n for n in says if n not in declared):
                    yield _stated(written, one.start if of_text else first, one.shown, name, says[name])
        for begin, end in where:
            for sentence in SENTENCE_ENDS.split(said[begin:end]):
                if _LOGARITHM.search(sentence) and not _NATURAL.search(sentence) and _BASE.search(sentence):
                    yield _stated(written, begin if of_text else first, sentence, "log")
                if (said_of_all := _ARITHMETIC.search(sentence)) is not None:
                    yield _stated(written, begin if of_text else first, said_of_all[0], "")


def _in_displays(written: Written, displays: Sequence[tuple[int, int]], declared: Container[str]) -> Iterator[Stated]:
    r"""Rows that define such a function: ``\phi(t) := t^2``, or with `=` after "let"."""
    for begin, end in displays:
        defines = _DEFINED if _WRITES.search(written.text, max(0, begin - _TOLD), begin) else _DEFINES
        for row in written.text[begin:end].split(r"\\"):
            with suppress(ReadingError):
                head, *value = defines.split(row, maxsplit=1)
                name, _ = _alone(tokens(head.replace("&", " "), recover=True)[:-1]) if value else ("", "")
                if name in _FUNCTIONS and _FUNCTIONS[name] not in declared:
                    yield _stated(written, begin, row, _FUNCTIONS[name])


def _stated(
    written: Written, place: int, said: str, name: str, conditions: tuple[Proposition, ...] | None = None
) -> Stated:
    subjects = frozenset({name})
    return Stated(0, written.of(place)[0], " ".join(said.split())[:_TOLD], subjects, conditions, subjects)


def words_in(display: str) -> str:
    """The words in a display, with its formulas between dollars; empty without words."""
    rows = (_WORDS_IN_A_DISPLAY.split(row) for row in _SPACE.sub(" ", display).split(r"\\"))
    shown = ([f"${m.strip()}$" if n % 2 == 0 and m.strip() else m.strip() for n, m in enumerate(row)] for row in rows)
    return "\n\n".join(map(" ".join, shown)) if _WORDS_IN_A_DISPLAY.search(display) else ""


def _spoken_of(formula: str, one: Formula) -> Iterator[tuple[str, tuple[Proposition, ...] | None]]:
    """The names of which a formula in a line may say that they mean something else; an empty one for all signs.

    With each what it says, if that may follow from what the name means here.
    """
    after = SENTENCE_ENDS.split(one.after)[0]
    words = f"{one.before} {after}"
    if _USUAL_FORMULA.search(formula) or (_USUAL.search(words) is not None and not _UNUSUAL.search(words)):
        return
    try:
        symbols = tokens(formula, recover=True)[:-1]
    except ReadingError:
        yield from ((_FUNCTIONS.get(word, word), None) for word in re.findall("[A-Za-z]+", formula))
        return
    sides = list(_sides(symbols))
    says = _equations(formula) if sides[1:] else None
    means = _MEANS.match(after) is not None or _WRITES.search(one.own) is not None
    if sides[1:] and says is not None and not any(c.free_symbols for c in says):  # of numbers
        yield from ((name, says) for name in re.findall(r"function='\\*(\w+)'", repr(parse_latex(formula))))
    for number, side in enumerate(sides, start=1):
        name, of = _alone(side)
        same = of in (t.text for other in sides if other is not side for t in other)  # 2^x = exp(x)
        may = name in LETTERS or not of or (means if not sides[1:] else same or number < len(sides))
        if name in _FUNCTIONS and may:  # what stands last is a value
            yield _FUNCTIONS[name], says
    if means or _IS.match(after) is not None:
        yield from ((name, None) for name in _written_by_signs(formula, symbols, means=means))
    is_bound = {t.text for t in symbols[-2:-1]} & _BOUNDS and any(t.kind == "letter" for t in symbols[:-1])
    yield from ((name, None) for name in _mentioned(symbols[:-1] if is_bound else symbols))  # x < pi bounds x


def _equations(formula: str) -> tuple[Proposition, ...] | None:
    """What equations, or relations between numbers, say of what the names mean anyway; None of anything else."""
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        relations = Meaning(formula).relation(parse_latex(formula))
        if all(r.op == "=" or not r.free_symbols for r in relations):
            return tuple(r for r in relations if r.op != "=" or r.lhs != r.rhs)
    return None


def _mentioned(symbols: Sequence[Token]) -> Iterator[str]:
    """The letters e and pi, but in powers, multiples, parts, roots and ends of intervals: there they are numbers."""
    texts = ["", "", *(t.text for t in symbols), "", ""]
    for at, one in enumerate(symbols, start=2):
        second, before, after = texts[at - 2], texts[at - 1], texts[at + 1]
        beside = [t for t in symbols if t.kind == "letter" and one.position in (t.end, t.end - 2)]  # of a word
        if one.text not in ("e", r"\pi") or after in ("_", "'") or (one.text == "e" and beside):
            continue
        divided = before == "{" and second not in ("^", "_") and {r"\frac", r"\sqrt"} & {*texts[:at]}
        ends = (before == "," and second[-1:].isdigit() and after in ("]", ")")) or (
            before == "-" and second in ("(", "[")
        )
        if not (before[-1:].isdigit() or "/" in (before, after) or divided or ends or one.text + after == "e^"):
            yield one.text.strip("\\")


def _sides(symbols: Sequence[Token]) -> Iterator[list[Token]]:
    side = list[Token]()
    for token in symbols:
        if token.text in _SIGNS:
            yield side
            side = []
        else:
            side.append(token)
    yield side


def _alone(side: Sequence[Token]) -> tuple[str, str]:
    """The function that is all of a side, alone or of a letter, and that letter."""
    first, *others = [t for t in side if t.text not in _BRACKETS] or [Token("end", "", 0, 0)]
    if len(others) > 1 or any(t.kind not in ("letter", "command", "text") for t in others):
        return "", ""
    return (first.value or first.text).strip("\\"), "".join(t.text for t in others)


def _written_by_signs(formula: str, symbols: Sequence[Token], *, means: bool) -> Iterator[str]:
    """The function that is written by brackets or signs, as rounding is, and is all of the formula."""
    if means and len(symbols) == 1 and symbols[0].text in _OPERATORS:
        yield symbols[0].text[1:]
    elif means and all(t.kind == "sign" or t.text in _ALL_SIGNS for t in symbols):
        yield ""
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        node = parse_latex(formula.replace(r"\cdot", "x"))
        if isinstance(node, Call) and (name := node.function.lstrip("\\")) in _NAMES:
            by_signs = not _alone(symbols)[0] and all(isinstance(x, Name) for x in node.arguments)
            yield from [name] * (means or by_signs)
        elif means and isinstance(node, Binary) and not {t.text for t in symbols[1:2]} & {"(", "_"}:
            yield from [""] * all(isinstance(x, Name | Number) for x in (node.left, node.right))
