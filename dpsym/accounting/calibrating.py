"""Inverse problems: how little noise is enough, how many steps, how large a sample.

A composition with one unknown in it is no less private for more noise, fewer steps and smaller samples (each can be
had from the other by post-processing), so what is enough and what is not are two half-lines.  Both ends of the answer
are certified by an account of the composition there; docs/accounting-bounds.md has the proofs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.accounting.accounts import Accounted, Direction, written
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import (
    Composable,
    Exact,
    NotAccountable,
    composition,
    directed,
    exact_number,
    laws,
    subsampled,
)
from dpsym.accounting.limits import Deadline, OutOfTime
from dpsym.accounting.questions import Question
from dpsym.accounting.routes import answer
from dpsym.mechanisms.gaussian import gaussian
from dpsym.statements import Composed, Subsampled, Use

_DOUBLINGS, _STEPS = 200, 60
_SPARE = 30  # bits by which a tried value is finer than the bracket
_SCALES = {("gaussian", "sigma"), ("laplace", "b"), ("geometric", "b")}  # more of it is never less private
_LOSSES = {("randomized_response", "epsilon")}  # less of it is never less private
_MOST_STEPS = 10**15
Kind = Literal["scale", "loss", "rate", "count"]


@dataclass(frozen=True, slots=True)
class Calibrated(Accounted):
    """A certified number with its safe side.

    Attributes:
        safe: which end of `value` is enough for the guarantee; at the other end, and beyond, the guarantee fails.
            The distance of the two is how far from optimal the safe one can be.
    """

    safe: Literal["lower", "upper"] = "upper"

    @property
    def enough(self) -> Decimal:
        """The value to use."""
        return self.upper if self.safe == "upper" else self.lower


def calibrate(
    of: Composable,
    unknown: sp.Symbol,
    *,
    epsilon: Exact,
    delta: Exact,
    direction: Direction = "both",
    digits: int = 6,
    time_limit: float | None = 30.0,
) -> Calibrated:
    """The best value of the one unknown in a composition for which it is (epsilon, delta)-differentially private.

    Args:
        of: a composition in which `unknown` stands for a scale of noise (the smallest is found), a sampling rate, a
            number of steps or the epsilon of randomized response (the largest is found).
        unknown: the symbol; nothing else is without a value.
        epsilon, delta: the guarantee, exact.
        direction: a record is removed, added, or either.
        digits: to which the two ends should agree; a number of steps is found exactly.
        time_limit: in seconds; None waits as long as it takes.

    Raises:
        NotAccountable: where the unknown does not occur, or in a place where privacy is not known to be monotone in
            it, and for what is not exact or outside its domain.
    """
    wanted = exact_number("epsilon", epsilon), exact_number("delta", delta)
    if wanted[0] < 0 or not 0 <= wanted[1] <= 1:
        raise NotAccountable("a guarantee has epsilon >= 0 and 0 <= delta <= 1")
    kind = _kind(of, unknown)
    trial = _Trial(lambda value: _at(of, unknown, value), *wanted, direction, digits, Deadline(time_limit))
    search = _Search(trial, kind, 10.0 ** (1 - digits))
    bounds = search.run()
    with ctx.workprec(64 + 4 * digits):
        finished = bounds.narrow(10.0 ** (1 - digits))
        safe: Literal["lower", "upper"] = "upper" if kind == "scale" else "lower"
        return Calibrated(written(bounds, digits), trial.method, finished, safe)


def smallest_sigma(
    *,
    epsilon: Exact,
    delta: Exact,
    steps: int = 1,
    q: Exact = 1,
    digits: int = 6,
    time_limit: float | None = 30.0,
) -> Calibrated:
    """The smallest standard deviation for which `steps` Gaussian steps on samples of rate q are (epsilon, delta)-DP.

    The sensitivity is 1 and neighbours differ by one record added or removed.  The upper end is enough noise; with
    less than the lower end the guarantee fails.

    Raises:
        NotAccountable: for epsilon < 0, or delta or q outside [0, 1], or what is not exact.
    """
    _whole(steps)
    unknown = sp.Symbol("sigma")
    return calibrate(
        subsampled(gaussian(unknown), q) ** steps,
        unknown,
        epsilon=epsilon,
        delta=delta,
        digits=digits,
        time_limit=time_limit,
    )


def largest_steps(
    of: Composable, *, epsilon: Exact, delta: Exact, direction: Direction = "both", time_limit: float | None = 30.0
) -> Calibrated:
    """How often `of` may run, at most, with an (epsilon, delta) guarantee.

    The lower end is allowed; with one step more than the upper end the guarantee fails.  Infinite where nothing is
    lost.
    """
    unknown = sp.Symbol("T")
    return calibrate(
        of**unknown, unknown, epsilon=epsilon, delta=delta, direction=direction, digits=17, time_limit=time_limit
    )


def largest_q(
    of: Use,
    *,
    epsilon: Exact,
    delta: Exact,
    steps: int = 1,
    direction: Direction = "both",
    digits: int = 6,
    time_limit: float | None = 30.0,
) -> Calibrated:
    """The largest rate of Poisson samples for which `steps` runs of `of` are (epsilon, delta)-DP.

    The lower end is a rate that is allowed; with a rate above the upper end the guarantee fails.
    """
    _whole(steps)
    unknown = sp.Symbol("q")
    return calibrate(
        Subsampled(of, unknown) ** steps,
        unknown,
        epsilon=epsilon,
        delta=delta,
        direction=direction,
        digits=digits,
        time_limit=time_limit,
    )


def _whole(steps: object) -> None:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise NotAccountable(f"the number of steps, {steps!r}, is not a non-negative integer")


def _parts(of: Composable) -> tuple[tuple[Use | Subsampled, sp.Expr], ...]:
    return of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),)


def _kind(of: Composable, unknown: sp.Symbol) -> Kind:
    """What the unknown is, which must be the same wherever it occurs."""
    found: set[Kind] = set()
    for part, count in _parts(of):
        use = part.inner if isinstance(part, Subsampled) else part
        if isinstance(use, Composed):
            raise NotAccountable(f"{use} on one sample: only a single mechanism can be accounted for there")
        if unknown in count.free_symbols:
            if count != unknown and not (count / unknown).is_Integer:
                raise NotAccountable(f"{count} is not a multiple of {unknown}")
            found.add("count")
        if isinstance(part, Subsampled) and unknown in part.rate.free_symbols:
            if part.rate != unknown:
                raise NotAccountable(f"the rate {part.rate} is not {unknown} itself")
            found.add("rate")
        for name, value in use.args.items():
            if unknown in value.free_symbols:
                place = use.mechanism.id, str(name)
                if value != unknown or place not in _SCALES | _LOSSES:
                    raise NotAccountable(
                        f"{name}={value} in {use}: privacy is not known to be monotone in {unknown} there (it is in "
                        f"sigma of gaussian, b of laplace and geometric, epsilon of randomized_response)"
                    )
                found.add("scale" if place in _SCALES else "loss")
    if len(found) != 1:
        where = f"in several roles ({', '.join(sorted(found))})" if found else "nowhere"
        raise NotAccountable(f"{unknown} occurs {where} in {of}")
    return found.pop()


def _at(of: Composable, unknown: sp.Symbol, value: Fraction) -> Composable:
    """The composition at a value of the unknown."""
    number = sp.Rational(value.numerator, value.denominator)
    parts = []
    for part, count in _parts(of):
        use = part.inner if isinstance(part, Subsampled) else part
        if not isinstance(use, Use):
            raise TypeError(f"{use} is not a mechanism at parameters")
        use = replace(use, args={name: argument.subs(unknown, number) for name, argument in use.args.items()})
        whole = Subsampled(use, part.rate.subs(unknown, number)) if isinstance(part, Subsampled) else use
        parts.append((whole, count.subs(unknown, number)))
    return Composed(tuple(parts))


class _Trial:
    """Whether a value is enough."""

    def __init__(
        self,
        at: Callable[[Fraction], Composable],
        epsilon: Fraction,
        delta: Fraction,
        direction: Direction,
        digits: int,
        deadline: Deadline,
    ) -> None:
        self.at, self.direction = at, direction
        self._epsilon, self.delta = epsilon, delta
        self._digits, self.deadline = min(digits, 12), deadline
        self.method = ""
        with ctx.workprec(64 + 4 * self._digits):
            self._wanted = arb(fmpq(delta.numerator, delta.denominator))

    def gap(self, value: Fraction) -> tuple[bool | None, float]:
        """Whether it is enough (None: not told), and about how far log delta lies above the wanted one."""
        enough: bool | None = True
        excess = -math.inf
        composed = composition(self.at(value))
        ways = {"both": (False, True), "add": (True,), "remove": (False,)}[self.direction]
        for adding in ways if directed(composed) else ways[:1]:
            asked = Question(
                laws(composed, adding=adding),
                None,
                fmpq(self._epsilon.numerator, self._epsilon.denominator),
                10.0 ** -(self._digits + 2),
                Deadline(None if self.deadline.left == math.inf else self.deadline.left / 4),
                idle_below=self._wanted.lower(),
                idle_above=self._wanted.upper(),
            )
            with ctx.workprec(64 + 4 * self._digits):
                found = answer(asked)
                self.method = found.method
                wanted = self._wanted
                middle = (found.bounds.lower + found.bounds.upper) / 2
                ratio = (middle / wanted).log()
                excess = max(excess, float(ratio) if ratio.is_finite() else (-1e6 if wanted > 0 else 1e6))
                if found.bounds.lower > wanted:
                    return False, excess
                if not found.bounds.upper <= wanted:
                    enough = None
        return enough, excess


class _Search:
    """The boundary between values that are enough and values that are not, from both sides."""

    def __init__(self, trial: _Trial, kind: Kind, relative: float) -> None:
        self._trial, self._kind, self._relative = trial, kind, relative
        self._enough: tuple[Fraction, float] | None = None
        self._short: tuple[Fraction, float] | None = None

    def run(self) -> Bounds:
        """Corners first, then doubling, then regula falsi inside the bracket."""
        if (bounds := self._corner()) is not None:
            return bounds
        try:
            self._bracket()
            self._close()
        except OutOfTime:
            pass
        return self._bounds()

    def _corner(self) -> Bounds | None:
        """Where any value, or none, is enough.

        However little noise there is, a record that is in no sample is not noticed: that bounds delta by the
        probability of being in one, which is what it tends to.
        """
        zero, infinity = arb(0), arb.pos_inf()
        trial, kind = self._trial, self._kind
        if kind in ("scale", "loss"):
            composed = composition(trial.at(Fraction(1)))
            with ctx.workprec(128):
                missed = arb(1)
                for _, rate, count in composed:
                    missed *= (1 - arb(fmpq(rate.numerator, rate.denominator))) ** count
                any_is_enough = 1 - missed <= arb(fmpq(trial.delta.numerator, trial.delta.denominator))
            if any_is_enough:
                trial.method = "any noise is enough"
                return Bounds(zero, zero) if kind == "scale" else Bounds(infinity, infinity)
            if trial.delta == 0 and self._unbounded(Fraction(1)):
                trial.method = "no noise is enough at delta = 0"
                return Bounds(infinity, infinity) if kind == "scale" else Bounds(zero, zero)
            return None
        most = Fraction(1) if kind == "rate" else Fraction(_MOST_STEPS)
        if trial.delta == 0 and self._unbounded(Fraction(1, 2) if kind == "rate" else Fraction(1)):
            trial.method = "nothing is enough at delta = 0"
            return Bounds(zero, zero)
        if kind == "rate" and trial.gap(most)[0]:
            return Bounds(arb(1), arb(1))
        if kind == "count" and (trial.delta == 1 or not laws(composition(trial.at(Fraction(1))), adding=False)):
            trial.method = "nothing is lost"
            return Bounds(infinity, infinity)
        return None

    def _unbounded(self, value: Fraction) -> bool:
        """Whether losses have no bound, so that no epsilon holds at delta = 0."""
        composed = composition(self._trial.at(value))
        ways = (True,) if self._trial.direction == "add" else (False,)
        return any(not law.largest().is_finite() for way in ways for law, _ in laws(composed, adding=way))

    def _bracket(self) -> None:
        """Doubling and halving until both sides are there."""
        value = Fraction(1, 2) if self._kind == "rate" else Fraction(1)
        for _ in range(_DOUBLINGS):
            enough = self._try(value)
            if self._enough is not None and self._short is not None:
                return
            if self._kind == "count" and enough is False:
                self._enough = Fraction(0), -math.inf  # no steps lose nothing
                return
            if self._kind == "count" and value > _MOST_STEPS:
                return
            more = enough if self._kind != "scale" else not enough
            if enough is None:
                value = value * Fraction(9, 8) if self._kind == "scale" else value * Fraction(7, 8)
                if self._kind == "count":
                    value = Fraction(math.floor(value))
                continue
            value = value * 2 if more else value / 2
            if self._kind == "rate":
                value = min(value, Fraction(1))

    def _close(self) -> None:
        last = 0
        for _ in range(_STEPS):
            if self._enough is None or self._short is None:
                return
            (good, low), (bad, high) = self._enough, self._short
            if self._kind == "count" and bad - good <= 1:
                return
            if self._kind != "count" and abs(bad - good) <= Fraction(self._relative) * min(good, bad) / 2:
                return
            share = high / (high - low) if high > low and math.isfinite(low) else 0.5
            value = self._between(bad, good, share)
            enough = self._try(value)
            if enough is None:
                return
            if enough and last > 0:
                self._short = bad, high / 2
            if not enough and last < 0:
                self._enough = good, low / 2
            last = 1 if enough else -1

    def _between(self, bad: Fraction, good: Fraction, share: float) -> Fraction:
        """A value that lies by a share of the way from the one that falls short, a little beside the estimate."""
        width = abs(float((good - bad) / max(good, bad)))
        if self._kind == "count":
            steps = int(abs(good - bad))
            place = min(max(round(share * steps), 1), steps - 1)
            return bad - place
        margin = min(0.25, self._relative / width / 4)
        share = min(max(share, margin), 1 - margin)
        share += margin if share < 0.5 else -margin
        return bad + (good - bad) * Fraction(round(share * 2**_SPARE), 2**_SPARE)

    def _try(self, value: Fraction) -> bool | None:
        self._trial.deadline.check()
        enough, excess = self._trial.gap(value)
        if enough is True:
            self._enough = value, excess
        elif enough is False:
            self._short = value, excess
        return enough

    def _bounds(self) -> Bounds:
        """As far as it is known; a number of steps that is not enough is one more than may be."""
        least, most = arb(0), arb(1) if self._kind == "rate" else arb.pos_inf()
        with ctx.workprec(256):
            good = None if self._enough is None else _ball(self._enough[0])
            bad = None if self._short is None else _ball(self._short[0] - (1 if self._kind == "count" else 0))
            low, high = (bad, good) if self._kind == "scale" else (good, bad)
            return Bounds(least if low is None else low.lower(), most if high is None else high.upper())


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
