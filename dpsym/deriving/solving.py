"""Solving for an unknown: the set of its values, in its domain, for which a guarantee holds, as far as that is shown.

A bound at the unknown is compared with the target at exact decimals.  What is found is put back: the end that is
called safe is a decimal at which the conditions were decided and the bound was enclosed below the target.  That all
values beyond it are enough as well needs a trend (see `dpsym.deriving.trends`) or a branch and bound; without either
the one value is all that is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import sympy as sp

from dpsym.clock import now
from dpsym.deciding import Domain, EmptyDomain, settle
from dpsym.deciding.domain import Bounds
from dpsym.deciding.stopping import within
from dpsym.deriving.boundary import Line, NoBoundary, along, throughout
from dpsym.deriving.bounded import Bounded
from dpsym.deriving.equations import solve
from dpsym.deriving.fact import Condition, Fact
from dpsym.deriving.finishing import finish
from dpsym.deriving.steps import DerivationError, checked, elementary, status_of
from dpsym.deriving.trends import Place, declared, proved
from dpsym.enclosing import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.notation import Maximum, Minimum, SoleRoot
from dpsym.relations import IsInteger, Proposition, Relation, substitute
from dpsym.statements import Goal, Guarantee, Solved, Trend
from dpsym.verdicts import Enclosure

Values = Mapping[sp.Symbol, sp.Rational]

TIME_LIMIT = 10.0  # seconds
_DIGITS = 15
_CLOSED = 1.0  # seconds for a closed form
_PROOF = 2.0  # seconds to prove a trend of one bound
_NUMBERS = (Undefined, Unresolved, NotEnclosed, NotNumeric)


class NoValue(DerivationError):
    """No value of the unknown is enough: shown, or merely none found."""

    def __init__(self, message: str, unknown: sp.Symbol, *, shown: bool) -> None:
        super().__init__(message)
        self.unknown, self.shown = unknown, shown


@dataclass(frozen=True, slots=True)
class Solution:
    """What stands behind a solved unknown, so that it can be had to more digits.

    Attributes:
        unknown: the symbol.
        forward: the fact with the unknown in it.
        budget: the parameter of its guarantee that is to be at most `target`.
        line: where the unknown ranges, at the values; None where a symbol has none.
        formula: the end of what is enough in closed form, or as a root; None where it is only known as a number.
        trend: why all beyond it are enough, where that is known.
        solved: the answer.
    """

    unknown: sp.Symbol
    forward: Fact
    budget: object
    target: sp.Expr
    values: Values
    line: Line | None
    formula: sp.Expr | None
    trend: Trend | None
    solved: Solved

    def to_digits(self, digits: int, time_limit: float = TIME_LIMIT) -> Solved:
        """The same with ends of so many digits, and two more."""
        if self.line is None or digits == _DIGITS or self.solved.shape in ("every", "only") or self.solved.integer:
            return self.solved
        bound = _bounded(self.forward, self.budget, self.target, self.unknown, self.values, now() + time_limit)
        found = None
        if bound is not None and self.trend is not None:
            found = _half_line(bound, self.line, self.trend, self.formula, self.values, digits)
        return self.solved if found is None else found


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be solved.

    Attributes:
        goal: with all its parameters fixed.
        places: what the unknown occurs in.
        domain: with the values as equalities.
        deadline: on the clock of `dpsym.clock`.
    """

    goal: Goal
    unknown: sp.Symbol
    places: Sequence[Place]
    domain: Domain
    values: Values
    deadline: float

    def __post_init__(self) -> None:
        missing = [str(p) for p in self.goal.definition.params if p not in self.goal.fixed]
        if missing:
            raise DerivationError(
                f"to solve for {self.unknown}, {self.goal.definition.id} needs all its parameters: {missing[0]} is "
                "missing"
            )
        if any(self.unknown in value.free_symbols for value in self.goal.fixed.values()):
            raise DerivationError(f"{self.goal} cannot be solved for {self.unknown}, which it mentions itself")

    @property
    def trend(self) -> Trend | None:
        """What is declared of the unknown."""
        return declared(iter(self.places), self.unknown, self.domain) if self.places else None

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """What the unknown has to satisfy, besides what a route requires."""
        return tuple(c for c in self.domain.assume if self.unknown in c.free_symbols)


