"""Solving for an unknown: the set of its values, in its domain, for which a guarantee holds, as far as that is shown.

A bound at the unknown is compared with the target at exact decimals.  What is found is put back: the end that is
called safe is a decimal at which the conditions were decided and the bound was enclosed below the target.  That all
values beyond it are enough as well needs a trend (see `dpsym.deriving.trends`) or a branch and bound; without either
the one value is all that is claimed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.deadline import now, over, portion, remaining, timed
from dpsym.core.display import short
from dpsym.core.notation import Maximum, Minimum, SoleRoot
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.deciding import Domain, EmptyDomain, Sign, settle, sign
from dpsym.deciding.timeout import briefly, within
from dpsym.deriving.boundary import Line, NoBoundary, along, certified, throughout
from dpsym.deriving.bounded import Bounded
from dpsym.deriving.equations import solve
from dpsym.deriving.fact import Condition, Fact, Status, Step
from dpsym.deriving.finishing import finish
from dpsym.deriving.intervals import defined, interval
from dpsym.deriving.searching import reachable
from dpsym.deriving.steps import DerivationError, checked, elementary, status_of
from dpsym.deriving.trends import Place, declared, kinked, proved, unclipped
from dpsym.entries.notions.composition import least
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.numbers.curves import smooth
from dpsym.statements import Composed, Goal, Guarantee, Solved, Subsampled, Trend, Use
from dpsym.statements.adjacency import Sampling

Source = Use | Subsampled | Composed | Guarantee
Values = Mapping[sp.Symbol, sp.Rational]

TIME_LIMIT = Work(10)  # seconds
_DIGITS = 15  # shown where nothing else is asked for
_HALF_LINES = ("at least", "at most")
_CLOSED = Work(1)  # seconds for a closed form
_PROOF = Work(2)  # seconds to prove a trend of one bound
_BESIDES = 2.0  # seconds for others, where a way that loses nothing is found
_TURN, _LEAST = 0.4, 1.0  # the share of the time left for one route, of so many seconds at least
_GRACE = 0.2  # seconds before what does not look at the clock is stopped
_SLOW = (Maximum, Minimum, sp.Sum, sp.Integral)
_NUMBERS = (Undefined, Unresolved, NotEnclosed, NotNumeric)


class NoValue(DerivationError):
    """No value of the unknown is enough: shown, or merely none found."""

    def __init__(self, message: str, unknown: sp.Symbol, *, shown: bool) -> None:
        super().__init__(message)
        self.unknown, self.shown = unknown, shown


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be solved.

    Attributes:
        source: what is to be (this) private; None where it is for a group, or for other neighbours.
        sampling: how its samples are drawn.
        goal: with all its parameters fixed.
        places: what the unknown occurs in.
        domain: with the values as equalities.
    """

    source: Source | None
    sampling: Sampling
    goal: Goal
    unknown: sp.Symbol
    places: Sequence[Place]
    domain: Domain
    values: Values

    __repr__ = short

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
    def line(self) -> Line:
        """Where the unknown ranges, at the values."""
        return Line.of(self.unknown, tuple(c.subs(self.values) for c in self.conditions))

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """What the unknown has to satisfy, besides what a route requires."""
        return tuple(c for c in self.domain.assume if self.unknown in c.free_symbols)


@dataclass(frozen=True, slots=True)
class Solution:
    """What stands behind a solved unknown, so that it can be had to more digits.

    Attributes:
        asked: the question.
        forward, budget: the fact with the unknown in it, and the parameter of its guarantee that meets the target.
        line: where the unknown ranges, at the values; None where a symbol has none.
        formula: the end of what is enough, in closed form or as a root; None where it is only known as a number.
        trend: why all beyond it are enough, where that is known.
        solved: the answer.
    """

    asked: Asked
    forward: Fact
    budget: object
    line: Line | None
    formula: sp.Expr | None
    trend: Trend | None
    solved: Solved

    __repr__ = short

    def to_digits(self, digits: int) -> Solved:
        """The same with ends of so many digits, and two more."""
        if self.line is None or self.trend is None or digits == _DIGITS or self.solved.integer:
            return self.solved
        if self.solved.shape not in ("at least", "at most"):
            return self.solved
        bound = _bounded(self.forward, self.budget, self.asked)
        if bound is None:
            return self.solved
        try:
            with timed(TIME_LIMIT):
                found = _half_line(bound, self.line, self.trend, self.formula, self.asked.values, digits)
        except NoBoundary:  # the time was over
            found = None
        found = None if found is None else certified(found, bound)
        return self.solved if found is None else found


