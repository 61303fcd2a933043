"""The boundary between values of an unknown that are enough for a guarantee and values that are not.

Each side is certified by an account of the composition at a value; docs/accounting-bounds.md says why all values
beyond it are of its kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds
from dpsym.accounting.calibration.unknown import Kind
from dpsym.accounting.compositions import Laws, Steps
from dpsym.accounting.loss_distributions.together import TooManySums
from dpsym.accounting.methods import answer
from dpsym.accounting.parameters import NotAccountable
from dpsym.accounting.query import Question
from dpsym.core.deadline import OutOfTime, check, now, timed
from dpsym.numbers.bracketing import closed_in
from dpsym.statements.trends import UNKNOWN, Trend

_DOUBLINGS, _STEPS = 200, 60  # until the unknown is bracketed; of regula falsi inside, more than halving a double takes
_HALVINGS, _NEAR = 12, Fraction(1, 1000)  # of the way to a value that could not be told, which is as near as this
_FAR = Fraction(8)  # from 1, where it is not known which way privacy goes
_SPARE = 30  # bits by which a tried value is finer than the bracket
_MOST_STEPS = 10**15  # of a composition: a float counts them, and nobody takes more


class NothingEnough(NotAccountable):
    """No value of the unknown is enough (shown), or none is known to be."""

    def __init__(self, message: str, *, shown: bool) -> None:
        super().__init__(message)
        self.shown = shown


class Trial:
    """Whether a value is enough.

    Args:
        at: what the composition consists of at a value; at None, without all that the unknown occurs in.
        directions: the laws of all that must be within the guarantee.
        epsilon, delta: the guarantee.
        digits: to which an answer should be known.
        seconds: for all values that are tried.
    """

    def __init__(
        self,
        at: Callable[[Fraction | None], Steps],
        directions: Callable[[Steps], Sequence[Laws]],
        epsilon: Fraction,
        delta: Fraction,
        digits: int,
        seconds: float,
    ) -> None:
        self.at, self._directions = at, directions
        self._epsilon, self.delta = epsilon, delta
        self._digits, self._end = min(digits, 12), now() + seconds
        self.method = ""
        with ctx.workprec(64 + 4 * self._digits):
            self._wanted = arb(fmpq(delta.numerator, delta.denominator))

    def laws_at(self, value: Fraction | None) -> Sequence[Laws]:
        """The laws of all directions."""
        return self._directions(self.at(value))

    def check(self) -> None:
        """Give up if its time is over.

        Raises:
            OutOfTime: if it is.
        """
        with timed(self._end - now()):
            check()

    def gap(self, value: Fraction | None) -> tuple[bool | None, float]:
        """Whether it is enough (None: not told), and about how far log delta lies above the wanted one."""
        enough: bool | None = True
        excess = -math.inf
        try:
            directions = self.laws_at(value)
        except TooManySums:
            return None, math.inf
        for each in directions:
            asked = Question(
                each,
                None,
                fmpq(self._epsilon.numerator, self._epsilon.denominator),
                10.0 ** -(self._digits + 2),
                idle_below=self._wanted.lower(),
                idle_above=self._wanted.upper(),
            )
            with ctx.workprec(64 + 4 * self._digits), timed((self._end - now()) / 4):
                found = answer(asked)
                self.method = found.method
                wanted = self._wanted
                middle = (found.bounds.lower + found.bounds.upper) / 2
                ratio = (middle / wanted).log()
                excess = max(excess, float(ratio) if ratio.is_finite() else (-math.inf if wanted > 0 else math.inf))
                if found.bounds.lower > wanted:
                    return False, excess
                if not found.bounds.upper <= wanted:
                    enough = None
        return enough, excess

    def guess(self) -> tuple[Kind, Trend]:
        """Whether more or less of the unknown seems to be better: of noise, or of a loss."""
        less, more = (self.gap(value)[1] for value in (1 / _FAR, _FAR))
        return ("scale", UNKNOWN) if less >= more else ("loss", UNKNOWN.reversed)


def boundary(above: Trial, below: Trial, kind: Kind, relative: float, *, monotone: bool = True) -> Bounds:
    """Between what is enough by the trial `above` and what is not by `below`; the two may be the same.

    Args:
        above, below: the trials.
        kind: what the unknown is.
        relative: how near the two should come to each other.
        monotone: whether what lies beyond either is known to be of its kind.

    Raises:
        NothingEnough: where nothing is enough because of what the unknown does not occur in, or nothing was found.
    """
    nothing = above.gap(None)[0]
    if not nothing:
        shown = below.gap(None)[0] is False
        if shown:
            message = (
                "the parts in which the unknown does not occur already exceed this epsilon and delta by themselves"
            )
        else:
            message = (
                "whether the parts in which the unknown does not occur exceed this epsilon and delta by themselves"
            )
            message += " could not be told in time"
        raise NothingEnough(f"no value is known to be enough: {message}", shown=shown)
    corner = _corner(above, below, kind, monotone)
    if corner is not None:
        return corner
    search = _Search(above, kind, relative)
    search.run()
    enough = search.value(enough=True)
    if enough is None and not monotone:
        raise NothingEnough("no value was found that is enough", shown=False)
    if below is not above:
        search = _Search(below, kind, relative)
        search.run()
    return _between(enough, search.value(enough=False), kind)


def _between(enough: Fraction | None, short: Fraction | None, kind: Kind) -> Bounds:
    """As far as it is known; a number of steps that is not enough is one more than may be."""
    with ctx.workprec(256):
        good = None if enough is None else _ball(enough)
        bad = None if short is None else _ball(short - (1 if kind == "count" else 0))
        low, high = (bad, good) if kind == "scale" else (good, bad)
        most = arb(1) if kind == "rate" else arb.pos_inf()
        return Bounds(arb(0) if low is None else low.lower(), most if high is None else high.upper())


def _corner(above: Trial, below: Trial, kind: Kind, monotone: bool) -> Bounds | None:
    """Where any value, or none, is enough.

    However little noise there is, a record that is in no sample is not noticed: that bounds delta by the
    probability of being in one, which is what it tends to.
    """
    zero, infinity, one = arb(0), arb.pos_inf(), Fraction(1)
    if kind in ("scale", "loss"):
        with ctx.workprec(128):
            missed = arb(1)
            for step in above.at(one).losing:
                missed *= (1 - _ball(step.rate)) ** step.count
            any_is_enough = 1 - missed <= _ball(above.delta)
        if any_is_enough:
            above.method = below.method = "any noise is enough"
            return Bounds(zero, zero) if kind == "scale" else Bounds(infinity, infinity)
        if monotone and above.delta == 0 and _unbounded(below, one):
            above.method = below.method = "no noise is enough at delta = 0"
            return Bounds(infinity, infinity) if kind == "scale" else Bounds(zero, zero)
        return None
    if above.delta == 0 and _unbounded(below, Fraction(1, 2) if kind == "rate" else one):
        above.method = below.method = "nothing is enough at delta = 0"
        return Bounds(zero, zero)
    if kind == "rate" and above.gap(one)[0]:
        below.method = above.method
        return Bounds(arb(1), arb(1))
    if kind == "count" and (above.delta == 1 or not any(above.laws_at(one))):
        above.method = below.method = "nothing is lost"
        return Bounds(infinity, infinity)
    return None


def _unbounded(trial: Trial, value: Fraction) -> bool:
    """Whether losses are known to have no bound, so that no epsilon holds at delta = 0."""
    return any(law.largest() == arb.pos_inf() for each in trial.laws_at(value) for law, _ in each)


class _Search:
    """The boundary by one trial, from both sides: of values that are enough (True), and not, the last certified one.

    Each stands in `_found` with about how far log delta lies above the wanted one there.
    """

    def __init__(self, trial: Trial, kind: Kind, relative: float) -> None:
        self._trial, self._kind, self._relative = trial, kind, relative
        self._found: dict[bool, tuple[Fraction, float]] = {}
        if kind == "count":
            self._found[True] = Fraction(0), -math.inf  # without any it is enough

    def value(self, *, enough: bool) -> Fraction | None:
        """One that is enough, or one that is not."""
        return self._found[enough][0] if enough in self._found else None

    def run(self) -> None:
        """Doubling, then regula falsi inside the bracket."""
        with suppress(OutOfTime):
            self._bracket()
            self._close()

    def _bracket(self) -> None:
        """Doubling and halving until both sides are there."""
        value = Fraction(1, 2) if self._kind == "rate" else Fraction(1)
        for _ in range(_DOUBLINGS):
            enough, _ = self._try(value)
            if len(self._found) == 2:
                return
            if self._kind == "count" and value > _MOST_STEPS:
                return
            more = enough if self._kind != "scale" else not enough
            if enough is None:
                value = value * Fraction(9, 8) if self._kind == "scale" else value * Fraction(7, 8)
                if self._kind == "count" and (value := Fraction(math.floor(value))) < 1:
                    return
                continue
            value = value * 2 if more else value / 2
            if self._kind == "rate":
                value = min(value, Fraction(1))

    def _close(self) -> None:
        if len(self._found) < 2:
            return
        *_, untold = closed_in(self._try, self._found[True], self._found[False], self._place, self._is_near, _STEPS)
        if untold is not None:
            self._approach(untold)

    def _is_near(self, bad: Fraction, good: Fraction) -> bool:
        apart = abs(bad - good)
        return apart <= (1 if self._kind == "count" else Fraction(self._relative) * min(good, bad) / 2)

    def _approach(self, untold: Fraction) -> None:
        """Halve the way from either side to a value of which it could not be told whether it is enough."""
        for side in (True, False):
            near = untold
            for _ in range(_HALVINGS):
                end = self._found[side][0]
                if abs(end - near) <= max(_NEAR, Fraction(self._relative)) * min(end, near):
                    break
                middle = (end + near) / 2
                if self._kind == "count" and (middle := Fraction(math.floor(middle))) in (end, near):
                    break
                if self._try(middle)[0] is not side:
                    near = middle

    def _place(self, bad: Fraction, good: Fraction, share: float) -> Fraction:
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

    def _try(self, value: Fraction) -> tuple[bool | None, float]:
        self._trial.check()
        enough, excess = self._trial.gap(value)
        if enough is not None:
            self._found[enough] = value, excess
        return enough, excess


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))
