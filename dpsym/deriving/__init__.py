"""From what I have to what I want: every route through the catalogue, tightest first, with the reason for each step.

There is no privacy formula here: claims, theorems and composition rules come from the catalogue.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

import sympy as sp

from dpsym import catalogue
from dpsym.core.clocks import by_itself
from dpsym.core.deadline import cut, portion, timed
from dpsym.core.notation import k, q
from dpsym.core.relations import IsInteger, Proposition, Relation, exact, propositions
from dpsym.core.spelling import spelled
from dpsym.deciding import Domain
from dpsym.deciding.timeout import attempted
from dpsym.deriving.crossing import Crossing, crossings
from dpsym.deriving.fact import Condition, Fact
from dpsym.deriving.finishing import finish
from dpsym.deriving.impossible import impossible
from dpsym.deriving.ranking import ranked
from dpsym.deriving.searching import Source, reachable
from dpsym.deriving.solving import TIME_LIMIT, Asked, NoValue, solved_for
from dpsym.deriving.steps import DerivationError, require
from dpsym.deriving.trends import places
from dpsym.entries.notions.infinite import without_budget
from dpsym.numbers import NotNumeric, compare
from dpsym.statements import Adjacency, Composed, Definition, Goal, Guarantee, Subsampled, Use
from dpsym.statements.adjacency import OtherNeighbours, Sampling
from dpsym.statements.adjacency import of as neighbours_of
from dpsym.statements.binding import written

__all__ = [
    "Condition",
    "Crossing",
    "DerivationError",
    "Fact",
    "NoRoute",
    "NoValue",
    "NotInTime",
    "Routes",
    "crossings",
    "derive",
    "refuse_two_values",
    "routes",
]

Target = Definition | Goal | Guarantee

_SEARCHING, _FINISHING = 0.5, 0.6  # of the time left; the rest is for telling which route is tightest
_FAIR = 0.5  # of the time left, for one route


class NoRoute(DerivationError):
    """No route reaches the target; the question itself is one."""


class NotInTime(DerivationError):
    """No route was found within the time limit; there may be some."""


class Routes(tuple[Fact, ...]):
    """Routes, tightest first; where the time limit was reached (not `finished`), those found by then.

    Attributes:
        finished: whether nothing was left out, or ranked without its number, for want of time.
    """

    finished: bool

    def __new__(cls, facts: Iterable[Fact], finished: bool = True) -> Routes:
        """The facts as they are."""
        found = super().__new__(cls, facts)
        found.finished = finished
        return found


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
    sampling: Sampling = "poisson",
    by: Collection[str] = (),
    time_limit: float | None = None,
) -> Routes:
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
            share q of all records, drawn without replacement) for a record replaced.  What is about a record added or
            removed, and stands beside or on what is about one replaced, goes through `replacement_*`, a step of the
            route; the other way nothing follows.
        by: only those that use one of these rules, however loose; without it those that nothing better leaves out.
        time_limit: in seconds of the processor; what is found by then is the answer.  None waits as long as it takes.

    Raises:
        NoValue: where no value of the unknown is enough.
        DerivationError: for values outside a domain, or when no route reaches the target (`NotInTime`: by then).
        EmptyDomain: when the conditions contradict each other.
    """
    values = {s: exact(v) for s, v in (at or {}).items()}
    refuse_two_values(source, to, values)
    goal = _goal(to, values, source)
    size = None if group is None else _size(group, values)
    counted = () if size is None or not size.free_symbols else (IsInteger(size), Relation(size, ">=", sp.Integer(1)))
    domain = _domain(source, goal, (*propositions(assume), *counted), values)
    if not isinstance(source, Guarantee):
        try:
            neighbours_of(source, sampling)
        except OtherNeighbours as error:
            raise DerivationError(str(error)) from None
    with timed(time_limit):
        refused: list[str] = []
        with timed(portion(_SEARCHING)):
            facts = reachable(source, goal, domain, refused, sampling, group=size, adjacency=adjacency)
        if by and not (facts := [fact for fact in facts if not set(by).isdisjoint(fact.rules)]) and not cut():
            raise NoRoute(f"no route from {source} to {goal} uses {' or '.join(by)}")
        found: list[Fact] = []
        if solve_for is not None:
            where = tuple(places(source, solve_for, sampling, size))
            itself = source if size is None and adjacency is None else None
            asked = Asked(itself, sampling, goal, solve_for, where, domain, values)
            found = by_itself(min(TIME_LIMIT, portion(_FINISHING)), partial(solved_for, facts, asked, refused))
        else:
            with timed(portion(_FINISHING)):
                for fact in facts:
                    found += attempted(partial(finish, fact, goal, domain, values, refused), [], _FAIR)
        if not found and cut():
            shown = round(time_limit or 0, 2)  # of a share more digits are of no use
            raise NotInTime(f"no route from {source} to {goal} was found within {shown:g} s; allow more time")
        if not found:
            nothing = None if isinstance(source, Guarantee) else _infinite(source, goal, values, sampling)
            if solve_for is not None and nothing is not None and nothing[1]:
                raise NoValue(f"no value of {solve_for} is enough for {goal}: {nothing[0]}", solve_for, shown=True)
            missing = nothing[0] if nothing is not None else _missing(source, goal, facts, refused)
            raise NoRoute(f"no route from {source} to {goal}: {missing}")
        return Routes(ranked(found, domain, values), not cut())


