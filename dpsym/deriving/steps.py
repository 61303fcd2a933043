"""Single steps: what a mechanism claims, applying a theorem, composing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym import catalogue
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute, unlike
from dpsym.deciding import Domain, EmptyDomain, settle
from dpsym.deciding.finite import is_integral
from dpsym.deriving.fact import Condition, Fact, Status, Step
from dpsym.numbers import NotNumeric, compare
from dpsym.statements import Adjacency, Definition, Guarantee, Setting, Theorem, Use
from dpsym.statements.adjacency import together
from dpsym.statements.theorems import FREE


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
        fresh = {s: unlike(s, taken) for s in mentioned if s in taken}
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


def at_no_cost(facts: list[Fact], use: Use) -> list[Fact]:
    """What is known of a mechanism, of all that it stands in: by the theorem that this costs nothing."""
    for name in use.mechanism.around:
        theorems = {t.premises[0].definition: t for t in of_setting(FREE[name], facts)}
        facts = [
            replace(f, rule=t.id, source=t.source, conditions=(), parents=(f,), choices=(), subject=str(use))
            for f in facts
            if (t := theorems.get(f.guarantee.definition)) is not None
        ]
    return facts


def apply(
    theorem: Theorem,
    premise: Fact,
    domain: Domain,
    *,
    count: sp.Expr | None = None,
    rate: sp.Expr | None = None,
    trials: Mapping[sp.Symbol, sp.Expr] | None = None,
    refused: list[str] | None = None,
) -> Fact | None:
    """The theorem's conclusion from one premise; None where it does not match or a condition is false.

    What the theorem lets one choose is left free, under a fresh name where its own is taken.  A false condition is
    added to `refused`.
    """
    often = ((symbol, (trials or {}).get(symbol)) for symbol in theorem.trials)
    values = ((theorem.count, count), (theorem.rate, rate), *often)
    return _applied(theorem, (premise,), values, domain, refused)


def apply_mixed(theorem: Theorem, parts: Sequence[tuple[Fact, sp.Expr]], domain: Domain) -> Fact | None:
    """The conclusion about a composition of different mechanisms, of each as many as stands beside its fact."""
    counts = zip(theorem.counts, (count for _, count in parts), strict=True)
    return _applied(theorem, tuple(fact for fact, _ in parts), tuple(counts), domain, None)


def _applied(
    theorem: Theorem,
    premises: tuple[Fact, ...],
    values: tuple[tuple[sp.Symbol | None, sp.Expr | None], ...],
    domain: Domain,
    refused: list[str] | None,
) -> Fact | None:
    adjacency = together((theorem.adjacency, *(p.adjacency for p in premises)))
    if adjacency is None:
        return None
    table: dict[sp.Basic, sp.Basic] = {}
    taken: set[sp.Symbol] = set()
    only_at: list[Condition] = []  # the values at which a premise is of the theorem's form
    for pattern, premise in zip(theorem.premises, premises, strict=True):
        if pattern.definition != premise.guarantee.definition:
            return None
        known = {s: v for s, v in _known(domain).items() if s not in premise.free}
        for variable, value in zip(pattern.args, premise.guarantee.args, strict=True):
            if isinstance(variable, sp.Symbol):
                table[variable] = value
            elif isinstance(variable, sp.Lambda) and isinstance(variable.expr, AppliedUndef):
                table[variable.expr.func] = value
            elif variable != substitute(value, known):
                return None
            elif variable != value:
                only_at.append(Condition(Relation(value, "=", variable), Status.DISCHARGED))
        taken |= premise.guarantee.free_symbols | premise.free
    for symbol, value in values:
        if symbol is not None and value is None:
            return None
        if symbol is not None and value is not None:
            table[symbol] = value
            taken |= value.free_symbols
    chosen = {s: unlike(s, taken) for s in theorem.chooses}
    table.update(chosen)
    conditions = checked((c.subs(table) for c in theorem.conditions), domain, refused, theorem.id)
    if conditions is None:
        return None
    guarantee = theorem.conclusion.subs(table)  # where a condition fails it may be no formula at all
    free = frozenset[sp.Symbol]().union(chosen.values(), *(p.free for p in premises))
    # at one point of a curve a premise does not say all there is to say
    whole = all(p.complete and not _chosen_budgets(p) for p in premises) or (
        theorem.setting is Setting.SUBSAMPLED and all(p.complete for p in premises)
    )
    return Fact(
        guarantee=guarantee,
        rule=theorem.id,
        source=theorem.source,
        parents=premises,
        conditions=(*only_at, *conditions),
        free=frozenset(s for s in free if s in guarantee.free_symbols),
        exact=whole and theorem.exact,
        complete=whole and theorem.lossless,
        adjacency=Adjacency.REPLACE if theorem.setting is Setting.REPLACEMENT else adjacency,
        subject=premises[0].subject if len(premises) == 1 else "the composition",
    )


def _chosen_budgets(fact: Fact) -> frozenset[sp.Symbol]:
    """The symbols in its budgets, other than an order, that are still to be chosen."""
    index = {v for p, v in fact.guarantee.bound.items() if p in fact.guarantee.definition.index}
    return fact.free - index


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
    adjacency = together(f.adjacency for f, _ in parts)
    if conditions is None or adjacency is None:
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
        adjacency=adjacency,
        subject="the composition",
    )


def elementary(
    premise: Fact,
    guarantee: Guarantee,
    rule: str,
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
        exact=premise.exact and rule != Step.MONOTONICITY,  # what is weaker is not the best
        complete=False,
        adjacency=premise.adjacency,
        subject=premise.subject,
        **more,  # type: ignore[arg-type]
    )


def checked(
    conditions: Iterable[Proposition], domain: Domain, refused: list[str] | None = None, rule: str = ""
) -> tuple[Condition, ...] | None:
    """Each condition that is not obvious, with its status; None as soon as one is certainly false.

    What is false is told in `refused`, with the rule that needed it.
    """
    found: dict[Proposition, Status] = {}
    for condition in conditions:
        status = status_of(condition, domain)
        if status == Status.FALSE:
            if refused is not None:
                refused.append(f"{rule} needs {condition}, which is false here")
            return None
        if status is not None:
            found[condition] = status
    return tuple(Condition(p, s) for p, s in found.items())


def status_of(condition: Proposition, domain: Domain) -> Status | None:
    """What is known of it; None for a comparison of numbers that holds."""
    here = condition.subs(_known(domain))
    status = _status(here, domain)
    # what holds only at a given value has to be said: the formulas keep the symbol
    return Status.DISCHARGED if status is None and here != condition else status


def _status(condition: Proposition, domain: Domain) -> Status | None:
    if isinstance(condition, IsInteger):
        value = condition.expression
        if isinstance(value, sp.Rational) or (value.is_number and value.is_integer is False):
            return None if value.is_Integer else Status.FALSE
        return Status.DISCHARGED if is_integral(value, domain.integers) else Status.OPEN
    if not isinstance(condition, Relation):
        return Status.OPEN
    if not condition.free_symbols:
        try:
            holds = compare(condition).holds
        except NotNumeric:
            return Status.OPEN
        if holds is None:
            return Status.OPEN
        if not holds:
            return Status.FALSE
        plain_numbers = isinstance(condition.lhs, sp.Rational) and isinstance(condition.rhs, sp.Rational)
        return None if plain_numbers else Status.DISCHARGED
    try:
        if settle(condition, domain):
            return Status.DISCHARGED
        return Status.FALSE if condition.op != "=" and settle(condition.negated, domain) else Status.OPEN
    except EmptyDomain:
        return Status.OPEN


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
        status = None if here.free_symbols else status_of(here, Domain())
        if status in (Status.FALSE, Status.OPEN):
            shown = "" if status is Status.FALSE else ", which was not shown"
            raise DerivationError(f"{what}: it is required that {condition}{shown}")


def conversions(notion: Definition, unwanted: Collection[str]) -> list[Theorem]:
    """The theorems about the mechanism itself with one premise, of this notion, that conclude no unwanted one."""
    found = catalogue.theorems_from([notion], Setting.SAME, unwanted=unwanted)
    return [t for t in found if len(t.premises) == 1]


def compositions(facts: Iterable[Fact]) -> list[Theorem]:
    """The composition theorems for what these facts say that are not a definition's own rule."""
    own = {f"composition_{definition}" for definition in catalogue.definitions()}
    return [t for t in catalogue.theorems_from(_notions(facts), Setting.COMPOSITION) if t.id not in own]


def mixed_compositions(facts: Iterable[Fact]) -> list[Theorem]:
    """The theorems about compositions of different mechanisms, the first of them as these facts say."""
    return catalogue.theorems_from(_notions(facts), Setting.MIXED)


def of_setting(setting: Setting, facts: Iterable[Fact]) -> list[Theorem]:
    """The theorems with one premise, of the notion of one of the facts, whose conclusion speaks of this."""
    return [t for t in catalogue.theorems_from(_notions(facts), setting) if len(t.premises) == 1]


def _notions(facts: Iterable[Fact]) -> set[Definition]:
    return {fact.guarantee.definition for fact in facts}


def given(guarantee: Guarantee) -> Fact:
    """A guarantee taken as given."""
    return Fact(guarantee, Step.GIVEN, None, exact=True, complete=True)


def _known(domain: Domain) -> dict[sp.Symbol, sp.Rational]:
    """The symbols that have a value."""
    return {s: b.lower for s, b in domain.bounds.items() if b.lower is not None and b.lower == b.upper}


def _spoken_of(domain: Domain) -> set[sp.Symbol]:
    """The symbols that already mean something to whoever asks."""
    return set(domain.bounds)