def solved_for(facts: Sequence[Fact], asked: Asked, refused: list[str]) -> list[Fact]:
    """Each fact with the unknown's values for which it is the goal; those that lose nothing come first.

    Raises:
        DerivationError: where the goal is not all fixed, or mentions the unknown.
        NoValue: where no value is enough.
    """
    trend = asked.trend
    found: list[Fact] = []
    besides = math.inf  # until when others are looked for where nothing is better
    fails = tried = False
    numeric = not set().union(*(c.free_symbols for c in asked.conditions)) - {asked.unknown, *asked.values}
    for forward, budget in _forward(facts, asked, refused):
        tried = True
        bound, best = forward.guarantee.bound[budget], any(f.exact for f in found)
        if best:  # nothing is better than what loses nothing, and a supremum takes long
            besides = min(besides, now() + _BESIDES)
        with timed(min(remaining(), besides - now())):
            late, seconds = over(), portion(_TURN, _TURN * _LEAST)
        if found and (late or (best and bound.has(Maximum))):
            continue
        with timed(seconds + _GRACE):
            answer = within(remaining(), partial(_solved, forward, budget, asked, trend), None)
        if isinstance(answer, Fact):
            found.append(answer)
        fails = fails or answer is False
    if not found and (fails or (numeric and _fails_without(asked, trend))):
        raise NoValue(f"no value of {asked.unknown} is enough for {asked.goal}", asked.unknown, shown=True)
    symbols = set().union(*(v.free_symbols for v in asked.goal.fixed.values()))
    if not found and numeric and tried and symbols <= set(asked.values):
        message = f"no value of {asked.unknown} was found that is enough for {asked.goal}"
        raise NoValue(message, asked.unknown, shown=False)
    return found


def _forward(facts: Sequence[Fact], asked: Asked, refused: list[str]) -> Iterator[tuple[Fact, object]]:
    """The facts with the unknown in them, in the form of the goal, those first that lose nothing and are quick."""
    slow: list[tuple[Fact, object]] = []
    for fact in sorted(facts, key=lambda f: (not f.exact, len(f.rules))):
        for partly, budget in _partly(fact, asked.goal):
            none: list[Fact] = []
            made = within(remaining(), partial(finish, fact, partly, asked.domain, asked.values, refused), none)
            for forward in made:
                if any(_slow(forward)):
                    slow.append((forward, budget))
                else:
                    yield forward, budget
    yield from sorted(slow, key=lambda each: (*_slow(each[0]), not each[0].exact, len(each[0].rules)))


def _fails_without(asked: Asked, trend: Trend | None) -> bool:
    """Whether one part of the composition, run once where the unknown is at its best, is shown to fail already."""
    best = None if trend is None else asked.line.end(1 if trend.better == "more" else -1)
    parts = [p for p, _ in asked.source.parts] if isinstance(asked.source, Composed) else [asked.source]
    for part in parts:
        if isinstance(part, Use) and best is not None:
            part = part.subs({asked.unknown: sp.Rational(best.numerator, best.denominator)})
        if part is None or isinstance(part, Guarantee) or asked.unknown in part.free_symbols:
            continue
        facts = [f for f in reachable(part, asked.goal, asked.domain, [], asked.sampling) if f.exact]
        for forward, budget in _forward(facts, asked, []):
            bound = _bounded(forward, budget, asked)
            some = None if bound is None or bound.bound.free_symbols else asked.line.inside()
            if forward.exact and bound is not None and some is not None and bound.holds(some) is False:
                return True
    return False


def _slow(fact: Fact) -> tuple[bool, ...]:
    """What is in it that takes long."""
    return tuple(any(arg.has(head) for arg in fact.guarantee.args) for head in _SLOW)


def _partly(fact: Fact, goal: Goal) -> Iterator[tuple[Goal, object]]:
    """The goal without one budget, which is compared with its target; the others are met by finishing."""
    budgets = [p for p in goal.definition.params if p not in goal.definition.index]
    if goal.definition.id == "approx":
        budgets = budgets[1:] if fact.guarantee.args[0] in fact.free else budgets[:1]
    for budget in budgets:
        yield Goal(goal.definition, {p: v for p, v in goal.fixed.items() if p != budget}), budget


def _sign(forward: Fact, budget: object) -> int:
    """-1 for a budget of which more is asked for."""
    return -1 if forward.guarantee.definition.compose.get(budget) is least else 1


