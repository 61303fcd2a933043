r"""What is not understood but has a kind becomes a named quantity: ``\Pr[M(x) \in S]``, ``\|g\|_2``, ``f(x)``.

Nothing about its inside is used.  Equal symbols are one quantity, so that what is proved holds whatever its value is.
What may be drawn at random anew wherever it is written (``\mathrm{Lap}(b)``, ``M(x)``, ``f(x)``, a command that nobody
defines) is another quantity at each place, but for functions that the document declares; what stands for many values
(``O(n)``) is none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from dpsym.language.documents.guesses import DRAWN, names_a_law
from dpsym.language.latex.cursor import CLOSERS, ENDS, closing, is_d, outside
from dpsym.language.latex.functions import WORDS
from dpsym.language.latex.names import PROSE, bare
from dpsym.language.latex.shapes import Shape, normal, ranged_shape, shape_of
from dpsym.language.latex.standard import STANDARD
from dpsym.language.latex.tokens import Token
from dpsym.language.names import ACCENTS, GREEK, canonical, subscripts

KINDS: dict[str, tuple[int | None, int | None]] = {  # with the least and the greatest value
         "prob": (0, 1), "mean": (None, None), "div": (0, None), "dist": (None, None), "norm": (0, None),
         "size": (0, None), "val": (None, None), "draw": (None, None), "one": (0, 1)}  # fmt: skip
_PROBABILITY = {"Pr", "P", "Prob", "pr", "prob"}
_MEAN = {"E", "Ex", "EE"}
_SENSITIVITIES = {"GS_", "LS_"}  # with a subscript
_SPREAD = {"Var", "Vol", *_SENSITIVITIES}  # not negative
_ONE = {"1"}  # indicators, on a blackboard or in bold
_MEASURES = {"P", "Q"}  # letters that may be laws themselves, as in P(A \cap B)
_DIVERGENCES = {"D", "KL", "TV", "RD", "SD", "d"}
_MANY = {"O", "o", "Omega", "omega", "Theta", "poly", "polylog", "negl"}
_TAKING = _PROBABILITY | _MEAN | _SPREAD | _ONE | _DIVERGENCES | _MANY  # words whose brackets draw nothing
_NAMED_OPERATORS = {"sup", "inf", "max", "min", "argmax", "argmin", "ess sup", "esssup", "maximize"}
_INTEGRALS = {r"\int": 1, r"\iint": 2, r"\oint": 1}
_RELATIONS = {":=", "=", "<", ">", r"\le", r"\ge", r"\ne", r"\approx", r"\sim", r"\lesssim", r"\gtrsim", r"\propto",
              r"\implies", r"\iff", r"\impliedby"}  # fmt: skip
_AFTER = {"+", "-", ",", ";", "&", *_RELATIONS}
_DRAWING = {r"\sim", r"\gets", r"\leftarrow", r"\mathcal", r"\mathscr"}
_BEFORE_A_GROUP = {*_AFTER, "*", "/", "(", "[", r"\{", r"\in", r"\notin", r"\cap", r"\cup", r"\setminus", r"\mid"}
_RANGING = {r"\sum", r"\max", r"\min"}
_OPERATORS = {
    r"\sum", r"\prod", *_INTEGRALS, r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\limsup",
    r"\liminf",
}  # fmt: skip
_BINDING = {
    "=",
    r"\in",
    r"\sim",
    ":",
    r"\subset",
    r"\subseteq",
    r"\to",
    r"\gets",
    r"\leftarrow",
}  # after what they bind
_ORDERING = {"<", ">", r"\le", r"\ge", r"\ne"}
_RELATING = {r"\cap", r"\cup", r"\setminus", r"\in", r"\notin", "=", *_ORDERING, r"\mid", r"\wedge", r"\land"}
_OF_UNBOUNDED = re.compile(r"\b(?:D|KL|TV|RD|SD)\b[^(]*\([^()]*(?:\\\||\| \|)|\bE\b")  # in a text of symbols
_WORDS = {"mathbb", "mathbf", "mathrm", "mathsf", "boldsymbol", "bm"}
_OPENERS = {"(", "[", r"\{"}
_SUBSCRIPTED = re.compile(
    r"(?<![A-Za-z])[a-z]{3,4}(?=\s*[_}])"
)  # what might have a subscript, in a macro or where it stands


def of_unbounded(text: str) -> bool:
    """Whether a divergence or an expectation stands in a text of symbols."""
    return _OF_UNBOUNDED.search(text) is not None


@dataclass(frozen=True, slots=True)
class Opaque:
    """A part of the symbols, from `start` up to `stop`, with its kind, its text and the letters and words in it.

    `key` is the text up to the names of bound variables and the way of writing; `shape` is what was understood of it.
    `anew` are the letters that are applied in it, and the commands that only the paper knows: where they are not
    declared to be functions, it may be another quantity at each `place`.
    """

    start: int
    stop: int
    kind: str
    text: str
    letters: frozenset[str]
    key: str = ""
    shape: Shape | None = None
    order: str = ""  # of a divergence: its subscript
    anew: frozenset[str] = frozenset()
    place: str = ""
    functions: frozenset[str] = frozenset()  # the names among those that are guessed to be functions
    index: str = ""  # of a family, one for each value of the index

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest value that a quantity of this kind may have."""
        return KINDS[self.kind]

    @property
    def may_be_infinite(self) -> bool:
        """Whether it is a divergence or an expectation, or a sum or an extreme of such."""
        return self.kind in ("div", "dist", "mean") or (self.kind == "val" and of_unbounded(self.text))

    @property
    def is_raised(self) -> bool:
        """Whether it has a superscript: the approximate maximum divergence may be negative whatever its order."""
        scripts = re.split(r" [(\[]", self.text, maxsplit=1)[0]
        return " ^ " in re.sub(r"\{[^{}]*\}", "", scripts)

    @property
    def is_applied(self) -> bool:
        """Whether it is the value of something at something: ``f(x)``."""
        return (
            self.kind in ("val", "draw", "div", "dist")
            and self.text.endswith(")")
            and self.text.split()[0] not in _OPERATORS
        )


