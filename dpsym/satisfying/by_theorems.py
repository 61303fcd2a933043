"""A yes by way of a guarantee that follows from the catalogue and is at least as strong as the one claimed."""

from __future__ import annotations

import sympy as sp

from dpsym.catalogue import status, theorems
from dpsym.core.deadline import over, remaining
from dpsym.core.notation import Maximum, Minimum, Root, Smallest
from dpsym.core.relations import Proposition, Relation, apply, fresh
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding import decide
from dpsym.deriving import DerivationError, Fact, routes
from dpsym.deriving.fact import Status
from dpsym.entries.notions.approx import approx
from dpsym.numbers import NO_NUMBER, enclose
from dpsym.statements import Composed, Goal, Guarantee, Parameter, Subsampled, Use, adjacency
from dpsym.statements.anything import ANY


def decided(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]
) -> Decision | None:
    """A yes by way of a derived guarantee that is at least as strong; None where no route leads to one."""
    fixed, wanted = _compared(guarantee)
    try:
        found = routes(source, Goal(guarantee.definition, fixed), assume=conditions)
    except DerivationError:
        return None
    meant = adjacency.of(source)
    facts = tuple(f for f in found if adjacency.covers(f.adjacency, meant))
    usable = [f for f in facts if all(condition.status == Status.DISCHARGED for condition in f.all_conditions)]
    # what says the same first, then closed forms
    usable.sort(
        key=lambda f: (
            f.guarantee.bound[wanted] != guarantee.bound[wanted],
            f.guarantee.bound[wanted].has(Root, Smallest, Minimum, Maximum),
        )
    )
    if not guarantee.free_symbols | source.free_symbols:
        by_value = _by_value(usable, str(wanted), guarantee.bound[wanted])
        if by_value is not None:  # else the two may be equal, which no number of digits tells
            return by_value
    for number, fact in enumerate(usable):
        seconds = remaining() / (len(usable) - number)  # an equal share for each
        if over():
            return None
        derived, claimed = fact.guarantee.bound[wanted], guarantee.bound[wanted]
        given = conditions
        if isinstance(claimed, sp.Lambda):  # of a trade-off function, more is better
            spoken = claimed.free_symbols.union(derived.free_symbols, *(c.free_symbols for c in conditions))
            level = fresh(claimed.variables[0], spoken)  # of which nothing is known but that it is a type-I error
            relation = Relation(apply(derived, (level,)), ">=", apply(claimed, (level,)))
            given += (Relation(level, ">=", sp.S.Zero), Relation(level, "<=", sp.S.One))
        else:
            relation = Relation(derived, "<=", claimed)
        decision = decide(relation, given, time_limit=seconds)
        if decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
            return _resting_on(fact, f"{relation}: {decision.why}", decision.verdict)
    return None


def _by_value(facts: list[Fact], wanted: str, claimed: sp.Basic) -> Decision | None:
    """Numbers are compared as numbers; where a formula is a minimum over an order, at the order chosen."""
    for fact in facts:
        try:
            derived, most = fact.evaluate({}, digits=15)[wanted].upper, enclose(claimed, {}, digits=20).lower
        except (KeyError, *NO_NUMBER):
            continue
        if derived <= most:
            return _resting_on(fact, f"{wanted} <= {derived}", Verdict.CERTIFIED)
    return None


def _compared(guarantee: Guarantee) -> tuple[dict[Parameter, sp.Basic], Parameter]:
    """Which parameters are held fixed, and which one is then compared."""
    definition = guarantee.definition
    compared = next(p for p in definition.params if p not in definition.index)  # at the claimed delta, order, …
    if definition is approx and isinstance(guarantee.args[0], sp.Symbol):
        compared = definition.params[1]  # a profile: at every epsilon, compare delta
    return {p: value for p, value in guarantee.bound.items() if p != compared}, compared


def _resting_on(fact: Fact, why: str, verdict: Verdict) -> Decision:
    """A yes that is worth what the theorems and claims on its way are worth."""
    rules = tuple(dict.fromkeys(f.rule for f in fact.lineage() if f.source is not None and f.rule != ANY))
    known = theorems()
    worth = [verdict, *(status(known[rule]) if rule in known else Verdict.CITED for rule in rules)]
    return Decision(
        max(worth, key=list(Verdict).index),
        Method.LEMMA,
        f"derived by {', '.join(fact.rules)}; {why}",
        rests_on=rules,
    )
