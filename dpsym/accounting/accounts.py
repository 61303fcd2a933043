"""epsilon and delta of a composition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds
from dpsym.accounting.claimed_renyi_bounds import best_order
from dpsym.accounting.compositions import (
    Composable,
    Exact,
    Laws,
    Steps,
    composition,
    laws,
    one_sided,
    ways_to_occur,
)
from dpsym.accounting.methods import answer
from dpsym.accounting.parameters import NotAccountable, exact_number
from dpsym.accounting.profile_floor import exactly_at
from dpsym.accounting.query import ORDER, Found, Question
from dpsym.accounting.rounded_parameters import rounded
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import cut, over, portion, timed
from dpsym.core.display import short
from dpsym.core.verdicts import Enclosure
from dpsym.numbers import TooExtreme, decimals
from dpsym.statements.adjacency import Adjacency, Direction, Sampling

_MOST_DIGITS = 1000  # that may be asked for: a mistyped number is no hour of work
_GUARD = 10  # digits more of irrational parameters than of the answer
_FIRST = 0.7  # of the time for removal, which mostly costs more and then leaves little to do for addition
_TINY, _INFINITY = Decimal("1E-5000000"), Decimal("Infinity")  # what is smaller, or larger, is not written
_ONE = Decimal(1)  # no delta is larger
_FURTHER = (0, 1, 100)  # units of the last digit by which an upper end may be widened


@dataclass(frozen=True, slots=True)
class Accounted:
    """A certified number.

    Attributes:
        value: the enclosure.  As a guarantee read its upper end; its lower end says that no better one holds.
        method: how it was found.
        finished: whether it is as narrow as was asked; where not, a limit of time or of size was met, or the exact
            number is not known, and the enclosure, though wider, is as certain.
        upper_only: empty where the exact number lies between the ends however narrow they are; otherwise why only the
            upper end is as good as what is known, and no reason to believe that it is attained.
        adjacency: the neighbours that it is about.
        none: an enclosure of what delta never falls below (or, where that is the delta asked for, never falls to),
            where no epsilon is enough; then both ends of `value` are infinite.  None where some epsilon is.
        cut: whether it is the time limit that left it wider than asked; more time may then give a narrower one.
    """

    value: Enclosure
    method: str
    finished: bool
    upper_only: str = ""
    adjacency: Adjacency = Adjacency.ANY
    none: Enclosure | None = None
    cut: bool = False

    __repr__ = short

    @property
    def lower(self) -> Decimal:
        """The lower bound."""
        return self.value.lower

    @property
    def upper(self) -> Decimal:
        """The upper bound, which is the guarantee."""
        return self.value.upper

    def __str__(self) -> str:
        if self.none is not None:
            return f"no epsilon is enough: delta never falls below {self.none.lower} ({self.method})"
        end = "" if self.finished else "; not as narrow as asked"
        end += f"; an upper bound: {self.upper_only}" if self.upper_only else ""
        return f"[{self.lower}, {self.upper}] ({self.method}{end})"


@keeping_time
def epsilon(
    of: Composable,
    *,
    delta: Exact,
    direction: Direction = "both",
    sampling: Sampling = "poisson",
    adjacency: Adjacency | None = None,
    digits: int = 10,
    time_limit: float | None = Work(10),
) -> Accounted:
    """The smallest epsilon >= 0 for which the composition is (epsilon, delta)-differentially private.

    Args:
        of: a mechanism, a composition of them, or of `subsampled` ones; parameters and counts are exact.
        delta: exact, in [0, 1].
        direction: a record is removed, added, or either; it matters only where something is sampled, and is none where
            a record is replaced.
        sampling: what `subsampled` means: Poisson samples, or samples of fixed size, the share q of all records, drawn
            without replacement.  The sensitivity of a mechanism on a sample is measured between samples: on Poisson
            samples to a record added or removed, on samples of fixed size to one replaced.
        adjacency: between which data sets; without it Poisson samples are for a record added or removed, those of fixed
            size for one replaced, and other mechanisms for the neighbours of their entry.  Poisson samples for a record
            replaced are known of Gaussian noise.  Samples of fixed size for a record added or removed are as large in
            both data sets, and q is the share of the larger one.  For a record replaced the upper end is the best bound
            that is proved, and the lower end that of a worst case: they need not meet.
        digits: upper - lower is to be at most 10**(1 - digits) times the value.
        time_limit: in seconds; None waits as long as it takes.

    Raises:
        NotAccountable: for what is not exact or outside its domain, and for steps about different neighbours.
    """
    asked = _Asked(exact_delta(delta), None, digits)
    return _answer(of, asked, sampling, direction, adjacency)


@keeping_time
def delta(
    of: Composable,
    *,
    epsilon: Exact,
    direction: Direction = "both",
    sampling: Sampling = "poisson",
    adjacency: Adjacency | None = None,
    digits: int = 10,
    time_limit: float | None = Work(10),
) -> Accounted:
    """The smallest delta for which the composition is (epsilon, delta)-differentially private; see `epsilon`.

    epsilon may be negative: the privacy profile is a function on the whole line.
    """
    number = exact_number("epsilon", epsilon)
    asked = _Asked(None, fmpq(number.numerator, number.denominator), digits)
    return _answer(of, asked, sampling, direction, adjacency)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a composition: epsilon where delta is given, delta where epsilon is."""

    delta: fmpq | None
    epsilon: fmpq | None
    digits: int

    @property
    def relative(self) -> float:
        """How narrow an answer is to be."""
        return 10.0 ** (1 - self.digits) if self.digits < 300 else 1e-300

    def found(self, losses: Laws, **known: arb | None) -> Found:
        """Bounds for these losses."""
        with ctx.workprec(64 + 4 * self.digits):
            return answer(Question(losses, self.delta, self.epsilon, self.relative / 2, **known))