def as_product(source: str, symbols: Sequence[Token], one: Opaque) -> tuple[Opaque, Opaque] | None:
    """The two factors that a value may be, where that makes a difference: as the base of a power, below a slash.

    A product of what stands before the bracket and what stands in it may be read as a value anywhere else: nothing is
    used of either.
    """
    start = one.start
    opening = _scripts(symbols, _head(symbols, start)[1], one.stop, "_^'")
    if one.kind not in ("val", "draw") or opening >= one.stop or symbols[opening].text not in _OPENERS:
        return None
    inside = [t.text for t in symbols[opening + 1 : one.stop - 1]]
    before, after = symbols[start - 1] if start else None, symbols[one.stop].text if one.stop < len(symbols) else ""
    reaching = before is not None and (
        before.text == "/"
        or before.text.lstrip("\\") in WORDS
        or bare(before.value) in WORDS
        or before.text == r"\sqrt"
    )
    if {",", ";"} & set(inside) or not (reaching or after in ("^", "!")):
        return None
    return _made(source, symbols, start, opening, "val"), _made(source, symbols, opening, one.stop, "val")


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
    for start, head, opening in _applications(symbols):
        if symbols[opening].text != "(" or _is_marked(symbols, start):
            continue
        at, stop = opening, _closed(symbols, opening, len(symbols))
        while stop is not None and at < stop - 1 and (at == opening or symbols[at].text == ","):
            at = _scripts(symbols, max(at + 2, _head(symbols, at + 1)[1]), stop, "_^'")
        if stop is not None and at == stop - 1 and _kind(head, symbols[start], symbols[opening + 1 : at]) == "val":
            found.add(head)
    return found


def _applications(symbols: Sequence[Token]) -> Iterator[tuple[int, str, int]]:
    """Where something stands before a bracket, what it is without its accents, and where the bracket opens."""
    for start in range(len(symbols)):
        head, after = _head(symbols, start)
        opening = _scripts(symbols, after, len(symbols), "_^'")
        if head is not None and opening < len(symbols) and symbols[opening].text in _OPENERS:
            yield start, head, opening


