"""What holds of the quantities in a step of which only the shape is known, whatever is inside them.

Laws of events are put in by `events.masses`; laws of expectations and named inequalities come from
`chance_rules.RULES`, each with the conditions that have to be decided first; what the document assumes of every event
is put in for those that the step speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, product

import sympy as sp

from dpsym.checking.bounded_sums import Bounded, Deviation, hoeffding, of_independent
from dpsym.checking.events import Masses, masses, same_event
from dpsym.checking.expectations import Expectations, indicated
from dpsym.checking.laws import NUMBERS, Known, Law
from dpsym.checking.ledger import Inference
from dpsym.checking.norms import of_norms
from dpsym.checking.set_sums import of_sums
from dpsym.core.relations import Proposition, Relation
from dpsym.language.documents.derivation import Document, Premise, WrittenStep
from dpsym.language.documents.premises import arguments, at_inputs
from dpsym.language.latex.opaque import Opaque
from dpsym.language.latex.shapes import (
    PROBABILITIES,
    Atom,
    Event,
    Shape,
    Words,
    after_scripts,
    applied_at,
    events_of,
    head_at,
    is_event_name,
    is_marked,
    is_name,
    normal,
    split_at,
    unwrapped,
)  # fmt: skip
from dpsym.language.latex.trees import Trees, mean_at
from dpsym.language.names import GREEK

MOST_QUANTITIES = 12  # each is tried in every rule
MOST_INPUTS = 4  # each pair of them is tried
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_CITES = re.compile(r"data[- ]processing|post-?processing", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chance:
    """The laws that speak of a step's quantities, every case of their masses, and what the document assumes of them.

    `sums`: those that are probabilities of a sum of independent variables.
    """

    laws: tuple[Law, ...]
    cases: tuple[Masses, ...]
    assumed: tuple[Proposition, ...]
    sums: tuple[tuple[sp.Symbol, Deviation, Bounded], ...] = ()


def chance_of(document: Document, step: WrittenStep, asked: Inference) -> Chance | None:
    """What is known of the quantities in a step; None where there is nothing."""
    if asked.refusal or asked.values or any(name.startswith("mass_") for name in document.names):
        return None
    relations = (*asked.claims, *asked.premises, *asked.facts)
    spoken = {s.name for r in relations for s in r.free_symbols} | {s.name for n in asked.needs for s in n.free_symbols}
    assumed = [c for c in document.conditions if _says_something(c, document)]
    connected = spoken.union(*({s.name for s in c.free_symbols} for c in assumed)) & document.opaque.keys()
    written = {name: document.opaque[name].shape for name in document.opaque if name in connected}
    shapes = {n: s for n, s in written.items() if s is not None and not _is_power(s, document)}
    if not spoken & document.opaque.keys() or len(shapes) > MOST_QUANTITIES:
        return None
    shapes = _of_their_fonts(shapes)
    head = r"\mathbb P" if any(s.head == r"\mathbb P" for s in shapes.values()) else "Pr"
    shapes = _certain({n: _as_probability(s, head) for n, s in shapes.items()})
    shapes = {n: s for n, s in shapes.items() if s.head not in ("P", "Q") or _is_measure(s, shapes)}
    known = Known(document, shapes, spoken.union(*({s.name for s in c.free_symbols} for c in assumed)))
    sums = tuple(of_independent(shapes, known))
    laws = (
        *_of_events(document, shapes), *(hoeffding(*one, known) for one in sums), *_of_expectations(shapes, known),
        *_processed(document, step, known, connected),
    )  # fmt: skip
    if not any(name.startswith("sum_") for name in document.names):
        laws += tuple(of_sums(shapes, known, f"sum_{step.line}", asked.claims))
    laws += tuple(of_norms({n: document.opaque[n] for n in connected}, known))
    cases = masses(shapes, spoken, f"mass_{step.line}")
    return Chance(laws, tuple(cases), tuple(assumed), sums) if laws or assumed or any(m.table for m in cases) else None


def _says_something(condition: Proposition, document: Document) -> bool:
    """Whether it is about a quantity, and more than the bounds of its kind."""
    bound = isinstance(condition, Relation) and condition.op in (">=", "<=") and condition.rhs in (_ZERO, _ONE)
    alone = bound and isinstance(condition, Relation) and isinstance(condition.lhs, sp.Symbol)
    return not alone and any(s.name in document.opaque for s in condition.free_symbols)


def _is_power(shape: Shape, document: Document) -> bool:
    """Whether ``A^c`` might be a power: where c is a name of the document."""
    words = [w for w in shape.text.split(" ") if w != "{" and not w.startswith(r"\math")]
    return "c" in document.names and ("^", "c") in pairwise(words)


def _is_measure(shape: Shape, shapes: Mapping[str, Shape]) -> bool:
    """Whether a letter is a law: elsewhere in the step it is applied to an event that is written as one."""
    return any(s.head == shape.head and s.event is not None and not _bare(s) for s in shapes.values()) and all(
        atom.kind != "event" or atom.first[0] in tuple("ABCEFGHST")
        for event in (shape.event, shape.given) if event is not None for atom in event.atoms()
    )  # fmt: skip


def _of_their_fonts(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Where a head is written in several fonts, each is of a law of its own; without what has such a mean in it."""
    fonts = {(s.head, s.font) for s in shapes.values()}
    of_means = {(font, "E") for font in (r"\mathbb", r"\mathbf", r"\mathsf")}
    inside = {n: {pair[::-1] for pair in of_means.intersection(pairwise(s.body))} for n, s in shapes.items()}
    for name, shape in shapes.items():
        means = (mean_at(shape.body, at) for at in range(len(shape.body)) if not is_marked(shape.body, at))
        inside[name] |= {("E", one.font) for one in means if one is not None}
    fonts.update(*inside.values())
    mixed = {head for head, font in fonts for other, another in fonts if head == other and font != another}
    kept = {n: s for n, s in shapes.items() if "E" not in mixed or not inside[n]}
    return {n: replace(s, law=f"{s.font or 'upright'} {s.law}") if s.head in mixed else s for n, s in kept.items()}


