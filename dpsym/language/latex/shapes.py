r"""How far something reaches in a list of symbols, and what is written inside of a quantity.

In ``\Pr_{Y \sim P}[Y \in S \mid A]`` a law, an event and a condition.  Events are Boolean combinations of atoms: a
bare event ``A``, a membership ``M(x) \in S``, a comparison ``X > t``, whose three outcomes are <, = and >.  Of an atom
only its text is known.  What can be read in two ways has no shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from dpsym.language.latex.cursor import CLOSERS, ENDS, closing
from dpsym.language.latex.cursor import outside as places
from dpsym.language.latex.functions import WORDS
from dpsym.language.latex.names import bare
from dpsym.language.latex.standard import STANDARD
from dpsym.language.names import ACCENTS, GREEK, canonical

MOST_WORDS = 300  # of an event that is taken apart
Words: TypeAlias = tuple[str, ...]  # the symbols of a text

BRACKETS = {"(", "[", r"\{"}  # what something is applied to
_FONTS = {"mathbb", "mathbf", "mathsf", "boldsymbol", "bm"}  # a letter in one is a letter, not an accented one
_PROBABILITY, _MEAN = {"Pr", "Prob", "pr", "prob", "P"}, {"E", "Ex", "EE"}
CHANCES = {*_PROBABILITY, *_MEAN, "Var", "1"}
PROBABILITIES = ("Pr", r"\mathbb P")
_SENSITIVITIES = {"GS", "LS"}  # with a subscript
_SIGNS = {"<": "<", ">": ">", r"\le": "<=", r"\ge": ">="}
_UNREAD = {
    "=", r"\ne", r"\approx", r"\to", r"\exists", r"\forall", ":", r"\sim", r"\implies", r"\iff",
    r"\subseteq", r"\subset", r"\bigcup", r"\bigcap", r"\atop", r"\equiv", r"\propto", r"\pm",
    r"\mathbf", r"\boldsymbol", r"\bm", r"\vec", r"\preceq", r"\succeq",
}  # fmt: skip
_AND, _OR = {",", ";", r"\land", "and"}, {r"\lor", r"\vee", "or"}
_SETS = {r"\cup": "or", r"\cap": "and", r"\setminus": "less"}
_COMPLEMENTS = (("c",), (r"\complement",), (r"\mathsf", "c"), (r"\mathrm{c}",))
_SPELLINGS = {r"\leftarrow": r"\sim", r"\gets": r"\sim", r"\lnot": r"\neg"}


# --- how far something reaches
def closed(words: Words, at: int) -> int | None:
    """After the bracket that closes the one here, or after the one symbol here; None where none does."""
    found = closing(words, at)
    return None if found is None else found + 1


def after_group(words: Words, at: int) -> int:
    """The same, or the end."""
    return closed(words, at) or len(words)


def outside(words: Words) -> list[str]:
    """What stands outside brackets."""
    return [words[n] for n in places(words)]


def split_at(words: Words, at: set[str]) -> Iterator[Words]:
    """The parts between these words outside brackets."""
    start = 0
    for n in places(words):
        if words[n] in at:
            yield words[start:n]
            start = n + 1
    yield words[start:]


def unwrapped(words: Words) -> Words:
    """Without the brackets around all of it."""
    return words[1:-1] if words[:1] in (("(",), (r"\{",), ("{",)) and is_group(words) else words


def is_group(words: Words) -> bool:
    """Whether its first symbol is a bracket that its last one closes, with something between them."""
    return len(words) > 2 and words[0] in CLOSERS and closed(words, 0) == len(words)


def after_bars(words: Words, at: int) -> int | None:
    r"""Where ``\|x - y\|_2`` or ``|x - y|`` ends that starts here; None where neither does."""
    bar = words[at] if words[at : at + 1] in ((r"\|",), ("|",)) else None
    closing = next((n for n in places(words, at + 1) if words[n] in (bar, "row", *ENDS)), None)
    if bar is None or closing is None or closing == at + 1 or words[closing] != bar:
        return None
    return after_scripts(words, closing + 1, "_") if bar == r"\|" else closing + 1


def after_scripts(words: Words, at: int, marks: str) -> int:
    """After the scripts with these marks, of which LaTeX takes one each, and any number of primes."""
    while at < len(words) and words[at] in tuple(marks):
        if words[at] == "'":
            at += 1
        elif at + 1 == len(words) or words[at + 1] in ENDS:
            break
        else:
            marks = marks.replace(words[at], "")
            at = after_group(words, at + 1) if words[at + 1] == "{" else at + 2
    return at


def content(word: str) -> str:
    r"""The word in ``\mathrm{KL}``; any other symbol as it is."""
    return bare(word[word.index("{") + 1 : -1]) if word[1:2].isalpha() and "{" in word and word[-1:] == "}" else word


def is_own(word: str) -> bool:
    """Whether it is a command that only the paper knows."""
    known = (GREEK, ACCENTS, STANDARD, WORDS)
    return word[:1] == "\\" and word[1:].isalpha() and not any(word[1:] in names for names in known)


def head_at(words: Words, at: int) -> tuple[str, int]:
    """The letter or word that stands here without its accents, and where it ends, without its scripts; or nothing."""
    word = words[at] if at < len(words) else ""
    name = word[1:]
    if name in ACCENTS and word[0] == "\\":
        end = closed(words, at + 1) if words[at + 1 : at + 2] == ("{",) else at + 2
        if end is None or end > len(words):
            return "", at
        inside = "".join(map(content, unwrapped(words[at + 1 : end])))
        return (inside if name in _FONTS else f"{name} {inside}"), end
    if word.endswith("}") and content(word) != word:
        below = "_" if content(word) in _SENSITIVITIES and words[at + 1 : at + 2] == ("_",) else ""
        return content(word) + below, at + 1
    if word == r"\Pr" or (word[:1] == "\\" and name in GREEK):
        return name, at + 1
    if is_own(word):
        end = at + 1
        while words[end : end + 1] == ("{",) and (after := closed(words, end)) is not None:  # its arguments
            end = after
        return name, end
    placed = word[:1] in ("@", "#") and name.isdigit()  # a bound variable
    return (word, at + 1) if placed or (len(word) == 1 and word.isalpha()) else ("", at)


def after_name(words: Words, at: int) -> int:
    """After the name that starts here, with its accents, subscripts and primes; `at` where none does."""
    name, end = head_at(words, at)
    gradient = words[at : at + 1] == (r"\nabla",)
    if not (name or gradient) or is_own(words[at]):
        return at
    end = after_scripts(words, end + gradient, "_'")
    return after_name(words, end) if gradient else end


def is_name(words: Words) -> bool:
    """Whether all of it is one name."""
    return bool(words) and after_name(words, 0) == len(words)


def is_marked(words: Words, start: int) -> bool:
    """Whether it is a script, or has an accent: a part of what stands before it."""
    return start > 0 and words[start - 1].lstrip("\\") in {*ACCENTS, "_", "^"}


class Applied(NamedTuple):
    r"""A name before something in brackets: ``\Pr_{Y \sim P}[Y \in S]``, ``f'(x)``."""

    name: str  # without accents
    head: Words  # as it is set
    scripts: Words
    opener: str
    inside: Words
    end: int

    @property
    def is_word(self) -> bool:
        """Whether the head is set upright."""
        return content(self.head[0]) != self.head[0]

    @property
    def letter(self) -> str:
        """Its name without accents."""
        return self.name.rsplit(maxsplit=1)[-1].lstrip("\\")

    @property
    def font(self) -> str:
        """How the head is set, where it is not upright; two fonts may be two laws."""
        word = self.head[0]
        return "" if self.is_word or word == r"\Pr" else word if word[0] == "\\" else r"\mathit"

    @property
    def law(self) -> Words:
        """What stands below it."""
        return unwrapped(self.scripts[1:]) if self.scripts[:1] == ("_",) else self.scripts

    @property
    def chance(self) -> str:
        r"""Pr, ``\mathbb P``, E, Var or 1, for probabilities, expectations, …; P and Q are letters; or nothing."""
        if self.font == r"\mathit":
            return self.name if self.name in ("E", "P", "Q") else ""
        if self.name in _PROBABILITY:
            return r"\mathbb P" if self.name == "P" else "Pr"
        return "E" if self.name in _MEAN else self.name if self.name in ("Var", "1") else ""