def _is_marked(symbols: Sequence[Token], start: int) -> bool:
    """Whether it is a script, or has an accent: a part of what stands before it."""
    return start > 0 and symbols[start - 1].text.lstrip("\\") in {*ACCENTS, "_", "^"}


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
    if _is_marked(symbols, start):
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
    if (brace := _event_below(symbols, start, after, last)) is not None:
        end = _scripts(symbols, brace - 1, last, "_")
        return _made(
            source, symbols, start, end, "one", shape_of("1", [], _words(source, symbols[brace + 1 : end - 1]))
        )
    if head is None:
        return None
    if is_own(token):  # \\payload{k}
        after = _groups(symbols, after, last)
    opening = _scripts(symbols, after, last, "_^'")
    if is_own(token) and (opening >= last or symbols[opening].text not in _OPENERS):
        return _made(source, symbols, start, opening, "val") if _apart(symbols, start, opening) else None
    if opening < last and symbols[opening].text in _OPENERS:
        stop = _closed(symbols, opening, last)
        inside = symbols[opening + 1 : (stop or opening) - 1]
    elif (
        head in _MEAN and token.kind != "letter" and opening < last and symbols[opening].kind != "number"
    ):  # \mathbb{E} X
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
    if shape is not None and token.kind != "text" and token.text != r"\Pr":
        shape = replace(shape, font=token.text if token.kind == "command" else r"\mathit")
    one = _made(source, symbols, start, stop, kind, shape)
    return replace(one, order=" ".join(_words(source, below))) if kind == "div" else one


def _event_below(symbols: Sequence[Token], start: int, after: int, last: int) -> int | None:
    r"""Where the brace of ``1_{x \in S}`` opens, and of ``\mathbf{1}_{X > t}``; None for anything else."""
    at = start + 1 if symbols[start].text == "1" else after
    one = symbols[start].text == "1" or (after > start and _head(symbols, start)[0] in _ONE)
    if not one or at + 1 >= last or (symbols[at].text, symbols[at + 1].text) != ("_", "{"):
        return None
    return at + 1 if _is_fixed_event(symbols[at + 2 : _closed(symbols, at + 1, last)]) else None


def _is_fixed_event(inside: Sequence[Token]) -> bool:
    """Whether it is a membership or a relation in which nothing may be drawn anew, as by ``\\mathcal{M}(x)``."""
    applied = any(b.text in _OPENERS and a.text not in _BEFORE_A_GROUP for a, b in pairwise(inside))
    named = any(t.text in DRAWN or t.kind == "text" or t.text[1:] in ACCENTS for t in inside)
    law = any(names_a_law(bare(t.value)) if t.kind == "text" else t.text in _DRAWING for t in inside)
    return bool(_RELATING.intersection(t.text for t in inside)) and not (law or (applied and named))


def _named_shape(head: str, token: Token) -> str:
    """The head of a shape; none for what is no probability, expectation or variance."""
    if token.kind == "letter":
        return {"E": "E"}.get(head, head if head in _MEASURES else "")
    if head in _PROBABILITY:
        return r"\mathbb P" if head == "P" else "Pr"
    return "E" if head in _MEAN else head if head == "Var" else "1" if head in _ONE else ""


def _factor(symbols: Sequence[Token], start: int, last: int) -> int | None:
    """After a name, a function with its argument, a fraction or a group, with its scripts; None for a product."""
    token = symbols[start]
    if token.text in _AFTER or token.text in _OPERATORS or token.text in ENDS:
        return None
    at = max(_head(symbols, start)[1], start + (token.text != "{" and token.kind in ("command", "number")))
    while at < last and symbols[at].text == "{" and (token.kind == "command" or at == start):
        at = _closed(symbols, at, last) or last
    scripts = at
    at = _scripts(symbols, at, last, "_^'")
    if start < at < last and symbols[at].text in _OPENERS:
        multiplies = token.kind == "number" or token.text in CLOSERS or any(t.text == "^" for t in symbols[scripts:at])
        return None if multiplies else _closed(symbols, at, last)
    return at if at > start else None


