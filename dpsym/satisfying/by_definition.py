"""The definition itself as a relation to decide: the divergences of the outputs put in, in both orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import sympy as sp

from dpsym import divergences
from dpsym.core.deadline import remaining
from dpsym.core.distributions import Distribution
from dpsym.core.notation import P, Q, epsilon, hockey_stick, renyi, trade_off
from dpsym.core.relations import Proposition, Relation, substitute
from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.deciding import decide
from dpsym.divergences import ClosedForm, NoClosedForm
from dpsym.entries.notions.approx import approx
from dpsym.satisfying.inequalities import heads_of, infinite, stated
from dpsym.statements import Composed, Guarantee, Subsampled, Use, adjacency

Pair: TypeAlias = tuple[Distribution, Distribution]

_ENGINES = {
    renyi: divergences.renyi,
    hockey_stick: divergences.hockey_stick,
    trade_off: divergences.trade_off,
}


def decided(source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]) -> Decision:
    """The definition itself, decided for the densities of the outputs."""
    try:
        try:
            meanings = list(_meanings(source, guarantee, conditions))
        except NoClosedForm:
            if (named := _with_parameters(source)) is None:
                raise
            general, values = named
            found = _meanings(general, guarantee, (*conditions, *general.domain))
            meanings = [meaning.subs(values) for meaning in found]
    except NoClosedForm as error:
        return Decision(Verdict.OPEN, Method.NONE, f"no closed form for the divergence of the outputs: {error}")
    return weakest(map(Meaning.decide, meanings))


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is claimed of one order of the neighbours: a relation, where, and the divergence in it."""

    relation: Relation
    given: tuple[Proposition, ...]
    divergence: ClosedForm

    def subs(self, values: dict[sp.Symbol, sp.Expr]) -> Meaning:
        """With values for parameters."""
        given = tuple(dict.fromkeys(c.subs(values) for c in self.given))
        conditions = tuple(c.subs(values) for c in self.divergence.conditions)
        form = ClosedForm(substitute(self.divergence.expression, values), conditions, self.divergence.rests_on)
        return Meaning(self.relation.subs(values), given, form)

    def decide(self) -> Decision:
        """Decide it; what the closed form needs must be proved, or only a refutation counts."""
        if self.divergence.expression == sp.oo:
            why = "the divergence of the outputs is infinite"
            none = Decision(Verdict.OPEN, Method.NONE, "no point was found that satisfies the conditions")
            refuted = infinite(self.relation, self.given, why)
            return none if refuted is None else refuted
        seconds = remaining()
        decision = decide(self.relation, (*self.given, *self.divergence.conditions), time_limit=seconds)
        decision = replace(decision, why=f"{self.relation}: {decision.why}")
        if decision.verdict is Verdict.REFUTED:
            return decision
        for condition in self.divergence.conditions:
            if decide(condition, self.given, time_limit=seconds).verdict is not Verdict.PROVED:
                return Decision(Verdict.OPEN, Method.NONE, f"{decision.why}, but only where {condition}")
        return decision


def _with_parameters(
    source: Use | Subsampled | Composed,
) -> tuple[Use | Subsampled | Composed, dict[sp.Symbol, sp.Expr]] | None:
    """With a name for each parameter that has a constant such as sqrt(2) or log(5/4) in it; None where none has.

    What is integrated has symbols then, not numbers that a symbolic computation would have to see into.
    """
    names: dict[sp.Expr, sp.Symbol] = {}

    def named(part: Use | Subsampled) -> Use | Subsampled:
        if isinstance(part, Subsampled):
            return part
        return Use(part.mechanism, {p: _name(v, names) for p, v in part.args.items()})

    if isinstance(source, Composed):
        source = Composed(tuple((named(part), count) for part, count in source.parts))
    else:
        source = named(source)
    return (source, {name: value for value, name in names.items()}) if names else None


