"""The best answer there is to a question: routes through the catalogue, then certified accounting, then enclosures.

Accounting is asked where values make a number of the question and no route is exact, and enclosures of integrals where
a noise of one's own has no closed form; neither is loaded before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import sympy as sp

from dpsym.core.deadline import cut, portion, timed
from dpsym.core.doing import doing
from dpsym.core.notation import alpha, delta, epsilon
from dpsym.core.relations import exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.deciding import InternalContradiction
from dpsym.deciding.timeout import attempted
from dpsym.deriving import DerivationError, Fact, NoRoute, NotInTime, NoValue, Routes, Target, refuse_two_values, routes
from dpsym.deriving.ranking import size
from dpsym.deriving.searching import Source
from dpsym.statements import (
    Adjacency,
    Composed,
    Definition,
    Guarantee,
    Mechanism,
    Parameter,
    Solved,
    Subsampled,
    Use,
    asked_for,
)
from dpsym.statements.adjacency import Sampling, covers

if TYPE_CHECKING:
    from dpsym.accounting import Accounted

__all__ = ["Answers", "Numbered", "above", "answers", "derive"]

_ROUTES, _ACCOUNTING = 0.6, 0.7  # of the time left; the rest is for the numbers
_FAIR = 0.3  # of the time left, for the number of one route
_LONGEST, _ENCLOSING = 10.0, 20.0  # seconds for accounting, and for an integral
_DIGITS, _MOST_DIGITS = 10, 40  # that accounting is asked for
_UNKNOWN: tuple[Decimal, ...] = (Decimal("Infinity"),)

Counting: TypeAlias = "Callable[[float], tuple[str, Accounted] | None]"
Enclosed: TypeAlias = tuple[str, Enclosure | None, Decimal | None]


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked: of what, for which notion, at which values, for which unknown, and how samples are drawn."""

    source: Source
    to: Target
    values: Mapping[sp.Symbol, sp.Rational]
    unknown: sp.Symbol | None
    sampling: Sampling

    @property
    def definition(self) -> Definition:
        """The notion."""
        return asked_for(self.to)[0]

    def at(self, parameter: Parameter) -> sp.Basic:
        """A parameter of the notion, as far as it has a value."""
        return substitute(asked_for(self.to)[1].get(parameter, parameter), self.values)

    def answered(self, name: str, number: Decimal) -> Guarantee:
        """What is asked for, with everything at its value and this number for the parameter that was to be found."""
        found = {sp.Symbol(name): sp.Rational(*number.as_integer_ratio())}
        return self.definition(*(found.get(p, self.at(p)) for p in self.definition.params))


@dataclass(frozen=True, slots=True, repr=False)
class Numbered(Fact):
    """A guarantee that is known by a number of its own: `value` encloses the best one, and what holds is its safe end.

    Attributes:
        value: the enclosure, by the name of the parameter, or of the unknown that was solved for.
        accounted: how accounting found it, where it did.
    """

    value: Mapping[str, Enclosure] = field(default_factory=dict)
    accounted: Accounted | None = field(default=None, compare=False, repr=False)

    def evaluate(self, at: Mapping[sp.Symbol, object] | None = None, digits: int = 15) -> dict[str, Enclosure]:
        """The enclosure as it was found, and what was given to so many digits."""
        return {**Fact.evaluate(self, at, digits), **self.value}

    @property
    def solved(self) -> Solved | None:
        """The values of the unknown that are enough, where one was solved for."""
        from dpsym.accounting import Calibrated

        found = self.accounted
        if not isinstance(found, Calibrated) or found.shape == "none":
            return None
        sharp = found.finished and not found.upper_only
        return Solved(found.shape, found.value, found.safe, found.integer, found.monotone, sharp)