def _ends(symbols: Sequence[Token], at: int, last: int, bracketed: bool) -> bool:
    """Whether a product ends here; after a bracket one may go on with a sign."""
    if at >= last or symbols[at].kind in ("row", "gap", "end"):
        return True
    text = symbols[at].text
    return (
        text in _AFTER
        or text in ENDS
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
        below = "_" if symbols[start + 1 : start + 2] and symbols[start + 1].text == "_" else ""
        word = bare(token.value)
        return (word + below if word + below in _SENSITIVITIES else word), start + 1
    if token.text == r"\Pr":
        return "Pr", start + 1
    if token.kind == "command" and (name in GREEK or is_own(token)):
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


def is_own(token: Token) -> bool:
    """Whether it is a command that only the paper knows."""
    return token.kind == "command" and not {token.text[1:]} & (GREEK | ACCENTS.keys() | STANDARD | WORDS.keys())


def _groups(symbols: Sequence[Token], at: int, last: int) -> int:
    """After groups in braces."""
    while at < last and symbols[at].text == "{" and (stop := _closed(symbols, at, last)) is not None:
        at = stop
    return at


def _apart(symbols: Sequence[Token], start: int, stop: int) -> bool:
    """Whether no factor stands beside it: a command that nobody knows might be a sign."""
    before = symbols[start - 1].text if start else "row"
    after = symbols[stop].text if stop < len(symbols) else "row"
    signs = {*_AFTER, "*", "/", "row", "", ".", "|", r"\|"}
    return before in signs | CLOSERS.keys() and after in signs | ENDS


def vague(symbols: Sequence[Token], first: int, last: int) -> str:
    """What stands for many values among the symbols, such as ``O``; empty where nothing does."""
    names = (head.rsplit(maxsplit=1)[-1] for _, head, _ in _applications(symbols[first:last]))
    return next((name for name in names if name in _MANY), "")


def _scripts(symbols: Sequence[Token], at: int, last: int, marks: str) -> int:
    """After a subscript, a superscript and primes; a second one is an error in LaTeX."""
    while at < last and (mark := symbols[at].text) in tuple(marks):
        at += 1
        if mark == "'":
            continue
        marks = marks.replace(mark, "")
        if at < last and symbols[at].text == "{":
            at = _closed(symbols, at, last) or last
        else:
            at += 1
    return at


def _closed(symbols: Sequence[Token], opening: int, last: int) -> int | None:
    """After the bracket that closes the one here; None where none does, or too many stand in each other."""
    found = closing(symbols, opening, last)
    return None if found is None else found + 1


def _operator(source: str, symbols: Sequence[Token], start: int, last: int) -> Opaque | None:
    """A sum, an integral, an optimum: to the end of its product, if nothing after it might belong to it."""
    at, bars = _scripts(symbols, start + 1, last, "_^"), _open_bars(symbols, start)
    if symbols[start].text in _INTEGRALS:
        past = _past_differentials(symbols, start, last)
        return None if past is None else _made(source, symbols, start, _product(symbols, past, last, bars), "val")
    bound = _bound(symbols, start + 1, at)
    stop = rest = _product(symbols, at, last, bars)
    if stop == at:
        return None
    while rest < last and symbols[rest].text in ("+", "-"):
        begin, rest = rest, _product(symbols, rest + 1, last, bars)
        if _mentions(symbols, begin, rest, bound):  # does it belong to the body? one quantity with it either way
            stop = rest
    first = start == 0 or symbols[start - 1].text in {*_OPENERS, "{", "+", ",", "row", "", *_RELATIONS}
    ends_there = stop == _product(symbols, at, last, bars)
    if not first and not ends_there:
        return None
    head, part = symbols[start].text, symbols[start + 1 : stop]
    drawn = _is_drawn(_without_probabilities(part))
    shape = ranged_shape(head, _words(source, part)) if head in _RANGING and not drawn else None
    return _made(source, symbols, start, stop, "val", shape)


def _mentions(symbols: Sequence[Token], start: int, stop: int, letters: set[str]) -> bool:
    """Whether one of the letters stands there, outside of operators that bind it anew."""
    at = start
    while at < stop:
        if symbols[at].text in _OPERATORS:
            inner = _scripts(symbols, at + 1, stop, "_^")
            letters = letters - _bound(symbols, at + 1, inner)
        elif symbols[at].text in letters:
            return True
        at += 1
    return False


def _bound(symbols: Sequence[Token], start: int, stop: int) -> set[str]:
    r"""The letters that may be bound by what stands below an operator: ``i=1``, ``x \in S``, ``0 \le t < T``."""
    if start >= stop or symbols[start].text != "_":
        return {t.text for t in symbols[start:stop] if t.kind in ("letter", "command")}
    end = _scripts(symbols, start, start + 2, "_") if symbols[start + 1].text != "{" else None
    end = end or _closed(symbols, start + 1, stop) or stop
    parts: list[list[str]] = [[]]
    for token in symbols[start + 1 : end]:
        if token.text in _BINDING:
            break
        if token.text in _ORDERING:
            parts.append([])
        elif token.kind in ("letter", "command"):
            parts[-1].append(token.text)
    return set(parts[1]) if len(parts) == 3 else {letter for part in parts for letter in part}


def _product(symbols: Sequence[Token], at: int, last: int, around: set[str]) -> int:
    """Where the product ends that starts here: bars that open in it are closed in it, others close those around it."""
    bar, first, stop = -1, at, last
    for n in outside(symbols, at, last):
        text = symbols[n].text
        if symbols[n].kind == "row" or text in ENDS or (bar < 0 and (text in _AFTER or (n > first and text in around))):
            stop = n
            break
        if text in ("|", r"\|"):
            bar = -1 if bar >= 0 else n
    return stop if bar < 0 else bar


def _open_bars(symbols: Sequence[Token], at: int) -> set[str]:
    """The bars that are open here, in the brackets around the place."""
    depth, found = 0, set[str]()
    for index in range(at - 1, -1, -1):
        text = symbols[index].text
        depth += (text in ENDS) - (text in CLOSERS)
        if depth < 0 or symbols[index].kind == "row":
            break
        if depth == 0 and text in ("|", r"\|"):
            found ^= {text}
    return found


def _past_differentials(symbols: Sequence[Token], start: int, last: int) -> int | None:
    """After as many differentials as there are integral signs; what is added before them belongs to the integral."""
    missing = 0
    for at in outside(symbols, start, last):
        token = symbols[at]
        missing += _INTEGRALS.get(token.text, 0)
        if token.text in ENDS or token.kind == "row" or token.text in _RELATIONS:
            return None
        following = symbols[at + 1] if at + 1 < last else token
        missing -= is_d(token) and (following.kind == "letter" or following.text[1:] in (*GREEK, *ACCENTS))
        if missing == 0:
            return at + 2
    return None


def _barred(symbols: Sequence[Token], start: int, last: int, closer: str) -> int | None:
    """After the bar that closes the one here: bars without a direction only where there are no others."""
    at = next((n for n in outside(symbols, start + 1, last) if symbols[n].text in (closer, "row", *ENDS)), start + 1)
    others = closer == "|" and any(t.text == "|" for t in (*symbols[:start], *symbols[at + 1 :]))
    return at + 1 if at > start + 1 and symbols[at].text == closer and not others else None


def _kind(head: str, token: Token, inside: Sequence[Token]) -> str | None:
    texts = [t.text for t in inside]
    parallel = texts.count(r"\|") + sum(a == b == "|" for a, b in pairwise(texts)) == 1
    word = token.kind != "letter"
    if head in _PROBABILITY and (head != "P" or word or _RELATING & set(texts)):
        return "prob" if _is_event(inside) else "size"  # Pr[X = x] and P(y | x) might be densities
    if head in _MEAN:
        return "mean"
    if head in _SPREAD:
        return "size"
    if head in _ONE and token.text in (r"\mathbb", r"\mathbf", r"\mathds"):
        return "one" if _is_fixed_event(inside) else None
    if head in _DIVERGENCES and parallel:
        return "div"
    if head in ("KL", "TV"):
        return "div"
    head = head.rsplit(maxsplit=1)[-1].lstrip("\\")
    if head in _MANY or not texts or head in WORDS or head in PROSE or not head.isalnum():
        return None
    one = head in GREEK or len(head) == 1
    return "val" if one and head not in DRAWN else "draw"


def _is_event(inside: Sequence[Token]) -> bool:
    """Whether a set or a relation other than an equation stands there, or a capital or a word as its name."""
    texts = _outside_scripts(inside)  # \\sum_{i=1}^n is no equation
    named = any(t.kind == "text" or (t.kind == "letter" and t.text.isupper()) for t in inside)
    return "=" not in texts and (bool(_RELATING & texts - {r"\mid"}) or (named and "(" not in texts))


def _outside_scripts(part: Sequence[Token]) -> set[str]:
    """What stands in it, but not in a group below or above something."""
    found, at = set[str](), 0
    while at < len(part):
        found.add(part[at].text)
        script = part[at].text in ("_", "^") and at + 1 < len(part) and part[at + 1].text == "{"
        at = (_closed(part, at + 1, len(part)) or len(part)) if script else at + 1
    return found


def _is_drawn(part: Sequence[Token]) -> bool:
    """Whether something may be drawn in it: what a capital or a word is applied to, with any accents and scripts."""
    for at, head, _ in _applications(part):
        name = head.rsplit(maxsplit=1)[-1].lstrip("\\")
        is_word = len(name) > 1 and name not in GREEK and name not in WORDS and head not in _TAKING
        if head not in _SENSITIVITIES and (name in DRAWN or part[at].kind == "text" or is_word):
            return True
    return False


def _without_probabilities(part: Sequence[Token]) -> list[Token]:
    r"""What is drawn inside of ``\Pr[…]`` is no draw outside of it."""
    found, at = list[Token](), 0
    while at < len(part):
        head, after = _head(part, at)
        opening = _scripts(part, after, len(part), "_")
        inside = head in _PROBABILITY and opening < len(part) and part[opening].text in _OPENERS
        stop = _closed(part, opening, len(part)) if inside and part[at].kind != "letter" else None
        found += [] if stop is not None else [part[at]]
        at = at + 1 if stop is None else stop
    return found


def _words(source: str, part: Sequence[Token]) -> list[str]:
    """Its symbols as they are written; several indices, ``x_{ijk}``, apart."""
    found, below = list[str](), False
    for t in part:
        if t.text == "&" or t.kind in ("gap", "row"):
            continue
        if t.kind == "unread":
            found.append(source[t.position : t.end])
        elif below and t.value and subscripts(f"_{t.value}") != {t.value}:
            found += t.value
        else:
            dot = t.written in (r"\cdot", r"\times") and found[-1:] in (["^"], ["_"], ["{"])  # above, and no star
            word = r"\operatorname" if f"{bare(t.value)}_" in _SENSITIVITIES else t.text  # one name in any upright font
            star = t.written == r"\star"  # another operation than a product
            found.append(f"{word}{{{t.value}}}" if t.value else t.written if dot or star else t.text)
        below = t.text == "_" or (below and t.text == "{")
    return found


def _made(
    source: str, symbols: Sequence[Token], start: int, stop: int, kind: str, shape: Shape | None = None
) -> Opaque:
    part = symbols[start:stop]
    words = _words(source, part)
    letters = {t.text.lstrip("\\") for t in part if t.kind in ("letter", "command")} | {bare(t.value) for t in part}
    key = " ".join(normal(words)) if shape is None else shape.text
    place, anew = f" at {start}, {symbols[start].position}", frozenset[str]()
    if kind in ("val", "norm", "size"):
        drawn = not (shape and shape.ranges) and _is_drawn(_without_probabilities(part)[1:])
        key += place if drawn else ""  # another quantity at each place
        anew = frozenset(_applied_anew(_without_probabilities(part)))
    letters = letters.union(map(canonical, letters)) - {""}
    return Opaque(start, stop, kind, " ".join(words), frozenset(letters), key, shape, anew=anew, place=place)


def _applied_anew(part: Sequence[Token]) -> Iterator[str]:
    """What is applied to something, as it is written, and the commands that only the paper knows."""
    yield from (t.text for at, t in enumerate(part) if is_own(t) and not _is_marked(part, at))
    for at, head, opening in _applications(part):
        if not (head in WORDS or head in _TAKING or is_own(part[at]) or _is_marked(part, at)):
            yield " ".join(f"{t.text}{{{t.value}}}" if t.value else t.text for t in part[at:opening])
