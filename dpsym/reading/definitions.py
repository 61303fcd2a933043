"""Which names a text may define that is not read: from there on they stand for nothing."""

from __future__ import annotations

import re

from dpsym.reading.names import ACCENTS, GREEK

_SIGN = re.compile(
    r"(?::|\\(?:vcentcolon|ratio|colon)(?![A-Za-z]))(?:[\s{}]|\\[!,;:])*=|\\dot(?:eq)?(?![A-Za-z])\s*=?"
    r"|\\(?:coloneqq?|colonequals|triangleq|equiv|gets|leftarrow|mapsto|bydef|eqdef|defeq|defined)(?![A-Za-z])"
    r"|\\(?:stackrel|overset|underset)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*\{?\s*[=:]|\\def(?![A-Za-z])"
)
_BACKWARDS = re.compile(r"=:|\\(?:eqqcolon|equalscolon|eqcolon)(?![A-Za-z])")
_WORD = re.compile(r"\b(?:let|define[ds]?|denotes?|denoted|denoting|set|setting|write|put|where|call|called)\b", re.I)
_NAME = re.compile(r"\\([A-Za-z]+)|(?<![A-Za-z\\])([A-Za-z][A-Za-z0-9]*'*)|([A-Za-z])", re.ASCII)
_ARGUMENTS = re.compile(r"(?<=[A-Za-z0-9_}])\s*(?:\\left)?\([^()]*(?:\\right)?\)")
_LAYOUT = {
    "text",
    "mathrm",
    "mathit",
    "operatorname",
    "left",
    "right",
    "begin",
    "end",
    "quad",
    "qquad",
    "frac",
    "label",
}
_SAME = {"binom": "binomial", "ln": "log", "varepsilon": "epsilon", "eps": "epsilon", "varphi": "phi"}
_END = re.compile(r"\\\\|\n|[.;]")  # of the part of a text that a sign of definition speaks of
_FARTHEST = 400  # characters


def defined_in(text: str) -> frozenset[str]:
    """The names that it may define, in plain notation, rather too many than too few; none without a sign of it."""
    found: set[str] = set()
    for match in _SIGN.finditer(text):
        before = text[max(0, match.start() - _FARTHEST) : match.start()]
        found |= names_in(_END.split(before)[-1] or before)
    for match in _BACKWARDS.finditer(text):
        found |= names_in(_END.split(text[match.end() : match.end() + _FARTHEST])[0])
    if _WORD.search(text):
        found |= names_in(text)
    return frozenset(found)


def names_in(text: str) -> set[str]:
    """Every name in it but the arguments of others: alone, with what is written below or above it, and each word."""
    text = _ARGUMENTS.sub("", text)
    words: list[str] = []
    for match in _NAME.finditer(text):
        word = match[1] or match[2] or match[3]
        if word not in _LAYOUT and not (match[1] and word in ACCENTS):
            words.append(word)
    found = {*words, *re.findall(r"[A-Za-z]\w*'*", text, re.ASCII), *(["factorial"] if "!" in text else [])}
    accents = [ACCENTS[a] for a in re.findall(r"\\([A-Za-z]+)", text) if a in ACCENTS]
    below = [group or one for group, one in re.findall(r"_\s*(?:\{([^{}]*)\}|(\\[A-Za-z]+|\w))", text)]
    for word in words:
        spelled = {word, *(f"{accent}_{word}" for accent in accents)}
        for piece in below:
            tail = "_".join(re.findall(r"\w+", piece.replace("\\", " ")))
            spelled |= {f"{w}_{tail}" for w in spelled}
        spelled |= {f"{w}_star" for w in spelled} if "*" in text else set()
        spelled |= {f"{w}'" for w in spelled} if "'" in text or "prime" in text else set()
        found |= spelled
    found |= {_SAME[w] for w in found if w in _SAME}
    return {w for w in found if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*'*", w) and (len(w) < 40 or w in GREEK)}
