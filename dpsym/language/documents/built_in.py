r"""Letters and functions with a meaning of their own, to which a text gives another: ``\log = \log_2``.

Nothing that mentions such a name is read: only usual words ("the natural logarithm", "the standard normal") change
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from dpsym.core import functions
from dpsym.core.relations import Relation
from dpsym.language.documents.harvest import SENTENCE_ENDS, Formula, formulas
from dpsym.language.documents.ties import is_identity
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.functions import LETTERS, WORDS
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.tree import Binary, Call, Chain, Name, Number
from dpsym.numbers import compare

_FUNCTIONS = {**LETTERS, **WORDS}
_ANY = "|".join(sorted(_FUNCTIONS, key=len, reverse=True))
_HEAD = rf"(?P<name>\\(?:(?:operatorname\*?|math\w+|text\w*)\s*\{{\s*)?(?:{_ANY})(?![A-Za-z]))\}}?"
_APPLIED = r"\s*(?:\\left)?(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|(?<![A-Za-z])[A-Za-z]|\\[a-z]+)?"
_ALONE = re.compile(rf"\s*{_HEAD}(?P<at>{_APPLIED})[\s.,]*")
_SIGN = re.compile(
    r":=|:\s*=|=:|=|[:\u2254\u225c\u2208]|\\(?:coloneqq?|colon|triangleq|equiv|doteq|in|sim|to|mapsto|gets|leftarrow|propto|approx)"
    r"(?![A-Za-z])|<|>|\\(?:l[et]|leq|g[et]|geq|ll|gg)(?![A-Za-z])"
)
_ORDERS = re.compile(r"[<>=]|\\(?:leq?|geq?|l[et]|g[et])(?![A-Za-z])")
_EQUATES = re.compile(
    r":=|:\s*=|=:?|[:\u2254\u225c]|\\(?:coloneqq?|colon|triangleq|equiv|doteq|to|mapsto|gets|leftarrow)"
)
_VERB = re.compile(
    r"\s*,?\s*(?:\(?(?:now|here|always|throughout|again|also|then|itself)\)?,?\s+)?(?:is|are|be|being|denotes?|stands?|means"
    r"|refers?|represents?|will|may|can|has|have|for|as|to|base|in base|with|ranges?|becomes?)\b",
    re.IGNORECASE,
)
_DENOTES = re.compile(r"\s*,?\s*(?:\w+ ){0,2}?(?:denot\w*|stands?|means|refers?|represents?|for|as)\b", re.IGNORECASE)
_MEANS = re.compile(r"\s*,?\s*(?:\w+ ){0,2}?(?:denot\w*|stands?|means|refers?)\b", re.IGNORECASE)
_INTRODUCED = re.compile(
    r"\b(?:let|here|where|write|writing|denote\w*|define|set|put|throughout|now|all|our|take|taking|call\w*|use|using|by"
    r"|fix|given|for|with|parameters?|logarithms?|over|policy|budget|probability|rate|scale|order)"
    r"(?: (?:a|an|the|every|any|each|all|us|we|now|also))?\W*$",
    re.IGNORECASE,
)
_LET = re.compile(
    r"\b(?:let|define|set|put|denote|write|consider|take|fix|choose)\b(?: (?:\w+ ){0,2}\w+)?\W*$", re.IGNORECASE
)
_NOUN = (
    r"(?:factors?|functions?|term|quantity|value|probability|distribution|logarithm|exponential|standard|normal|gaussian|gamma|error"
    r"|cumulative|natural|usual|euler['\u2019]?s?|constants?|numbers?|base|of|an?|the|additional|extra|multiplicative)"
)
_PHRASE = re.compile(  # what kind of thing a name is said to be
    r"\b(?P<which>an?|the|each|every|any|some|this|our|its)\s+(?P<kind>(?:[\w-]+\s+){1,4})$", re.IGNORECASE
)
_CHOSEN = re.compile(
    r"(?:an?|each|every|any|some|our|its)\s+(?:[\w-]+\s+)*(?!factor|term|(?<=factor )of)[\w-]+\s+$", re.IGNORECASE
)
_HARMLESS = re.compile(
    r"\b(?:factor|constant|number|base|function)s?(?: of)?\s+$|\b(?:properties|powers) of\s+$", re.IGNORECASE
)
_REASONS = re.compile(
    r"(?:^|\b(?:since|as|because|by|using|that|clearly|obviously|fact|and|so|hence|thus|then|have|get|also|but|of|bounds?|recall"
    r"|note|from))\W*$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:suppos\w*|assum\w*|such|provided|if|when\w*|let|requir\w*)\b", re.IGNORECASE)
_PLAIN = re.compile(  # where e and pi are numbers: powers, multiples, parts, roots, ends of intervals
    r"(?<![A-Za-z\\])e\s*\^|\d\s*(?:e|\\pi)(?![A-Za-z])|(?:(?<![A-Za-z\\])e|\\pi)\s*/|/\s*[({]*\s*(?:e|\\pi)(?![A-Za-z])"
    r"|\\[dt]?frac\s*(?:\{[^{}]*\}|\w)\s*(?:\{[^{}]*\}|\\pi|\w)|\\sqrt\s*(?:\{[^{}]*\}|\\pi)|\\(?:text|mathrm)\w*\s*\{[^{}]{2,}\}"
    r"|[\[(]\s*(?:-?\s*\d+|-\s*\\pi)\s*,\s*(?:e|\\pi)\s*[\])]"
)
_MENTIONED = re.compile(r"(?<![A-Za-z\\])e(?![A-Za-z_'])|\\pi(?![A-Za-z])(?!\s*[_'])")
_AT_ITS_END = re.compile(rf"(?P<other>.*(?:{_ORDERS.pattern}))\s*(?:e|\\pi)[\s.,]*", re.DOTALL)
_USUAL = re.compile(
    r"2\.71|3\.14|(?i:\bstandard (?:normal|gaussian)|\bnatural (?:log|exp|base)\w*|\bpositive part|\bgamma function"
    r"|euler['\u2019]?s? (?:number|constant)|\bharmonic number|\babsolute value|\bsquare root|\bfactorial|\bbinomial"
    r"|\b(?:irrational|transcendental|(?:largest|greatest|smallest|least) integer)\b"
    r"|\b(?:is|are)\s+(?:\w+ly\s+)?(?:concave|convex|increasing|decreasing|monoton\w+|continuous|differentiable)\b"
    r"(?!\s+(?!functions?|and|on|in|for|at|so|we)\w))"
)  # says of a name what it means here, too
_USUAL_FORMULA = re.compile(
    r"2\.71|3\.14|\\int[\s\S]*2\s*\\pi|\\frac\s*\{?1\}?\s*\{\s*\\sqrt\s*\{\s*2\s*\\pi|N\}?\s*\(0,\s*1\)|\\ln(?![A-Za-z])"
)
_UNUSUAL = re.compile(
    r"\b(?:not|no|never|unlike|instead|rather|inverse|half|twice|complement\w*|tail|\w+n['\u2019]t)\b", re.IGNORECASE
)
_LOGARITHM = re.compile(r"\blog(?:arithm)?s?\b|\bin bits\b|\$\\(?:log|ln)\$", re.IGNORECASE)
_NATURAL = re.compile(r"\bnatural\b|\bbase[- ]\$?(?:\\mathrm\s*\{?)?e\b", re.IGNORECASE)
_BASE = re.compile(
    r"\b(?:base(?! (?:case|mechanism|algorithm|measure|model|method|noise)s?\b)|binary|decimal|dyadic|in bits|digits)\b"
    r"|\bcommon log"
    r"|\blogarithms\W+(?:are|will|mean|denote|have)\b(?! (?:concave|increasing|monoton\w+|defined|finite|compared)\b)"
    r"|\blogarithm\W+(?:is|means|denotes|has)\W+(?:to|in|taken|meant|understood|with|here|always)\b",
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
_WORDS_IN_A_DISPLAY = re.compile(
    r"\s*\\(?:text\w*|mbox|hbox|(?:short)?intertext|tag\*?)\s*\{\s*((?:[^{}]|\{[^{}]*\})*?)\s*\}\s*"
)
_VALUE = re.compile(r"\s*(?:[A-Za-z]|\\[A-Za-z]+)\s*\(")  # f(x)
_SPACE = re.compile(r"(?<!\\)\\(?:q?quad(?![A-Za-z])|[,;:! ])|&")
_MATHEMATICS, _NAMES = re.compile(r"\$[^$]*\$"), frozenset(f.name for f in functions.ALL)


def renamed(text: str, spans: Sequence[tuple[int, int]], displays: Sequence[tuple[int, int]] = ()) -> dict[str, str]:
    """The letters and functions (`Phi()`) with a meaning of their own that the text gives another, and why.

    The prose and the words in displays are looked at; under the empty name stands what changes the meaning of signs.
    """
    found = dict[str, str]()
    words = "\n\n".join(filter(None, (_reasons(text[begin:end]) for begin, end in displays)))
    for said, where in ((text, spans), (words, [(0, len(words))])):
        for one in formulas(said, where):
            formula = said[one.start : one.stop]
            if said is text or one.sentence.strip():  # a display itself is a claim
                for name in _given_another(formula, one):
                    meant = f"{name.strip('()') or 'a sign'} a meaning of its own"
                    found[name] = f"the text gives {meant}: {' '.join(formula.split())}"
        for begin, end in where:
            for sentence in SENTENCE_ENDS.split(said[begin:end]):
                if _LOGARITHM.search(sentence) and not _NATURAL.search(sentence) and (base := _BASE.search(sentence)):
                    found["log()"] = f"the text says {base[0]!r} of its logarithms: {' '.join(sentence.split())[:60]}"
                if (said_of_all := _ARITHMETIC.search(sentence)) is not None:
                    found[""] = f"the text may give signs another meaning: {' '.join(said_of_all[0].split())}"
    return found


def _reasons(display: str) -> str:
    """The words in a display, with its formulas between dollars; empty without words."""
    words = _WORDS_IN_A_DISPLAY.sub(r"$ \1 $", _SPACE.sub(" ", display))
    rows = (f"${row.strip()}$".replace("$$", "") for row in words.split(r"\\"))
    return "\n\n".join(rows) if _WORDS_IN_A_DISPLAY.search(display) else ""


def _given_another(formula: str, one: Formula) -> list[str]:
    """The names that a formula, or the words beside it, may give another meaning."""
    before, after = one.sentence, SENTENCE_ENDS.split(one.after)[0]
    words = _MATHEMATICS.sub(" ", before) + " " + after.partition("$")[0]
    if _USUAL_FORMULA.search(formula) or (_USUAL.search(words) is not None and not _UNUSUAL.search(words)):
        return []
    denoted, phrase = bool(_DENOTES.match(after)), _PHRASE.search(before)
    foreign = phrase is not None and (
        _CHOSEN.match(phrase[0]) or not all(re.fullmatch(_NOUN, w, re.IGNORECASE) for w in phrase["kind"].split())
    )
    harmless = not foreign and not _VERB.match(after)
    found = list[str]()
    numbers = _MENTIONED.findall(_PLAIN.sub(" 1 ", formula))
    at_its_end = _AT_ITS_END.fullmatch(formula)
    if numbers and not (at_its_end and re.search(r"[A-Za-z]", _ORDERS.sub("", at_its_end["other"]))):
        alone = _MENTIONED.fullmatch(formula.strip()) and harmless and (phrase or _HARMLESS.search(before))
        claimed = (
            _REASONS.search(before) and not _SUPPOSED.search(before) and not _VERB.match(after) and _holds(formula)
        )
        found += [] if alone or claimed else [name.strip("\\") for name in numbers]
    members, signs = _SIGN.split(formula), _SIGN.findall(formula)
    for n, side in enumerate(members):
        member = _ALONE.fullmatch(side)
        if member is None or (name := _name(member)) not in _FUNCTIONS:
            continue
        sign, last = (*signs, "")[n], n == len(members) - 1
        pair = "".join(x + y for x, y in zip(members[n : n + 2], (sign, ""), strict=False))
        defined: object  # whether it may be
        if not member["at"].strip():
            defined = not (harmless and (phrase or _HARMLESS.search(before)))
        elif not last:
            defined = (n == 0 and _LET.search(before)) or (_is_of_letters(member, sign) and not _holds(pair))
        elif n > 0:
            defined = signs[-1] == "=:"
        else:
            kind = name in LETTERS and not harmless and _is_of_letters(member, "=")
            defined = denoted or kind or _LET.search(before)
        found += [f"{_FUNCTIONS[name]}()"] * bool(defined)
    if _ONLY_A_SIGN.fullmatch(formula) and (_VERB.match(after) or _INTRODUCED.search(before)):
        return [*found, ""]
    written = _MEANS.match(after) is not None or (denoted and _LET.search(before) is not None)
    return [*found, *_of_a_sign(formula, written=written)] if written or signs else found


def _of_a_sign(formula: str, *, written: bool) -> list[str]:
    """What is written by signs and said to denote something, as rounding brackets; and what is false of numbers."""
    with suppress(ReadingError, ValueError, ArithmeticError, RecursionError):
        node = parse_latex(formula)
        if isinstance(node, Chain):
            false = not any(r.free_symbols for r in Meaning(formula).relation(node)) and not _holds(formula)
            return [f"{name}()" for name in re.findall(r"function='\\*(\w+)'", repr(node)) if false]
        if isinstance(node, Call) and (name := node.function.lstrip("\\")) in _NAMES:
            return [f"{name}()"] * (written and not _ALONE.fullmatch(formula))
        if written and isinstance(node, Binary) and not _VALUE.match(formula):
            return [""] * all(isinstance(x, Name | Number) for x in (node.left, node.right))
    return []


def _is_of_letters(side: re.Match[str], sign: str) -> bool:
    """Whether an equation speaks of it at a variable: of a number it may be true."""
    at = re.sub(r"\\left|\\right|[(){}\s]", "", side["at"])
    return _EQUATES.fullmatch(sign) is not None and re.fullmatch(r"[A-Za-z]|\\[a-z]+", at) is not None


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
