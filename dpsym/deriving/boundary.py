"""Where a bound in one unknown meets its target: the search for the end of what is enough, from both sides.

The search may guess; what it returns was compared at exact decimals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import sympy as sp

from dpsym.core.deadline import over
from dpsym.core.relations import IsInteger, Proposition
from dpsym.core.verdicts import Enclosure
from dpsym.deciding import Domain
from dpsym.deriving.bounded import Bounded, holds_at
from dpsym.deriving.intervals import ends
from dpsym.numbers.bracketing import closed_in
from dpsym.statements import Solved, Trend

_FAR = 9  # squarings of a factor of two, away from the start
_STEPS = 120  # more than any number of digits that is asked for needs
_LATTICE_STEPS = 4000  # where it may close in by single points of the lattice
_BISECTED = 4  # every so many steps, while the bracket is wide
_MORE_DIGITS = 2  # than are shown, so that the last one shown is right
_MOST_INTEGERS = 400  # that are tried one by one
_FEW = 12  # integers at the start of an interval that has no end
_PROVED_DIGITS = 8  # of the ends of an interval on which branch and bound is to succeed
_SHARES = 40  # of a bounded interval, at whose ends it is tried first


class NoBoundary(ArithmeticError):
    """No value is enough; `fails` where it is shown that none is, by this bound."""

    def __init__(self, *, fails: bool) -> None:
        super().__init__("no value is enough")
        self.fails = fails


@dataclass(frozen=True, slots=True)
class Line:
    """The values that an unknown may have.

    Attributes:
        conditions: all that is required of it.
        lower, upper: ends; None is infinite.
        step, offset: where it is offset + step * (an integer); step None where it is any real number.
    """

    unknown: sp.Symbol
    conditions: tuple[Proposition, ...]
    lower: Fraction | None
    upper: Fraction | None
    lower_open: bool
    upper_open: bool
    step: Fraction | None
    offset: Fraction

    @classmethod
    def of(cls, unknown: sp.Symbol, conditions: tuple[Proposition, ...]) -> Line:
        """The line that conditions on the unknown leave.

        Raises:
            EmptyDomain: where they leave nothing.
        """
        plain = Domain(conditions)
        bounds = Domain((*conditions, *ends(conditions, unknown, plain))).of(unknown)
        step, offset = _lattice(unknown, conditions)
        lower = None if bounds.lower is None else Fraction(int(bounds.lower.p), int(bounds.lower.q))
        upper = None if bounds.upper is None else Fraction(int(bounds.upper.p), int(bounds.upper.q))
        lower_open, upper_open = bounds.lower_open, bounds.upper_open
        if step is not None:  # the ends are points of the lattice
            if lower is not None:
                first = math.ceil((lower - offset) / step) * step + offset
                lower, lower_open = first + step if lower_open and first == lower else first, False
            if upper is not None:
                last = math.floor((upper - offset) / step) * step + offset
                upper, upper_open = last - step if upper_open and last == upper else last, False
        return cls(unknown, conditions, lower, upper, lower_open, upper_open, step, offset)

    def contains(self, x: Fraction) -> bool:
        """Whether the unknown may be x."""
        return all(holds_at(c, self.unknown, x) for c in self.conditions)

    @property
    def integer(self) -> bool:
        """Whether all values are integers."""
        return self.step is not None and self.step.denominator == self.offset.denominator == 1

    def inside(self) -> Fraction | None:
        """Some value, of moderate size where there is one."""
        low, high = self.lower, self.upper
        if self.step is not None:
            near = low if low is not None else (high if high is not None else self.offset)
            among = [near + i * self.step for i in range(8)]
        elif low is not None and high is not None:
            among = [low + (high - low) * Fraction(i, 16) for i in (8, 4, 12, 1, 15, 0, 16)]
        elif low is not None:
            among = [low + Fraction(i) for i in (1, 2, 10, 100)] + [low + Fraction(1, 10)]
        elif high is not None:
            among = [high - 1, high - Fraction(1, 10), high]
        else:
            among = [Fraction(1), Fraction(0)]
        return next((x for x in among if self.contains(x)), None)

    def outward(self, start: Fraction, sign: int) -> Iterator[Fraction]:
        """Values on one side of the start, ever further; a closed end first of all."""
        end, is_open = (self.upper, self.upper_open) if sign > 0 else (self.lower, self.lower_open)
        if end == start:
            return
        if end is not None and not is_open:
            yield end
        for i in range(_FAR):
            factor = Fraction(2) ** (2**i)
            if end is not None:
                x = end + (start - end) / factor
            else:
                x = start + sign * max(abs(start), Fraction(1)) * (factor - 1)
            if self.step is not None:
                x = self.offset + round((x - self.offset) / self.step) * self.step
            if self.contains(x):
                yield x

    def is_end(self, x: Fraction, sign: int) -> bool:
        """Whether x is the last value on that side."""
        return x == (self.upper if sign > 0 else self.lower)

    def end(self, sign: int) -> Fraction | None:
        """The last value on that side, where there is one."""
        if sign > 0:
            return None if self.upper_open else self.upper
        return None if self.lower_open else self.lower

    def every(self, reason: str, worse: int = -1) -> Solved:
        """All of it is enough."""
        low = Decimal("-Infinity") if self.lower is None else _decimal(self.lower, ROUND_CEILING)
        high = Decimal("Infinity") if self.upper is None else _decimal(self.upper, ROUND_FLOOR)
        last, other = ("upper", "lower") if worse > 0 else ("lower", "upper")
        safe = last if self.end(worse) is not None or self.end(-worse) is None else other
        return Solved("every", Enclosure(low, max(low, high)), safe, self.integer, reason)  # type: ignore[arg-type]

    def points(self) -> list[Fraction]:
        """Values all over it, in order, and some in its gaps."""
        low, high = self.lower, self.upper
        if self.step is not None:
            start = low if low is not None else (high if high is not None else self.offset)
            sign = -1 if low is None and high is not None else 1
            found = [start + sign * i * self.step for i in (*range(24), *(2**j for j in range(5, 30)))]
        elif low is not None and high is not None:
            found = [low + (high - low) * Fraction(i, _SHARES) for i in range(_SHARES + 1)]
            found += [low + (high - low) / 2**j for j in range(6, 30)] + [
                high - (high - low) / 2**j for j in range(6, 30)
            ]
        elif low is not None or high is not None:
            end, sign = (low, 1) if low is not None else (high or Fraction(0), -1)
            found = [end, *(end + sign * Fraction(2) ** j for j in range(-24, 25))]
            found += [end + sign * Fraction(3, 2) * Fraction(2) ** j for j in range(-6, 8)]
        else:
            found = [Fraction(0), *(s * Fraction(2) ** j for j in range(-24, 25) for s in (-1, 1))]
        return sorted({x for x in found if (low is None or x >= low) and (high is None or x <= high)})


def _lattice(unknown: sp.Symbol, conditions: tuple[Proposition, ...]) -> tuple[Fraction | None, Fraction]:
    """The step and the offset of the values at which these are integers."""
    step: Fraction | None = None
    offset = Fraction(0)
    for condition in conditions:
        if not isinstance(condition, IsInteger):
            continue
        slope, rest = sp.diff(condition.expression, unknown), condition.expression.subs(unknown, 0)
        if not (isinstance(slope, sp.Rational) and isinstance(rest, sp.Rational)) or slope == 0:
            continue  # decided at each value
        own = Fraction(int(slope.q), abs(int(slope.p)))
        start = -Fraction(int(rest.p), int(rest.q)) / Fraction(int(slope.p), int(slope.q))
        if step is None:
            step, offset = own, start % own
            continue
        common = Fraction(math.lcm(step.numerator * own.denominator, own.numerator * step.denominator),
                          step.denominator * own.denominator)  # fmt: skip
        among = (offset + i * step for i in range(min(int(common / step), _MOST_INTEGERS)))
        offset = next((x for x in among if (x - start) % own == 0), offset)
        step = common
    return step, offset


def along(bound: Bounded, line: Line, trend: Trend, guess: Enclosure | None, digits: int) -> Solved | None:
    """The end of what is enough, where all values on the better side of one that is enough are so, too.

    Raises:
        NoBoundary: where none is.
    """
    worse = -1 if trend.better == "more" else 1
    known = _guessed(bound, line, trend, guess, digits)
    if known is not None:
        return known
    start = line.inside()
    if start is None:
        return None
    good, bad = _bracket(bound, line, start, worse)
    if bad is None:
        if line.is_end(good, worse):
            return line.every(trend.reason, worse)
        return _open_ended(line, trend, _short(bound, line, good, -worse, digits))
    good, bad = _closed_in(bound, line, good, bad, digits)
    if line.step is None:
        good = _short(bound, line, good, -worse, digits)
    return _solved(bound, line, trend, good, bad)


def _short(bound: Bounded, line: Line, good: Fraction, better: int, digits: int) -> Fraction:
    """The same to so many digits and two more, on its better side, if that is enough, too."""
    unit = line.step or _unit(good, digits + _MORE_DIGITS)
    near = (math.ceil(good / unit) if better > 0 else math.floor(good / unit)) * unit
    return near if line.step is None and bound.holds(near) is True else good


def _guessed(bound: Bounded, line: Line, trend: Trend, guess: Enclosure | None, digits: int) -> Solved | None:
    """The ends of an enclosure of a closed form, where they are what they should be."""
    if guess is None or line.step is not None or not (guess.lower.is_finite() and guess.upper.is_finite()):
        return None
    low, high = Fraction(guess.lower), Fraction(guess.upper)
    good, bad = (high, low) if trend.better == "more" else (low, high)
    if not line.contains(good) or bound.holds(good) is not True:
        return None
    beyond = bad
    if low == high:
        beyond = good - (1 if trend.better == "more" else -1) * _unit(good, digits + _MORE_DIGITS)
    if not line.contains(beyond):
        return None
    more = bound.holds(beyond)  # then the formula is not the end
    return None if more else Solved(trend.shape, guess, trend.safe, False, trend.reason, sharp=more is False)


def _bracket(bound: Bounded, line: Line, start: Fraction, worse: int) -> tuple[Fraction, Fraction | None]:
    if bound.holds(start) is True:
        good = start
        for x in line.outward(start, worse):
            if bound.holds(x) is not True:
                return good, x
            good = x
            if line.is_end(x, worse) or over():
                break
        return good, None
    bad = start
    if line.is_end(start, -worse):
        raise NoBoundary(fails=bound.holds(start) is False)
    for x in line.outward(start, -worse):
        holds = bound.holds(x)
        if holds is True:
            return x, bad
        if line.is_end(x, -worse):
            if holds is False:
                raise NoBoundary(fails=True)
            continue  # what the bound rests on may hold beside the end
        bad = x
        if over():
            break
    raise NoBoundary(fails=False)


def _open_ended(line: Line, trend: Trend, good: Fraction) -> Solved:
    """Enough as far as was looked."""
    end = line.lower if trend.better == "more" else line.upper
    if trend.better == "more":
        low = Decimal("-Infinity") if end is None else _decimal(end, ROUND_FLOOR)
        value = Enclosure(low, _decimal(good, ROUND_CEILING))
    else:
        high = Decimal("Infinity") if end is None else _decimal(end, ROUND_CEILING)
        value = Enclosure(_decimal(good, ROUND_FLOOR), high)
    return Solved(trend.shape, value, trend.safe, line.integer, trend.reason)


def _closed_in(bound: Bounded, line: Line, good: Fraction, bad: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Both, as near to each other as decimals of so many digits are, or as far as the time allows."""

    def near(bad: Fraction, good: Fraction) -> bool:
        unit = line.step or _unit(good or bad, digits + _MORE_DIGITS)
        return abs(bad - good) <= unit or (good == 0 and abs(bad) < Fraction(1, 10**40)) or over()

    def halved(count: int, bad: Fraction, good: Fraction) -> bool:
        if line.step is not None:  # on a lattice the bound may have steps, over which no secant helps
            return count % 2 == 1
        return abs(bad - good) > abs(good or bad) / 1000 and count % _BISECTED == _BISECTED - 1

    found = closed_in(
        lambda x: (bound.holds(x) is True, bound.gap(x)),
        (good, bound.gap(good)),
        (bad, bound.gap(bad)),
        lambda bad, good, share: _between(line, bad, good, share, digits),
        near,
        _STEPS if line.step is None else _LATTICE_STEPS,
        halved,
    )
    return found[:2]


