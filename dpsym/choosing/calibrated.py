"""Little noise of a mechanism that satisfies a guarantee: parameters as decimals at which that is certain.

Nothing is assumed of how privacy goes with a parameter.  A value counts as enough only where the mechanism's own claim,
composed by the notion's law or by accounting, is enclosed there and is at most what is asked for; the search merely
proposes values.  So the parameters are safe by themselves, and how near they are to the least is not claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cached_property

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.clocks import Work
from dpsym.core.deadline import cut, leave_out, over, remaining
from dpsym.core.notation import Delta, delta, epsilon
from dpsym.core.relations import IsInteger, Proposition, substitute
from dpsym.deriving import DerivationError, routes
from dpsym.deriving.fact import Status
from dpsym.entries.notions.composition import least
from dpsym.numbers import NotNumeric, Tape, compiled, holds_at
from dpsym.numbers.bracketing import halved
from dpsym.statements import Claim, Definition, Guarantee, Mechanism, Parameter, Use

_BITS = (64, 160)  # of precision; the second where the first does not tell
_DIGITS = 8  # of a parameter
_CLOSE = Fraction(1, 10 ** (_DIGITS + 1))  # of itself: how far the search leaves the two ends apart
_STEPS = 200  # halvings between two octaves, more than that takes
_OCTAVES = 44  # times two, up and down, in which a parameter is looked for
_AFTER = 4  # octaves after the first change that are looked at for another one, where no trend is known
_COARSE = Decimal("0.01")  # of itself: how far apart the two ends are at most where that is not worth a word
TIME, SIZE = "the time limit ended the search", "accounting tells it no finer"  # why less noise may be enough
_ROUTES = Work(5)  # seconds for a route where there is no claim in the notion
_FOR_A_COUNT = 0.5  # of the time left, for one calibration by accounting, where there is a second parameter
_SHAPES = tuple(
    Fraction(n, 16) for n in (0, 1, 2, 4, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
)  # in units of 1, and of the sensitivity: values of a second parameter that are tried
_REFINED = 18  # times that the gaps about the best value are halved, at most
_LEVEL = 1e-5  # of the error: it ends where the values next to the best are worse by no more
_FINEST = 10**6  # parts of 1 that it is a multiple of
_AROUND = 2  # octaves up and down in which the other parameter is then looked for
_WORSE = 2  # values in a row that are worse, after which no further ones are tried


class CannotMeet(ValueError):
    """The mechanism is not compared; the message says why, in words that go on after its name.

    Attributes:
        late: whether more time might find otherwise.
    """

    def __init__(self, why: str, *, late: bool = False) -> None:
        super().__init__(why)
        self.late = late


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A mechanism at parameters that are enough.

    Attributes:
        use: it, at exact numbers.
        by: how that is known.
        coarse: why less noise may be enough; empty where little less is not.
        tried: of a second parameter the name, and how many values were looked at; another one may be better.
    """

    use: Use
    by: str
    coarse: str = ""
    tried: tuple[str, int] | None = None


@dataclass(frozen=True)
class Wanted:
    """The condition: a guarantee in numbers, for so many answers together, each of this sensitivity.

    Attributes:
        to: the guarantee.
        sensitivity: of one answer, in the norm that the mechanism needs; exact and positive.
        times: how many answers, each with noise of its own.
    """

    to: Guarantee
    sensitivity: sp.Expr
    times: int

    @property
    def notion(self) -> Definition:
        """The notion of the guarantee."""
        return self.to.definition

    @property
    def budget(self) -> tuple[Parameter, sp.Expr]:
        """The parameter of the guarantee that is compared, its last one, and what it may be at most."""
        name, value = tuple(self.to.bound.items())[-1]
        if isinstance(value, sp.Lambda) or not isinstance(value, sp.Expr):
            raise CannotMeet(f"is compared at a budget that is a number, and {self.notion.id} is a function")
        if self.notion.compose.get(name) == least:
            raise CannotMeet(
                f"is compared at a budget that is better when it is less, and {name} of {self.notion.id} is not"
            )
        return name, value


