r"""What is not understood but has a kind becomes a named quantity: ``\Pr[M(x) \in S]``, ``\|g\|_2``, ``f(x)``.

The grammar says where it understands nothing more, and the innermost quantity around that place gets a name.  How far
it reaches is found by its brackets alone: what stands in them may be no formula, and is no part of the notation.

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
from dpsym.language.latex.cursor import CLOSERS, ENDS, is_balanced
from dpsym.language.latex.cursor import outside as places
from dpsym.language.latex.functions import LETTERS, WORDS
from dpsym.language.latex.names import PROSE, bare
from dpsym.language.latex.shapes import (
    BRACKETS,
    CHANCES,
    PROBABILITIES,
    Applied,
    Shape,
    Words,
    after_bars,
    after_group,
    after_scripts,
    applied_at,
    closed,
    content,
    head_at,
    is_marked,
    is_own,
    normal,
    ranged_shape,
    shape_of,
    split_at,
    unwrapped,
)  # fmt: skip
from dpsym.language.latex.tokens import Token
from dpsym.language.names import ACCENTS, GREEK, canonical, subscripts

KINDS: dict[str, tuple[int | None, int | None]] = {  # with the least and the greatest value
         "prob": (0, 1), "mean": (None, None), "div": (0, None), "dist": (None, None), "norm": (0, None),
         "size": (0, None), "val": (None, None), "draw": (None, None), "one": (0, 1)}  # fmt: skip
_NOT_NEGATIVE = {"Var", "Vol", "GS_", "LS_"}
_DIVERGENCES = {"D", "KL", "TV", "RD", "SD", "d"}
_MANY = {"O", "o", "Omega", "omega", "Theta", "poly", "polylog", "negl"}
_TAKING = {*CHANCES, *_NOT_NEGATIVE, *_DIVERGENCES, *_MANY}  # whose brackets draw nothing
_WITH_POLES = {letter for letter, name in LETTERS.items() if name == "gamma"}  # such a value may be no number
_NAMED_OPERATORS = {"sup", "inf", "max", "min", "argmax", "argmin", "ess sup", "esssup", "maximize"}
_INTEGRALS = {r"\int": 1, r"\iint": 2, r"\oint": 1}
_RELATIONS = {":=", "=", "<", ">", r"\le", r"\ge", r"\ne", r"\approx", r"\sim", r"\lesssim", r"\gtrsim", r"\propto",
              r"\implies", r"\iff", r"\impliedby"}  # fmt: skip
_APART = {"row", r"\quad", ""}  # what stands between lines, and at the end
_AFTER = {"+", "-", ",", ";", "&", *_RELATIONS}
_DRAWING = {r"\sim", r"\gets", r"\leftarrow", r"\mathcal", r"\mathscr"}
_BEFORE_A_GROUP = {*_AFTER, "*", "/", "(", "[", r"\{", r"\in", r"\notin", r"\cap", r"\cup", r"\setminus", r"\mid"}
_OPERATORS = {r"\sum", r"\prod", *_INTEGRALS, r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\limsup", r"\liminf"}
_BINDING = {"=", r"\in", r"\sim", ":", r"\subset", r"\subseteq", r"\to", r"\gets", r"\leftarrow"}  # after the bound
_ORDERING = {"<", ">", r"\le", r"\ge", r"\ne"}
_RELATING = {r"\cap", r"\cup", r"\setminus", r"\in", r"\notin", "=", *_ORDERING, r"\mid", r"\wedge", r"\land"}
_LETTERS = re.compile("[A-Za-z]+")
_APPLIED = re.compile(r"\)(?: _ .*)?$")
_SUBSCRIPTED = re.compile(r"(?<![A-Za-z])[a-z]{3,4}(?=\s*[_}])")  # in a macro or where it stands


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
    is_raised: bool = False  # with a superscript: the approximate maximum divergence may be negative
    anew: frozenset[str] = frozenset()
    place: str = ""
    functions: frozenset[str] = frozenset()  # those letters, with brackets, if they are guessed to be functions
    index: str = ""  # of a family, one for each value of the index

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest value that a quantity of this kind may have."""
        return KINDS[self.kind]

    @property
    def may_be_infinite(self) -> bool:
        """Whether it is a divergence or an expectation, or a sum or an extreme of such."""
        unbounded = self.kind == "val" and of_unbounded(tuple(self.text.split(" ")))
        return unbounded or self.kind in ("div", "dist", "mean")

    @property
    def is_applied(self) -> bool:
        """Whether it is the value of something at something, ``f(x)``, or a component of one."""
        applied = self.kind in ("val", "draw", "div", "dist") and _APPLIED.search(self.text) is not None
        return applied and self.text.split()[0] not in _OPERATORS

    @property
    def is_component(self) -> bool:
        """Whether it is a component of such a value, ``f(x)_i``: a number, where f is a vector."""
        return self.is_applied and not self.text.endswith(")")