def solved_for(facts: Sequence[Fact], asked: Asked, refused: list[str]) -> list[Fact]:
    """Each fact with the unknown's values for which it is the goal; those that lose nothing come first.

    Raises:
        DerivationError: where the goal is not all fixed, or mentions the unknown.
        NoValue: where no value is enough.
    """
    trend = asked.trend
    found: list[Fact] = []
    fails = False
    for fact in sorted(facts, key=lambda f: (not f.exact, len(f.rules))):
        if found and now() >= asked.deadline:
            break
        partly, budget = _partly(fact, asked.goal)
        # what takes long is stopped, so that the others have their turn
        share = now() + max(asked.deadline - now(), 0.5) / 2
        for forward in within(share, partial(finish, fact, partly, asked.domain, asked.values, refused), []):
            answer = _solved(forward, budget, asked, trend)
            if isinstance(answer, Fact):
                found.append(answer)
            fails = fails or answer is False
    if not found and fails:
        raise NoValue(
            f"no value of {asked.unknown} is enough for {asked.goal}", asked.unknown, shown=True
        )
    return found


def _partly(fact: Fact, goal: Goal) -> tuple[Goal, object]:
    """The goal without the budget that is compared with its target, and that budget."""
    *_, last = goal.definition.params
    if goal.definition.id == "approx":
        first = goal.definition.params[0]
        profile = fact.guarantee.args[0] in fact.free
        held, budget = (first, last) if profile else (last, first)
        return Goal(goal.definition, {held: goal.fixed[held]}), budget
    return Goal(goal.definition, {p: v for p, v in goal.fixed.items() if p in goal.definition.index}), last


def _solved(forward: Fact, budget: object, asked: Asked, trend: Trend | None) -> Fact | bool | None:
    """The calibrated fact; False where the guarantee fails at every value, None where nothing is found."""
    bound, target = forward.guarantee.bound[budget], asked.goal.fixed[budget]  # type: ignore[index]
    if not isinstance(bound, sp.Expr) or not isinstance(target, sp.Expr):
        return None
    symbols = bound.free_symbols | target.free_symbols | set().union(*(c.free_symbols for c in asked.conditions))
    numeric = symbols <= {asked.unknown, *asked.values}
    return (_by_numbers if numeric else _by_formula)(forward, budget, asked, trend)


def _by_formula(forward: Fact, budget: object, asked: Asked, trend: Trend | None) -> Fact | None:
    """In closed form, or as the root of what is known to rise or fall."""
    bound, target, unknown = forward.guarantee.bound[budget], asked.goal.fixed[budget], asked.unknown  # type: ignore[index]
    if unknown not in bound.free_symbols:
        return None
    formula = _closed(bound, target, asked)
    if trend is None:
        trend = within(now() + _PROOF, partial(proved, bound, unknown, asked.domain, _PROOF), None)
    if formula is None and (trend is None or bound.has(Minimum, Maximum)):
        return None  # a root of an optimum takes longer than anyone waits
    closed = formula is not None
    if formula is None:
        formula = SoleRoot(sp.Lambda(unknown, bound - target), sp.Integer(0), sp.oo)
    integer = unknown in asked.domain.integers
    end = formula
    if integer:
        if trend is None:
            return None
        end = sp.ceiling(formula) if trend.better == "more" else sp.floor(formula)
    own = _at_the_end(asked, formula, end, integer)
    remaining = checked((c.proposition.subs({unknown: end}) for c in forward.all_conditions), asked.domain)
    if own is None or remaining is None:
        return None
    shape = "only" if trend is None else trend.shape
    safe = "lower" if trend is not None and trend.better == "less" else "upper"
    solved = Solved(shape, None, safe, integer, "" if trend is None else trend.reason)  # type: ignore[arg-type]
    solution = Solution(unknown, forward, budget, target, asked.values, None, end, trend, solved)
    return _fact(solution, end, (*own, *remaining), asked, closed)


