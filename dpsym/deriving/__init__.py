"""From what I have to what I want: every route through the catalogue, tightest first, with the reason for each step.

There is no privacy formula here: claims, theorems and composition rules come from the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice, product

import sympy as sp

from dpsym import catalogue
from dpsym.deciding import Domain
from dpsym.deriving.crossing import Crossing, crossings
from dpsym.deriving.fact import Condition, Fact
from dpsym.deriving.finishing import finish
from dpsym.deriving.ranking import ranked
from dpsym.deriving.solving import solve
from dpsym.deriving.steps import (
    DerivationError,
    apply,
    checked,
    claims_of,
    compose,
    compositions,
    conversions,
    elementary,
    given,
    require,
    subsample,
)
from dpsym.notation import Maximum, Minimum, Root, q
from dpsym.relations import Proposition, Relation, exact, propositions
from dpsym.statements import Adjacency, Composed, Definition, Goal, Guarantee, Subsampled, Theorem, Use

__all__ = ["Condition", "Crossing", "DerivationError", "Fact", "crossings", "derive", "routes"]

Source = Use | Subsampled | Composed | Guarantee
Target = Definition | Goal | Guarantee
_DEEPEST = 3  # conversions before and after a composition
_ENDS = ("fdp", "tcdp", "bounded_range")  # worth arriving at, or starting from, but no stop on the way elsewhere
_MOST_MIXTURES = 24
_HIGHEST_POWER = 24


def derive(source: Source, to: Target, **options: object) -> Fact:
    """The best of `routes`.

    Raises:
        DerivationError: when there is none, saying what is missing.
    """
    return routes(source, to, **options)[0]  # type: ignore[arg-type]


def routes(
    source: Source,
    to: Target,
    *,
    assume: Iterable[object] = (),
    at: Mapping[sp.Symbol, object] | None = None,
    solve_for: sp.Symbol | None = None,
) -> tuple[Fact, ...]:
    """Every way from a mechanism, a composition or a guarantee to the target, tightest first.

    Args:
        source: `gaussian(sigma) ** k`, say, or a guarantee that is given.
        to: a definition, or one with some parameters fixed (`approx.goal(delta=delta)`).
        assume: conditions on the symbols, besides the domains that mechanisms and counts bring.
        at: exact values of symbols; conditions are decided and routes ordered there.
        solve_for: a parameter of the mechanism to be found instead, so that `to` (all of it fixed) holds.

    Raises:
        DerivationError: for values outside a domain, or when no route reaches the target.
        EmptyDomain: when the conditions contradict each other.
    """
    values = {s: exact(v) for s, v in (at or {}).items()}
    goal = _goal(to, values, source.free_symbols)
    domain = _domain(source, goal, propositions(assume), values)
    facts = _reachable(source, goal, domain)
    if solve_for is not None:
        found = [c for f in facts if (c := _calibrated(f, goal, solve_for, domain, values)) is not None]
    else:
        found = [done for f in facts for done in finish(f, goal, domain, values)]
    if not found:
        reached = sorted({f.guarantee.definition.id for f in facts})
        what = f"only {', '.join(reached)} " if reached else "nothing "
        raise DerivationError(
            f"no route from {source} to {goal}: {what}can be reached at these values"
            f" (a condition fails, or the catalogue lacks a theorem from {_start(source)} to {goal.definition.id})"
        )
    return ranked(found, domain, values)


def _start(source: Source) -> str:
    return source.definition.id if isinstance(source, Guarantee) else "its claims"


def _goal(to: Target, values: dict[sp.Symbol, sp.Rational], taken: set[sp.Symbol]) -> Goal:
    """What is asked for; of approximate DP, delta at a given epsilon, and otherwise epsilon at delta."""
    if isinstance(to, Definition):
        to = to.goal()
    if isinstance(to, Guarantee):
        to = Goal(to.definition, to.bound)
    names = {str(p): p for p in to.definition.params}
    if to.definition.id == "approx" and not to.fixed:
        given_epsilon = names["epsilon"] in values and names["delta"] not in values
        given_epsilon = given_epsilon and names["epsilon"] not in taken  # there it means the source's own
        held = names["epsilon" if given_epsilon else "delta"]
        to = Goal(to.definition, {held: held})
    return to


def _domain(
    source: Source,
    goal: Goal,
    assume: tuple[Proposition, ...],
    values: dict[sp.Symbol, sp.Rational],
) -> Domain:
    """Everything that may be taken for granted: the domains of what is given, the user's conditions, the values."""
    granted = list(source.domain)
    _require_of(source, values)
    for parameter, value in goal.fixed.items():
        granted += _granted_of_goal(goal, str(parameter), value, values)
    equalities = [Relation(symbol, "=", value) for symbol, value in values.items()]
    for definition in catalogue.definitions().values():  # an index ranges over its definition's domain
        index = set(definition.index) - source.free_symbols  # unless the user means something else by the name
        granted += [c for c in definition.domain if c.free_symbols <= index]
    plain = [c for c in granted if c.free_symbols]
    return Domain((*plain, *assume, *equalities))


