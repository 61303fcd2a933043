"""Inverse problems: how little noise is enough, how many steps, how large a sample.

A composition with one unknown in it is no less private for more noise, fewer steps and smaller samples (each can be
had from the other by post-processing), so what is enough and what is not are two half-lines.  Both ends of the answer
are certified by an account of the composition there; docs/accounting-bounds.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Unpack

import sympy as sp
from flint import ctx

from dpsym.accounting import accounts
from dpsym.accounting.accounts import Accounted, checked, written
from dpsym.accounting.calibration.boundary import NothingEnough, Trial, boundary
from dpsym.accounting.calibration.unknown import draws, role_of, without
from dpsym.accounting.compositions import (
    Composable,
    Exact,
    Laws,
    Steps,
    composition,
    laws,
    neighbours,
    one_sided,
    subsampled,
    ways_to_occur,
)
from dpsym.accounting.options import Given, Options
from dpsym.accounting.parameters import NotAccountable, exact_number
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import cut, portion
from dpsym.core.display import short
from dpsym.core.distributions import Density, shifted
from dpsym.core.verdicts import Enclosure, Side
from dpsym.statements import Mechanism, Norm, Source, Subsampled, Trend, Use
from dpsym.statements.adjacency import Adjacency, Direction, Sampling
from dpsym.statements.trends import SCALE

_INFINITY = Decimal("Infinity")  # where no value is enough
_DIGITS_OF_STEPS = 17  # more than a number of steps has that is found


@dataclass(frozen=True, slots=True)
class Calibrated(Accounted):
    """A certified number with its safe side.

    Attributes:
        safe: which end of `value` is enough for the guarantee; at the other end, and beyond, the guarantee fails.
            The distance of the two is how far from optimal the safe one can be.
        integer: whether the unknown is one.
        monotone: why what lies beyond the safe end is enough as well; empty where that is not known, and nothing is
            said of any value but the two ends.
        last: the end of its domain, towards less privacy; None where there is no last value.
    """

    safe: Side = "upper"
    integer: bool = False
    monotone: str = ""
    last: Decimal | None = None

    __repr__ = short

    @property
    def shape(self) -> Literal["at least", "at most", "every", "only", "none"]:
        """Of the values that are enough, in the domain of the unknown."""
        if not self.monotone and 0 < self.enough < _INFINITY:
            return "only"
        least, most = (Decimal(1) if self.integer else Decimal(0)), self.last if self.last is not None else _INFINITY
        if self.safe == "upper":
            return "every" if self.upper == 0 else ("none" if self.lower == _INFINITY else "at least")
        if self.lower == most:
            return "every"
        empty = self.upper < least or (self.upper == 0 and self.last is None)
        return "none" if empty else "at most"

    @property
    def enough(self) -> Decimal:
        """The value to use."""
        return self.upper if self.safe == "upper" else self.lower


@keeping_time
def calibrate(
    of: Composable,
    unknown: sp.Symbol,
    *,
    epsilon: Exact,
    delta: Exact,
    direction: Direction = "both",
    sampling: Sampling = "poisson",
    adjacency: Adjacency | None = None,
    digits: int = 6,
    time_limit: float | None = Work(30),
) -> Calibrated:
    """The best value of the one unknown in a composition for which it is (epsilon, delta)-differentially private.

    Args:
        of: a composition in which `unknown` stands for what more, or less, of is never less private: a scale of
            noise (the smallest is found), a sampling rate, a number of steps, a sensitivity or the epsilon of
            randomized response (the largest is found); or for any positive parameter, of which one value that is
            enough is found beside one that is not, and nothing is said of others.
        unknown: the symbol; nothing else is without a value.
        epsilon, delta: the guarantee, exact.
        direction: a record is removed, added, or either.
        sampling, adjacency: as for `accounting.epsilon`.  With samples of fixed size and a record replaced, and for
            mechanisms of which no pair of outputs is the worst, one end is enough by the best bound that is proved, at
            the other end there are data for which the guarantee fails: they need not meet.
        digits: to which the two ends should agree; a number of steps is found exactly.
        time_limit: in seconds; None waits as long as it takes.

    Raises:
        NotAccountable: where the unknown does not occur, or in a place where privacy is not known to be monotone in
            it; where what it does not occur in is not (epsilon, delta)-differentially private by itself; and for what
            is not exact or outside its domain.
    """
    wanted = exact_number("epsilon", epsilon), exact_number("delta", delta)
    if wanted[0] < 0 or not 0 <= wanted[1] <= 1:
        raise NotAccountable("a guarantee has epsilon >= 0 and 0 <= delta <= 1")
    kind, trend = role_of(of, unknown)
    checked(digits, direction, sampling)
    relation = neighbours(of, sampling, direction, adjacency)
    replaced = sampling == "fixed-size" and relation is Adjacency.REPLACE and draws(of, unknown)

    def at(value: Fraction | None) -> Steps:
        table = {} if value is None else {unknown: sp.Rational(value.numerator, value.denominator)}
        whole = without(of, unknown) if value is None else of.subs(table)
        return replace(composition(whole, sampling, adjacency=adjacency), relation=relation)

    def trial(directions: Callable[[Steps], Sequence[Laws]], share: float) -> Trial:
        return Trial(at, directions, *wanted, digits, portion(share))

    def dominating(steps: Steps) -> Sequence[Laws]:
        return [laws(steps, adding=adding) for adding in steps.ways]

    def occurring(steps: Steps) -> Sequence[Laws]:
        if replaced:  # data where one record is noticed and all others are not
            apart = replace(steps, relation=Adjacency.ADD_REMOVE)
            return [] if reasons else [laws(apart, adding=adding) for adding in apart.every]
        ways = range(ways_to_occur(steps))
        return [laws(steps, adding=adding, occurring=i) for i in ways for adding in steps.every]

    reasons = one_sided(at(Fraction(1)))
    apart = replaced or bool(reasons)
    above = trial(dominating, 0.5 if apart else 1.0)
    below = trial(occurring, 1.0) if apart else above
    if not trend.reason:
        kind, trend = above.guess()
    bounds = boundary(above, below, kind, 10.0 ** (1 - digits), monotone=bool(trend.reason))
    method = f"{above.method} for enough, {below.method or 'nothing'} for too little" if apart else above.method
    if kind == "count":
        digits = max(digits, _DIGITS_OF_STEPS)
    with ctx.workprec(64 + 4 * digits):
        finished = bounds.narrow(10.0 ** (1 - digits))
        value = written(bounds, digits)
        if not trend.reason:
            value, finished = _confirmed(value, trend, above, below, finished)
        reason = "" if finished else "; ".join(reasons)
        known = value, method, finished, reason, relation
        last = Decimal(1) if kind == "rate" else None
        how: dict[str, Any] = {"integer": kind == "count", "monotone": trend.reason, "last": last}
        how["cut"] = not finished and cut()
        return Calibrated(*known, safe=trend.safe, **how)


def _confirmed(value: Enclosure, trend: Trend, above: Trial, below: Trial, finished: bool) -> tuple[Enclosure, bool]:
    """The ends as they are written, each after an account of its own: without a trend nothing is known beside them."""
    enough, short = (value.upper, value.lower) if trend.safe == "upper" else (value.lower, value.upper)
    if enough in (0, _INFINITY):  # any value is enough
        return value, finished
    if not above.gap(Fraction(enough))[0]:
        raise NothingEnough("no value was found that is enough", shown=False)
    if not (short.is_finite() and short > 0 and below.gap(Fraction(short))[0] is False):
        short, finished = (Decimal(0) if trend.safe == "upper" else _INFINITY), False
    return Enclosure(min(enough, short), max(enough, short)), finished


def accounted(of: Composable, wanted: str | sp.Symbol, given: Given, **options: Unpack[Options]) -> Accounted:
    """What is wanted of a composition: epsilon or delta at the other one, or an unknown in it at both.

    Raises:
        NotAccountable: as for `accounting.epsilon` and `calibrate`.
    """
    if len(given) == 2:
        unknown = sp.Symbol(wanted) if isinstance(wanted, str) else wanted
        return calibrate(of, unknown, epsilon=given["epsilon"], delta=given["delta"], **options)
    if wanted == "epsilon":
        return accounts.epsilon(of, delta=given["delta"], **options)
    return accounts.delta(of, epsilon=given["epsilon"], **options)


def smallest_sigma(
    *, epsilon: Exact, delta: Exact, steps: int = 1, q: Exact = 1, **options: Unpack[Options]
) -> Calibrated:
    """The smallest standard deviation for which `steps` Gaussian steps on samples of rate q are (epsilon, delta)-DP.

    The sensitivity is 1; neighbours differ by one record added or removed, or with samples of fixed size by one that
    is replaced.  The upper end is enough noise; with less than the lower end the guarantee fails.  `options` are those
    of `calibrate`.

    Raises:
        NotAccountable: for epsilon < 0, or delta or q outside [0, 1], or what is not exact.
    """
    _whole(steps)
    unknown = sp.Dummy("sigma")
    run = subsampled(_normal_noise()(unknown), q) ** steps
    return calibrate(run, unknown, epsilon=epsilon, delta=delta, **options)


def _normal_noise() -> Mechanism:
    """Normal noise of standard deviation sigma on an answer that moves by 1."""
    sigma, y = sp.symbols("sigma y")
    density = Density(y, sp.exp(-(y**2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi)))
    return Mechanism(
        id="normal_noise",
        title="normal noise",
        params={sigma: None},
        domain=(sigma > 0,),
        outputs=shifted(density, sp.S.One),
        norm=Norm.NUMBER,
        why_dominating="The density is log-concave, so every divergence grows with the shift.",
        additive=True,
        claims=(),
        source=Source("dpsym", "the normal distribution"),
        trends={sigma: SCALE},
    )


def largest_steps(of: Composable, *, epsilon: Exact, delta: Exact, **options: Unpack[Options]) -> Calibrated:
    """How often `of` may run, at most, with an (epsilon, delta) guarantee; `options` are those of `calibrate`.

    The lower end is allowed; with one step more than the upper end the guarantee fails.  Infinite where nothing is
    lost.
    """
    unknown = sp.Dummy("T")
    return calibrate(of**unknown, unknown, epsilon=epsilon, delta=delta, **options)


def largest_q(of: Use, *, epsilon: Exact, delta: Exact, steps: int = 1, **options: Unpack[Options]) -> Calibrated:
    """The largest rate of samples for which `steps` runs of `of` are (epsilon, delta)-DP; `options` as for `calibrate`.

    The lower end is a rate that is allowed; with a rate above the upper end the guarantee fails.
    """
    _whole(steps)
    unknown = sp.Dummy("q")
    return calibrate(Subsampled(of, unknown) ** steps, unknown, epsilon=epsilon, delta=delta, **options)


def _whole(steps: object) -> None:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise NotAccountable(f"the number of steps, {steps!r}, is not a non-negative integer")