class Answers(Routes):
    """Everything that was found, tightest first: closed forms, and among them what is certified as a number.

    Attributes:
        accounted: epsilon, delta or the unknown by accounting, where it was asked and knows it.
        enclosed: epsilon or delta of a noise of one's own by enclosing an integral, where there is no closed form: its
            name with bounds, or (at an order, or where a smaller shift may be worse) with one lower bound.
    """

    accounted: tuple[str, Accounted] | None = None
    enclosed: Enclosed | None = None

    @property
    def closed_forms(self) -> Routes:
        """The routes through the catalogue alone, tightest first."""
        return Routes((fact for fact in self if not isinstance(fact, Numbered)), self.finished)


def derive(source: Source, to: Target, **options: object) -> Fact:
    """The best of `answers`: where the values make a number of the question, the best number that is certified.

    Raises:
        DerivationError: when there is none, saying what is missing.
    """
    found = answers(source, to, **options)  # type: ignore[arg-type]
    if found:
        return found[0]
    if found.accounted is not None:
        raise NoRoute(f"no epsilon is known to be enough for {source}: {found.accounted[1]}")
    raise NoRoute(f"no route from {source} to {to}: all that is known is a lower bound, {found.enclosed}")


def answers(
    source: Source,
    to: Target,
    *,
    assume: Iterable[object] = (),
    at: Mapping[sp.Symbol, object] | None = None,
    solve_for: sp.Symbol | None = None,
    group: object | None = None,
    adjacency: Adjacency | None = None,
    sampling: Sampling = "poisson",
    time_limit: float | None = None,
    digits: int | None = None,
) -> Answers:
    """Every way from a mechanism, a composition or a guarantee to the target, tightest first; see `deriving.routes`.

    Where accounting applies and no closed form is exact, its certified number is one of them.  It gets what time the
    routes leave, and ten seconds at most.

    Args:
        source, to, assume, at, solve_for, group, adjacency, sampling: as for `deriving.routes`.
        time_limit: in seconds, for everything.
        digits: that a certified number should have (10).

    Raises:
        DerivationError: as `deriving.routes`, where accounting and enclosures know no more.
        InternalContradiction: where a closed form and a certified bound exclude each other; a defect of dpsym.
    """
    with timed(time_limit):
        doing(f"searching routes to {asked_for(to)[0].id}")
        values = {s: exact(v) for s, v in (at or {}).items()}
        refuse_two_values(source, to, values)  # accounting would pass one of them over
        question, ask = _Question(source, to, values, solve_for, sampling), None
        if group is None and adjacency is None and not isinstance(source, Guarantee):
            ask = _counting(question, source, digits or _DIGITS)
        try:
            found = routes(
                source,
                to,
                assume=assume,
                at=values,
                solve_for=solve_for,
                group=group,
                adjacency=adjacency,
                sampling=sampling,
                time_limit=portion(1.0 if ask is None else _ROUTES),
            )
        except DerivationError as error:
            return _without_routes(error, question, group, ask)
        known = found[0].exact and attempted(partial(size, found[0], values), _UNKNOWN, _FAIR) != _UNKNOWN
        if ask is None or known:  # a closed form may have no number at the ends of its parameters
            return _answers(found, found.finished)
        doing("certified accounting")
        counted = attempted(partial(ask, _seconds(_ACCOUNTING)), None)
        certified = None if counted is None else _certified(question, counted)
        placed = found if certified is None else _placed(found, certified, values)
        return _answers(placed, found.finished and not cut(), counted)


def above(fact: Fact, name: str, value: Enclosure, accounted: tuple[str, Accounted] | None) -> Enclosure | None:
    """By what share of the certified number (0.15 for 15 %) the fact's epsilon or delta is above it.

    None where they are not about the same, and where the certified number may be 0.
    """
    if accounted is None or name != accounted[0] or name not in ("epsilon", "delta") or isinstance(fact, Numbered):
        return None
    known, finite = accounted[1].value, value.upper.is_finite() and accounted[1].upper.is_finite()
    if not (finite and known.lower > 0 and fact.solution is None and covers(fact.adjacency, accounted[1].adjacency)):
        return None
    with localcontext() as context:
        context.prec, context.rounding = 12, ROUND_FLOOR
        lower = max(Decimal(0), value.lower / known.upper - 1)  # what is certified may be looser, if time was short
        context.rounding = ROUND_CEILING
        return Enclosure(lower, max(Decimal(0), value.upper / known.lower - 1))