def _answer(
    of: Composable, asked: _Asked, sampling: Sampling, direction: Direction, adjacency: Adjacency | None
) -> Accounted:
    digits, how = asked.digits, (sampling, direction, adjacency)
    checked(digits, direction, sampling)
    try:
        return _at(composition(of, *how), asked)
    except NotAccountable as error:
        if not isinstance(of, Composable):
            raise
        less, more = (rounded(of, better=better, digits=digits + _GUARD) for better in (True, False))
        if less == more == of:  # all parameters are rational
            raise
        reason = error
    finer = replace(asked, digits=digits + 1)
    try:
        with timed(portion(1 / 2)):
            below = _at(composition(less, *how), finer)
        above = _at(composition(more, *how), finer)
    except NotAccountable:
        raise reason from None
    value = Enclosure(below.lower, above.upper)
    near = value.lower == value.upper or value.width <= Decimal(asked.relative) * value.upper
    none = below.none
    if none is not None:
        none = Enclosure(none.lower, _ONE if above.none is None else above.none.upper)
    return replace(above, value=value, finished=near, none=none, cut=not near and cut())


def _at(steps: Steps, asked: _Asked) -> Accounted:
    """At parameters at which the laws of the losses are known."""
    delta, digits = asked.delta, asked.digits
    reasons = one_sided(steps)
    if steps.sampling == "fixed-size" and steps.replaced:
        found = _without_replacement(steps, asked)
    elif reasons:
        found = _from_both_sides(steps, asked)
    else:
        found = _worst(steps, steps.ways, asked)
    with ctx.workprec(64 + 4 * digits):
        finished = found.bounds.narrow(asked.relative)
        value = written(found.bounds, digits)
        if delta is not None and value.upper.is_finite() and (finished or reasons):
            value, shown = _put_back(value, steps, asked, delta)
            finished, found.method = finished and shown, found.method if shown else f"{found.method}, not put back"
        if delta is None:  # a decimal rounded outward may be more than any probability is
            value = Enclosure(min(value.lower, _ONE), min(value.upper, _ONE))
        none = None if found.floor is None or delta is None else _floor(found.floor, delta, digits)
        only = "" if finished else "; ".join(reasons)
        return Accounted(value, found.method, finished, only, steps.relation, none, cut=not finished and cut())


def _put_back(value: Enclosure, steps: Steps, asked: _Asked, delta: fmpq) -> tuple[Enclosure, bool]:
    """The upper end, or one some units further out, of which the delta was computed and is enough; and whether one was.

    Epsilon rests on delta at a number that is nearly this decimal; this is delta at the decimal itself.
    """
    for units in _FURTHER:
        unit = Decimal(1).scaleb(value.upper.adjusted() - asked.digits - 1)
        upper = value.upper + units * unit if units else value.upper
        number = fmpq(*upper.as_integer_ratio())
        there = replace(asked, delta=None, epsilon=number)
        if all(_enough(laws(steps, adding=way), there, delta) for way in steps.ways):
            return Enclosure(value.lower, upper), True
        ordered = best_order(steps, None, number) if one_sided(steps) else None
        if ordered is not None and ordered <= delta:
            return Enclosure(value.lower, upper), True
        if over():
            break
    return value, False


def _enough(losses: Laws, asked: _Asked, delta: fmpq) -> bool:
    """Whether delta at this epsilon is no more than what was asked for."""
    exact = exactly_at(losses, asked.epsilon) if asked.epsilon is not None else None
    if exact is not None:
        return exact <= delta
    with ctx.workprec(64 + 4 * asked.digits):
        goal = arb(delta)
    return bool(asked.found(losses, idle_below=goal.lower(), idle_above=goal.upper()).bounds.upper <= delta)


