"""Single steps: what a mechanism claims, applying a theorem, composing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from dpsym import catalogue
from dpsym.deciding import Domain, EmptyDomain, settle
from dpsym.deriving.fact import Condition, Fact
from dpsym.enclosing import NotNumeric, compare
from dpsym.relations import IsInteger, Proposition, Relation, substitute
from dpsym.statements import Adjacency, Goal, Guarantee, Setting, Theorem, Use


class DerivationError(ValueError):
    """What was asked cannot be derived; the message says why and what would help."""


def claims_of(use: Use, domain: Domain) -> list[Fact]:
    """The mechanism's own guarantees at these parameters."""
    facts = []
    for claim in use.mechanism.claims:
        definition = claim.guarantee.definition
        own = set(use.mechanism.params)
        mentioned = claim.guarantee.free_symbols - own
        taken = use.free_symbols | (_spoken_of(domain) - set(definition.index))
        fresh = {s: _fresh(s, taken) for s in mentioned if s in taken}
        table = {**use.args, **fresh}
        # free: the order or epsilon over which the claim ranges; a trade-off function's argument is bound
        free = frozenset(fresh.get(s, s) for s in mentioned if s in claim.guarantee.args)
        bound = set(definition.index) - set(definition.params)  # the argument of a trade-off function
        stated = (c.subs(table) for c in claim.assume if not c.free_symbols <= bound)
        conditions = checked(stated, domain)
        if conditions is None:
            continue
        facts.append(
            Fact(
                guarantee=claim.guarantee.subs(table),
                rule=use.mechanism.id,
                source=claim.source,
                conditions=conditions,
                free=free,
                exact=claim.tight,
                complete=claim.tight and claim.complete,
                adjacency=use.mechanism.adjacency,
                subject=str(use),
            )
        )
    return facts


def apply(
    theorem: Theorem,
    premise: Fact,
    domain: Domain,
    *,
    count: sp.Expr | None = None,
    rate: sp.Expr | None = None,
    goal: Goal | None = None,
) -> Fact | None:
    """The theorem's conclusion from one premise; None where it does not match or a condition is false.

    What the theorem lets one choose is chosen as the goal wants it, and otherwise left free under a fresh name.
    """
    (pattern,) = theorem.premises
    if pattern.definition != premise.guarantee.definition or not _compatible(theorem.adjacency, premise.adjacency):
        return None
    table: dict[sp.Basic, sp.Basic] = {}
    for variable, value in zip(pattern.args, premise.guarantee.args, strict=True):
        if isinstance(variable, sp.Symbol):
            table[variable] = value
        elif isinstance(variable, sp.Lambda) and isinstance(value, sp.Lambda):
            table[variable.expr.func] = value
        elif variable != value:
            return None
    taken = premise.guarantee.free_symbols | premise.free
    for symbol, value in ((theorem.count, count), (theorem.rate, rate)):
        if symbol is not None and value is None:
            return None
        if symbol is not None and value is not None:
            table[symbol] = value
            taken |= value.free_symbols
    chosen = {s: _fresh(s, taken) for s in theorem.chooses}
    table.update(chosen)
    guarantee = theorem.conclusion.subs(table)
    conditions = checked((c.subs(table) for c in theorem.conditions), domain)
    if conditions is None:
        return None
    return Fact(
        guarantee=guarantee,
        rule=theorem.id,
        source=theorem.source,
        parents=(premise,),
        conditions=conditions,
        free=frozenset(s for s in premise.free | set(chosen.values()) if s in guarantee.free_symbols),
        exact=premise.complete and theorem.exact,
        complete=premise.complete and theorem.lossless,
        adjacency=premise.adjacency if premise.adjacency is not Adjacency.ANY else theorem.adjacency,
        subject=premise.subject,
    )


def subsample(fact: Fact, rate: sp.Expr, domain: Domain, subject: str) -> Fact | None:
    """What follows for the mechanism on a Poisson sample, as a curve in epsilon where the fact is one."""
    definition = fact.guarantee.definition
    theorem = catalogue.theorems().get(f"subsampling_{definition.id}")
    amplified = None if theorem is None else apply(theorem, fact, domain, rate=rate)
    if amplified is None:
        return None
    amplified = replace(amplified, subject=subject)
    argument = fact.guarantee.args[0]
    if definition.id != "approx" or argument not in fact.free:
        return amplified
    # a profile again: at which epsilon the inner mechanism has to be looked at
    inner = sp.log(1 + (sp.exp(argument) - 1) / rate)
    needed = checked([Relation(rate, ">", sp.Integer(0))], domain)
    if needed is None:
        return None
    profile = Guarantee(definition, (argument, substitute(amplified.guarantee.args[1], {argument: inner})))
    return elementary(
        amplified, profile, "substitution", domain, conditions=needed, choices=((f"{argument}_i", inner),)
    )