def _between(line: Line, bad: Fraction, good: Fraction, share: float, digits: int) -> Fraction:
    """A value strictly between them, by a share of the way from the bad one, on a grid."""
    part = Fraction(share)
    if bad * good > 0 and not Fraction(1, 4) < bad / good < 4:  # by orders of magnitude
        exponent = (1 - share) * _log2(abs(bad)) + share * _log2(abs(good))
        x = (1 if good > 0 else -1) * Fraction(2) ** math.floor(exponent) * Fraction(2 ** (exponent % 1))
    else:
        x = bad + (good - bad) * part
    step = line.step or min(_unit(x, digits + _MORE_DIGITS), _unit(good, digits + _MORE_DIGITS) if good else abs(bad))
    offset = line.offset if line.step is not None else Fraction(0)
    x = offset + round((x - offset) / step) * step
    low, high = min(bad, good), max(bad, good)
    if x <= low:
        x = low + step if line.step else (math.floor(low / step) + 1) * step
    if x >= high:
        x = high - step if line.step else (math.ceil(high / step) - 1) * step
    return x if low < x < high else (low + high) / 2


def _log2(x: Fraction) -> float:
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    return shift + math.log2(float(x / Fraction(2) ** shift))


def _solved(bound: Bounded, line: Line, trend: Trend, good: Fraction, bad: Fraction) -> Solved | None:
    if line.step is not None:
        return _on_lattice(bound, line, line.step, trend, good, bad)
    sharp = bound.holds(bad) is False
    at = _decimal(good, ROUND_HALF_EVEN)
    if Fraction(at) != good:  # no decimal: a little on the better side
        at = _decimal(good, ROUND_CEILING if trend.better == "more" else ROUND_FLOOR)
    if trend.better == "more":
        value = Enclosure(min(_decimal(bad, ROUND_FLOOR), at), at)
    else:
        value = Enclosure(at, max(_decimal(bad, ROUND_CEILING), at))
    return Solved(trend.shape, value, trend.safe, line.integer, trend.reason, sharp)