def _name(value: sp.Expr, names: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    if not any(part.is_number and not part.is_Rational for part in sp.preorder_traversal(value)):
        return value
    return names.setdefault(value, sp.Dummy(f"parameter{len(names) + 1}"))


def _meanings(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]
) -> Iterator[Meaning]:
    """The definition with the outputs' divergence put in, for both orders of the neighbours."""
    taken = source.free_symbols.union(guarantee.free_symbols, *(c.free_symbols for c in conditions))
    statement = stated(guarantee, taken)
    relation, table = statement.relation, statement.values
    given = (*conditions, *(c.subs(table) for c in statement.over))
    # an argument that the engine need not see into stands as a name, and is put back into what it answers
    names = {p: v for p, v in table.items() if guarantee.definition is approx and p == epsilon and v != epsilon}
    hidden = {sp.Dummy("epsilon"): v for v in names.values()}
    relation = relation.subs({**table, **dict(zip(names, hidden, strict=True))})
    heads = heads_of(relation)
    known = (*given, *(Relation(name, ">=", sp.S.Zero) for name in hidden))
    parts = _parts(source)
    if not parts:  # nothing is run, so that both outputs are the same
        same = {h: _of_equals(h) for h in heads}
        lhs = substitute(relation.lhs.xreplace(same), hidden)
        yield Meaning(Relation(lhs, relation.op, substitute(relation.rhs, hidden)), given, ClosedForm(sp.S.Zero, ()))
        return
    alone = len(parts) == 1 and parts[0][1] == 1
    if alone or guarantee.definition.additive:
        orders = _orders(tuple((_outputs(use), count) for use, count in parts), known)
    else:
        budget = sp.Dummy("budget")
        hidden[budget], pair = _together(parts, budget)
        known += (Relation(budget, ">", sp.S.Zero),)
        orders = _orders(((pair, sp.S.One),), known)
    if len(heads) > 1 and len(orders) > 1 and parts[0][1] != 1:
        raise NoClosedForm(f"{source}, whose steps may take the neighbours in different orders")
    for pairs in orders:
        values: dict[sp.Basic, sp.Expr] = {}
        needed: list[Proposition] = [c for c in known if c.free_symbols & set(hidden)]
        for head in heads:
            total = [sp.S.Zero]
            for pair, count in pairs:
                first, second = pair if head.args[1:] == (P, Q) else pair[::-1]
                found = _ENGINES[type(head)](head.args[0], first, second, known)
                total.append(found.expression * count)
                needed += found.conditions
            values[head] = sp.Add(*total)
        needed = [c.subs(hidden) for c in needed]
        largest = sp.oo if sp.oo in values.values() else substitute(sp.Add(*values.values()), hidden)
        lhs = substitute(relation.lhs.xreplace(values), hidden)
        value = ClosedForm(largest, tuple(needed))
        yield Meaning(Relation(lhs, relation.op, substitute(relation.rhs, hidden)), given, value)


def _of_equals(head: sp.Basic) -> sp.Expr:
    """The divergence of a distribution from itself; of a trade-off function, its value."""
    match head:
        case hockey_stick():
            return sp.Max(0, 1 - head.args[0])
        case trade_off():
            return 1 - head.args[0]
    return sp.S.Zero


def _orders(
    parts: tuple[tuple[Pair, sp.Expr], ...], given: tuple[Proposition, ...]
) -> list[list[tuple[Pair, sp.Expr]]]:
    """The pairs whose divergences add up, once for each order of the neighbours that has to be looked at.

    Raises:
        NoClosedForm: where several pairs may take the neighbours in different orders.
    """
    if all(divergences.symmetric(*pair, given) for pair, _ in parts):
        return [list(parts)]
    if len(parts) > 1:
        raise NoClosedForm("a composition with a mechanism that is not known to be symmetric in its neighbours")
    return [list(parts), [(pair[::-1], count) for pair, count in parts]]


def _together(parts: tuple[tuple[Use, sp.Expr], ...], budget: sp.Symbol) -> tuple[sp.Expr, Pair]:
    """A budget and, with a symbol in its place, the two outputs that are told apart exactly like those of all parts.

    Raises:
        NoClosedForm: for a mechanism without a complete claim of a notion that has such outputs (GDP).
    """
    notion, total = None, sp.S.Zero
    for use, count in parts:
        complete = (c.guarantee for c in use.mechanism.claims if c.complete and c.guarantee.definition.outputs)
        said = next((g for g in complete if notion in (None, g.definition)), None)
        if said is None:
            raise NoClosedForm(f"the outputs of a composition with {use.mechanism.id}")
        ((param, rule),) = said.definition.compose.items()
        own = rule.fold(said.subs(use.args).bound[param], count)
        notion, total = said.definition, own if notion is None else rule.pair(total, own)
        left, right = (output.subs({param: budget}) for output in said.definition.outputs or ())
    return total, (left, right)


def _parts(source: Use | Subsampled | Composed) -> tuple[tuple[Use, sp.Expr], ...]:
    """The mechanisms and how often each runs.

    Raises:
        NoClosedForm: where one is subsampled, or its outputs are those of other neighbours than are meant.
    """
    found = []
    meant = adjacency.of(source)
    for part, count in source.parts if isinstance(source, Composed) else ((source, sp.S.One),):
        if isinstance(part, Subsampled):
            raise NoClosedForm(f"the outputs of {part}")
        if not adjacency.covers(part.mechanism.adjacency, meant):
            raise NoClosedForm(f"{part} is about {part.mechanism.adjacency.value}, the claim about {meant.value}")
        found.append((part, count))
    return tuple(found)


def _outputs(use: Use) -> Pair:
    if use.mechanism.outputs is None:
        raise NoClosedForm(f"no one pair of distributions stands for all neighbours of {use.mechanism.id}")
    left, right = use.mechanism.outputs
    return left.subs(use.args), right.subs(use.args)