def _solved(forward: Fact, budget: object, asked: Asked, trend: Trend | None) -> Fact | bool | None:
    """The calibrated fact; False where the guarantee fails at every value, None where nothing is found."""
    bound, target = _sides(forward, budget, asked)
    if not isinstance(bound, sp.Expr) or not isinstance(target, sp.Expr):
        return None
    conditions = (*asked.conditions, *_of_the_unknown(forward, asked))  # the numbers would leave out what ties it
    symbols = bound.free_symbols | target.free_symbols | set().union(*(c.free_symbols for c in conditions))
    numeric = symbols <= {asked.unknown, *asked.values}
    try:
        return (_by_numbers if numeric else _by_formula)(forward, budget, asked, trend)
    except (EmptyDomain, *_NUMBERS):
        return None


def _sides(forward: Fact, budget: object, asked: Asked) -> tuple[sp.Expr, sp.Expr]:
    """The bound and its target."""
    return forward.guarantee.bound[budget], asked.goal.fixed[budget]


def _by_formula(forward: Fact, budget: object, asked: Asked, trend: Trend | None) -> Fact | None:
    """In closed form, or as the root of what is known to rise or fall."""
    (bound, target), unknown = _sides(forward, budget, asked), asked.unknown
    if unknown not in bound.free_symbols:
        return None
    formula = _closed(bound, target, asked)
    rises = None
    if trend is None or (formula is None and not forward.exact):
        rises = briefly(_PROOF, partial(proved, _sign(forward, budget) * bound, unknown, asked.domain, _PROOF), None)
    if formula is None and (bound.has(*_SLOW) or (rises is None and not (forward.exact and trend is not None))):
        return None  # a root must be the only one, and that of an optimum takes longer than anyone waits
    if trend is None and rises is not None and _goes_with(rises, forward, asked):
        trend = rises  # of the bound alone, so what it rests on has to follow
    integer = unknown in asked.domain.integers
    end = formula
    if formula is None and (rises is not None or not integer):
        end = _root(bound, target, asked)
    if end is None or (integer and trend is None):
        return None
    whole = end
    if integer and trend is not None:
        whole = sp.ceiling(end) if trend.better == "more" else sp.floor(end)
    own = _at_the_end(asked.conditions, asked, end, whole)
    needed = _at_the_end(_of_the_unknown(forward, asked), asked, end, whole)  # what speaks of others stays on the fact
    if own is None or needed is None:
        return None
    left_open = (*(c for c in own if c.status == Status.OPEN), *needed)
    if trend is None:
        solved = Solved("only", None, "upper", integer)
    else:
        solved = Solved(trend.shape, None, trend.safe, integer, trend.reason)
    solution = Solution(asked, forward, budget, None, whole, trend, solved)
    return _fact(solution, whole, left_open, closed=formula is not None)


def _of_the_unknown(forward: Fact, asked: Asked) -> tuple[Proposition, ...]:
    """What the route requires of the unknown."""
    return tuple(c.proposition for c in forward.all_conditions if asked.unknown in c.proposition.free_symbols)


def _goes_with(trend: Trend, forward: Fact, asked: Asked) -> bool:
    """Whether all that the route requires of the unknown holds on the better side of each value at which it holds.

    That is so of what holds at every value, and of a comparison whose sides draw apart in the direction of the trend.
    """
    for condition in _of_the_unknown(forward, asked):
        if status_of(condition, asked.domain) in (None, Status.DISCHARGED):
            continue
        if not isinstance(condition, Relation) or condition.op not in ("<=", "<", ">=", ">"):
            return False
        excess = condition.lhs - condition.rhs if condition.op in ("<=", "<") else condition.rhs - condition.lhs
        work = partial(proved, excess, asked.unknown, asked.domain, _PROOF)
        shown = briefly(_PROOF, work, None)
        if shown is None or shown.better != trend.better:
            return False
    return True


def _root(bound: sp.Expr, target: sp.Expr, asked: Asked) -> sp.Expr | None:
    """Where a bound that is known to rise or fall meets its target, between the ends of the unknown.

    None where the bound may have steps or kinks, the ends are not known, or not all between them is in the domain.
    """
    unknown, along = asked.unknown, interval(asked.unknown, asked.domain)
    if along is None or sign(target, along) is not Sign.POSITIVE:
        return None
    bound, ends = unclipped(bound), along.of(unknown)
    if kinked(bound) or not smooth(bound) or not defined(bound, unknown, along) or ends.lower is None:
        return None
    inside = [Relation(unknown, ">" if ends.lower_open else ">=", ends.lower)]
    if ends.upper is not None:
        inside.append(Relation(unknown, "<" if ends.upper_open else "<=", ends.upper))
    whole = Domain((*(c for c in along.assume if unknown not in c.free_symbols), *inside))
    if not all(isinstance(c, Relation) and settle(c, whole) for c in along.assume if unknown in c.free_symbols):
        return None
    return SoleRoot(sp.Lambda(unknown, bound - target), ends.lower, sp.oo if ends.upper is None else ends.upper)