def _missing(source: Source, goal: Goal, facts: list[Fact], refused: list[str]) -> str:
    """Why nothing was found: conditions failed on the way, or a theorem is not there."""
    if reason := impossible(source, goal):
        return reason
    if refused:
        if not len(goal.fixed) == len(goal.definition.params) > 1:
            return min(refused, key=len)
        first, value = next(iter(goal.fixed.items()))
        left_open = f"{goal.definition.id}({first}={written(value)})"
        return f"{min(refused, key=len)} ({spelled('to', left_open)} leaves the rest open, and says what is reached)"
    if facts:
        return "a parameter is left that only you can choose, or a formula has no closed form (give values with at)"
    start = source.definition.id if isinstance(source, Guarantee) else "its claims"
    return f"the catalogue lacks a theorem from {start} to {goal.definition.id}"


def _infinite(
    source: Use | Subsampled | Composed, goal: Goal, values: dict[sp.Symbol, sp.Rational], sampling: Sampling
) -> tuple[str, bool] | None:
    """Why nothing finite is to be found, where that needs no more than q > 0 and k >= 1; and whether without q > 0."""
    for why, needed in without_budget(source, goal.definition, goal.fixed, neighbours_of(source, sampling)):
        try:
            left = [c for condition in needed if (c := condition.subs(values)).free_symbols or not compare(c).holds]
        except NotNumeric:
            continue
        if all(c.lhs in (q, k) for c in left):
            sampled = "".join(f" where {c}" for c in left if c.lhs == q)
            return f"no budget is finite{sampled}: {why}", not sampled
    return None


def _size(group: object, values: dict[sp.Symbol, sp.Rational]) -> sp.Expr:
    """The size of a group.

    Raises:
        DerivationError: for a number that is no size.
    """
    size = exact(group)
    number = size.subs(values)
    if isinstance(number, sp.Rational) and not (number.is_Integer and number >= 1):
        raise DerivationError(f"group = {number}: expected how many records one person has, a positive integer")
    return size


def _goal(to: Target, values: dict[sp.Symbol, sp.Rational], source: Source) -> Goal:
    """What is asked for; of approximate DP, delta at a given epsilon, and otherwise what can be had at delta.

    Where the source has a delta of this name, which is its own, both are to be found.
    """
    if isinstance(to, Definition):
        to = to.goal()
    if isinstance(to, Guarantee):
        to = Goal(to.definition, to.bound)
    names, taken = {str(p): p for p in to.definition.params}, source.free_symbols
    has_delta = isinstance(source, Guarantee) and "delta" in map(str, source.definition.params)
    if to.definition.id != "approx" and "delta" in names and not to.fixed and not has_delta:
        return Goal(to.definition, {names["delta"]: names["delta"]})
    own_delta = names.get("delta") in taken
    if to.definition.id == "approx" and not to.fixed and not own_delta:
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


def refuse_two_values(source: Source, to: Target, values: Mapping[sp.Symbol, sp.Expr]) -> None:
    """Refuse a value for a parameter of the target that has another one there.

    Raises:
        DerivationError: saying both.
    """
    fixed = to.fixed if isinstance(to, Goal) else to.bound if isinstance(to, Guarantee) else {}
    for parameter, value in fixed.items():
        name = sp.Symbol(str(parameter))
        meant = name in values and name not in source.free_symbols | value.free_symbols
        if meant and values[name] != value.subs(dict(values)):
            raise DerivationError(f"{name} is {value} in {to}, and {values[name]} among the values: leave one out")


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
        case Composed():
            for part, count in source.parts:
                _require_of(part, values)
                counted = count.subs(values)
                if isinstance(counted, sp.Rational) and not (counted.is_Integer and counted >= 1) and count != 0:
                    raise DerivationError(f"{part} ** {counted}: the number of compositions must be a positive integer")


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