def _require_of(source: Source, values: dict[sp.Symbol, sp.Rational]) -> None:
    """Refuse numbers that no such mechanism, count or guarantee has."""
    match source:
        case Guarantee():
            require(source.definition.domain, dict(source.bound), values, str(source))
        case Use():
            require(source.mechanism.domain, dict(source.args), values, str(source))
        case Subsampled():
            _require_of(source.inner, values)
            require(propositions([q >= 0, q <= 1]), {q: source.rate}, values, str(source))
            _refuse_replacing(source.inner)
        case Composed():
            for part, count in source.parts:
                _require_of(part, values)
                counted = count.subs(values)
                if isinstance(counted, sp.Rational) and not (counted.is_Integer and counted >= 1):
                    raise DerivationError(f"{part} ** {counted}: the number of compositions must be a positive integer")


def _refuse_replacing(source: Use | Composed) -> None:
    for part in [p for p, _ in source.parts] if isinstance(source, Composed) else [source]:
        if isinstance(part, Use) and part.mechanism.adjacency is Adjacency.REPLACE:
            raise DerivationError(
                f"{part} is about replacing a record; amplification by a Poisson sample is known for adding or"
                " removing one, so give it a mechanism whose sensitivity is measured that way"
            )


def _granted_of_goal(goal: Goal, name: str, value: sp.Basic, values: dict[sp.Symbol, sp.Rational]) -> list[Relation]:
    """The values of a target for which the question makes sense."""
    zero, one = sp.Integer(0), sp.Integer(1)
    bounds = {"delta": [(">", zero), ("<", one)], "alpha": [(">", one)], "epsilon": [(">=", zero)],
              "rho": [(">=", zero)], "mu": [(">=", zero)], "eta": [(">=", zero)],
              "omega": [(">", one)]}.get(name, [])  # fmt: skip
    if not isinstance(value, sp.Expr):
        return []
    wanted = [Relation(value, op, end) for op, end in bounds]  # type: ignore[arg-type]
    stated = [Relation(sp.Symbol(name), op, end) for op, end in bounds]  # type: ignore[arg-type]
    require(stated, {sp.Symbol(name): value}, values, f"{goal.definition.id} with {name} = {value.subs(values)}")
    return wanted


def _reachable(source: Source, goal: Goal, domain: Domain) -> list[Fact]:
    """Facts in the target definition, by all routes."""
    return _converted(_known_of(source, domain), domain, goal)


def _known_of(source: Source, domain: Domain) -> list[Fact]:
    """What is known of it before any conversion: claims, compositions, samples."""
    match source:
        case Guarantee():
            return [given(source)]
        case Use():
            return claims_of(source, domain)
        case Subsampled():
            return _amplified(source, domain)
    parts = list(source.parts)
    if len(parts) == 1 and parts[0][1] == 1:
        return _known_of(parts[0][0], domain)
    single = [_worth_composing(_known_of(part, domain), domain) for part, _ in parts]
    composed: list[Fact] = []
    for definition in sorted({f.guarantee.definition.id for f in single[0]}):
        of_kind = [[f for f in facts if f.guarantee.definition.id == definition] for facts in single]
        for chosen in islice(product(*of_kind), _MOST_MIXTURES):
            fact = compose([(f, count) for f, (_, count) in zip(chosen, parts, strict=True)], domain)
            if fact is not None:
                composed.append(fact)
    if len(parts) == 1:
        count = parts[0][1]
        for theorem in compositions():
            applied = (apply(theorem, f, domain, count=count) for f in single[0])
            composed += [f for f in applied if f is not None]
    return composed


def _amplified(source: Subsampled, domain: Domain) -> list[Fact]:
    """What is known of the mechanism on a sample; by conversions only where nothing else would compose."""
    inner = _known_of(source.inner, domain)
    found = [s for f in inner if (s := subsample(f, source.rate, domain, str(source))) is not None]
    if not any(map(_composes, found)):
        converted = (f for f in _converted(inner, domain, None) if f not in inner)
        found += [s for f in converted if (s := subsample(f, source.rate, domain, str(source))) is not None]
    return found


def _worth_composing(claims: list[Fact], domain: Domain) -> list[Fact]:
    """What a mechanism satisfies, in the definitions that compose; nothing beside a claim that is tight."""
    tight = {f.guarantee.definition.id for f in claims if f.exact and _composes(f)}
    derived = [f for f in _converted(claims, domain, None) if f.parents and f.guarantee.definition.id not in tight]
    return [f for f in (*claims, *derived) if _composes(f)]


