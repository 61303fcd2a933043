"""What a document says of names in lines of prose, and is not declared: it is said, and not used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain, decide
from dpsym.language.documents.derivation import Document, Stated, WrittenChain, defined
from dpsym.language.documents.fixed import kept_fixed
from dpsym.language.documents.quantifiers import narrower
from dpsym.language.documents.stated import letters_of

MOST = 8  # that are told one by one
_SECONDS = Work(10)  # for one relation between several names


def said_and_not_used(document: Document) -> tuple[Stated, ...]:
    """What the prose says of the names of later steps that does not follow from what is declared."""
    return tuple(_unused(document))


def granted_nowhere(unused: Iterable[Stated], document: Document) -> list[Stated]:
    """What of it no display of the document stands under."""
    granted = {said.relations for chain in document.chains if chain.case is not None for said in chain.case.said}
    return [one for one in unused if one.conditions not in granted]


def as_a_problem(unused: Iterable[Stated]) -> list[str]:
    """What of it is told, in words."""
    found = list(dict.fromkeys(f"{_quoted(one)} (line {one.line})" for one in unused))
    told = [
        *found[:MOST],
        *([f"{len(found) - MOST} more formulas in lines (see dpsym read)"] if len(found) > MOST else []),
    ]
    way_out = "declare it (let, where, assume, or ':=' in a display), or leave it out"
    return [f"said, not used: {'; '.join(told)}: {way_out}"] if told else []


def _quoted(one: Stated) -> str:
    return one.text if "$" in one.text else f"${one.text}$"


def _unused(document: Document) -> Iterator[Stated]:
    always, seen, places = frozenset(_letters_of_hypotheses(document)), frozenset[str](), _places(document)
    waiting = list(places)
    for one in document.stated:
        while waiting and not _may_speak_of(one, waiting[0]):  # what stands in the sentence after a display may
            seen |= waiting.pop(0).names
        if not waiting:
            return
        later = waiting[0].later
        letters = always | letters_of(later - document.opaque.keys())
        for name in later & document.opaque.keys() if one.compares else later & document.opaque.keys() & seen:
            letters |= document.opaque[name].letters
        tied = any(variable & one.letters and fixed & one.subjects for variable, fixed in waiting[0].bound)
        spoken = one.subjects & letters or "" in one.subjects
        if (tied or (spoken and not one.loose)) and not all(
            _follows(one, document, chain) for chain in _said_of(one, waiting)
        ):
            yield one


def _said_of(one: Stated, places: Sequence[_Place]) -> Iterator[WrittenChain]:
    """The next chain of its names; and the first that stands under less of what the words around displays say."""
    speaking = [p.chain for p in places if one.subjects & letters_of(p.names)] or [places[0].chain]
    first = speaking[0]
    yield first
    said = first.case is not None and (first.case.said or (first.around is not None and first.around.given))
    others = (c for c in speaking if first.case is not None and not first.case.within(c.case))
    yield from islice(others, 1 if said else 0)


@dataclass(frozen=True, slots=True)
class _Place:
    """A chain with the names in it, and those in it and all after it.

    `bound` are the letters of variables there and of names that are kept fixed while these go over their range.
    """

    chain: WrittenChain
    names: frozenset[str]
    later: frozenset[str]
    bound: frozenset[tuple[frozenset[str], frozenset[str]]]


def _places(document: Document) -> list[_Place]:
    found, later, bound = list[_Place](), frozenset[str](), frozenset[tuple[frozenset[str], frozenset[str]]]()
    for chain in reversed(document.chains):
        stands_for = [name for name, _ in map(defined, chain.abbreviations.items())]
        names = frozenset(n for step in chain.steps for n in (*step.names(chain.abbreviations), *stands_for))
        later |= names
        bound |= {
            (letters_of([variable]), _letters_of(name, document) - letters_of([variable]))
            for step in chain.steps
            for variable, name in kept_fixed(step, chain, document)
        }
        found.append(_Place(chain, names, later, bound))
    return found[::-1]


def _letters_of(name: str, document: Document) -> frozenset[str]:
    one = document.opaque.get(name)
    return letters_of([name]) if one is None else one.letters


def _may_speak_of(one: Stated, place: _Place) -> bool:
    chain = place.chain
    if chain.around is None:
        return one.line <= max(chain.last, *(step.line for step in chain.steps))
    return one.place < chain.around.until


def _letters_of_hypotheses(document: Document) -> Iterator[str]:
    """Those in what is assumed of quantities of which only the kind is known, and in what names stand for."""
    for condition in document.conditions:
        names = {s.name for s in condition.free_symbols} & document.opaque.keys()
        of_its_kind = isinstance(condition, Relation) and condition.lhs.is_Symbol and condition.rhs in (0, 1)
        if names and not of_its_kind:
            for name in names:
                yield from document.opaque[name].letters
    for name, value in document.names.items():
        if isinstance(value, sp.Expr) and value != sp.Symbol(name):
            for symbol in value.free_symbols & {sp.Symbol(n) for n in document.opaque}:
                yield from document.opaque[symbol.name].letters
    for premise in document.premises:
        bound = {word for name in premise.inputs for word in name}
        for words in (*premise.subjects.values(), premise.event, premise.law.split()):
            yield from (word.lstrip("\\") for word in words if word not in bound and word.strip("\\").isalpha())
    for terms in document.of_terms:
        bound = {variable for variable, _ in terms.ranges}
        said = (word for side in terms.sides for word in side)
        yield from (word.lstrip("\\") for word in said if word not in bound and word.strip("\\").isalpha())


def _follows(one: Stated, document: Document, chain: WrittenChain) -> bool:
    """Whether all of it follows from what is declared, and gives names no other values than these."""
    known: tuple[Proposition, ...] = (*document.conditions, *(() if chain.case is None else chain.case.relations))
    beside = chain.around is not None and chain.around.start <= one.place  # of a step, which may have a condition
    steps = [step for step in chain.steps if beside and step.line == one.line]
    if one.conditions is None:  # of a variable that goes over a range in the step
        return any(letters_of([v]) & one.subjects for step in steps for v, _ in kept_fixed(step, chain, document))
    known += tuple(relation for step in steps for relation in step.premises)
    defined = {name for name, value in document.names.items() if value != sp.Symbol(name)}
    if not one.restates and defined & one.ranges.keys():
        return False
    if not one.restates and any(_is_wider(name, said, known, one.text) for name, said in one.ranges.items()):
        return False
    return all(is_known(condition, known, _SECONDS) for condition in one.conditions)


def _is_wider(name: str, said: Iterable[Proposition], known: tuple[Proposition, ...], text: str) -> bool:
    """Whether more values are said of a name than are declared."""
    symbol = sp.Symbol(name)
    own = tuple(c for c in known if c.free_symbols == {symbol})
    if IsInteger(symbol) in own and re.search(r"\\mathbb\s*\{?\s*R|\breals?\b", text):
        return True
    return bool(narrower(symbol, [c for c in said if isinstance(c, Relation)], own, both_ends=True))


def is_known(condition: Proposition, known: Sequence[Proposition], time_limit: float) -> bool:
    """Whether a condition is seen to follow from what is known of its names."""
    if condition in known:
        return True
    if isinstance(condition, IsInteger):
        return condition.expression.is_integer is True
    return _is_shown(condition, tuple(c for c in known if c.free_symbols & condition.free_symbols), time_limit)


@lru_cache(maxsize=1024)  # the same is asked for each display
def _is_shown(condition: Relation | ForAll, near: tuple[Proposition, ...], time_limit: float) -> bool:
    try:
        found = decide(condition, near, time_limit=time_limit)
    except (EmptyDomain, ValueError, ArithmeticError, RecursionError):
        return False
    return found.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