def _at_the_end(
    conditions: Iterable[Proposition], asked: Asked, end: sp.Expr, whole: sp.Expr
) -> tuple[Condition, ...] | None:
    """What is required of the unknown, at the end of what is enough; None where some of it is false."""
    budgets = [Relation(v, ">", sp.Integer(0)) for v in asked.goal.fixed.values() if isinstance(v, sp.Symbol)]
    domain = Domain((*asked.domain.assume, *budgets))  # at a budget of 0 the formula has no value
    return checked(_required(conditions, asked.unknown, end, whole), domain)


def _required(
    conditions: Iterable[Proposition], unknown: sp.Symbol, end: sp.Expr, whole: sp.Expr
) -> Iterator[Proposition]:
    """The conditions at the end of what is enough; `whole` is that, rounded where the unknown is an integer.

    That it is an integer, and at least one, is then told of what was rounded.
    """
    for condition in conditions:
        at = whole
        if whole != end:
            if condition == IsInteger(unknown):
                continue
            if isinstance(condition, Relation) and condition.op == ">=" and condition.rhs.is_Integer:
                at = end
        yield condition.subs({unknown: at})


def _closed(bound: sp.Expr, target: sp.Expr, asked: Asked) -> sp.Expr | None:
    return briefly(_CLOSED, partial(solve, bound, target, asked.unknown, asked.domain), None)


def _fact(solution: Solution, end: sp.Expr, conditions: tuple[Condition, ...], *, closed: bool) -> Fact:
    asked, goal = solution.asked, solution.asked.goal
    fact = elementary(
        solution.forward,
        Guarantee(goal.definition, tuple(goal.fixed[p] for p in goal.definition.params)),
        Step.CALIBRATION,
        choices=((str(asked.unknown), end),),
        conditions=tuple(dict.fromkeys(conditions)),
        replaced=frozenset({asked.unknown}),
        note="closed form, substituted back and verified" if closed else "the value where the bound meets the target",
        solution=solution,
    )
    solved = solution.solved
    best = solved.shape == "every" or (solved.shape in _HALF_LINES and (solution.line is None or solved.sharp))
    return replace(fact, exact=fact.exact and best)


def _bounded(forward: Fact, budget: object, asked: Asked) -> Bounded | None:
    """The bound as a function of the unknown alone, with what its route requires of it."""
    unknown, table = asked.unknown, {s: v for s, v in asked.values.items() if s != asked.unknown}
    bound, target = (substitute(side, table) for side in _sides(forward, budget, asked))
    if bound.free_symbols - {unknown} or target.free_symbols or bound.has(sp.zoo, sp.nan):
        return None
    conditions = (c.proposition.subs(table) for c in forward.all_conditions)
    here = tuple(c for c in conditions if c.free_symbols <= {unknown})
    allowed = tuple(c for c in asked.line.conditions if c.free_symbols <= {unknown})
    side = _sign(forward, budget)
    return Bounded(side * bound, side * target, unknown, here, allowed)  # what is required of others stays on the fact


def _by_numbers(forward: Fact, budget: object, asked: Asked, trend: Trend | None) -> Fact | bool | None:
    """The set of values at which the bound is at most the target."""
    unknown, values = asked.unknown, asked.values
    bound = _bounded(forward, budget, asked)
    if bound is None:
        return None
    line = asked.line
    raw, target = _sides(forward, budget, asked)
    formula = None
    if unknown not in bound.bound.free_symbols and _required_throughout(bound, line):
        solved = _everywhere(bound, line)
    else:
        if not raw.has(Minimum, Maximum):
            formula = _closed(raw, target, asked)
        if trend is None and unknown in bound.bound.free_symbols and _required_throughout(bound, line):
            work = partial(proved, bound.bound, unknown, Domain(line.conditions), _PROOF)
            trend = within(min(_PROOF, remaining()), work, None)
        try:
            if trend is None:
                solved = throughout(bound, line, _DIGITS)
            else:
                solved = _half_line(bound, line, trend, formula, values, _DIGITS)
        except NoBoundary as none:
            return False if none.fails and forward.exact else None
    if solved is None:
        return None
    if not isinstance(solved, Solved):
        return False if forward.exact else None
    if certified(solved, bound) is None:
        return None
    end = _end(solved, formula, forward, budget, asked, line)
    left_open = _left_open(forward, asked, end, formula)
    if left_open is None:
        return None
    solution = Solution(asked, forward, budget, line, end, trend, solved)
    return _fact(solution, end, left_open, closed=formula is not None and end == formula)