def _at_the_end(asked: Asked, formula: sp.Expr, end: sp.Expr, integer: bool) -> tuple[Condition, ...] | None:
    """The unknown's own conditions at the end, as far as they are open; None where one is false.

    That it is a whole number, and at least a whole number, is told of what was rounded to it.
    """
    budgets = [Relation(v, ">", sp.Integer(0)) for v in asked.goal.fixed.values() if isinstance(v, sp.Symbol)]
    domain = asked.domain
    try:
        domain = Domain((*domain.assume, *budgets))  # at a budget of 0 the formula has no value
    except EmptyDomain:
        pass
    open_: list[Condition] = []
    for condition in asked.conditions:
        if integer and isinstance(condition, IsInteger):
            continue
        whole = integer and isinstance(condition, Relation) and condition.op == ">=" and condition.rhs.is_Integer
        here = condition.subs({asked.unknown: formula if whole else end})
        status = status_of(here, domain)
        if status == "false":
            return None
        if status == "open":
            open_.append(Condition(here, status))
    return tuple(open_)


def _closed(bound: sp.Expr, target: sp.Expr, asked: Asked) -> sp.Expr | None:
    return within(now() + _CLOSED, partial(solve, bound, target, asked.unknown, asked.domain), None)


def _fact(solution: Solution, end: sp.Expr, conditions: tuple[Condition, ...], asked: Asked, closed: bool) -> Fact:
    goal = asked.goal
    guarantee = Guarantee(goal.definition, tuple(goal.fixed[p] for p in goal.definition.params))
    fact = elementary(
        solution.forward,
        guarantee,
        "calibration",
        asked.domain,
        choices=((str(solution.unknown), end),),
        conditions=tuple(dict.fromkeys(conditions)),
        replaced=frozenset({solution.unknown}),
        note="closed form, substituted back and verified" if closed else "the value where the bound meets the target",
        solution=solution,
    )
    exact = fact.exact and (solution.line is None or solution.solved.sharp)
    return replace(fact, exact=exact and solution.solved.shape != "only")


def _bounded(
    forward: Fact, budget: object, target: sp.Expr, unknown: sp.Symbol, values: Values, deadline: float
) -> Bounded | None:
    """The bound as a function of the unknown alone, with what its route requires."""
    table = {s: v for s, v in values.items() if s != unknown}
    bound = substitute(forward.guarantee.bound[budget], table)  # type: ignore[index]
    conditions = tuple(c.proposition.subs(table) for c in forward.all_conditions)
    goal = substitute(target, table)
    if bound.free_symbols - {unknown} or goal.free_symbols or bound.has(sp.zoo, sp.nan):
        return None
    here = tuple(c for c in conditions if c.free_symbols <= {unknown})
    return Bounded(bound, goal, unknown, here, deadline)  # what is required of bound symbols stays on the fact