def _answers(
    facts: Iterable[Fact],
    finished: bool,
    accounted: tuple[str, Accounted] | None = None,
    enclosed: Enclosed | None = None,
) -> Answers:
    found = Answers(facts, finished)
    found.accounted, found.enclosed = accounted, enclosed
    return found


def _without_routes(error: DerivationError, question: _Question, group: object | None, ask: Counting | None) -> Answers:
    """What enclosures and accounting know where there is no route; the error where they know nothing."""
    enclosed = _enclosed(question) if group is None else None
    if enclosed is not None:
        return _answers(_by_enclosure(question, enclosed), True, enclosed=enclosed)
    shown = isinstance(error, NoValue) and error.shown
    if ask is None or shown or not (isinstance(error, NoRoute) or not isinstance(question.source, Use)):
        raise error
    counted = attempted(partial(ask, _seconds(1.0)), None)
    if counted is None:
        raise error
    certified = _certified(question, counted)
    return _answers(() if certified is None else (certified,), not cut(), counted)


def _seconds(share: float) -> float:
    return min(_LONGEST, portion(share))


def _counting(question: _Question, source: Use | Subsampled | Composed, digits: int) -> Counting | None:
    """How accounting would be asked, in so many seconds; None where the question is not one for it."""
    if question.definition.id != "approx":
        return None
    unknown, fixed = question.unknown, asked_for(question.to)[1]
    wanted = {p: question.at(p) for p in (epsilon, delta)}
    known = {p: v for p, v in wanted.items() if v.is_Rational and (p in fixed or p not in source.free_symbols)}
    inside = {s: v for s, v in question.values.items() if s in source.free_symbols}
    if source.free_symbols - {unknown, *inside} or len(known) != (1 if unknown is None else 2):
        return None
    name = str(unknown) if unknown is not None else "epsilon" if delta in known else "delta"

    def ask(seconds: float) -> tuple[str, Accounted] | None:
        from dpsym.accounting import NotAccountable
        from dpsym.accounting.calibration.calibrate import accounted
        from dpsym.accounting.compositions import neighbours
        from dpsym.accounting.options import Options

        given = {str(p): v for p, v in known.items()}
        how: Options = {"sampling": question.sampling, "digits": min(digits, _MOST_DIGITS), "time_limit": seconds}
        try:
            neighbours(source, question.sampling)  # as it is written: a rate of 1 is about others than one in symbols
            return name, accounted(source.subs(inside), unknown or name, given, **how)
        except NotAccountable:
            return None

    return ask


def _certified(question: _Question, counted: tuple[str, Accounted]) -> Numbered | None:
    """What accounting found, as a guarantee; None where nothing is known to be enough."""
    from dpsym.accounting import Calibrated

    name, found = counted
    solved = isinstance(found, Calibrated)
    enough = found.enough if isinstance(found, Calibrated) else found.upper
    if not enough.is_finite() or (isinstance(found, Calibrated) and found.shape == "none"):
        return None
    return Numbered(
        guarantee=question.answered("" if solved else name, enough),
        rule="accounting",
        source=None,
        choices=((name, sp.Rational(*enough.as_integer_ratio())),) if solved else (),
        adjacency=found.adjacency,
        subject=str(question.source),
        note=found.method,
        value={name: found.value},
        accounted=found,
    )