def _composes(fact: Fact) -> bool:
    """Whether it is of a kind whose composition says something: no privacy profile, at most one symbol to choose."""
    budgets = set(fact.guarantee.definition.params) - set(fact.guarantee.definition.index)
    profile = fact.guarantee.definition.id == "approx" and fact.guarantee.args[0] in fact.free
    return bool(budgets) and not profile and len(fact.free) <= 1 and fact.guarantee.definition.id != "fdp"


def _converted(facts: list[Fact], domain: Domain, goal: Goal | None) -> list[Fact]:
    """The facts and all that follow by a few conversions, in the goal's definition (None: in any)."""
    target = goal.definition if goal is not None else None
    everything, layer = list(facts), list(facts)
    for _ in range(_DEEPEST):
        following: list[Fact] = []
        for fact in layer:
            visited = {f.guarantee.definition.id for f in fact.lineage() if f.subject == fact.subject}
            for theorem in conversions():
                reached = theorem.conclusion.definition
                passing = reached.id in _ENDS and (target is None or target.id != reached.id)
                if reached.id not in visited and not passing and not _explodes(theorem, fact):
                    new = apply(theorem, fact, domain, goal=goal)
                    if new is not None:
                        following.append(new)
        everything += following
        layer = following
    found = {f.guarantee: f for f in reversed(everything) if target is None or f.guarantee.definition == target}
    return list(found.values())[::-1]  # of those that say the same, the one found first


def _leads_to(theorem: Theorem, goal: Goal | None) -> bool:
    """Whether its form suits the goal: no loose profile except at a given epsilon (the same is said for each delta)."""
    if theorem.conclusion.definition.id != "approx" or (goal is not None and "epsilon" in map(str, goal.fixed)):
        return True
    budget = theorem.conclusion.args[0]
    return budget != 0 and (budget not in theorem.chooses or theorem.exact)


def _explodes(theorem: Theorem, fact: Fact) -> bool:
    """Whether it would raise something to a high power, as exp(1000*log(x)) does; SymPy takes minutes over those."""
    if not any(arg.has(sp.exp) for arg in theorem.conclusion.args):
        return False
    products = (p for arg in fact.guarantee.args for p in arg.atoms(sp.Mul))
    return any(
        c.is_Integer and c > _HIGHEST_POWER and rest.has(sp.log) for c, rest in (p.as_coeff_Mul() for p in products)
    )


def _calibrated(
    fact: Fact, goal: Goal, unknown: sp.Symbol, domain: Domain, values: dict[sp.Symbol, sp.Rational]
) -> Fact | None:
    """The value of a mechanism's parameter at which the fact is exactly the goal."""
    missing = [str(p) for p in goal.definition.params if p not in goal.fixed]
    if missing:
        raise DerivationError(
            f"to solve for {unknown}, {goal.definition.id} needs all its parameters: {missing[0]} is missing"
        )
    if any(unknown in value.free_symbols for value in goal.fixed.values()):
        raise DerivationError(f"{goal} cannot be solved for {unknown}, which it mentions itself")
    last = goal.definition.params[-1]
    if goal.definition.id == "approx":
        first, last = goal.definition.params
        by_epsilon = Goal(goal.definition, {first: goal.fixed[first]})
        by_delta = Goal(goal.definition, {last: goal.fixed[last]})
        profile = fact.guarantee.args[0] in fact.free
        partial, wanted = (by_epsilon, last) if profile else (by_delta, first)
    else:
        partial = Goal(goal.definition, {p: v for p, v in goal.fixed.items() if p in goal.definition.index})
        wanted = last
    for forward in finish(fact, partial, domain, values):
        expression, target = forward.guarantee.bound[wanted], goal.fixed[wanted]
        if unknown not in expression.free_symbols:
            continue
        solution = solve(expression, target, unknown, domain)
        closed = solution is not None
        if solution is None and expression.has(Minimum, Maximum):
            continue  # a root of an optimum takes longer than anyone waits
        if solution is None:
            solution = Root(sp.Lambda(unknown, expression - target), sp.Integer(0), sp.oo)
        table = {unknown: solution}
        conditions = [c.proposition.subs(table) for c in forward.all_conditions]
        remaining = checked(conditions, domain)
        if remaining is None:
            continue
        guarantee = Guarantee(goal.definition, tuple(goal.fixed[p] for p in goal.definition.params))
        return elementary(
            forward,
            guarantee,
            "calibration",
            domain,
            choices=((str(unknown), solution),),
            conditions=remaining,
            replaced=frozenset({unknown}),
            note="closed form, substituted back and verified"
            if closed
            else "the value where the bound meets the target",
        )
    return None
