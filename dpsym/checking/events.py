"""All laws of finitely many events at once: each probability as a sum of the masses of disjoint parts.

Monotonicity, complements, the union bound, inclusion and exclusion, total probability and Bayes' rule say nothing else:
what holds for all such masses holds for all events, and masses at which a claim fails are a law at which it fails.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from math import prod

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.language.latex.shapes import Atom, Event, Shape, outcomes

MOST_OUTCOMES, MOST_CASES, MOST_BLOCKS = 96, 8, 12  # outcomes are multiplied, and each is a sum to decide
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_Point = dict[Atom, str]


@dataclass(frozen=True, slots=True)
class Masses:
    """What probabilities are in terms of masses, and what is known of these; `total` says that all masses add up to 1.

    What holds without that is seen faster.
    """

    table: Mapping[sp.Symbol, sp.Expr]
    conditions: tuple[Relation, ...]
    total: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    def with_(self, other: Masses) -> Masses:
        """Of independent components."""
        return Masses(
            {**self.table, **other.table}, (*self.conditions, *other.conditions), {**self.total, **other.total}
        )  # fmt: skip

    @property
    def of_one(self) -> Masses:
        """With a total of 1."""
        table = {symbol: value.subs(self.total) for symbol, value in self.table.items()}
        return Masses(table, tuple(c.subs(self.total) for c in self.conditions))


def masses(shapes: Mapping[str, Shape], spoken: Container[str], name: str) -> list[Masses]:
    """The cases to be looked at, all of which together are every law; one with an empty table where nothing is known.

    Of components of which a quantity is `spoken`; the masses are called `name`_1, `name`_2, ….

    A conditional probability on an event of probability 0 is some number from 0 to 1.
    """
    cases = [Masses({}, ())]
    numbers = count(1)
    for component in _components(shapes):
        if not any(one in spoken for one in component):
            continue
        parts = list(_cases(component, (f"{name}_{i}" for i in numbers)))
        if parts and len(parts) * len(cases) <= MOST_CASES:
            cases = [a.with_(b) for a in cases for b in parts]
    return cases


def same_event(first: Event, second: Event) -> bool:
    """Whether they hold together, whatever holds of their atoms."""
    points = _outcomes([*first.atoms(), *second.atoms()])
    return points is not None and all(first.holds(p) == second.holds(p) for p in points)


def _components(shapes: Mapping[str, Shape]) -> Iterator[dict[str, Shape]]:
    """Probabilities of one law whose events share atoms; single ones, of which nothing more is known, left out."""
    waiting = {name: shape for name, shape in shapes.items() if shape.event is not None}
    while waiting:
        name, shape = next(iter(waiting.items()))
        found, atoms = {name: waiting.pop(name)}, set(_atoms(shape))
        while more := {
            n: s for n, s in waiting.items()
            if (s.head, s.law) == (shape.head, shape.law) and not atoms.isdisjoint(_atoms(s))
        }:  # fmt: skip
            for n, s in more.items():
                found[n] = waiting.pop(n)
                atoms.update(_atoms(s))
        if len(found) > 1:
            yield found


def _atoms(shape: Shape) -> list[Atom]:
    return [atom for event in (shape.event, shape.given) if event is not None for atom in event.atoms()]


def _outcomes(atoms: Sequence[Atom]) -> list[_Point] | None:
    distinct = list(dict.fromkeys(atoms))
    if prod(len(outcomes(atom)) for atom in distinct) > MOST_OUTCOMES:
        return None
    return [dict(zip(distinct, values, strict=True)) for values in product(*map(outcomes, distinct))]


def _cases(shapes: Mapping[str, Shape], names: Iterator[str]) -> Iterator[Masses]:
    """The law split by its first condition; each further condition has a positive probability, or is left out."""
    points = _outcomes([atom for shape in shapes.values() for atom in _atoms(shape)])
    if points is None:
        return
    given: list[Event] = []
    for shape in shapes.values():
        if shape.given is not None and not any(same_event(shape.given, known) for known in given):
            given.append(shape.given)
    if len(given) < 2 or (len(given) == 2 and same_event(given[0], Event("not", (given[1],)))):
        if (found := _masses(shapes, given[0] if given else None, [], points, names)) is not None:
            yield found
        return
    if len(given) > 3:
        return
    for null in product((False, True), repeat=len(given)):
        likely = [event for event, gone in zip(given, null, strict=True) if not gone]
        space = [p for p in points if not any(e.holds(p) for e, gone in zip(given, null, strict=True) if gone)]
        if space and (found := _masses(shapes, likely[0] if likely else None, likely, space, names)) is not None:
            yield found


def _masses(
    shapes: Mapping[str, Shape], first: Event | None, likely: Sequence[Event], space: list[_Point], names: Iterator[str]
) -> Masses | None:
    """`first` and the rest share all mass, and each divides its own; the events in `likely` have a positive one."""
    conditions: list[Relation] = []

    def positive(value: sp.Expr) -> sp.Expr:
        conditions.append(Relation(value, ">=", _ZERO))
        return value

    halves = [[p for p in space if first is not None and first.holds(p)], []]
    halves[1] = [p for p in space if p not in halves[0]]
    share = positive(sp.Symbol(next(names))) if all(halves) else _ONE if halves[0] else _ZERO
    weights = (share, positive(1 - share) if all(halves) else 1 - share)
    total: dict[sp.Symbol, sp.Expr] = {}
    blocks: list[tuple[int, _Point, sp.Expr]] = []  # which half, one of its outcomes, its mass there
    for number, half in enumerate(halves):
        distinct = {tuple(e.holds(p) for s in shapes.values() for e in (s.event, s.given) if e): p for p in half}
        if len(distinct) > MOST_BLOCKS:
            return None
        parts: list[sp.Expr] = [positive(sp.Symbol(next(names))) for _ in list(distinct)[1:]]
        rest = 1 - sum(parts, _ZERO)
        if first is None and len(parts) > 1:  # no conditions
            total[sp.Symbol(next(names))] = rest
            rest = next(iter(total))
        parts = [positive(rest) if parts else _ONE, *parts]
        blocks += [(number, point, part) for point, part in zip(distinct.values(), parts, strict=False)]
    table: dict[sp.Symbol, sp.Expr] = {}

    def mass(*events: Event | None, among: tuple[int, ...] = (0, 1), alone: bool = False) -> sp.Expr:
        """Of what satisfies all of these, in both halves; `alone`: as a share of the half."""
        found = _ZERO
        for n in among:
            here = [(p, part) for number, p, part in blocks if number == n]
            inside = [part for p, part in here if all(e is None or e.holds(p) for e in events)]
            whole = _ONE if len(inside) == len(here) else sp.Add(*inside)
            found += (_ONE if alone else weights[n]) * whole
        return found

    conditions += [Relation(mass(event), ">", _ZERO) for event in likely]
    for name, shape in shapes.items():
        among = [n for n, p, _ in blocks if shape.given is None or shape.given.holds(p)]
        if not among:
            continue  # any number
        if len(among) == len(blocks):
            table[sp.Symbol(name)] = mass(shape.event)
        elif len(set(among)) == 1 and len(among) == sum(n == among[0] for n, *_ in blocks):
            table[sp.Symbol(name)] = mass(shape.event, among=(among[0],), alone=True)
        else:
            table[sp.Symbol(name)] = mass(shape.event, shape.given) / mass(shape.given)
    return Masses(table, tuple(dict.fromkeys(conditions)), total)
