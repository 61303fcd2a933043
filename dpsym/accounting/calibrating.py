"""How much noise is enough, and not more than enough."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx, fmpq

from dpsym.accounting.accounts import Accounted, written
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import Exact, NotAccountable, composition, exact_number, laws, subsampled
from dpsym.accounting.limits import Deadline, OutOfTime
from dpsym.accounting.questions import Question
from dpsym.accounting.routes import answer
from dpsym.mechanisms.gaussian import gaussian

_FIRST, _DOUBLINGS, _STEPS = 1.0, 200, 60
_SPARE = 30  # bits by which a tried sigma is finer than the enclosure asked for


def smallest_sigma(
    *,
    epsilon: Exact,
    delta: Exact,
    steps: int = 1,
    q: Exact = 1,
    digits: int = 6,
    time_limit: float | None = 30.0,
) -> Accounted:
    """The smallest standard deviation for which `steps` Gaussian steps on samples of rate q are (epsilon, delta)-DP.

    The sensitivity is 1 and neighbours differ by one record added or removed.  The upper end is enough noise; with
    less than the lower end the guarantee fails.

    Raises:
        NotAccountable: for epsilon < 0, or delta or q outside [0, 1], or what is not exact.
    """
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise NotAccountable(f"the number of steps, {steps!r}, is not a non-negative integer")
    numbers = {name: exact_number(name, value) for name, value in (("epsilon", epsilon), ("delta", delta), ("q", q))}
    if not 0 <= numbers["q"] <= 1:
        raise NotAccountable(f"q = {numbers['q']} is not between 0 and 1")
    if numbers["epsilon"] < 0 or not 0 <= numbers["delta"] <= 1:
        raise NotAccountable("a guarantee has epsilon >= 0 and 0 <= delta <= 1")
    deadline = Deadline(time_limit)
    trial = _Trial(numbers["epsilon"], numbers["delta"], numbers["q"], steps, digits, deadline)
    if not trial.needed:
        return Accounted(written(Bounds(arb(0), arb(0)), digits), "any noise is enough", True)
    if numbers["delta"] == 0:
        return Accounted(written(Bounds(arb.pos_inf(), arb.pos_inf()), digits), "no noise is enough at delta = 0", True)
    bounds = _searched(trial, 10.0 ** (1 - digits), deadline)
    with ctx.workprec(64 + 4 * digits):
        return Accounted(written(bounds, digits), trial.method, bounds.narrow(10.0 ** (1 - digits)))


class _Trial:
    """Whether a standard deviation is enough."""

    def __init__(
        self, epsilon: Fraction, delta: Fraction, q: Fraction, steps: int, digits: int, deadline: Deadline
    ) -> None:
        self._epsilon, self._delta, self._q, self._steps = epsilon, delta, q, steps
        self._digits, self._deadline = digits, deadline
        self.method = ""
        with ctx.workprec(64 + 4 * digits):
            self._wanted = arb(fmpq(delta.numerator, delta.denominator))
            # however little noise there is, a record that is in no sample is not noticed
            seen = 1 - (1 - arb(fmpq(q.numerator, q.denominator))) ** steps
            self.needed = not (seen <= self._wanted)

    def gap(self, sigma: Fraction) -> tuple[bool | None, float]:
        """Whether it is enough (None: not told), and about how far log delta lies above the wanted one."""
        enough: bool | None = True
        excess = -math.inf
        composed = composition(subsampled(gaussian(sigma), self._q) ** self._steps)
        for adding in (False, True) if self._q < 1 else (False,):
            asked = Question(
                laws(composed, adding=adding),
                None,
                fmpq(self._epsilon.numerator, self._epsilon.denominator),
                10.0 ** -(self._digits + 2),
                Deadline(None if self._deadline.left == math.inf else self._deadline.left / 4),
                idle_below=self._wanted.lower(),
                idle_above=self._wanted.upper(),
            )
            with ctx.workprec(64 + 4 * self._digits):
                found = answer(asked)
                self.method = found.method
                wanted = self._wanted
                middle = (found.bounds.lower + found.bounds.upper) / 2
                ratio = (middle / wanted).log()
                excess = max(excess, float(ratio) if ratio.is_finite() else -1e6)
                if found.bounds.lower > wanted:
                    return False, excess
                if not found.bounds.upper <= wanted:
                    enough = None
        return enough, excess


def _searched(trial: _Trial, relative: float, deadline: Deadline) -> Bounds:
    """Bracket by doubling, then regula falsi in log sigma, kept inside the bracket."""
    low = high = None
    below = above = 0.0
    sigma = Fraction(_FIRST)
    try:
        for _ in range(_DOUBLINGS):
            deadline.check()
            enough, excess = trial.gap(sigma)
            if enough is None:
                sigma *= Fraction(9, 8)
                continue
            if enough:
                high, above = sigma, excess
            else:
                low, below = sigma, excess
            if low is not None and high is not None:
                break
            sigma = sigma / 2 if enough else sigma * 2
        last = 0
        for _ in range(_STEPS):
            if low is None or high is None or high - low <= Fraction(relative) * low / 2:
                break
            deadline.check()
            sigma = _between(low, high, below, above, relative)
            enough, excess = trial.gap(sigma)
            if enough is None:
                break
            if enough:
                high, above = sigma, excess
                below = below / 2 if last > 0 else below
                last = 1
            else:
                low, below = sigma, excess
                above = above / 2 if last < 0 else above
                last = -1
    except OutOfTime:
        pass
    with ctx.workprec(256):
        lower = arb(0) if low is None else arb(fmpq(low.numerator, low.denominator)).lower()
        upper = arb.pos_inf() if high is None else arb(fmpq(high.numerator, high.denominator)).upper()
        return Bounds(lower, upper)


def _between(low: Fraction, high: Fraction, below: float, above: float, relative: float) -> Fraction:
    share = below / (below - above) if below > above else 0.5
    width = float((high - low) / low)
    # aim a little beside the estimate, so that the bracket closes from both sides
    margin = min(0.25, relative / width / 4)
    share = min(max(share, margin), 1 - margin)
    share += margin if share < 0.5 else -margin
    return low + (high - low) * Fraction(round(share * 2**_SPARE), 2**_SPARE)