def calibrated(mechanism: Mechanism, wanted: Wanted, error: Callable[[Use], float]) -> Calibrated:
    """The mechanism with the least error among what was tried and is certainly enough.

    Args:
        mechanism: with a sensitivity and one or two parameters more.
        wanted: what it has to satisfy.
        error: of the mechanism at parameters, to choose among several; infinite where it is not known.

    Raises:
        CannotMeet: where nothing was found to be enough, or nothing is known; with the reason.
    """
    why = mechanism.infinite.get(wanted.notion)
    if why is not None:
        raise CannotMeet(f"has no finite {wanted.notion.short} budget: {why}")
    own = [p for p in mechanism.params if p != Delta]
    rising = [p for p in own if p in mechanism.trends]
    unknown = (rising or own or [None])[0]
    if unknown is None or len(own) > 2:
        raise CannotMeet("is calibrated in one parameter, and has another number of them")
    problem = _Problem(mechanism, wanted, unknown, error)
    shapes = [p for p in own if p != unknown]
    found = problem.best({}) if not shapes else _best_shape(problem, shapes[0])
    late = cut()
    if found is None:
        raise CannotMeet(f"was not found to be enough at any {unknown}{' in the time there was' * late}", late=late)
    return replace(found, coarse=TIME) if late else found


def _best_shape(problem: _Problem, shape: sp.Symbol) -> Calibrated | None:
    """Over values of a second parameter: a coarse list, as long as it gets better, then about the best of them.

    The best may be next to one that is not enough, such as noise cut off as near as it may be; so the gaps that are
    halved are those between the values that were looked at.  It is not shown that no value between them is better.
    """
    unit = Fraction(math.ceil(float(problem.wanted.sensitivity.evalf(20)) * 10**6), 10**6)
    found: dict[Fraction, tuple[float, Calibrated]] = {}
    looked: dict[Fraction, float] = {}

    def tried(value: Fraction, near: sp.Rational | None = None) -> float:
        at = {shape: sp.Rational(value), Delta: problem.wanted.sensitivity}
        if not all(holds_at(c, at) for c in problem.mechanism.domain if c.free_symbols <= at.keys()):
            return math.inf
        looked[value] = math.inf
        best = problem.best({shape: sp.Rational(value)}, near)
        if best is None:
            return math.inf
        size = problem.error(best.use)
        looked[value], found[value] = size, (size, best)
        return size

    for unit_of in dict.fromkeys((Fraction(1), unit)):
        worse, least = 0, math.inf
        for value in (s * unit_of for s in _SHAPES):
            if worse >= _WORSE or over():
                break
            size = tried(value)
            worse = worse + 1 if least < math.inf and size >= least else 0
            least = min(least, size)
    if not found:
        return None
    for _ in range(_REFINED):
        best = min(found, key=lambda v: found[v][0])
        least, near = found[best][0], found[best][1].use.args[problem.unknown]
        around = sorted(looked)
        i = around.index(best)
        next_to_it = (*around[max(0, i - 1) : i], *around[i + 1 : i + 2])
        if over() or all(looked[v] - least <= _LEVEL * least for v in next_to_it):
            break
        for value in {Fraction(round((best + v) / 2 * _FINEST), _FINEST) for v in next_to_it} - looked.keys():
            tried(value, near)
    return replace(min(found.values(), key=lambda pair: pair[0])[1], tried=(str(shape), len(looked)))


