r"""What is not understood but has a kind becomes a named quantity: ``\Pr[M(x) \in S]``, ``\|g\|_2``, ``f(x)``.

Nothing about its inside is used.  Equal symbols are one quantity, so that what is proved holds whatever its value is.
What is drawn at random anew wherever it is written (``\mathrm{Lap}(b)``, ``M(x)``) and what stands for many values
(``O(n)``) is none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from dpsym.language.latex.cursor import CLOSERS
from dpsym.language.latex.names import bare
from dpsym.language.latex.shapes import Shape, normal, shape_of
from dpsym.language.latex.tokens import Token
from dpsym.language.names import ACCENTS, GREEK

KINDS = {"prob": (0, 1), "mean": (None, None), "div": (0, None), "norm": (0, None), "size": (0, None),
         "val": (None, None), "one": (0, 1)}  # fmt: skip
_PROBABILITY = {"Pr", "P", "Prob", "pr"}
_MEAN = {"E", "Ex", "EE"}
_SPREAD = {"Var", "Vol"}  # not negative
_ONE = {"1"}  # indicators, on a blackboard or in bold
_MEASURES = {"P", "Q"}  # letters that may be laws themselves, as in P(A \cap B)
_DIVERGENCES = {"D", "KL", "TV", "RD", "SD", "d"}
_DRAWN = set("AKMNORSTUWXYZB")  # capitals that, applied, are mechanisms, algorithms, draws, or stand for many values
_OPERATORS = {
    r"\sum", r"\prod", r"\int", r"\iint", r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\limsup",
    r"\liminf",
}  # fmt: skip
_NAMED_OPERATORS = {"sup", "inf", "max", "min", "argmax", "argmin", "ess sup", "esssup", "maximize"}
_AFTER = {
    "+",
    "-",
    ",",
    ";",
    ":=",
    "&",
    r"\implies",
    r"\iff",
    r"\impliedby",
    "=",
    "<",
    ">",
    r"\le",
    r"\ge",
    r"\ne",
    r"\approx",
}
_RELATING = {
    r"\cap",
    r"\cup",
    r"\setminus",
    r"\in",
    r"\notin",
    "=",
    "<",
    ">",
    r"\le",
    r"\ge",
    r"\ne",
    r"\mid",
    r"\wedge",
    r"\land",
}
_WORDS = {"mathbb", "mathbf", "mathrm", "mathsf", "boldsymbol", "bm"}
_OPENERS = {"(", "[", r"\{"}
_SUBSCRIPTED = re.compile(
    r"(?<![A-Za-z])[a-z]{3,4}(?=\s*[_}])"
)  # what might have a subscript, in a macro or where it stands


@dataclass(frozen=True, slots=True)
class Opaque:
    """A part of the symbols, from `start` up to `stop`, with its kind, its text and the letters and words in it.

    `key` is the text up to the names of bound variables and the way of writing; `shape` is what was understood of it.
    """

    start: int
    stop: int
    kind: str
    text: str
    letters: frozenset[str]
    key: str = ""
    shape: Shape | None = None


def spelled_like_quantities(source: str) -> set[str]:
    r"""Names such as ``\mathrm{val}_1`` that a text with these words and digits might have for something else."""
    runs = set(re.findall(r"\d+", source, re.ASCII))
    numbers = {str(int(n)) for n in runs.union(*runs) if len(n) < 7}  # each digit, too: a subscript may be one of them
    words = set(_SUBSCRIPTED.findall(source))
    return {f"{kind}_{n}" for kind in KINDS if kind in words for n in numbers}


def around(
    source: str, symbols: Sequence[Token], first: int, last: int, position: int, named: Container[int] = ()
) -> Opaque | None:
    """The innermost quantity between two symbols around a position of the source that can be named, and is not yet."""
    for start in range(last - 1, first - 1, -1):
        if symbols[start].position > position or start in named:
            continue
        one = _at(source, symbols, start, last)
        if one is not None and symbols[one.stop - 1].end > position:
            return one
    return None


def applied(symbols: Sequence[Token]) -> set[str]:
    """What is applied to one thing or to several, such as ``f(x)`` and ``g(x, y')``: what stands before sums is not."""
    found = set()
    for start in range(len(symbols)):
        head, after = _head(symbols, start)
        opening = _scripts(symbols, after, len(symbols), "_^'")
        if head is None or opening >= len(symbols) or symbols[opening].text != "(":
            continue
        if start and symbols[start - 1].text in ("_", "^", *(f"\\{a}" for a in ACCENTS)):
            continue
        at, stop = opening, _closed(symbols, opening, len(symbols))
        while stop is not None and at < stop - 1 and (at == opening or symbols[at].text == ","):
            at = _scripts(symbols, max(at + 2, _head(symbols, at + 1)[1]), stop, "_^'")
        if stop is not None and at == stop - 1 and _kind(head, symbols[start], symbols[opening + 1 : at]) == "val":
            found.add(head)
    return found


def all_applied(source: str, symbols: Sequence[Token], heads: Set[str]) -> Iterator[Opaque]:
    """The values of what is applied elsewhere in the document."""
    for start in range(len(symbols)):
        if _head(symbols, start)[0] in heads:
            one = _at(source, symbols, start, len(symbols))
            if one is not None and one.kind == "val":
                yield one


def _at(source: str, symbols: Sequence[Token], start: int, last: int) -> Opaque | None:
    """The quantity that starts here."""
    token = symbols[start]
    if start and symbols[start - 1].text in ("_", "^", *(f"\\{a}" for a in ACCENTS)):
        return None
    if token.text == r"\|":
        stop = _barred(symbols, start, last, r"\|")
        return None if stop is None else _made(source, symbols, start, _scripts(symbols, stop, last, "_"), "norm")
    if token.text in ("|", r"\lvert"):
        closer = {"|": "|", r"\lvert": r"\rvert"}[token.text]
        stop = _barred(symbols, start, last, closer)
        return None if stop is None else _made(source, symbols, start, stop, "size")
    if token.text in _OPERATORS or (token.kind == "text" and bare(token.value) in _NAMED_OPERATORS):
        return _operator(source, symbols, start, last)
    head, after = _head(symbols, start)
    if head is None:
        return None
    opening = _scripts(symbols, after, last, "_^'")
    if opening < last and symbols[opening].text in _OPENERS:
        stop = _closed(symbols, opening, last)
        inside = symbols[opening + 1 : (stop or opening) - 1]
    elif head in _MEAN and token.kind != "letter" and opening < last:  # \mathbb{E} X
        stop = _factor(symbols, opening, last)
        inside = symbols[opening:stop]
    else:
        return None
    kind = None if stop is None else _kind(head, token, inside)
    if stop is None or kind is None:
        return None
    bracket = symbols[opening].text
    if kind == "mean" and bracket not in ("[", r"\{") and not _ends(symbols, stop, last, bracket == "("):
        return None  # does the expectation reach further?
    named = "" if head == "E" == token.text and bracket == "(" else _named_shape(head, token)
    below = [t for t in symbols[after:opening] if t.kind != "gap"]
    if below and below[0].text == "_":
        below = below[2:-1] if below[1].text == "{" and below[-1].text == "}" else below[1:]
    shape = shape_of(named, _words(source, below), _words(source, inside)) if named else None
    return _made(source, symbols, start, stop, kind, shape)


def _named_shape(head: str, token: Token) -> str:
    """The head of a shape; none for what is no probability, expectation or variance."""
    if token.kind == "letter":
        return {"E": "E"}.get(head, head if head in _MEASURES else "")
    if head in _PROBABILITY:
        return r"\mathbb P" if head == "P" else "Pr"
    return "E" if head in _MEAN else head if head == "Var" else "1" if head in _ONE else ""


def _factor(symbols: Sequence[Token], start: int, last: int) -> int | None:
    """After a name, a function with its argument, a fraction or a group, with its scripts."""
    token = symbols[start]
    if token.text in _AFTER or token.text in _OPERATORS or token.text in CLOSERS.values():
        return None
    at = max(_head(symbols, start)[1], start + (token.text != "{" and token.kind in ("command", "number")))
    while at < last and symbols[at].text == "{" and (token.kind == "command" or at == start):
        at = _closed(symbols, at, last) or last
    at = _scripts(symbols, at, last, "_^'")
    if start < at < last and symbols[at].text in _OPENERS:
        return _closed(symbols, at, last)
    return at if at > start else None


def _ends(symbols: Sequence[Token], at: int, last: int, bracketed: bool) -> bool:
    """Whether a product ends here; after a bracket one may go on with a sign."""
    if at >= last or symbols[at].kind in ("row", "gap", "end"):
        return True
    text = symbols[at].text
    return (
        text in _AFTER
        or text in CLOSERS.values()
        or text in (".", "|", r"\|", r"\mid", r"\over")
        or (bracketed and text in ("*", "/"))
    )


def _head(symbols: Sequence[Token], start: int) -> tuple[str | None, int]:
    """The letter or word that stands here without its accents, and where what follows it starts."""
    token = symbols[start]
    name = token.text[1:]
    if token.kind == "letter":
        return token.text, start + 1
    if token.kind == "text":
        return bare(token.value), start + 1
    if token.text == r"\Pr":
        return "Pr", start + 1
    if token.kind == "command" and name in GREEK:
        return name, start + 1
    if token.kind == "command" and name in ACCENTS:
        following = symbols[start + 1] if start + 1 < len(symbols) else token
        if following.text != "{":
            return (following.text if name in _WORDS else f"{name} {following.text}"), start + 2
        stop = _closed(symbols, start + 1, len(symbols))
        if stop is None:
            return None, start
        inside = "".join(t.value or t.text for t in symbols[start + 2 : stop - 1])
        return (inside if name in _WORDS else f"{name} {inside}"), stop
    return None, start


def _scripts(symbols: Sequence[Token], at: int, last: int, marks: str) -> int:
    """After subscripts, superscripts and primes."""
    while at < last and symbols[at].text in tuple(marks):
        if symbols[at].text == "'":
            at += 1
            continue
        at += 1
        if at < last and symbols[at].text == "{":
            at = _closed(symbols, at, last) or last
        else:
            at += 1
    return at


def _closed(symbols: Sequence[Token], opening: int, last: int) -> int | None:
    """After the bracket that closes the one here."""
    depth = 0
    for at in range(opening, last):
        text = symbols[at].text
        depth += (text in CLOSERS) - (text in CLOSERS.values())
        if depth <= 0:
            return at + 1
    return None


def _operator(source: str, symbols: Sequence[Token], start: int, last: int) -> Opaque | None:
    """A sum, an integral, an optimum: to the end of its product, if nothing after it might belong to it."""
    at = _scripts(symbols, start + 1, last, "_^")
    below = {t.text for t in symbols[start + 1 : at] if t.kind in ("letter", "command")}
    depth, stop = 0, at
    while stop < last:
        text = symbols[stop].text
        if depth == 0 and (text in _AFTER or symbols[stop].kind == "row"):
            break
        depth += (text in CLOSERS) - (text in CLOSERS.values())
        if depth < 0:
            break
        stop += 1
    rest = stop
    depth = 0
    while rest < last and symbols[rest].text in ("+", "-") and depth == 0:  # would it belong to the body?
        rest += 1
        while rest < last and not (depth == 0 and (symbols[rest].text in _AFTER or symbols[rest].kind == "row")):
            depth += (symbols[rest].text in CLOSERS) - (symbols[rest].text in CLOSERS.values())
            if depth < 0:
                break
            if symbols[rest].text in below:
                return None
            rest += 1
    return None if stop == at else _made(source, symbols, start, stop, "val")


def _barred(symbols: Sequence[Token], start: int, last: int, closer: str) -> int | None:
    """After the bar that closes the one here: bars without a direction only where there are no others."""
    depth = 0
    for at in range(start + 1, last):
        text = symbols[at].text
        if text == closer and depth == 0:
            if at == start + 1:
                return None
            others = closer == "|" and any(t.text == "|" for t in (*symbols[:start], *symbols[at + 1 :]))
            return None if others else at + 1
        depth += (text in CLOSERS) - (text in CLOSERS.values())
        if depth < 0 or text == "row":
            break
    return None


def _kind(head: str, token: Token, inside: Sequence[Token]) -> str | None:
    texts = [t.text for t in inside]
    parallel = r"\|" in texts or any(a == b == "|" for a, b in pairwise(texts))
    word = token.kind != "letter"
    if head in _PROBABILITY and (head != "P" or word or _RELATING & set(texts)):
        return "size" if "=" in texts else "prob"  # Pr[X = x] might be a density
    if head in _MEAN:
        return "mean"
    if head in _SPREAD:
        return "size"
    if head in _ONE and token.text in (r"\mathbb", r"\mathbf", r"\mathds"):
        drawn = any(a.text in _DRAWN and b.text == "(" for a, b in pairwise(inside))
        return "one" if not drawn and _RELATING.intersection(texts) else None
    if head.rsplit(maxsplit=1)[-1] in _DIVERGENCES and parallel:
        return "div"
    if head in ("KL", "TV"):
        return "div"
    head = head.rsplit(maxsplit=1)[-1].lstrip("\\")
    small = head in GREEK or (len(head) == 1 and head.isalpha() and head not in _DRAWN)
    return "val" if small and texts else None


def _words(source: str, part: Sequence[Token]) -> list[str]:
    return [
        source[t.position : t.end] if t.kind == "unread" else f"{t.text}{{{t.value}}}" if t.value else t.text
        for t in part if t.text != "&" and t.kind not in ("gap", "row")
    ]  # fmt: skip


def _made(
    source: str, symbols: Sequence[Token], start: int, stop: int, kind: str, shape: Shape | None = None
) -> Opaque:
    part = symbols[start:stop]
    words = _words(source, part)
    letters = {t.text.lstrip("\\") for t in part if t.kind in ("letter", "command")} | {bare(t.value) for t in part}
    key = " ".join(normal(words)) if shape is None else shape.text
    return Opaque(start, stop, kind, " ".join(words), frozenset(letters - {""}), key, shape)