def of_unbounded(words: Words) -> bool:
    """Whether a divergence or an expectation may stand among the symbols."""
    contents = [content(word).lstrip("\\") for word in words]
    bars = r"\|" in words or ("|", "|") in pairwise(words)
    divergence = any(w in _DIVERGENCES - {"d"} and b in ("_", "^", *BRACKETS) for w, b in pairwise(contents))
    return "E" in contents or (divergence and bars) or not {"KL", "TV"}.isdisjoint(contents)


def spelled_like_quantities(source: str) -> set[str]:
    r"""Names such as ``\mathrm{val}_1`` that a text with these words and digits might have for something else."""
    runs = set(re.findall(r"\d+", source, re.ASCII))
    numbers = {str(int(n)) for n in runs.union(*runs) if len(n) < 7}  # each digit, too: a subscript may be one of them
    words = set(_SUBSCRIPTED.findall(source))
    return {f"{kind}_{n}" for kind in KINDS if kind in words for n in numbers}


# --- quantities among symbols
def around(
    source: str, symbols: Sequence[Token], first: int, last: int, position: int, named: Container[int] = ()
) -> Opaque | None:
    """The innermost quantity between two symbols around a position of the source that can be named, and is not yet."""
    display = _Display(source, symbols, last)
    for start in range(last - 1, first - 1, -1):
        if symbols[start].position <= position and start not in named:
            one = display.at(start)
            if one is not None and symbols[one.stop - 1].end > position:
                return one if is_balanced(display.words[start : one.stop]) else None
    return None


def all_applied(source: str, symbols: Sequence[Token], heads: Set[str]) -> Iterator[Opaque]:
    """The values of what is applied elsewhere in the document."""
    display = _Display(source, symbols, len(symbols))
    for start in range(len(symbols)):
        if head_at(display.words, start)[0] in heads:
            one = display.at(start)
            if one is not None and one.kind == "val":
                yield one


def as_product(source: str, symbols: Sequence[Token], one: Opaque) -> tuple[Opaque, Opaque] | None:
    """The two factors that a value may be, where that makes a difference: as the base of a power, below a slash.

    A product of what stands before the bracket and what stands in it may be read as a value anywhere else: nothing is
    used of either.
    """
    display, words = _Display(source, symbols, 0), tuple(map(_word, symbols[one.start : one.stop]))
    applied = applied_at(words, 0) if one.kind in ("val", "draw") else None
    if applied is None or applied.end != len(words) or {",", ";"} & set(applied.inside):
        return None
    before = content(display.before(one.start)).lstrip("\\")
    if before not in ("/", "sqrt", *WORDS) and display.after(one.stop) not in ("^", "!"):
        return None
    opening = one.stop - len(applied.inside) - 2
    return display.made(one.start, opening, "val"), display.made(opening, one.stop, "val")


def applied(symbols: Sequence[Token]) -> set[str]:
    """What is applied to one thing or to several, such as ``f(x)`` and ``g(x, y')``: what stands before sums is not."""
    words = tuple(map(_word, symbols))
    return {
        one.name for start, one in _applications(words)
        if one.opener == "(" and not is_marked(words, start) and _kind(one) == "val" and _is_list(one.inside)
    }  # fmt: skip