@dataclass(frozen=True)
class _Problem:
    mechanism: Mechanism
    wanted: Wanted
    unknown: sp.Symbol
    error: Callable[[Use], float]

    def use(self, values: Mapping[sp.Symbol, sp.Expr]) -> Use:
        return self.mechanism(**{str(p): v for p, v in values.items()}, Delta=self.wanted.sensitivity)

    def best(self, shape: Mapping[sp.Symbol, sp.Expr], near: sp.Rational | None = None) -> Calibrated | None:
        """With the other parameter as it is: of the ends of what is enough, all or `near`, that of the least error."""
        if self.by_accounting:
            return self._counted(shape)
        found = []
        for value in self._ends(shape, near):
            use = self.use({**shape, self.unknown: value})
            found.append((self.error(use), Calibrated(use, self.budgets.said)))
        return min(found, key=lambda pair: pair[0])[1] if found else None

    @property
    def by_accounting(self) -> bool:
        """Whether budgets of several answers are better than what the notion's own law says of them."""
        return self.wanted.times > 1 and {epsilon, delta} <= set(self.wanted.notion.params)

    @cached_property
    def integer(self) -> bool:
        return any(c == IsInteger(self.unknown) for c in self.mechanism.domain)

    @cached_property
    def budgets(self) -> Budgets:
        return Budgets.of(self.mechanism, self.wanted)

    def enough(self, value: sp.Rational, shape: Mapping[sp.Symbol, sp.Expr]) -> bool:
        """Whether the guarantee certainly holds there."""
        at = {**shape, self.unknown: value}
        point = {**at, Delta: self.wanted.sensitivity}
        return all(holds_at(c, point) for c in self.mechanism.domain) and self.budgets.enough(at, point)

    @cached_property
    def corners(self) -> set[Fraction]:
        """Values at which formulas change: where the loss of one step is the epsilon that is asked for."""
        level, shift = self.wanted.to.bound.get(epsilon), self.wanted.sensitivity
        if self.integer or not (isinstance(level, sp.Rational) and isinstance(shift, sp.Rational) and level > 0):
            return set()
        return {Fraction(value) for value in (level, shift / level)}

    def _ends(self, shape: Mapping[sp.Symbol, sp.Expr], near: sp.Rational | None) -> Iterator[sp.Rational]:
        """Values that are enough, next to some that are not: of the octaves that are looked at, each change."""
        trend = self.mechanism.trends.get(self.unknown)
        octaves = range(0 if self.integer else -_OCTAVES // 2, _OCTAVES)
        if near is None or self.integer:
            places = sorted({Fraction(2) ** i for i in octaves} | self.corners)
        else:
            about = Fraction(near)
            places = sorted({about * Fraction(2) ** i for i in range(-_AROUND, _AROUND + 1)} | self.corners)
        if trend is not None and trend.better == "less":
            places.reverse()
        before: tuple[Fraction, bool] | None = None
        last = len(places)
        for number, place in enumerate(places):
            if number > last or over():
                return
            here = self.enough(sp.Rational(place), shape)
            if before is not None and here != before[1]:
                good, bad = (place, before[0]) if here else (before[0], place)
                end = self._end(good, bad, shape)
                if end is not None:
                    yield end
                if trend is not None:
                    return
                last = min(last, number + _AFTER)
            before = (place, here)

    def _end(self, good: Fraction, bad: Fraction, shape: Mapping[sp.Symbol, sp.Expr]) -> sp.Rational | None:
        def enough(value: Fraction) -> bool:
            return self.enough(sp.Rational(value), shape)

        if self.integer:
            good, _ = halved(
                enough, good, bad, _STEPS, lambda bad, good: abs(good - bad) <= 1, lambda x: Fraction(x // 1)
            )
            return sp.Rational(good)
        good, bad = halved(
            enough, good, bad, _STEPS, lambda bad, good: abs(good - bad) <= _CLOSE * max(good, bad),
            lambda x: x.limit_denominator(10**18),
        )  # fmt: skip
        towards = ROUND_CEILING if good > bad else ROUND_FLOOR
        for digits, rounding in ((_DIGITS, ROUND_HALF_EVEN), (_DIGITS, towards), (_DIGITS + 2, towards)):
            rounded = sp.Rational(nearest(good, digits, rounding))
            if self.enough(rounded, shape):
                return rounded
        exact = sp.Rational(good)
        return exact if self.enough(exact, shape) else None

    def _counted(self, shape: Mapping[sp.Symbol, sp.Expr]) -> Calibrated | None:
        """For several answers: calibrated by accounting."""
        from dpsym import accounting
        from dpsym.accounting.calibration.boundary import NothingEnough

        level, excess = (Fraction(str(self.wanted.to.bound[p])) for p in (epsilon, delta))
        share = _FOR_A_COUNT if shape else 1.0
        left = None if remaining() == math.inf else share * max(0.1, remaining())
        try:
            found = accounting.calibrate(
                self.use({**shape, self.unknown: sp.Symbol(str(self.unknown))}) ** self.wanted.times,
                sp.Symbol(str(self.unknown)),
                epsilon=level, delta=excess, time_limit=left,
            )  # fmt: skip
        except accounting.NotAccountable as error:
            if isinstance(error, NothingEnough) and not error.shown:
                leave_out()
            raise CannotMeet(f"is not accounted for: {error}") from None
        if found.cut:
            leave_out()
        if not found.enough.is_finite() or found.enough <= 0:
            return None
        value, apart = sp.Rational(Fraction(found.enough)), abs(found.upper - found.lower)
        use = self.use({**shape, self.unknown: value})
        coarse = not found.finished and not apart <= _COARSE * found.lower
        return Calibrated(use, f"{self.wanted.times} answers by {found.method}", SIZE if coarse else "")


@dataclass(frozen=True)
class Budgets:
    """The claims of a mechanism in a notion, as functions of its parameters: each with its conditions."""

    known: tuple[tuple[Tape, tuple[sp.Symbol, ...], tuple[Proposition, ...], sp.Expr], ...]
    said: str
    exact: bool  # nothing smaller is true

    @staticmethod
    def of(mechanism: Mechanism, wanted: Wanted) -> Budgets:
        """What is known of its budgets.

        Raises:
            CannotMeet: where nothing is.
        """
        notion, (last, most) = wanted.notion, wanted.budget
        if wanted.times > 1 and last not in notion.compose:
            raise CannotMeet(f"is not calibrated for several answers: {notion.short} has no law of composition")
        claims = [c for c in mechanism.claims if c.guarantee.definition is notion]
        said = str(claims[0].source) if claims else ""
        exact = all(c.tight for c in claims) and wanted.times == 1 and bool(claims)
        if not claims:
            claims, said = _derived(mechanism, notion)
        if wanted.times > 1:
            said += f"; {wanted.times} answers by the composition of {notion.short}"
        known = []
        for claim in claims:
            table: dict[sp.Basic, sp.Basic] = {Delta: wanted.sensitivity}
            indices = zip(claim.guarantee.args[:-1], wanted.to.args[:-1], strict=True)
            table |= {o: asked for o, asked in indices if isinstance(o, sp.Symbol) and o not in mechanism.params}
            budget = substitute(claim.guarantee.args[-1], table)
            if wanted.times > 1:
                budget = notion.compose[last].fold(budget, sp.Integer(wanted.times))
            others = [(substitute(own, table), asked) for own, asked in
                      zip(claim.guarantee.args[:-1], wanted.to.args[:-1], strict=True)]  # fmt: skip
            if any(own != asked for own, asked in others):
                continue  # a budget at one index alone
            symbols = tuple(p for p in mechanism.params if p != Delta)
            try:
                tape = compiled((budget - most,), symbols)
            except NotNumeric as error:
                raise CannotMeet(f"has a budget that is not a number: {error}") from None
            known.append((tape, symbols, tuple(c.subs(table) for c in claim.assume), budget))
        if not known:
            raise CannotMeet(f"is not known to satisfy {notion.short} with these parameters")
        return Budgets(tuple(known), said, exact)

    def enough(self, at: Mapping[sp.Symbol, sp.Expr], point: Mapping[sp.Symbol, sp.Expr]) -> bool:
        """Whether one of the budgets is certainly at most the one asked for, its conditions being met."""
        for tape, symbols, assume, _ in self.known:
            values = [fmpq(int(at[s].p), int(at[s].q)) for s in symbols]
            for bits in _BITS:
                with ctx.workprec(bits):
                    excess = tape.balls([arb(v) for v in values])[0]
                if excess <= 0 and all(holds_at(c, point) for c in assume):
                    return True
                if excess > 0:
                    break
            else:  # an equality of rationals, perhaps
                excess = tape.at(dict(enumerate(values))).balls([])[0]
                if excess <= 0 and all(holds_at(c, point) for c in assume):
                    return True
        return False


def _derived(mechanism: Mechanism, notion: Definition) -> tuple[list[Claim], str]:
    """A route to the notion without open conditions, where nothing is claimed in it."""
    use = mechanism(**{str(p): p for p in mechanism.params})
    try:
        found = routes(use, notion, time_limit=_ROUTES)
    except DerivationError as error:
        raise CannotMeet(f"has no known {notion.short} budget: {error}") from None
    for fact in found:
        closed = not any(isinstance(a, sp.Lambda) for a in fact.guarantee.args) and not fact.choices
        if closed and all(c.status == Status.DISCHARGED for c in fact.all_conditions):
            source = mechanism.source if fact.source is None else fact.source
            return [Claim(fact.guarantee, source)], " -> ".join(fact.rules)
    raise CannotMeet(f"has no {notion.short} budget in closed form")


def nearest(value: Fraction, digits: int, rounding: str = ROUND_HALF_EVEN) -> Fraction:
    """A decimal of so many digits."""
    context = Context(prec=digits, rounding=rounding)
    return Fraction(context.divide(Decimal(value.numerator), Decimal(value.denominator)))