def compose(parts: Sequence[tuple[Fact, sp.Expr]], domain: Domain) -> Fact | None:
    """Adaptive composition by the definition's own rule, of facts of one definition, each with its count."""
    definition = parts[0][0].guarantee.definition
    total: dict[object, sp.Basic] = {}
    free: frozenset[sp.Symbol] = frozenset()
    for fact, count in parts:
        for parameter, value in fact.guarantee.bound.items():
            rule = definition.compose.get(parameter)
            if rule is None and parameter not in definition.index:
                return None  # a budget that does not compose
            if rule is None:  # an index: the same for all
                if total.setdefault(parameter, value) != value:
                    return None
                continue
            part = value if count == 1 else rule.fold(value, count)
            total[parameter] = part if parameter not in total else rule.pair(total[parameter], part)
        free |= fact.free
    guarantee = Guarantee(definition, tuple(total[p] for p in definition.params))
    theorem = catalogue.theorems().get(f"composition_{definition.id}")
    source = theorem.source if theorem is not None else definition.source
    integers = [p for _, n in parts for p in (IsInteger(n), Relation(n, ">=", sp.Integer(1))) if n != 1]
    conditions = checked(integers, domain)
    if conditions is None:
        return None
    adjacencies = {f.adjacency for f, _ in parts} - {Adjacency.ANY}
    if len(adjacencies) > 1:
        return None
    complete = all(f.complete for f, _ in parts) and theorem is not None and theorem.exact
    return Fact(
        guarantee=guarantee,
        rule=f"composition_{definition.id}",
        source=source,
        parents=tuple(f for f, _ in parts),
        conditions=conditions,
        free=frozenset(s for s in free if s in guarantee.free_symbols),
        exact=complete,
        complete=complete,
        adjacency=next(iter(adjacencies), Adjacency.ANY),
        subject="the composition",
    )


def elementary(
    premise: Fact,
    guarantee: Guarantee,
    rule: str,
    domain: Domain,
    *,
    replaced: frozenset[sp.Symbol] = frozenset(),
    **more: object,
) -> Fact:
    """A step that needs no theorem: a substitution, a choice, an inversion, a rounding up.

    `replaced` are the symbols that it gives values to; the conditions on them must then be among its own.
    """
    if replaced:
        premise = premise.settled(replaced)
    return Fact(
        guarantee=guarantee,
        rule=rule,
        source=None,
        parents=(premise,),
        free=frozenset(s for s in premise.free if s in guarantee.free_symbols),
        exact=premise.exact and rule != "monotonicity",  # what is weaker is not the best
        complete=False,
        adjacency=premise.adjacency,
        subject=premise.subject,
        **more,  # type: ignore[arg-type]
    )


def checked(conditions: Iterable[Proposition], domain: Domain) -> tuple[Condition, ...] | None:
    """Each condition that is not obvious, with its status; None as soon as one is certainly false."""
    found: dict[Proposition, str] = {}
    for condition in conditions:
        status = status_of(condition, domain)
        if status == "false":
            return None
        if status is not None:
            found[condition] = status
    return tuple(Condition(p, s) for p, s in found.items())


def status_of(condition: Proposition, domain: Domain) -> str | None:
    """ "discharged", "open", "false", or None for a comparison of numbers that holds."""
    fixed = {s: b.lower for s, b in domain.bounds.items() if b.lower is not None and b.lower == b.upper}
    condition = condition.subs(fixed)
    if isinstance(condition, IsInteger):
        value = condition.expression
        if isinstance(value, sp.Rational):
            return None if value.is_Integer else "false"
        return "discharged" if value.free_symbols <= domain.integers and value.is_polynomial() else "open"
    if not isinstance(condition, Relation):
        return "open"
    if not condition.free_symbols:
        try:
            holds = compare(condition).holds
        except NotNumeric:
            return "open"
        plain_numbers = isinstance(condition.lhs, sp.Rational) and isinstance(condition.rhs, sp.Rational)
        return "open" if holds is None else ("false" if not holds else (None if plain_numbers else "discharged"))
    try:
        return "discharged" if settle(condition, domain) else "open"
    except EmptyDomain:
        return "open"


def require(
    conditions: Iterable[Proposition],
    arguments: Mapping[sp.Basic, sp.Basic],
    values: Mapping[sp.Basic, sp.Basic],
    what: str,
) -> None:
    """Refuse numbers outside a domain: `arguments` for its parameters, `values` for the symbols in those.

    Raises:
        DerivationError: naming the condition that fails.
    """
    for condition in conditions:
        here = condition.subs(arguments).subs(values)
        if not here.free_symbols and status_of(here, Domain()) == "false":
            raise DerivationError(f"{what}: {condition} is required, and {here} is false")


def conversions() -> list[Theorem]:
    """The theorems that speak of the mechanism itself and have one premise."""
    return [t for t in catalogue.theorems().values() if t.setting is Setting.SAME and len(t.premises) == 1]


def compositions() -> list[Theorem]:
    """The composition theorems that are not a definition's own rule."""
    return [
        t
        for t in catalogue.theorems().values()
        if t.setting is Setting.COMPOSITION and not t.id.startswith("composition_")
    ]


def given(guarantee: Guarantee) -> Fact:
    """A guarantee taken as given."""
    return Fact(guarantee, "given", None, exact=True, complete=True)


def _spoken_of(domain: Domain) -> set[sp.Symbol]:
    """The symbols that already mean something to whoever asks."""
    return set(domain.bounds)


def _compatible(needed: Adjacency, have: Adjacency) -> bool:
    """Whether it can be had for the neighbours needed: ANY has its sensitivity measured for whichever is meant."""
    return Adjacency.ANY in (needed, have) or needed is have


def _fresh(symbol: sp.Symbol, taken: Iterable[sp.Symbol]) -> sp.Symbol:
    names = {s.name for s in taken}
    candidate, i = symbol.name, 0
    while candidate in names:
        i += 1
        candidate = f"{symbol.name}_{i}"
    return sp.Symbol(candidate)