def _certain(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Without events that join a letter with a relation, where nothing shows that the letter is an event itself."""
    events = {n: [e for e in (s.event, s.given) if e is not None] for n, s in shapes.items()}
    known = {atom for several in events.values() for e in several for atom in e.stand_alone()}
    unsure = {n for n, several in events.items() if any({*e.beside_relations()} - known for e in several)}
    return {n: replace(s, event=None, given=None) if n in unsure else s for n, s in shapes.items()}


def _bare(shape: Shape) -> bool:
    atom = None if shape.event is None else shape.event.atom
    return shape.given is None and atom is not None and atom.kind == "event"


def _as_probability(shape: Shape, head: str) -> Shape:
    """The expectation of an indicator is a probability."""
    inside = indicated(unwrapped(shape.body)) if shape.head == "E" else None
    event, given = (None, None) if inside is None else events_of(inside, shape.condition)
    return shape if event is None else replace(shape, head=head, event=event, given=given)


# --- the document's assumptions on every event
def _of_events(document: Document, shapes: Mapping[str, Shape]) -> Iterator[Law]:
    for premise in document.premises:
        for inputs in _inputs(premise, document, shapes):
            subjects = {name: at_inputs(subject, inputs) for name, subject in premise.subjects.items()}
            for table in _instances(replace(premise, subjects=subjects), shapes):
                yield Law(premise.text, (premise.relation.subs(table),))


def _inputs(premise: Premise, document: Document, shapes: Mapping[str, Shape]) -> Iterator[dict[Words, Words]]:
    """The data sets of which the premise speaks: neighbours, or any with the same letter where it is said of all."""
    pairs = {premise.inputs}
    if premise.among:
        pairs |= {(first, second) for how, first, second in document.neighbours if how == premise.among}
        pairs |= {pair[::-1] for pair in pairs} if premise.among in document.symmetric else set()
    else:
        found = {s.body[at:end] for s in shapes.values() for at, end in arguments(s.body)}
        fixed = sorted(name for name in found if not any(map(str.isupper, name[1:])))
        alike = ([name for name in fixed if name[0] == x[0]] for x in premise.inputs)
        pairs |= set(product(*(names[:MOST_INPUTS] for names in alike)))
    for pair in sorted(pairs):
        yield dict(zip(premise.inputs, pair, strict=True))


def _instances(premise: Premise, shapes: Mapping[str, Shape]) -> Iterator[dict[sp.Basic, sp.Basic]]:
    """Every event, and its complement, of which the step has all the probabilities."""
    (first, subject), *others = premise.subjects.items()
    heads = (premise.head,) if premise.head in ("P", "Q") else PROBABILITIES
    plain = {n: s for n, s in shapes.items() if s.head in heads and s.law == premise.law and not s.condition}
    for name, one in plain.items():
        processing = None if one.event is None else _processing(one.event, subject)
        if processing is None or one.event is None:
            continue
        if premise.event and not _is_of(one.event, subject, premise.event):
            continue
        for negated in (False, True):
            table: dict[sp.Basic, sp.Basic] = {sp.Symbol(first): _side(name, negated)}
            for other, theirs in others:
                before, after = processing, (")",) * bool(processing)
                event = _moved(one.event, (*before, *subject, *after), (*before, *theirs, *after))
                same = ((n, s) for n, s in plain.items() if s.head == one.head)
                value = next((v for n, s in same if (v := _valued(n, s, event, negated)) is not None), None)
                if value is None:
                    break
                table[sp.Symbol(other)] = value
            else:
                yield table


def _is_of(event: Event, subject: Words, members: Words) -> bool:
    """Whether it is the event that the subject lies in this set, or its complement."""
    alone = Event("", (), Atom("in", subject, members), frozenset("1"))
    return same_event(event, alone) or same_event(event, Event("not", (alone,)))


def _side(name: str, negated: bool) -> sp.Expr:
    return 1 - sp.Symbol(name) if negated else sp.Symbol(name)


def _valued(name: str, shape: Shape, event: Event, negated: bool) -> sp.Expr | None:
    """The probability of the event (or of its complement) in terms of a quantity."""
    if shape.event is None:
        return None
    if same_event(shape.event, event):
        return _side(name, negated)
    return _side(name, not negated) if same_event(shape.event, Event("not", (event,))) else None


def _processing(event: Event, subject: Words) -> Words | None:
    """What is written before the subject in every atom, ``f (`` or nothing; the atoms speak of nothing random else."""
    found = set[Words | None]()
    for atom in event.atoms():
        sides = [atom.first, *([atom.second] if atom.kind == "compared" else [])]
        mine = [side for side in sides if _function_of(side, subject) is not None]
        others = [side for side in (atom.first, atom.second) if side not in mine]
        if atom.kind == "event" or len(mine) != 1 or not all(_is_fixed(side, atom.kind) for side in others):
            return None
        found.add(_function_of(mine[0], subject))
    before = found.pop() if len(found) == 1 else None
    name = before[0] if before else "f"
    draws = not name.islower() or (len(name) > 1 and name[1:] not in GREEK)
    return None if draws else before


def _function_of(side: Words, subject: Words) -> Words | None:
    """The name that is applied to the subject, with its bracket; nothing for the subject alone."""
    before, after = side[: -len(subject) - 1], side[-len(subject) - 1 :]
    applied = after == (*subject, ")") and before[-1:] == ("(",) and is_name(before[:-1])
    return () if side == subject else before if applied else None


def _is_fixed(words: Words, kind: str) -> bool:
    """Whether it is a set with a name, or made of numbers only: nothing that is drawn."""
    start = head_at(words, 0)[1]
    is_set = kind == "in" and is_event_name(words[:start]) and words[0][:5] != r"\text"
    if is_set and after_scripts(words, start, "_^'") == len(words):
        return not any(w.isupper() or "{" in w[1:] or w[0] == "\\" for w in words[start:])
    letters = (word.lstrip("\\") for word in words)
    return all(w in NUMBERS or w == "infty" for w in letters if w[:1].isalpha())


def _moved(event: Event, mine: Words, theirs: Words) -> Event:
    """The same event of another subject."""
    if event.atom is None:
        return replace(event, parts=tuple(_moved(part, mine, theirs) for part in event.parts))
    kind, *sides = event.atom
    first, second = (theirs if side == mine else side for side in sides)
    if kind == "in" or first <= second:
        return replace(event, atom=Atom(kind, first, second))
    values = frozenset({"<": ">", ">": "<"}.get(v, v) for v in event.values)
    return replace(event, atom=Atom(kind, second, first), values=values)


# --- laws of expectations
def _of_expectations(shapes: Mapping[str, Shape], known: Known) -> Iterator[Law]:
    """Of all quantities of one distribution, under one condition; none of two that are called a probability."""
    groups: dict[tuple[str, Words], Expectations] = {}
    trees = Trees(known.constants)
    one = len({s.head for s in shapes.values()} & set(PROBABILITIES)) < 2
    for name, shape in shapes.items():
        alone = not shape.law and not shape.condition
        group = groups.setdefault((shape.law, shape.condition), Expectations(trees, known, alone=alone))
        if shape.head in ("E", "Var") or (one and shape.head in PROBABILITIES):
            group.add(name, shape)
    for group in groups.values():
        yield from group.laws()


# --- data processing
def _processed(document: Document, step: WrittenStep, known: Known, connected: set[str]) -> Iterator[Law]:
    r"""D(f(P) \| f(Q)) <= D(P \| Q), for what is named a divergence and where the author says that it is this."""
    if step.reason is None or not _CITES.search(step.reason.text):
        return
    divergences = {n: one for n, one in document.opaque.items() if n in connected and one.kind == "div"}
    pairs = {name: (one.order, *pair) for name, one in divergences.items() if (pair := _pair(one)) is not None}
    for (name, (order, first, second)), (other, (same, p, q)) in product(pairs.items(), repeat=2):
        f = _function_of(first, p)
        if order == same and f and f == _function_of(second, q):
            value = known.read(tuple(order.split(" ")), known.numbers) if order not in ("", r"\infty") else (_ONE, ())
            if value is not None:
                said, order_is = Relation(sp.Symbol(name), "<=", sp.Symbol(other)), Relation(value[0], ">", _ZERO)
                yield Law("the data processing inequality", (said,), (known.condition(order_is, value[1]),))


def _pair(one: Opaque) -> tuple[Words, Words] | None:
    """The arguments of a Rényi or Kullback-Leibler divergence, or of a total variation distance."""
    applied = applied_at(normal(one.text.split(" ")), 0)
    if applied is None or applied.name not in ("D", "KL", "TV"):
        return None
    parts = [part for part in split_at(applied.inside, {r"\|", "|"}) if part]
    return (parts[0], parts[1]) if len(parts) == 2 else None