def _by_numbers(forward: Fact, budget: object, asked: Asked, trend: Trend | None) -> Fact | bool | None:
    """The set of values at which the bound is at most the target."""
    target = asked.goal.fixed[budget]  # type: ignore[index]
    unknown, values = asked.unknown, asked.values
    bound = _bounded(forward, budget, target, unknown, values, asked.deadline)  # type: ignore[arg-type]
    if bound is None:
        return None
    line = Line.of(unknown, tuple(c.subs(values) for c in asked.conditions))
    raw = forward.guarantee.bound[budget]  # type: ignore[index]
    if unknown not in bound.bound.free_symbols:
        return _everywhere(forward, budget, asked, bound, line, trend)
    formula = None
    if not raw.has(Minimum, Maximum, sp.Sum, sp.Integral):
        formula = _closed(raw, target, asked)  # type: ignore[arg-type]
    if trend is None:
        seconds = min(_PROOF, max(asked.deadline - now(), 0.0))
        known = Domain(tuple(c for c in line.conditions if c.free_symbols <= {unknown}))
        work = partial(proved, bound.bound, unknown, known, seconds)
        trend = within(now() + 1.5 * seconds, work, None)
        if trend is not None and not _required_throughout(bound, line):
            trend = None
    try:
        if trend is not None:
            solved = _half_line(bound, line, trend, formula, values, _DIGITS)
        else:
            solved = throughout(bound, line, _DIGITS)
    except NoBoundary as none:
        return False if none.fails and forward.exact else None
    if solved is None:
        return None
    if formula is None and trend is not None and not solved.integer and solved.shape == trend.shape:
        if not raw.has(Minimum, Maximum):
            formula = SoleRoot(sp.Lambda(unknown, raw - target), sp.Integer(0), sp.oo)
        end = formula if formula is not None else _number(solved)
    else:
        end = formula if formula is not None and solved.shape == "at least" else _number(solved)
        end = _number(solved) if solved.integer or formula is None or solved.shape not in ("at least", "at most") else formula
    solution = Solution(unknown, forward, budget, target, values, line, end, trend, solved)  # type: ignore[arg-type]
    remaining = tuple(c for c in forward.all_conditions if unknown not in c.proposition.free_symbols)
    return _fact(solution, end, remaining, asked, end == formula and not isinstance(end, SoleRoot))


def _required_throughout(bound: Bounded, line: Line) -> bool:
    """Whether what the route requires holds at every value of the unknown."""
    try:
        domain = Domain(line.conditions)
        return all(settle(c, domain) for c in bound.conditions if isinstance(c, Relation)) and not any(
            isinstance(c, IsInteger) and not c.free_symbols <= domain.integers for c in bound.conditions
        )
    except EmptyDomain:
        return False


def _half_line(
    bound: Bounded, line: Line, trend: Trend, formula: sp.Expr | None, values: Values, digits: int
) -> Solved | None:
    guess = None
    if formula is not None:
        try:
            guess = enclose(substitute(formula, values), digits=digits)
        except _NUMBERS:
            guess = None
    return along(bound, line, trend, guess, digits)


def _everywhere(
    forward: Fact, budget: object, asked: Asked, bound: Bounded, line: Line, trend: Trend | None
) -> Fact | bool | None:
    """Where the bound does not depend on the unknown: it is enough at every value, or at none."""
    start = line.inside()
    if start is None:
        return None
    holds = bound.holds(start)
    if holds is not True:
        return False if holds is False and forward.exact else None
    if not _required_throughout(bound, line):
        if trend is None:
            return None
        try:
            solved = along(bound, line, trend, None, _DIGITS)
        except NoBoundary:
            return None
    else:
        solved = line.every("the bound does not depend on it")
    if solved is None:
        return None
    end = _number(solved)
    target = asked.goal.fixed[budget]  # type: ignore[index]
    solution = Solution(asked.unknown, forward, budget, target, asked.values, line, end, trend, solved)  # type: ignore[arg-type]
    remaining = tuple(c for c in forward.all_conditions if asked.unknown not in c.proposition.free_symbols)
    return _fact(solution, end, remaining, asked, closed=False)


def _number(solved: Solved) -> sp.Expr:
    """The safe end."""
    value = solved.value
    assert value is not None
    end = value.lower if solved.safe == "lower" else value.upper
    if not end.is_finite():
        end = value.upper if solved.safe == "lower" else value.lower
    return sp.Rational(str(end)) if end.is_finite() else sp.oo


__all__ = ["TIME_LIMIT", "Asked", "Bounds", "Enclosure", "Fraction", "NoValue", "Solution", "solved_for"]