def _left_open(forward: Fact, asked: Asked, end: sp.Expr, formula: sp.Expr | None) -> tuple[Condition, ...] | None:
    """What the route rests on besides what was decided at the numbers; None where some of it is false.

    That is what speaks of other symbols, too; and where the end is a formula, all of it, for who takes it elsewhere.
    """
    own = [c for c in forward.all_conditions if asked.unknown not in c.proposition.free_symbols]
    spoken = [c.proposition for c in forward.all_conditions if asked.unknown in c.proposition.free_symbols]
    if not end.free_symbols:
        spoken = [p for p in spoken if p.free_symbols - {asked.unknown, *asked.values}]
        needed = checked((p.subs({asked.unknown: end}) for p in spoken), asked.domain)
        return None if needed is None else (*own, *needed)
    exactly = end if formula is None else formula
    here = dict.fromkeys(_required((*spoken, *asked.conditions), asked.unknown, exactly, end))
    known = checked(here, asked.domain)
    if known is None:
        return None
    status = {c.proposition: c.status for c in known}  # what is plain at these values is needed at others
    return (*own, *(Condition(p, status.get(p, Status.DISCHARGED)) for p in here if p.free_symbols))


def _required_throughout(bound: Bounded, line: Line) -> bool:
    """Whether what the route requires holds at every value of the unknown."""
    domain = Domain(line.conditions)
    return all(status_of(c, domain) in (None, Status.DISCHARGED) for c in bound.conditions)


def _half_line(
    bound: Bounded, line: Line, trend: Trend, formula: sp.Expr | None, values: Values, digits: int
) -> Solved | None:
    guess = None
    if formula is not None and not isinstance(formula, SoleRoot):
        try:
            guess = enclose(substitute(formula, values), digits=digits)
        except _NUMBERS:
            guess = None
    return along(bound, line, trend, guess, digits)


def _everywhere(bound: Bounded, line: Line) -> Solved | bool | None:
    """Where the bound does not depend on the unknown: it is enough at every value, or (False) at none."""
    start = line.inside()
    holds = None if start is None else bound.holds(start)
    return line.every("the bound does not depend on it") if holds else holds


def _end(solved: Solved, formula: sp.Expr | None, forward: Fact, budget: object, asked: Asked, line: Line) -> sp.Expr:
    """The end of what is enough: a closed form or a root where that is it, else the decimal that is called safe."""
    ends = () if solved.value is None else (solved.value.lower, solved.value.upper)
    raw, target = _sides(forward, budget, asked)
    # what was proved at these values says nothing about a formula at others
    general = asked.trend is not None or (raw.free_symbols | target.free_symbols) <= {asked.unknown}
    if solved.shape in _HALF_LINES and all(e.is_finite() for e in ends) and general:
        end = formula
        if end is None and solved.sharp and forward.exact and not any(_slow(forward)):
            end = _root(raw, target, asked)  # the only one: the bound rises or falls with the privacy
        if end is not None and line.step is not None and not solved.integer:
            end = None  # between two points
        if end is not None and solved.integer:
            rounded = sp.floor(end) if solved.safe == "lower" else sp.ceiling(end)
            end = rounded if end.free_symbols and not isinstance(end, SoleRoot) else None
        if end is not None and not end.free_symbols and not _is_inside(end, line):
            end = None  # of an open half-line, where the bound holds at the end, too
        if end is not None and (isinstance(end, SoleRoot) or _is_between(substitute(end, asked.values), ends)):
            return end
    if solved.shape == "every":
        last = line.end(-1 if solved.safe == "lower" else 1)
        some = last if last is not None else line.inside()
        return sp.Integer(1) if some is None else sp.Rational(some.numerator, some.denominator)
    ordered = ends if solved.safe == "lower" else ends[::-1]
    return next(sp.Rational(str(e)) for e in ordered if e.is_finite())


def _is_inside(value: sp.Expr, line: Line) -> bool:
    conditions = (c.subs({line.unknown: value}) for c in line.conditions)
    return all(status_of(c, Domain()) in (None, Status.DISCHARGED) for c in conditions)


def _is_between(value: sp.Expr, ends: Sequence[Decimal]) -> bool:
    relations = (Relation(value, op, sp.Rational(str(end))) for op, end in zip((">=", "<="), ends, strict=True))  # type: ignore[arg-type]
    return all(status_of(c, Domain()) in (None, Status.DISCHARGED) for c in relations)
