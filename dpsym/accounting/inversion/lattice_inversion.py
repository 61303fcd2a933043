"""The privacy profile of losses on a lattice by an integral over one period.

Where all losses lie on o + uZ the moment function on a line Re s = c has the period 2 pi/u, up to a phase.  With a
step of 2 pi/(N u) the trapezoidal rule of the inversion integral is a sum of N terms, with the kernel summed over all
periods in closed form (docs/accounting-bounds.md).  Its cost depends on neither the number of steps nor the spacing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from flint import acb, arb, ctx, fmpq

from dpsym.accounting.chernoff import log_of
from dpsym.accounting.compositions import Laws
from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.inversion.bromwich import TrapezoidalSum, clipped, moments_along, precision, profile_aliases
from dpsym.accounting.inversion.by_inversion import moment_of, narrow
from dpsym.accounting.inversion.contour import Contour, Contours, Parts
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.lattices.by_lattice import common_divisor
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import Law
from dpsym.accounting.query import Found, Question
from dpsym.core.deadline import TooCostly

_MOST_POINTS = 100_000  # that are computed, in some seconds
_LEAST_ACCURACY = 8.0  # below which nothing is cheaper
_LEAST = -600.0  # the logarithm of a decay that floats tell


def by_period(question: Question, found: Found, least: float = 0.0) -> None:
    """Narrow what is found where all losses lie on one lattice, and their sum has about `least` values or more.

    Raises:
        TooCostly: where not.
        OutOfTime: when there is no time left.
    """
    grid = grid_of(question.laws)
    parts = [(moment_of(law), count) for law, count in question.laws]
    if question.delta is not None:
        at = saddle_of_delta(parts, log_of(question.delta))
    else:
        at = saddle_of_epsilon(parts, float(arb(question.epsilon)))
    if 20 * math.sqrt(at.curvature) < least * float(arb(grid.spacing)):
        raise TooCostly("the sum is short")
    fall = [_fall(law, grid.spacing) for law, _ in question.laws]
    narrow(
        question,
        found,
        parts,
        lambda at, accuracy: (PeriodInversion(parts, at, accuracy, grid, fall), False),
    )


Fall = Callable[[arb, arb], arb]  # at t and c a number that |M(c + it)|/M(c) does not exceed up to half a period


class Grid(NamedTuple):
    """The sum of all losses is `offset` and a multiple of `spacing`."""

    spacing: fmpq
    offset: fmpq


def grid_of(laws: Laws) -> Grid:
    """The lattice of a composition's losses.

    Raises:
        TooCostly: where there is none.
    """
    steps: list[fmpq] = []
    offset = fmpq(0)
    for law, count in laws:
        if isinstance(law, DiscreteGaussianLaw):
            steps.append(law.unit)
            offset += count * law.offset
            continue
        losses = _losses(law)
        steps += [other - losses[0] for other in losses[1:]]
        offset += count * losses[0]
    spacing = common_divisor(steps)
    if spacing is None:
        raise TooCostly("there is but one loss")
    return Grid(spacing, offset)


def _losses(law: Law) -> list[fmpq]:
    atoms = law.atoms() if law.edge(arb(0)) is None and law.infinite().is_zero() else []
    losses = [atom.exact for atom in atoms if atom.exact is not None]
    if not losses or len(losses) != len(atoms):
        raise TooCostly("the losses do not lie on a lattice")
    return sorted(losses)


def gaussian_fall(law: DiscreteGaussianLaw, t: arb, c: arb) -> arb:
    """How |M(c + it)|/M(c) falls on half a period of its own lattice, for discrete Gaussian noise, sigma >= 1."""
    square = arb.pi() * arb.pi() * law.variance
    near = (-t * t * law.n * law.n / (2 * law.variance)).exp()
    return ((near + 3 * (-square / 2).exp()) / (1 - 3 * (-2 * square).exp())).upper().min(arb(1))


def pairs_fall(law: Law, spacing: fmpq, t: arb, c: arb) -> arb:
    """The same for finitely many losses: neighbours on the lattice lose what |1 + e^(itu)| falls short of 2."""
    atoms = sorted((atom.exact, atom.first) for atom in law.atoms() if atom.exact is not None)
    tilted = [(loss, mass * (c * loss).exp()) for loss, mass in atoms]
    turn = (t * spacing).cos()
    kept = [
        w + v - (w * w + v * v + 2 * w * v * turn).sqrt() if higher - loss == spacing else arb(0)
        for (loss, w), (higher, v) in pairwise(tilted)
    ]
    lost = [sum(kept[start::2], arb(0)) for start in (0, 1)]  # pairs that have no loss in common
    best = lost[0] if lost[0].mid() >= lost[1].mid() else lost[1]
    bound = (1 - best / sum((w for _, w in tilted), arb(0))).upper()
    return bound.max(arb(0)).min(arb(1)) if bound.is_finite() else arb(1)


def _fall(law: Law, spacing: fmpq) -> Fall:
    if isinstance(law, DiscreteGaussianLaw):
        return partial(gaussian_fall, law) if law.unit == spacing and law.variance >= 1 else lambda t, c: arb(1)
    return partial(pairs_fall, law, spacing)


class PeriodInversion:
    """delta(epsilon) for losses on a lattice; see `Inversion`.

    A whole number N of spacings u is the period of the trapezoidal rule, so that the points repeat.  With l the first
    loss above epsilon, the rule is S_0(l) - exp(epsilon - l) S_1(l), where S_j has M(s) u/(1 - exp(-(s + j)u)) in the
    place of a transform, and as many points as make up one turn.

    Args:
        grid: the lattice.
        falls: of the parts' moment functions.
    """

    def __init__(
        self,
        parts: Parts,
        at: Saddle,
        accuracy: float,
        grid: Grid,
        falls: Sequence[Fall],
    ) -> None:
        self._grid = grid
        accuracy = max(accuracy, _LEAST_ACCURACY)
        contours = Contours(parts, at, accuracy)
        period, further = contours.aliases(at.c)
        if not 0 < period < math.inf:
            raise TooCostly("the moments are beyond what floats can plan")
        half = math.ceil(period / float(arb(grid.spacing)) / 2)
        terms = 2 * half + 1  # odd: all but one come in pairs
        fallen = [(fall, times) for fall, (_, times) in zip(falls, parts, strict=True)]
        count = _points(fallen, at, accuracy, float(arb(grid.spacing)), half)
        accuracy += 3 + max(0.0, contours.astray(at.c))
        period = terms * float(arb(grid.spacing))
        contour = Contour(at.c, period, further, 2 * math.pi * count / period, accuracy)
        self.bits = precision(parts, accuracy)
        with ctx.workprec(self.bits):
            c, spacing = arb(contour.line), grid.spacing
            step = 2 * arb.pi() / (terms * spacing)
            log_scale, ratios = moments_along(parts, c, step, count, accuracy)
            bound = arb(1)
            for fall, times in fallen:
                bound *= fall(count * step, c) ** times
            rules = []
            for j in (0, 1):
                kernels = [spacing / (1 - (-acb(c + j, k * step) * spacing).exp()) for k in range(count + 1)]
                values = [ratio * kernel for ratio, kernel in zip(ratios, kernels, strict=True)]
                left_out = ((half - count) * bound * kernels[0].real).upper()  # no kernel is larger than that of k = 0
                rules.append(TrapezoidalSum(c, step, values, left_out, log_scale.exp()))
            self._rules = rules
            self._aliases = profile_aliases(parts, c, arb(terms * spacing), contour)

    def delta(self, epsilon: arb) -> arb:
        """See `Inversion`."""
        with ctx.workprec(self.bits):
            place = (epsilon - self._grid.offset) / self._grid.spacing
            first, last = (int(end.floor().unique_fmpz()) + 1 for end in (place.lower(), place.upper()))
            found = self._above_point(epsilon, first)
            if last != first:  # it cannot be told which is the first loss above epsilon
                found = found.union(self._above_point(epsilon, last))
            return clipped(found)

    def _above_point(self, epsilon: arb, k: int) -> arb:
        """The sum over the losses from the k-th point of the lattice on."""
        loss = arb(self._grid.offset + k * self._grid.spacing)
        one, other = (rule.at(loss) for rule in self._rules)
        return self._aliases.taken_from(one - (epsilon - loss).exp() * other, epsilon)


def _points(falls: Sequence[tuple[Fall, int]], at: Saddle, accuracy: float, spacing: float, half: int) -> int:
    """As many points as the decay asks for, half a turn at most.

    Raises:
        TooCostly: where they are too many.
    """
    c, step = at.c, 2 * math.pi / ((2 * half + 1) * spacing)
    kernel = math.log(2 / -math.expm1(-c * spacing)) + math.log(spacing)
    share = math.log(2 * math.pi * at.curvature) / 2 + math.log(c) + math.log1p(c) + accuracy + 3 + max(kernel, 0.0)

    def log_fall(t: float) -> float:
        with ctx.workprec(ROUGH_BITS):
            return sum(times * max(float(fall(arb(t), arb(c)).log()), _LEAST) for fall, times in falls)

    count = min(half, max(1, math.ceil(1 / (math.sqrt(at.curvature) * step))))
    while count < half and log_fall(count * step) > -share:
        count = min(half, math.ceil(1.2 * count))
        if count > _MOST_POINTS:
            raise TooCostly(f"more than {_MOST_POINTS} points in a period")
    return count