def applied_at(words: Words, at: int) -> Applied | None:
    """What is applied here to something in brackets."""
    name, end = head_at(words, at)
    opening = after_scripts(words, end, "_^'")
    if not name or words[opening : opening + 1] == () or words[opening] not in BRACKETS:
        return None
    after = closed(words, opening)
    if after is None:
        return None
    return Applied(name, words[at:end], words[end:opening], words[opening], words[opening + 1 : after - 1], after)


def normal(words: Sequence[str]) -> Words:
    """Without braces around single symbols in scripts and below accents, and with one spelling of each relation."""
    found: list[str] = []
    at = 0
    while at < len(words):
        word = _SPELLINGS.get(words[at], words[at])
        following = tuple(words[at + 1 : at + 2])
        if word == r"\not" and following == (r"\in",):
            word, at = r"\notin", at + 1
        found.append(word)
        takes = word in ("_", "^") or (word[:1] == "\\" and word[1:] in ACCENTS)
        alone = takes and following == ("{",) and tuple(words[at + 3 : at + 4]) == ("}",)
        if alone and (len(words[at + 2]) == 1 or not words[at + 2].isdigit()):  # x^12 is x^1 2
            found.append(words[at + 2])
            at += 3
        at += 1
    return tuple(found)


def spelled(words: Iterable[str]) -> set[str]:
    r"""The letters and names written there, however they are set: of ``\varepsilon_{\mathit{i}}`` epsilon and i."""
    return {canonical(content(word).lstrip("\\")) for word in words}