def _is_list(words: Words) -> bool:
    """Whether it is one thing or several with commas between them, each a symbol with accents and scripts."""
    parts = split_at(words, {","})
    return all(part and after_scripts(part, max(1, head_at(part, 0)[1]), "_^'") == len(part) for part in parts)


def vague(symbols: Sequence[Token], first: int, last: int) -> str:
    """What stands for many values among the symbols, such as ``O``; empty where nothing does."""
    words = tuple(w for w in map(_word, symbols[first:last]) if w not in ("{", "}"))
    return next((one.letter for _, one in _applications(words) if one.letter in _MANY), "")


# --- symbols as words
def _word(token: Token) -> str:
    return f"{token.text}{{{token.value}}}" if token.kind == "text" else token.text


def _applications(words: Words) -> Iterator[tuple[int, Applied]]:
    """Where something stands before a bracket."""
    for start in range(len(words)):
        if (one := applied_at(words, start)) is not None:
            yield start, one


def _kind(one: Applied) -> str | None:
    """What it is, by its name and what stands in the brackets; None for what has no value."""
    inside, letter = set(one.inside), one.font == r"\mathit"
    bars = one.inside.count(r"\|") + [*pairwise(one.inside)].count(("|", "|"))
    if one.chance in PROBABILITIES or (letter and one.name == "P" and _RELATING & inside):
        return "prob" if _is_event(one.inside) else "size"  # Pr[X = x] and P(y | x) might be densities
    if one.chance == "E":
        return "mean"
    if one.name in _NOT_NEGATIVE:
        return "size"
    if one.name == "1" and one.font in (r"\mathbb", r"\mathbf", r"\mathds"):
        return "one" if _is_fixed_event(one.inside) else None
    if one.name in ("KL", "TV") or (one.name in _DIVERGENCES and bars == 1):
        return "div"
    if one.letter in (*_MANY, *WORDS, *_WITH_POLES, *PROSE) or not inside or not one.letter.isalnum():
        return None
    return "val" if (one.letter in GREEK or len(one.letter) == 1) and one.letter not in DRAWN else "draw"


def _is_event(words: Words) -> bool:
    """Whether a set or a relation other than an equation stands there, or a capital or a word as its name."""
    texts = set(_without_scripts(words))  # \\sum_{i=1}^n is no equation
    named = any(content(w) != w or (len(w) == 1 and w.isupper()) for w in words)
    return "=" not in texts and (bool(_RELATING & texts - {r"\mid"}) or (named and "(" not in texts))


def _without_scripts(words: Words) -> Iterator[str]:
    at = 0
    while at < len(words):
        yield words[at]
        script = words[at] in ("_", "^") and words[at + 1 : at + 2] == ("{",)
        at = after_group(words, at + 1) if script else at + 1


def _is_fixed_event(inside: Words) -> bool:
    r"""Whether it is a membership or a relation in which nothing may be drawn anew, as by ``\mathcal{M}(x)``."""
    applied = any(b in BRACKETS and a not in _BEFORE_A_GROUP for a, b in pairwise(inside))
    named = any(w in DRAWN or content(w) != w or w[1:] in ACCENTS for w in inside)
    law = any(w in _DRAWING or names_a_law(content(w)) for w in inside)
    return bool(_RELATING.intersection(inside)) and not (law or (applied and named))


def _is_drawn(words: Words) -> bool:
    """Whether something may be drawn there: what a capital or a word is applied to, with any accents and scripts."""
    for _, one in _applications(words):
        is_word = len(one.letter) > 1 and one.letter not in (*GREEK, *WORDS) and one.name not in _TAKING
        is_word = is_word or (one.is_word and one.letter not in WORDS)
        if one.name not in _NOT_NEGATIVE and (one.letter in DRAWN or is_word):
            return True
    return False


def _without_probabilities(words: Words) -> Words:
    r"""What is drawn inside of ``\Pr[…]`` is no draw outside of it."""
    found, at = list[str](), 0
    while at < len(words):
        one = applied_at(words, at)
        if one is not None and one.chance in PROBABILITIES:
            at = one.end
        else:
            found.append(words[at])
            at += 1
    return tuple(found)


