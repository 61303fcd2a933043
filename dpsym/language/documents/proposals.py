r"""What the prose of a paper proposes of its names: "for all $\alpha > 1$", "let $p \in [0,1]$", "any real $x$".

Only bounds by numbers and kinds of numbers are taken, by the table of phrases.  Where different parts of the text bound
a name differently, what holds in all of them is taken, for a yes alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from dpsym.core.families import MARK
from dpsym.core.relations import IsInteger, Operator, Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.language.documents.declarations import Declared, Line, declare
from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.guesses import Guess, habit
from dpsym.language.documents.phrases import HEDGING, KINDS, LISTING, PHRASES, kinds_in, of_kinds
from dpsym.language.documents.quantifiers import implied
from dpsym.language.documents.ranges import Ranged, ranged
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.sentences import INLINE, LONGEST, SENTENCE, SENTENCE_ENDS, Formula, is_quoted, names_alone
from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macros import Macros, expand
from dpsym.language.names import canonical
from dpsym.language.parsing import name_of, outer_parts, text_of

_SET = re.compile(r"(?P<name>[^<>=]+?)\s*\\in\s*\\mathbb\s*(?:\{\s*)?(?P<set>[NZR])\s*\}?\s*")
_SETS = {"N": "{0}: integer, {0} >= 0", "Z": "{0}: integer", "R": "{0}: real"}
_SIGN = re.compile(r"[<>]|\\(?:in|[lg]eq?|[lg]t|[lg]eqslant)(?![A-Za-z])")


def proposals(written: Written, lines: Iterable[Formula]) -> dict[str, Guess]:
    """What is said of each name, where that can be declared."""
    found: dict[str, dict[str, Guess]] = {}  # the first of those that say the same
    others: dict[str, dict[str, Guess]] = {}  # what is said of them elsewhere
    listed = False  # whether the formula before in the sentence was introduced
    for one in lines:
        hedged = HEDGING.search(f"{one.before} {one.rest.partition('and if')[0]}") is not None
        introduced, kinds = _introduced(one)
        listed = introduced or (listed and LISTING.fullmatch(one.own) is not None)
        good = listed and not hedged and not is_quoted(written, one.at)
        for name, said in _said(one, kinds):
            (found if good else others).setdefault(name, {}).setdefault(said, Guess(said, written.of(one.at)[0]))
    for name, each in found.items():
        elsewhere = others.get(name, {}).items()
        each |= {said: one for said, one in elsewhere if any(_apart(one, other) for other in each.values())}
    return possible({name: _of_all(name, [*each.values()]) for name, each in found.items()})


def _introduced(one: Formula) -> tuple[bool, list[str]]:
    """Whether a phrase proposes something of the formula, and the kinds of values that the phrases name."""
    introduced, kinds = False, list[str]()
    for before, after, proposes in PHRASES["names" if one.names else "bound"]:
        words, more = before.search(one.before), after.match(one.rest)
        if words is None or more is None:
            continue
        introduced = True
        if proposes == "kind":
            kinds += [kind for kind in kinds_in(words[0] + more[0]) if kind in KINDS]
    return introduced, kinds


def _said(one: Formula, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What a formula says of each name in it, with the kinds that words beside it name."""
    if one.names and kinds:
        for name in one.names:
            yield name, of_kinds(name, kinds)
    for name, said in bounds_in(one.shown).items():
        whole = {"integer", "natural"} & {*kinds} and ":" not in said and " for " not in said
        yield name, f"{name}: integer, {said}" if whole else said


@lru_cache(maxsize=256)  # a paper says the same of a name again and again
def bounds_in(formula: str) -> Mapping[str, str]:
    """The names that a formula bounds by numbers, and how; none where it says anything else."""
    if len(formula) > LONGEST or _SIGN.search(formula) is None:
        return {}
    try:
        if (one := ranged(formula)) is not None:
            return _of_members(one)
        found, waiting = dict[str, str](), list[str]()
        parts = outer_parts(formula.strip().rstrip("."))
        for number, part in enumerate(parts):
            if names_alone(part):
                waiting.append(part)
                continue
            if number + 1 < len(parts) and names_alone(_SIGN.split(part)[-1]):
                return {}  # 0 < x, y < 1
            sign = _SIGN.search(part)
            for text in (*(f"{name} {part[sign.start() :]}" for name in waiting if sign is not None), part):
                name, said = _bound(text)
                found[name] = said
            waiting = []
        return {} if waiting else found
    except (ReadingError, ValueError, ArithmeticError, RecursionError):
        return {}


def _bound(text: str) -> tuple[str, str]:
    """A name and its bounds by numbers, in plain notation.

    Raises:
        ReadingError, ValueError: for anything else.
    """
    if (of_set := _SET.fullmatch(text)) is not None:
        name = canonical(name_of(of_set["name"]))
        return name, _SETS[of_set["set"]].format(name)
    declared = declare([Line(text_of(parse_latex(text)))], [], [])
    (symbol,) = declared.names.values()
    for c in declared.conditions:
        other = {c.lhs, c.rhs} - {symbol} if isinstance(c, Relation) and c.op not in ("=", "!=") else ()
        if len(other) != 1 or any(side.free_symbols for side in other):
            raise ReadingError("no bound by numbers", text, 0)
    return str(symbol), ", ".join(declared.assumed)