# --- events and shapes
class Atom(NamedTuple):
    """An "event" of which the name is known, something "in" a set, or two numbers that are "compared"."""

    kind: str
    first: Words
    second: Words = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An atom that has one of some values, or "not", "and", "or" of other events."""

    joint: str
    parts: tuple[Event, ...] = ()
    atom: Atom | None = None
    values: frozenset[str] = frozenset()

    def atoms(self) -> Iterator[Atom]:
        """Every atom in it."""
        if self.atom:
            yield self.atom
        for part in self.parts:
            yield from part.atoms()

    def stand_alone(self) -> Iterator[Atom]:
        """The bare events in it that are all of it, or of what is negated: these are no variables."""
        if self.atom is not None and self.atom.kind == "event":
            yield self.atom
        for part in self.parts:
            if self.joint == "not" or part.atom is None:
                yield from part.stand_alone()

    def beside_relations(self) -> Iterator[Atom]:
        r"""The bare events that are joined with a relation: in ``X, Y \in S`` X may be a variable, too."""
        if any(atom.kind != "event" for atom in self.atoms()):
            atoms = (part.atom for part in self.parts if self.joint != "not")
            yield from (atom for atom in atoms if atom is not None and atom.kind == "event")
        for part in self.parts:
            yield from part.beside_relations()

    def holds(self, values: Mapping[Atom, str]) -> bool:
        """Whether it holds where the atoms have these values."""
        if self.atom:
            return values[self.atom] in self.values
        found = (part.holds(values) for part in self.parts)
        return not next(found) if self.joint == "not" else all(found) if self.joint == "and" else any(found)


def outcomes(atom: Atom) -> str:
    """The values that an atom may have."""
    return "<=>" if atom.kind == "compared" else "01"


@dataclass(frozen=True, slots=True)
class Shape:
    r"""A probability or an expectation as it is written, its bound variables renamed.

    Attributes:
        head: Pr, E, Var, or the letter of a measure.
        law: what stands below it; quantities of one head and law are of one distribution.
        body: what stands in the brackets before a condition.
        condition: what stands after the bar.
        event, given: both as events, where they can be read.
        ranges: of a sum or an extreme the variables in the body, and over what each goes: ``\in S`` or ``= 1 \dots n``.
        font: how the head is set; two fonts may be two laws.
    """

    head: str
    law: str
    body: Words
    condition: Words = ()
    event: Event | None = None
    given: Event | None = None
    ranges: tuple[tuple[str, Words], ...] = ()
    font: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        given = (r"\mid", *self.condition) if self.condition else ()
        return " ".join((self.font, self.head, "_", "{", self.law, "}", "[", *self.body, *given, "]"))


def shape_of(head: str, below: Sequence[str], body: Sequence[str], font: str = "") -> Shape | None:
    """The shape of what is written so; None where the bars in it can be paired in two ways."""
    law, inside = _renamed(normal(below), normal(body))
    bars = {r"\mid"} if r"\mid" in inside else {"|"} if outside(inside).count("|") % 2 else set[str]()
    parts = list(split_at(inside, bars))
    if len(parts) > 2 or not all(parts):
        return None
    condition = parts[1] if len(parts) == 2 else ()
    read = head not in ("E", "Var") and len(inside) <= MOST_WORDS
    event, given = events_of(parts[0], condition) if read else (None, None)
    return Shape(head, " ".join(law), parts[0], condition, event, given, font=font)


def events_of(body: Words, condition: Words) -> tuple[Event | None, Event | None]:
    """What happens, and on which condition, where both can be read."""
    event, given = event_of(body), event_of(condition) if condition else None
    certain = event is not None and (not condition or (given is not None and not _drawn_twice([body, condition])))
    return (event, given) if certain else (None, None)


def range_of(words: Words) -> tuple[str, Words] | None:
    r"""``y \in S`` as the variable and what it goes over; None for anything else."""
    over = words[2:]
    if not over or words[1] != r"\in" or not _is_variable(words[0]) or words[0] in over:
        return None
    counted = over[0] == "[" and len(over) == 3 and (over[1].isdigit() or over[1].islower())
    if counted:
        return words[0], ("=", "1", r"\dots", over[1])
    in_script = over[0] in (r"\mathcal", r"\mathbb", r"\mathscr") and over[1:2] != () and over[1].isupper()
    named = is_name(over) and (over[0].isupper() or over[0] == r"\Omega" or in_script)
    return (words[0], (r"\in", *over)) if named else None


def _is_variable(word: str) -> bool:
    return (len(word) == 1 and word.isalpha()) or (word[0] == "\\" and word[1:].islower() and word[1:].isalpha())


def ranged_shape(head: str, words: Sequence[str]) -> Shape | None:
    r"""The shape of ``\sum_{y \in S} f(y)``, after its sign, and of sums of sums; None for what might reach further."""
    rest, ranges = normal(words), list[tuple[str, Words]]()
    while not ranges or rest[:1] == (r"\sum",) == (head,):
        rest = rest[1:] if ranges else rest
        if rest[:1] != ("_",) or len(rest) > MOST_WORDS:
            return None
        end = after_group(rest, 1)
        below, rest = rest[2 : end - 1], rest[end:]
        if rest[:1] == ("^",) and "=" in below:
            end = after_group(rest, 1)
            upper = unwrapped(rest[1:end])
            ranges.append((below[0], (*below[1:], r"\dots", *upper)))
            rest = rest[end:]
        else:
            found = [range_of(part) for part in split_at(below, {","})]
            ranges += [one for one in found if one is not None]
            if None in found:
                return None
    names = [name for name, _ in ranges]
    bare = is_group(rest) or after_bars(rest, 0) == len(rest) or not {"+", "-"} & set(outside(rest))
    within = {w for _, over in ranges for w in over}
    distinct = len(set(names)) == len(names) and not within & set(names) and all(map(_is_variable, names))
    if not rest or not bare or not distinct or (_UNREAD | _SIGNS.keys() | {r"\in"}) & set(outside(rest)):
        return None
    for number, name in enumerate(names, 1):
        if _alone(name, rest):
            rest, ranges[number - 1] = _with(f"@{number}", name, rest), (f"@{number}", ranges[number - 1][1])
    law = " , ".join(" ".join((name, *over)) for name, over in ranges)
    return Shape(head, law, rest, ranges=tuple(ranges))


def sum_of(words: Words) -> Shape | None:
    """The sum that all of the words are."""
    return ranged_shape(r"\sum", words[1:]) if words[:1] == (r"\sum",) else None


def _renamed(law: Words, body: Words) -> tuple[Words, Words]:
    r"""The variables that are drawn, as in ``Y \sim P``, called alike; not where their letter is in another name."""
    number, parts = 0, list(split_at(law, {","}))
    if len(law) > MOST_WORDS:
        return law, body
    for at, part in enumerate(parts):
        if len(part) < 3 or part[1] != r"\sim":
            continue
        variable, everywhere = part[0], (*(w for p in parts for w in (*p, ",")), *body)
        if everywhere.count(r"\sim") != sum(r"\sim" in p for p in parts) or not _alone(variable, everywhere):
            continue
        if variable in part[2:] or any(variable in p for p in parts[:at]):
            continue
        number += 1
        parts = [_with(f"@{number}", variable, p) for p in parts]
        body = _with(f"@{number}", variable, body)
    return tuple(word for n, part in enumerate(parts) for word in ((",",) if n else ()) + part), body


def _with(new: str, old: str, words: Words) -> Words:
    return tuple(new if word == old else word for word in words)


def _alone(variable: str, words: Words) -> bool:
    """Whether it occurs as a name of its own only: in no subscript, without an accent, and in one spelling."""
    at, mine = 0, spelled((variable,))
    while at < len(words):
        end = max(after_name(words, at), after_scripts(words, at, "_'"), at + 1)
        if words[at:end] != (variable,) and not mine.isdisjoint(spelled(words[at:end])):
            return False
        at = end
    return True


def is_event_name(words: Words) -> bool:
    """Whether it is a capital, in script or not, or a word: these name events, and sets."""
    if not is_name(words):
        return False
    in_script = words[0] in (r"\mathcal", r"\mathscr") and words[1].isupper()
    return words[0].isupper() or in_script or words[0].startswith(r"\text")


def event_of(words: Words) -> Event | None:
    """The event that is written so; None where it is not understood."""
    words = tuple(content(word) if content(word) in ("and", "or") else word for word in words)
    if words and words[0] in ("(", r"\{") and (inside := unwrapped(words)) != words:
        return event_of(inside)
    outer = outside(words)
    if not words or _UNREAD.intersection(outer):
        return None
    ands, ors = _AND.intersection(outer), _OR.intersection(outer)
    if ands and ors:
        return None
    if ands or ors:
        parts = list(split_at(words, ands or ors))
        law = ";" in ands and any(map(is_event_name, parts[1:]))  # the letter may be one
        logical = not ands | ors <= {",", ";"}
        if _drawn_twice(parts) or _shares(parts) or law or (logical and any(map(_mixes, parts))):
            return None
        return _joined("and" if ands else "or", parts, event_of)
    signs = [word for word in outer if word in _SIGNS or word in (r"\in", r"\notin")]
    if not signs:
        return _of_sets(words, None)
    if words[0] == r"\neg":
        return None
    parts = list(split_at(words, set(signs)))
    if any(not part or _SETS.keys() & set(outside(part)) for part in parts[:1] + parts[1:] * (signs[0] in _SIGNS)):
        return None
    if signs[0] in (r"\in", r"\notin"):
        found = _of_sets(parts[1], parts[0]) if len(parts) == 2 else None
        return found if found is None or signs[0] == r"\in" else Event("not", (found,))
    if len(signs) > 2 or not _SIGNS.keys() >= set(signs) or len({sign in (">", r"\ge") for sign in signs}) > 1:
        return None
    compared = [_compared(a, sign, b) for a, sign, b in zip(parts, signs, parts[1:], strict=False)]
    return compared[0] if len(compared) == 1 else Event("and", tuple(compared))


def _mixes(part: Words) -> bool:
    r"""Whether it is a combination of sets: does ``\land`` in ``A \cup B \land C`` join events, or sets?"""
    outer = set(outside(part))
    return bool(_SETS.keys() & outer) and not outer & {*_SIGNS, r"\in", r"\notin"}


def _shares(parts: Sequence[Words]) -> bool:
    """Whether a relation may be of several variables, as in ``0 < X, Y < 1``: one part ends in a name, one follows."""
    ends = (list(split_at(part, {*_SIGNS})) for part in parts[:-1])
    return any(len(sides) > 1 and is_event_name(sides[-1]) for sides in ends)


def _compared(left: Words, sign: str, right: Words) -> Event:
    values = frozenset(_SIGNS[sign])
    if left > right:
        left, right, values = right, left, frozenset({"<": ">", ">": "<"}.get(v, v) for v in values)
    return Event("", (), Atom("compared", left, right), values)


def _of_sets(words: Words, subject: Words | None) -> Event | None:
    """A combination of sets of which `subject` is an element, or of bare events (None)."""
    inside = unwrapped(words)
    if inside != words and (subject is None or _SETS.keys() & set(outside(inside))):
        return _of_sets(inside, subject) if subject is not None else event_of(inside)
    outer = outside(words)
    ops = _SETS.keys() & set(outer)
    again: Callable[[Words], Event | None] = lambda part: _of_sets(part, subject)  # noqa: E731
    if len(ops) > 1 or (ops and r"\times" in outer) or (ops and "*" in outer):
        return None
    if ops:
        parts, joint = list(split_at(words, ops)), _SETS[next(iter(ops))]
        if not all(map(_is_one_set, parts)):
            return None  # other signs between sets
        if joint != "less":
            return _joined(joint, parts, again)
        first, second = (again(part) for part in parts) if len(parts) == 2 else (None, None)
        return None if first is None or second is None else Event("and", (first, Event("not", (second,))))
    at = next((n for n in places(words) if words[n] == "^"), 0)
    if at and unwrapped(words[at + 1 :]) in _COMPLEMENTS and _has_a_complement(words[:at], subject):
        return _not(again(words[:at]))
    if subject is None and words[0] in (r"\neg", r"\overline", r"\bar") and len(words) > 1:
        rest = words[1:]
        if words[0] == r"\neg" or (rest[0] == "{" and is_group(rest)) or len(rest) == 1:
            return _not(again(rest))
        return None
    if subject is None:
        return Event("", (), Atom("event", words), frozenset("1")) if is_event_name(words) else None
    return Event("", (), Atom("in", subject, words), frozenset("1"))


def _is_one_set(words: Words) -> bool:
    r"""Whether it is a name or something in brackets, with its scripts and arguments: ``\neg A``, ``f^{-1}(S)``."""
    at = int(words[:1] == (r"\neg",))
    end = after_group(words, at) if words[at : at + 1] and words[at] in CLOSERS else after_name(words, at)
    while end > at and words[end : end + 1] and words[end] in ("^", "_", "'", "(", "["):
        end = after_group(words, end) if words[end] in ("(", "[") else after_scripts(words, end, "^_'")
    return at < end == len(words)


def _has_a_complement(words: Words, subject: Words | None) -> bool:
    r"""Whether it is the name of a set or of an event, or a combination in brackets: ``\{0, 1\}^c`` may be a power."""
    inside = unwrapped(words)
    if inside == words or (subject is not None and words[0] != "("):
        return is_event_name(words)
    return subject is None or bool(_SETS.keys() & set(outside(inside))) or is_event_name(inside)


def _not(event: Event | None) -> Event | None:
    return None if event is None else Event("not", (event,))


def _joined(joint: str, parts: Sequence[Words], read: Callable[[Words], Event | None]) -> Event | None:
    found = [read(part) if part else None for part in parts]
    return None if None in found else Event(joint, tuple(event for event in found if event is not None))


def _drawn_twice(parts: Sequence[Words]) -> bool:
    """Whether a mechanism that is applied stands in two of them: it might be run once or twice."""
    heads = [set(_mechanisms(part)) for part in parts]
    return sum(map(len, heads)) > len(set().union(*heads))


def _mechanisms(words: Words) -> Iterator[Words]:
    """What is applied and is no small letter: a capital, a letter in a font, a word."""
    for at in range(len(words)):
        one = applied_at(words, at)
        named = one is not None and (one.is_word or one.letter.isupper() or one.head[0].startswith(r"\math"))
        if one is not None and one.opener == "(" and named:
            yield (*one.head, *one.scripts)