def _placed(found: Routes, certified: Numbered, values: Mapping[sp.Symbol, sp.Rational]) -> tuple[Fact, ...]:
    """The routes, and what is certified before the first of them that is not known to be as tight.

    Raises:
        InternalContradiction: where a route promises what is certified to be false.
    """
    from dpsym.accounting import Calibrated

    (name, value), before = next(iter(certified.value.items())), 0
    falls = isinstance(certified.accounted, Calibrated) and certified.accounted.safe == "lower"
    safe, limits = (-value.lower, -value.upper) if falls else (value.upper, value.lower)
    for fact in found:
        shape = None if fact.solution is None else fact.solution.solved.shape
        sure = covers(fact.adjacency, certified.adjacency) and all(c.status != "open" for c in fact.all_conditions)
        if not sure or shape in ("between", "only"):
            break
        end = attempted(partial(size, fact, values), _UNKNOWN, _FAIR)[-1 if name == "delta" else 0]
        if shape != "every" and end < limits:
            raise InternalContradiction(f"{fact.guarantee} by {fact.rules}, but {name} by accounting: {value}")
        if shape != "every" and end > safe:
            break
        before += 1
    return (*found[:before], certified, *found[before:])


def _enclosed(question: _Question) -> Enclosed | None:
    """What is asked for of a noise of one's own, as a number: its name, and bounds or one lower bound.

    None where it is not about the noise alone, at exact values of everything.

    Raises:
        NotInTime: where no number could be certified.
    """
    source, notion = question.source, question.definition.id
    if not isinstance(source, Use) or type(source.mechanism) is Mechanism:
        return None
    from dpsym.own_noise import OwnNoise, enclosed, supremum
    from dpsym.own_noise.supremum import NotSettled

    own = source.mechanism
    if not isinstance(own, OwnNoise):
        return None
    at = {symbol: substitute(value, question.values) for symbol, value in source.args.items()}
    indices = {"approx": (epsilon, delta), "rdp": (alpha,)}.get(notion, ())
    known = [(i, v) for i in indices if i not in own.params and (v := question.at(i)).is_Rational]
    alone = notion in ("pure", "zcdp") and not isinstance(question.to, Guarantee)
    if (len(known) != 1 and not alone) or not all(v.is_Rational for v in at.values()):
        return None
    seconds = min(_ENCLOSING, portion(1.0))

    def of_the_largest_shift(value: Enclosure) -> tuple[Enclosure | None, Decimal | None]:
        return (value, None) if own.dominating else (None, value.lower)

    try:
        if notion == "pure":
            return "epsilon", supremum.pure(own.noise, own.shift, at, time_limit=seconds), None
        if notion == "zcdp":
            return "rho", *of_the_largest_shift(enclosed.zcdp(own.noise, own.shift, at, time_limit=seconds))
        ((index, asked),) = known
        if index == delta:
            least = enclosed.epsilon(own.noise, own.shift, asked, at, time_limit=seconds)
            return "epsilon", *of_the_largest_shift(least)
        if index == epsilon:
            return "delta", *of_the_largest_shift(enclosed.delta(own.noise, own.shift, asked, at, time_limit=seconds))
        try:
            found = enclosed.renyi(own.noise, own.shift, asked, at, time_limit=seconds / 2)
            return "epsilon", *of_the_largest_shift(found)
        except NotSettled:
            return "epsilon", None, enclosed.renyi_at_least(own.noise, own.shift, asked, at, time_limit=seconds / 2)
    except NotSettled as error:
        raise NotInTime(str(error)) from None


def _by_enclosure(question: _Question, number: Enclosed) -> tuple[Fact, ...]:
    """The guarantee at the upper end of an enclosure; a lower bound alone guarantees nothing."""
    name, value, _ = number
    if value is None or not value.upper.is_finite():
        return ()
    source, guarantee = question.source, question.answered(name, value.upper)
    unsettled = isinstance(source, Use) and source.mechanism.unsettled
    note = "of the distribution that the formula is proportional to" if unsettled else ""
    return (Numbered(guarantee, "enclosure", None, subject=str(source), note=note, value={name: value}),)