def _on_lattice(
    bound: Bounded, line: Line, step: Fraction, trend: Trend, good: Fraction, bad: Fraction
) -> Solved | None:
    """The last point that is enough; where that is no decimal the next one that is; None where none is near."""
    better = step if trend.better == "more" else -step
    at = next((x for i in range(_MOST_INTEGERS) if _is_decimal(x := good + i * better)), None)
    if at is None:
        return None
    sharp = at == good and abs(bad - good) == step and bound.holds(bad) is False
    low, high = min(at, good), max(at, good)
    value = Enclosure(_decimal(low, ROUND_FLOOR), _decimal(high, ROUND_CEILING))
    return Solved(trend.shape, value, trend.safe, line.integer, trend.reason, sharp)


def certified(solved: Solved, bound: Bounded) -> Solved | None:
    """The same, if what it calls enough was compared as it is printed; all that is claimed passes through here."""
    if solved.value is None or solved.shape == "every":
        return solved
    value = solved.value
    among = {value.lower, value.upper} if solved.shape == "between" else {getattr(value, solved.safe)}
    return solved if all(x.is_finite() and bound.holds(Fraction(x)) is True for x in among) else None


def throughout(bound: Bounded, line: Line, digits: int) -> Solved | None:
    """Where nothing is known of the trend: an interval on which the bound is shown to be low enough, or one value.

    Raises:
        NoBoundary: where no value was found.
    """
    points, ragged = line.points(), line.step is None and any(isinstance(c, IsInteger) for c in line.conditions)
    if ragged:  # somewhere an expression is an integer, 2^x, say: a few integers are tried
        points = [Fraction(i) for i in range(_FEW) if line.contains(Fraction(i))]
    good = [not over() and bound.holds(x) is True for x in points]
    if not any(good):
        raise NoBoundary(fails=False)
    first, last = _longest(good)
    if line.step is not None:
        return _consecutive(bound, line, line.step, points[first])
    if ragged:
        at = _decimal(points[last], ROUND_HALF_EVEN)
        return Solved("only", Enclosure(at, at), "lower", False)
    digits = min(digits, _PROVED_DIGITS)
    low, high = points[first], points[last]
    if first > 0:
        low = _closed_in(bound, line, low, points[first - 1], digits)[0]
    if last + 1 < len(points):
        high = _closed_in(bound, line, high, points[last + 1], digits)[0]
    ends = Enclosure(_decimal(low, ROUND_CEILING), max(_decimal(high, ROUND_FLOOR), _decimal(low, ROUND_CEILING)))
    short = (low + _unit(low, digits), high - _unit(high, digits))  # where the bound is the target nothing is shown
    for left, right in ((low, high), short):
        if left < right and bound.holds_between(left, right):
            ends = Enclosure(_decimal(left, ROUND_CEILING), _decimal(right, ROUND_FLOOR))
            return Solved("between", ends, "lower", False, "shown on the whole interval by branch and bound")
    return Solved("only", Enclosure(ends.lower, ends.lower), "lower", False)