def says_only_bounds(formula: str, macros: Macros) -> bool:
    """Whether the formula bounds names by numbers and says nothing else."""
    with suppress(ReadingError):
        return bool(bounds_in(expand(formula, macros)))
    return False


def _of_members(one: Ranged) -> dict[str, str]:
    """What bounds every member of a family."""
    first, last, index = (text_of(parse_latex(end)) for end in (one.first, one.last, one.index))
    ((name, said),) = bounds_in(one.claim).items()
    stem = name.rstrip("'")
    if not stem.endswith(f"_{index}") or not re.fullmatch(r"\w+", f"{first}{last}"):
        return {}
    family = stem.removesuffix(f"_{index}") + name[len(stem) :] + MARK
    return {family: f"{said} for {index} in {first}..{last}"}


def _conditions(said: Guess) -> tuple[Proposition, ...]:
    """Its conditions, with the name on the left."""
    declared = declare([Line(said.declaration)], [], [], Declared()).conditions
    return tuple(c.swapped if isinstance(c, Relation) and c.rhs.is_Symbol else c for c in declared)


def _apart(*said: Guess) -> bool:
    """Whether no number, or one at the end of both, satisfies all that is said of a name."""
    inside: dict[Operator, Operator] = {">=": ">", "<=": "<"}
    try:
        every = [c for one in said for c in _conditions(one)]
        Domain(tuple(replace(c, op=inside.get(c.op, c.op)) if isinstance(c, Relation) else c for c in every))
    except EmptyDomain:
        return True
    except ValueError:
        return False
    return False


def _of_all(name: str, said: Sequence[Guess]) -> Guess:
    """What holds in every part of the text that bounds the name."""
    if len(said) == 1 or name.endswith(MARK):
        return said[0]
    parts = list(map(_conditions, said))
    kept = [c for c in dict.fromkeys(c for part in parts for c in part) if all(implied(c, part) for part in parts)]
    whole = any(isinstance(c, IsInteger) for c in kept)
    bounds = [f"{name}: {'integer' if whole else 'real'}", *(str(c) for c in kept if isinstance(c, Relation))]
    return Guess(", ".join(bounds), said[0].line)


def possible(said: Mapping[str, Guess]) -> dict[str, Guess]:
    """Those that can be declared."""
    found = {}
    for name, one in said.items():
        try:
            Declared(guessing=True, said=dict(said)).guess(name)
        except ValueError:
            continue
        found[name] = one
    return found


def is_claim(one: Formula) -> bool:
    """Whether a formula in a line is a chain of relations, and nothing proposes it or bounds names by it."""
    return len(RELATING.findall(one.shown)) > 1 and not _introduced(one)[0] and not bounds_in(one.shown)


def defined_otherwise(
    written: Written, formulas: Iterable[tuple[int, int]], macros: Callable[[int], Macros], said: Mapping[str, Guess]
) -> dict[str, Guess]:
    """The names that the text defines or gives a value against what would be guessed of them: they are real numbers."""
    found = {}
    for first, last in formulas:
        text = written.text[first:last]
        if len(text) > LONGEST or "=" not in text:
            continue
        before = INLINE.sub(" ", SENTENCE_ENDS.split(written.text[max(0, first - SENTENCE) : first])[-1])
        with suppress(ReadingError):
            for part in outer_parts(expand(text, macros(first))):
                names = names_alone(part.partition("=")[0].rstrip(": "))
                if len(names) == 1 and names[0] not in said and _is_against_habit(names[0], part, before):
                    found[names[0]] = Guess(f"{names[0]}: real", written.of(first)[0])
    return found


def against_habit(guessed: Mapping[str, Guess], stated: Iterable[Stated]) -> dict[str, Guess]:
    """The names of which the text says what their habit excludes, wherever that holds: they are real numbers."""
    found = dict[str, Guess]()
    for one in stated:
        names = {s.name for c in one.conditions or () for s in c.free_symbols}
        habits = {name: guess for name, guess in guessed.items() if names == {name} and not guess.line}
        for name, guess in habits.items():
            try:
                Domain((*_conditions(guess), *(one.conditions or ())))
            except (EmptyDomain, ValueError):
                found[name] = Guess(f"{name}: real", one.line)
    return found


def _is_against_habit(name: str, equation: str, before: str) -> bool:
    """Whether a number is no value that would be guessed of the name; or the words before define it."""
    try:
        value = Guess(text_of(parse_latex(equation.replace(":=", "=").strip(" .;"))))
        return _conditions(value) == () or _apart(Guess(habit(name)), value)
    except ValueError:
        return any(phrase.before.search(before) for phrase in PHRASES["value"])