def exactly_enough(of: Composable, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether delta is enough at an epsilon that no finite loss exceeds, its least value there known as a fraction.

    Raises:
        NotAccountable: as for `epsilon`.
    """
    steps = composition(of)
    at, most = fmpq(epsilon.numerator, epsilon.denominator), fmpq(delta.numerator, delta.denominator)
    found = [exactly_at(laws(steps, adding=adding), at) for adding in steps.ways]
    return all(value is not None and value <= most for value in found)


def _floor(floor: arb | fmpq, delta: fmpq, digits: int) -> Enclosure:
    """Decimals, as many as show that it is above delta, where it is."""
    try:
        found = decimals(floor, digits)
        while floor > delta and digits < _MOST_DIGITS and not fmpq(*found.lower.as_integer_ratio()) > delta:
            digits *= 2
            found = decimals(floor, digits)
    except TooExtreme:
        return Enclosure(Decimal(0), _TINY)
    return Enclosure(max(found.lower, Decimal(0)), min(found.upper, _ONE))


def _worst(steps: Steps, ways: tuple[bool, ...], asked: _Asked, occurring: int | None = None) -> Found:
    """The larger of the answers for removing and for adding a record, as far as both are asked for."""
    each: list[Found] = []
    for adding in ways:
        last = len(each) == len(ways) - 1
        losses = laws(steps, adding=adding, occurring=occurring)
        with timed(portion(1 if last else _FIRST)):
            each.append(asked.found(losses, idle_below=each[0].bounds.lower if each else None))
    return reduce(_larger, each)


def _from_both_sides(steps: Steps, asked: _Asked) -> Found:
    """From above by pairs that dominate, from below by what is known to occur."""
    with timed(portion(1 / 2)):
        above = _worst(steps, steps.ways, asked)
    ordered = best_order(steps, asked.delta, asked.epsilon)
    if ordered is not None and ordered < above.bounds.upper:
        above = Found(Bounds(arb(0), ordered), ORDER)
    below = Found(Bounds(arb(0), above.bounds.upper), "nothing")
    occurring = ways_to_occur(steps)
    for i in range(occurring):
        with timed(portion(1 / (occurring - i))):
            found = _worst(steps, steps.every, asked, occurring=i)
        if found.bounds.lower > below.bounds.lower:
            below = found
    return _enclosed(above, below)


def _enclosed(above: Found, below: Found) -> Found:
    if above.bounds.upper < below.bounds.lower:
        raise AssertionError(f"two bounds contradict each other: {below.bounds} and {above.bounds}")
    bounds = Bounds(below.bounds.lower, above.bounds.upper)
    return Found(bounds, f"{above.method} from above, {below.method} from below", floor=below.floor)


def _without_replacement(steps: Steps, asked: _Asked) -> Found:
    """From above by the dominating pair; from below by the data where one record is noticed and all others are not.

    There it is no matter whether the one record is replaced or is added or removed, whichever neighbour comes first.
    """
    below = Found(Bounds(arb(0), arb.pos_inf()), "nothing")
    if not one_sided(steps):
        apart = replace(steps, relation=Adjacency.ADD_REMOVE)
        with timed(portion(1 / 2)):
            below = _worst(apart, apart.ways, replace(asked, digits=min(asked.digits, 6)))
    return _enclosed(asked.found(laws(steps, adding=False)), below)


def _larger(one: Found, other: Found) -> Found:
    """The larger of two numbers; its method is that of the one with the larger upper bound."""
    first = one if one.bounds.upper >= other.bounds.upper else other
    floors = [found.floor for found in (one, other) if found.floor is not None]
    floor = max(floors, key=lambda f: float(arb(f)), default=None)
    return replace(first, bounds=one.bounds.join(other.bounds), finished=one.finished and other.finished, floor=floor)


def exact_delta(value: Exact) -> fmpq:
    """An exact delta in [0, 1].

    Raises:
        NotAccountable: for anything else.
    """
    number = exact_number("delta", value)
    if not 0 <= number <= 1:
        raise NotAccountable(f"delta = {number} is not between 0 and 1")
    return fmpq(number.numerator, number.denominator)


def checked(digits: int, direction: Direction, sampling: Sampling) -> None:
    """Refuse options that are none.

    Raises:
        NotAccountable: for these.
    """
    if not 1 <= digits <= _MOST_DIGITS:
        raise NotAccountable(f"digits = {digits} is not between 1 and {_MOST_DIGITS}")
    if direction not in ("both", "add", "remove"):
        raise NotAccountable(f"direction = {direction!r} is none of both, add, remove")
    if sampling not in ("poisson", "fixed-size"):
        raise NotAccountable(f"sampling = {sampling!r} is neither poisson nor fixed-size")


def written(bounds: Bounds, digits: int) -> Enclosure:
    """Decimals, each end rounded outward; an end that no reasonable decimal holds, to one that is further out."""
    ends: list[Decimal] = []
    for end, further in ((bounds.lower, Decimal(0)), (bounds.upper, _TINY if bounds.upper < 1 else _INFINITY)):
        try:
            enclosed = decimals(end, digits)
            ends.append(enclosed.upper if ends else enclosed.lower)
        except TooExtreme:
            ends.append(further)
    return Enclosure(*ends)
