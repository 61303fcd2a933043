"""What follows for a mechanism on a sample, for inputs further apart, and for other neighbours."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from dpsym.core.relations import Relation, substitute
from dpsym.deciding import Domain
from dpsym.deriving.fact import Fact, Step
from dpsym.deriving.steps import apply, checked, elementary, of_setting
from dpsym.statements import Adjacency, Guarantee, Setting, Theorem
from dpsym.statements.adjacency import Sampling, covers, joined, on_sample


def sampled(facts: list[Fact], rate: sp.Expr, domain: Domain, subject: str, sampling: Sampling) -> list[Fact]:
    """What holds of the mechanism on a sample; of what says the same kind of thing, the exact theorems."""
    found: list[tuple[Theorem, Fact]] = []
    facts = between(facts, on_sample(joined(f.adjacency for f in facts), sampling), domain)
    for theorem in of_setting(Setting.SUBSAMPLED if sampling == "poisson" else Setting.SAMPLED, facts):
        for fact in facts:
            amplified = apply(theorem, fact, domain, rate=rate)
            if amplified is not None:
                amplified = replace(amplified, subject=subject)
                profile = _as_profile(fact, amplified, rate, domain)
                if profile is not None:
                    found.append((theorem, profile))
    best = {f.guarantee.definition.id for t, f in found if t.exact}
    return [f for t, f in found if t.exact or f.guarantee.definition.id not in best]


def _as_profile(fact: Fact, amplified: Fact, rate: sp.Expr, domain: Domain) -> Fact | None:
    """Of a profile a profile again: at which epsilon the inner mechanism has to be looked at."""
    definition, argument = fact.guarantee.definition, fact.guarantee.args[0]
    if definition.id != "approx" or amplified.guarantee.definition != definition or argument not in fact.free:
        return amplified
    inner = sp.log(1 + (sp.exp(argument) - 1) / rate)
    needed = checked([Relation(rate, ">", sp.Integer(0))], domain)
    if needed is None:
        return None
    profile = Guarantee(definition, (argument, substitute(amplified.guarantee.args[1], {argument: inner})))
    return elementary(amplified, profile, Step.SUBSTITUTION, conditions=needed, choices=((f"{argument}_i", inner),))


def grouped(facts: list[Fact], size: sp.Expr, domain: Domain, refused: list[str] | None = None) -> list[Fact]:
    """What holds of inputs that are `size` steps of the neighbouring relation apart."""
    found = []
    for theorem in of_setting(Setting.GROUP, facts):
        applied = (apply(theorem, f, domain, count=size, refused=refused) for f in facts)
        # the delta of a group has no value at epsilon = 0 as it is written, so profiles stay as they are
        found += [
            _with_plain_order(f, domain) if f.guarantee.definition.id != "approx" else f
            for f in applied
            if f is not None
        ]
    subject = f"inputs {size} steps apart"
    return [replace(f, subject=subject) for f in found if f is not None]


def between(facts: list[Fact], wanted: Adjacency, domain: Domain, refused: list[str] | None = None) -> list[Fact]:
    """What holds between the neighbours wanted, by a theorem where it is known for others.

    What is known for any neighbours is taken for these: its sensitivity is measured for those that are meant.
    """
    found = [replace(f, adjacency=wanted) for f in facts if covers(f.adjacency, wanted)]
    others = [f for f in facts if not covers(f.adjacency, wanted)]
    if wanted is Adjacency.REPLACE:
        for theorem in of_setting(Setting.REPLACEMENT, others):
            applied = (apply(theorem, f, domain, refused=refused) for f in others)
            found += [g for f in applied if f is not None and (g := _with_plain_order(f, domain)) is not None]
    elif others and refused is not None:
        refused.append(
            f"{others[0].rule} is about {others[0].adjacency.value}, which says nothing about {wanted.value}"
        )
    return found


def _with_plain_order(fact: Fact, domain: Domain) -> Fact | None:
    """A Rényi guarantee at order alpha/k, whose alpha is free, as one at order alpha; a profile's epsilon likewise."""
    if fact.guarantee.definition.id not in ("rdp", "approx") or fact.guarantee.args[0].is_Symbol:
        return fact
    order = fact.guarantee.args[0]
    for symbol in fact.free & order.free_symbols:
        factor = order / symbol
        if symbol in factor.free_symbols:
            continue
        table = {symbol: symbol / factor}
        required = checked((c.proposition.subs(table) for c in fact.all_conditions), domain)
        if required is None:
            return None
        new = elementary(
            fact,
            fact.guarantee.subs(table),
            Step.CHOICE,
            conditions=required,
            choices=((f"{symbol}_i", symbol / factor),),
            replaced=frozenset({symbol}),
        )
        return replace(new, free=fact.free)
    return fact