def _applied_anew(words: Words) -> Iterator[str]:
    """What is applied to something, as it is written, and the commands that only the paper knows."""
    yield from (w for at, w in enumerate(words) if is_own(w) and not is_marked(words, at))
    for at, one in _applications(words):
        draws = one.name not in _TAKING or _kind(one) in ("val", "draw")  # D(x) is no divergence
        if draws and not (one.name in WORDS or is_own(words[at]) or is_marked(words, at)):
            yield " ".join((*one.head, *one.scripts))


def _mentions(words: Words, letters: set[str]) -> bool:
    """Whether one of the letters stands there, outside of operators that bind it anew."""
    for at, word in enumerate(words):
        if word in _OPERATORS:
            letters = letters - _bound(words[at + 1 : after_scripts(words, at + 1, "_^")])
        elif word in letters:
            return True
    return False


def _bound(scripts: Words) -> set[str]:
    r"""The letters that may be bound by what stands below an operator: ``i=1``, ``x \in S``, ``0 \le t < T``."""
    below = unwrapped(scripts[1 : after_group(scripts, 1)]) if scripts[:1] == ("_",) else scripts
    parts: list[list[str]] = [[]]
    for word in below:
        if word in _BINDING and scripts[:1] == ("_",):
            break
        if word in _ORDERING and scripts[:1] == ("_",):
            parts.append([])
        elif word[:1].isalpha() or word[1:2].isalpha():
            parts[-1].append(word)
    return set(parts[1]) if len(parts) == 3 else {letter for part in parts for letter in part}


