"""From what I have to what I want: every route through the catalogue, tightest first, with the reason for each step.

There is no privacy formula here: claims, theorems and composition rules come from the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import sympy as sp

from dpsym import catalogue
from dpsym.clock import now
from dpsym.deciding import Domain
from dpsym.deriving.crossing import Crossing, crossings
from dpsym.deriving.fact import Condition, Fact
from dpsym.deriving.finishing import finish
from dpsym.deriving.ranking import ranked
from dpsym.deriving.searching import Source, further, reachable
from dpsym.deriving.solving import TIME_LIMIT, Asked, NoValue, solved_for
from dpsym.deriving.steps import DerivationError, require
from dpsym.deriving.trends import places
from dpsym.notation import q
from dpsym.relations import IsInteger, Proposition, Relation, exact, propositions
from dpsym.statements import Adjacency, Composed, Definition, Goal, Guarantee, Setting, Subsampled, Use

__all__ = ["Condition", "Crossing", "DerivationError", "Fact", "NoValue", "crossings", "derive", "routes"]

Target = Definition | Goal | Guarantee


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
    group: object | None = None,
    adjacency: Adjacency | None = None,
    sampling: Literal["poisson", "fixed-size"] = "poisson",
    time_limit: float | None = None,
) -> tuple[Fact, ...]:
    """Every way from a mechanism, a composition or a guarantee to the target, tightest first.

    Args:
        source: `gaussian(sigma) ** k`, say, or a guarantee that is given.
        to: a definition, or one with some parameters fixed (`approx.goal(delta=delta)`).
        assume: conditions on the symbols, besides the domains that mechanisms and counts bring.
        at: exact values of symbols; conditions are decided and routes ordered there.
        solve_for: a parameter of the mechanism to be found instead, so that `to` (all of it fixed) holds.
        group: what is wanted is for inputs that are so many steps of the neighbouring relation apart.
        adjacency: what is wanted is for these neighbours; what is known for any neighbours is known for these.
        sampling: what `subsampled` means: a Poisson sample, for a record added or removed, or one of fixed size (the
            share q of all records, drawn without replacement) for a record replaced.
        time_limit: in seconds, for an unknown to be solved for (10 where it is None).

    Raises:
        NoValue: where no value of the unknown is enough.
        DerivationError: for values outside a domain, or when no route reaches the target.
        EmptyDomain: when the conditions contradict each other.
    """
    values = {s: exact(v) for s, v in (at or {}).items()}
    goal = _goal(to, values, source.free_symbols)
    size = None if group is None else _size(group, values)
    limit = TIME_LIMIT if time_limit is None else time_limit
    counted = () if size is None or not size.free_symbols else (IsInteger(size), Relation(size, ">=", sp.Integer(1)))
    drawing = Setting.SAMPLED if sampling == "fixed-size" else Setting.SUBSAMPLED
    domain = _domain(source, goal, (*propositions(assume), *counted), values, drawing)
    refused: list[str] = []
    if size is None and adjacency is None:
        facts = reachable(source, goal, domain, refused, drawing)
    else:
        facts = further(source, goal, domain, size, adjacency, refused, drawing)
    if solve_for is not None:
        where = tuple(places(source, solve_for, sampling, size))
        itself = source if size is None and adjacency is None else None
        asked = Asked(itself, sampling, goal, solve_for, where, domain, values, now() + limit)
        found = solved_for(facts, asked, refused)
    else:
        found = [done for f in facts for done in finish(f, goal, domain, values, refused)]
    if not found:
        raise DerivationError(f"no route from {source} to {goal}: {_missing(source, goal, facts, refused)}")
    return ranked(found, domain, values)


def _missing(source: Source, goal: Goal, facts: list[Fact], refused: list[str]) -> str:
    """Why nothing was found: the conditions that failed on the way, or a theorem that is not there."""
    if refused:
        return "; ".join(dict.fromkeys(refused))
    if facts:
        return "a parameter is left that only you can choose, or a formula has no closed form (give values with at)"
    start = source.definition.id if isinstance(source, Guarantee) else "its claims"
    return f"the catalogue lacks a theorem from {start} to {goal.definition.id}"


def _size(group: object, values: dict[sp.Symbol, sp.Rational]) -> sp.Expr:
    """The size of a group.

    Raises:
        DerivationError: for a number that is no size.
    """
    size = exact(group)
    number = size.subs(values)
    if isinstance(number, sp.Rational) and not (number.is_Integer and number >= 1):
        raise DerivationError(f"group {number}: the number of steps must be a positive integer")
    return size


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
    drawing: Setting,
) -> Domain:
    """Everything that may be taken for granted: the domains of what is given, the user's conditions, the values."""
    granted = list(source.domain)
    _require_of(source, values, drawing)
    for parameter, value in goal.fixed.items():
        granted += _granted_of_goal(goal, str(parameter), value, values)
    equalities = [Relation(symbol, "=", value) for symbol, value in values.items()]
    for definition in catalogue.definitions().values():  # an index ranges over its definition's domain
        index = set(definition.index) - source.free_symbols  # unless the user means something else by the name
        granted += [c for c in definition.domain if c.free_symbols <= index]
    plain = [c for c in granted if c.free_symbols]
    return Domain((*plain, *assume, *equalities))


def _require_of(source: Source, values: dict[sp.Symbol, sp.Rational], drawing: Setting) -> None:
    """Refuse numbers that no such mechanism, count or guarantee has."""
    match source:
        case Guarantee():
            require(source.definition.domain, dict(source.bound), values, str(source))
        case Use():
            require(source.mechanism.domain, dict(source.args), values, str(source))
        case Subsampled():
            _require_of(source.inner, values, drawing)
            require(propositions([q >= 0, q <= 1]), {q: source.rate}, values, str(source))
            _refuse_neighbours(source.inner, drawing)
        case Composed():
            for part, count in source.parts:
                _require_of(part, values, drawing)
                counted = count.subs(values)
                if isinstance(counted, sp.Rational) and not (counted.is_Integer and counted >= 1):
                    raise DerivationError(f"{part} ** {counted}: the number of compositions must be a positive integer")


def _refuse_neighbours(source: Use | Composed, drawing: Setting) -> None:
    """Refuse what is about other neighbours than amplification by such samples."""
    for part in [p for p, _ in source.parts] if isinstance(source, Composed) else [source]:
        if not isinstance(part, Use):
            continue
        if drawing is Setting.SUBSAMPLED and part.mechanism.adjacency is Adjacency.REPLACE:
            raise DerivationError(
                f"{part} is about replacing a record; amplification by a Poisson sample is known for adding or"
                " removing one, so give it a mechanism whose sensitivity is measured that way"
            )
        if drawing is Setting.SAMPLED and part.mechanism.adjacency is Adjacency.ADD_REMOVE:
            raise DerivationError(
                f"{part} is about adding or removing a record; amplification by a sample of fixed size is known for"
                " replacing one, so give it a mechanism whose sensitivity is measured that way"
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