def _longest(good: list[bool]) -> tuple[int, int]:
    """The first and the last place of the longest run."""
    best, start = (0, -1), None
    for place, each in enumerate([*good, False]):
        if each and start is None:
            start = place
        if not each and start is not None:
            if place - 1 - start > best[1] - best[0]:
                best = start, place - 1
            start = None
    return best


def _consecutive(bound: Bounded, line: Line, step: Fraction, start: Fraction) -> Solved:
    """One value after the other, each of them tried."""
    ends = []
    for sign in (-1, 1):
        at, count = start, 0
        while count < _MOST_INTEGERS and not over():
            following = at + sign * step
            if not line.contains(following) or bound.holds(following) is not True:
                break
            at, count = following, count + 1
        ends.append(at)
    low, high = (_decimal(x, ROUND_HALF_EVEN) for x in ends)
    if low == high:
        return Solved("only", Enclosure(low, high), "lower", line.integer)
    return Solved("between", Enclosure(low, high), "lower", line.integer, "each of them was tried")


def _is_decimal(x: Fraction) -> bool:
    """Whether it is one of at most a hundred digits."""
    return Fraction(_decimal(x, ROUND_HALF_EVEN)) == x


def _unit(x: Fraction, digits: int) -> Fraction:
    """The last place of so many significant digits."""
    if x == 0:
        return Fraction(1, 10**digits)
    magnitude = math.floor(_log2(abs(x)) * math.log10(2))
    if Fraction(10) ** (magnitude + 1) <= abs(x):
        magnitude += 1
    elif Fraction(10) ** magnitude > abs(x):
        magnitude -= 1
    return Fraction(10) ** (magnitude - digits + 1)


def _decimal(x: Fraction, rounding: str) -> Decimal:
    """Exactly where it is a decimal, rounded to a hundred digits where it is none."""
    context = Context(prec=100, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)
    if x.denominator == 1:
        return Decimal(x.numerator)
    return context.divide(Decimal(x.numerator), Decimal(x.denominator))