class _Display:
    """The symbols of a display up to the `last`, as words, in which quantities are found."""

    def __init__(self, source: str, symbols: Sequence[Token], last: int) -> None:
        self.source, self.symbols = source, symbols
        self.words = tuple(map(_word, symbols[:last]))

    def before(self, at: int) -> str:
        """What stands before the place."""
        return _word(self.symbols[at - 1]) if at else "row"

    def after(self, at: int) -> str:
        """What stands at the place, which may be after the last symbol of interest."""
        return _word(self.symbols[at]) if at < len(self.symbols) else "row"

    def at(self, start: int) -> Opaque | None:
        """The quantity that starts here."""
        words, word = self.words, self.words[start]
        if is_marked(words, start):
            return None
        if word in (r"\|", "|"):
            stop = after_bars(words, start)
            if stop is None or word == r"\|":
                return None if stop is None else self.made(start, stop, "norm")
            others = any(t.text == "|" for t in (*self.symbols[:start], *self.symbols[stop:]))
            return None if others else self.made(start, stop, "size")  # bars may be paired in two ways
        if word == r"\lvert":
            stop = closed(words, start)
            empty = stop is None or stop == start + 2 or words[stop - 1] != r"\rvert"
            return None if stop is None or empty else self.made(start, stop, "size")
        if word in _OPERATORS or (content(word) != word and content(word) in _NAMED_OPERATORS):
            return self._operator(start)
        name, after = head_at(words, start)
        if (brace := self._event_below(start, name, after)) is not None:
            stop = after_group(words, brace)
            return self.made(start, stop, "one", shape_of("1", [], self.spelled(brace + 1, stop - 1)))
        one = applied_at(words, start) or self._mean(start, name, after)
        if one is None and name and is_own(word):  # \payload{k}
            stop = after_scripts(words, after, "_^'")
            return self.made(start, stop, "val") if self._stands_apart(start, stop) else None
        kind = None if one is None else _kind(one)
        return None if one is None or kind is None else self._value(start, one, kind)

    def _value(self, start: int, one: Applied, kind: str) -> Opaque | None:
        """What is applied, of this kind; no expectation of what may reach further."""
        bracketed = one.opener in BRACKETS
        if kind == "mean" and one.opener not in ("[", r"\{") and not self._ends(one.end, bracketed=one.opener == "("):
            return None
        below, opening = start + len(one.head), one.end - len(one.inside) - 2 * bracketed
        braced = one.scripts[:2] == ("_", "{") and one.scripts[-1] == "}"
        law = self.spelled(below + (2 if braced else one.scripts[:1] == ("_",)), opening - braced)
        inside = self.spelled(opening + bracketed, one.end - bracketed)
        has_shape = one.chance and (one.chance, one.font, one.opener) != ("E", r"\mathit", "(")
        below_it = self.words[one.end + 1 : after_scripts(self.words, one.end, "_")]
        signed = unwrapped(below_it)[:1] in (("+",), ("-",)) or below_it[1:2] in (("+",), ("-",))  # f(x)_+
        component = kind in ("val", "draw") and self.words[one.end : one.end + 1] == ("_",) and not signed
        stop = after_scripts(self.words, one.end, "_^") if component else one.end  # F(x)_a^b is no power
        stop = one.end if self.words[stop : stop + 1] and self.words[stop] in BRACKETS else stop  # f(x)_i(y)
        made = self.made(start, stop, kind, shape_of(one.chance, law, inside, one.font) if has_shape else None)
        return replace(made, order=" ".join(law), is_raised="^" in one.scripts) if kind == "div" else made

    def _event_below(self, start: int, name: str, after: int) -> int | None:
        r"""Where the brace of ``1_{x \in S}`` opens, and of ``\mathbf{1}_{X > t}``; None for anything else."""
        words, at = self.words, start + 1 if self.words[start] == "1" else after
        if (self.words[start] != "1" and name != "1") or words[at : at + 2] != ("_", "{"):
            return None
        return at + 1 if _is_fixed_event(words[at + 2 : after_group(words, at + 1)]) else None

    def _mean(self, start: int, name: str, after: int) -> Applied | None:
        r"""An expectation without brackets: ``\mathbb{E} X``."""
        words, opening = self.words, after_scripts(self.words, after, "_^'")
        head = Applied(name, words[start:after], words[after:opening], "", (), opening) if name else None
        if head is None or head.chance != "E" or head.font == r"\mathit" or opening >= len(words):
            return None
        stop = None if _is_number(words[opening]) else self._factor(opening)
        return None if stop is None else head._replace(opener=words[opening], inside=words[opening:stop], end=stop)

    def _factor(self, start: int) -> int | None:
        """After a name, a function with its argument, a fraction or a group, with its scripts; None for a product."""
        words, word = self.words, self.words[start]
        if word in _AFTER or word in _OPERATORS or word in ENDS:
            return None
        command = word[:1] == "\\" and word[1:].isalpha()
        at = max(head_at(words, start)[1], start + (command or _is_number(word)))
        while words[at : at + 1] == ("{",) and (command or at == start):
            at = after_group(words, at)
        scripts, at = at, after_scripts(words, at, "_^'")
        if start < at < len(words) and words[at] in BRACKETS:
            multiplies = _is_number(word) or word in CLOSERS or "^" in words[scripts:at]
            return None if multiplies else closed(words, at)
        return at if at > start else None

    def _ends(self, at: int, *, bracketed: bool) -> bool:
        """Whether a product ends here; after a bracket one may go on with a sign."""
        word = self.words[at] if at < len(self.words) else ""
        marks = {*_APART, ".", "|", r"\|", r"\mid", r"\over", *(("*", "/") if bracketed else ())}
        return word in _AFTER or word in ENDS or word in marks

    def _stands_apart(self, start: int, stop: int) -> bool:
        """Whether no factor stands beside it: a command that nobody knows might be a sign."""
        signs = {*_AFTER, "*", "/", "row", "", ".", "|", r"\|"}
        return self.before(start) in signs | CLOSERS.keys() and self.after(stop) in signs | ENDS

    def _operator(self, start: int) -> Opaque | None:
        """A sum, an integral, an optimum: to the end of its product, if nothing after it might belong to it."""
        words, word = self.words, self.words[start]
        at, bars = after_scripts(words, start + 1, "_^"), self._open_bars(start)
        if word in _INTEGRALS:
            past = self._past_differentials(start)
            return None if past is None else self.made(start, self._product(past, bars), "val")
        bound, end = _bound(words[start + 1 : at]), self._product(at, bars)
        stop = rest = end
        while words[rest : rest + 1] in (("+",), ("-",)):
            begin, rest = rest, self._product(rest + 1, bars)
            if _mentions(words[begin:rest], bound):  # does it belong to the body? one quantity with it either way
                stop = rest
        first = self.before(start) in {*BRACKETS, "{", "+", ",", "row", "", *_RELATIONS}
        if end == at or (stop > end and not first):
            return None
        ranging = word in (r"\sum", r"\max", r"\min") and not _is_drawn(_without_probabilities(words[start + 1 : stop]))
        shape = ranged_shape(word, self.spelled(start + 1, stop)) if ranging else None
        return self.made(start, stop, "val", shape)

    def _product(self, at: int, around: set[str]) -> int:
        """Where the product ends that starts here: bars that open in it are closed in it, others close those around."""
        bar, stop = -1, len(self.words)
        for n in places(self.words, at):
            word = self.words[n]
            if word == "row" or word in ENDS or (bar < 0 and (word in _AFTER or (n > at and word in around))):
                stop = n
                break
            if word in ("|", r"\|"):
                bar = -1 if bar >= 0 else n
        return stop if bar < 0 else bar

    def _open_bars(self, at: int) -> set[str]:
        """The bars that are open here, in the brackets around the place."""
        depth, found = 0, set[str]()
        for word in reversed(self.words[:at]):
            depth += (word in ENDS) - (word in CLOSERS)
            if depth < 0 or word == "row":
                break
            if depth == 0 and word in ("|", r"\|"):
                found ^= {word}
        return found

    def _past_differentials(self, start: int) -> int | None:
        """After as many differentials as there are integral signs; what is added before them belongs to it."""
        missing, words = 0, self.words
        for at in places(words, start):
            if words[at] in ENDS or words[at] == "row" or words[at] in _RELATIONS:
                return None
            of = words[at + 1] if at + 1 < len(words) else ""
            variable = (len(of) == 1 and of.isalpha()) or of[1:] in GREEK or of[1:] in ACCENTS
            missing += _INTEGRALS.get(words[at], 0) - (variable and content(words[at]) in ("d", r"\partial"))
            if missing == 0:
                return at + 2
        return None

    def spelled(self, start: int, stop: int) -> Words:
        """The symbols as they are written; several indices, ``x_{ijk}``, apart."""
        found, below = list[str](), False
        for t in self.symbols[start:stop]:
            if t.text == "&" or t.kind in ("gap", "row"):
                continue
            if t.kind == "unread":
                found.append(self.source[t.position : t.end])
            elif below and t.value and subscripts(f"_{t.value}") != {t.value}:
                found += t.value
            else:
                dot = t.written in (r"\cdot", r"\times") and found[-1:] in (["^"], ["_"], ["{"])  # above, and no star
                word = r"\operatorname" if f"{bare(t.value)}_" in _NOT_NEGATIVE else t.text  # in any upright font
                star = t.written == r"\star"  # another operation than a product
                found.append(f"{word}{{{t.value}}}" if t.value else t.written if dot or star else t.text)
            below = t.text == "_" or (below and t.text == "{")
        return tuple(found)

    def made(self, start: int, stop: int, kind: str, shape: Shape | None = None) -> Opaque:
        """The quantity from `start` up to `stop`."""
        part, spelled = tuple(map(_word, self.symbols[start:stop])), self.spelled(start, stop)
        letters = {content(w).lstrip("\\") for w in part if w != "unread" and (content(w) != w or w[-1:].isalpha())}
        unread = (t for t in self.symbols[start:stop] if t.kind == "unread")
        letters.update(*(_LETTERS.findall(self.source, t.position, t.end) for t in unread))
        key = " ".join(normal(spelled)) if shape is None else shape.text
        place, anew = f" at {start}, {self.symbols[start].position}", frozenset[str]()
        if kind in ("val", "norm", "size"):
            drawn = not (shape and shape.ranges) and _is_drawn(_without_probabilities(part)[1:])
            key += place if drawn else ""  # another one at each place
            anew = frozenset(_applied_anew(_without_probabilities(part)))
        letters |= set(map(canonical, letters))
        return Opaque(start, stop, kind, " ".join(spelled), frozenset(letters), key, shape, anew=anew, place=place)


def _is_number(word: str) -> bool:
    return word.lstrip(".")[:1].isdigit()
