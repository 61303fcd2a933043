"""A no by way of particular neighbours: where their outputs break the claim, it is false, whatever others do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

import sympy as sp

from dpsym import divergences
from dpsym.core.deadline import over, remaining
from dpsym.core.distributions import Distribution, Finite
from dpsym.core.notation import P, Q, hockey_stick, renyi
from dpsym.core.relations import Proposition, Relation, unlike
from dpsym.core.verdicts import Decision, Verdict
from dpsym.deciding import EmptyDomain, decide
from dpsym.divergences import NoClosedForm
from dpsym.satisfying.inequalities import heads_of, infinite, stated
from dpsym.statements import Composed, Guarantee, Instance, Subsampled, Use, adjacency

_MOST = 8  # ways to choose an instance of each part


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The outputs of one part on two neighbours, how often it runs, and where the instance's own symbols range."""

    outputs: tuple[Distribution, Distribution]
    count: sp.Expr
    over: tuple[Proposition, ...]
    what: str


def decided(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]
) -> Decision | None:
    """A refutation, or None."""
    taken = guarantee.free_symbols.union(*(c.free_symbols for c in conditions), set(guarantee.definition.index))
    chosen = list(islice(neighbours(source, taken), _MOST))
    for number, parts in enumerate(chosen):
        try:
            relations = list(_broken(guarantee, parts, conditions))
        except NoClosedForm:
            return None
        for tried, (relation, more) in enumerate(relations):
            share = remaining() / ((len(chosen) - number) * (len(relations) - tried))
            if over():
                return None
            given = (*conditions, *more, *(c for part in parts for c in part.over))
            if relation.lhs == sp.oo:
                what = "; ".join(dict.fromkeys(part.what for part in parts))
                why = f"{relation}: an answer is possible for one of them only, for {what}"
                if (found := infinite(relation, given, why)) is not None:
                    return found
                continue
            try:
                found = decide(relation, given, time_limit=share)
            except EmptyDomain:
                continue
            if found.verdict is Verdict.REFUTED and found.witness is not None and found.witness.obligation is None:
                what = "; ".join(dict.fromkeys(part.what for part in parts))
                return replace(found, why=f"{relation}: {found.why}, for {what}")
    return None


def neighbours(source: Use | Subsampled | Composed, taken: set[sp.Symbol]) -> Iterator[tuple[Neighbours, ...]]:
    """An instance for each part, in every combination; a dominating pair is one.

    Nothing is yielded where a part is subsampled: its other records are not those of the instance.  A part whose
    instances are other neighbours than those that are meant is left out: nothing is gained by looking at its answers.
    """
    each = []
    meant = adjacency.of(source)
    for part, count in source.parts if isinstance(source, Composed) else ((source, sp.S.One),):
        if isinstance(part, Subsampled):
            return
        mechanism = part.mechanism
        if not adjacency.covers(mechanism.adjacency, meant):
            continue
        found = mechanism.instances
        if mechanism.outputs is not None:
            found = (Instance(outputs=mechanism.outputs, what=f"the outputs of {mechanism.id}"),)
        each.append([_at(instance, part, count, taken) for instance in found])
    yield from product(*each)


def _at(instance: Instance, use: Use, count: sp.Expr, taken: set[sp.Symbol]) -> Neighbours:
    """The instance at the parameters of a use, its own symbols under names that nothing else has."""
    own = set().union(*(c.free_symbols for c in instance.over)) - set(use.mechanism.params)
    names = {s.name for s in taken | use.free_symbols}
    fresh = {s: unlike(s, names) for s in own}
    table = {**use.args, **fresh}
    first, second = instance.outputs
    over = tuple(c.subs(table) for c in instance.over)
    return Neighbours((first.subs(table), second.subs(table)), count, over, instance.what)


def _broken(
    guarantee: Guarantee, parts: tuple[Neighbours, ...], conditions: tuple[Proposition, ...]
) -> Iterator[tuple[Relation, tuple[Proposition, ...]]]:
    """What the guarantee says of these outputs, each with its conditions."""
    own = (s for part in parts for d in part.outputs for s in d.free_symbols)
    statement = stated(guarantee, guarantee.free_symbols.union(own, *(c.free_symbols for c in conditions)))
    relation = statement.relation.subs(statement.values)
    over = tuple(c.subs(statement.values) for c in statement.over)
    heads = heads_of(relation)
    alone = len(parts) == 1 and parts[0].count == 1
    for turned in (False, True):
        if all(isinstance(head, renyi) for head in heads):
            values: dict[sp.Basic, sp.Expr] = {}
            needed: tuple[Proposition, ...] = ()
            for head in heads:
                total, needed_here = _renyi(
                    head.args[0], parts, turned is (head.args[1:] == (P, Q)), (*conditions, *over)
                )
                values[head] = total
                needed += needed_here
            if None not in values.values():
                yield Relation(relation.lhs.xreplace(values), relation.op, relation.rhs), (*over, *needed)
            continue
        first, second = parts[0].outputs[:: -1 if turned else 1]
        if not alone or not isinstance(first, Finite) or not isinstance(second, Finite):
            return
        (head,) = heads
        cells = list(zip(first.probabilities, second.probabilities, first.multiplicities, strict=True))
        if isinstance(head, hockey_stick):
            value = sp.Add(*(m * sp.Max(0, p - head.args[0] * q) for p, q, m in cells))
            yield Relation(relation.lhs.xreplace({head: value}), relation.op, relation.rhs), over
            continue
        (level,) = statement.variables
        for p, q, m in cells:  # rejecting for this outcome is a test; its errors bound the trade-off function
            if m == 1:
                yield Relation(1 - q, relation.op, relation.rhs.subs(level, p)), tuple(c.subs({level: p}) for c in over)


def _renyi(
    order: sp.Expr, parts: tuple[Neighbours, ...], turned: bool, given: tuple[Proposition, ...]
) -> tuple[sp.Expr | None, tuple[Proposition, ...]]:
    """The Rényi divergence of all parts together, which run independently; None where there is no formula."""
    total, needed = [sp.S.Zero], list[Proposition]()
    for part in parts:
        first, second = part.outputs[:: -1 if turned else 1]
        if isinstance(first, Finite) and isinstance(second, Finite):
            cells = list(zip(first.probabilities, second.probabilities, first.multiplicities, strict=True))
            if any(q == 0 and p != 0 and m == 1 for p, q, m in cells):  # an answer that only one of them gives
                return sp.oo, ()
            cells = [cell for cell in cells if cell[0] != 0]
            if order == sp.oo:
                total.append(part.count * sp.Max(*(sp.log(p / q) for p, q, m in cells if m == 1)))
            else:
                moment = sp.Add(*(m * p**order * q ** (1 - order) for p, q, m in cells))
                total.append(part.count * sp.log(moment) / (order - 1))
            continue
        try:
            found = divergences.renyi(order, first, second, (*given, *part.over))
        except NoClosedForm:
            return None, ()
        total.append(part.count * found.expression)
        needed += found.conditions
    return sp.Add(*total), tuple(needed)
