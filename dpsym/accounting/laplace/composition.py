"""The composition of equal Laplace steps: sums where few losses lie between the atoms, an integral for the others."""

from __future__ import annotations

import math

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, crossing, endpoints
from dpsym.accounting.chernoff import log_of, simple
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.laplace.finite_sums import Terms
from dpsym.accounting.laplace.integral import Many, Rest
from dpsym.accounting.laplace.splitting import Planner, Split
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw
from dpsym.accounting.query import EXACT_SUM, SUM_AND_INTEGRAL, Found, Question
from dpsym.core.deadline import Deadline

_SPARE = (0, 64, 512, 4096)  # bits, at each attempt
_NEAR = 0.999  # of the largest loss


def is_laplace_sum(question: Question) -> bool:
    """Whether this is the way: equal Laplace steps."""
    (law, _), *others = question.laws
    return isinstance(law, LaplaceLaw) and not others


def by_laplace_sum(question: Question, found: Found) -> None:
    """Narrow what is found; more accurate at each attempt.

    Lattices know eight digits, but take a hundred times as long: too long for calibrations and curves.

    Raises:
        TooCostly: where neither sums nor the integral are the way.
        OutOfTime: at the deadline.
    """
    ((law, count),) = question.laws
    if not isinstance(law, LaplaceLaw):
        raise TypeError(f"{law} is not a Laplace law")
    margin = 3.0
    for spare in _SPARE:
        at = _saddle(question, found)
        accuracy = margin - math.log(question.relative)
        if question.delta is not None:
            accuracy -= math.log(min(1.0, max(at.epsilon * at.c, 1e-6)))
        steps = LaplaceSteps(law.a, count, at, accuracy, question.deadline)
        with ctx.workprec(steps.bits + spare):
            if question.epsilon is not None:
                bounds = endpoints(steps.profile(arb(question.epsilon)))
            else:
                bounds = _crossing(steps, question, at, count * law.a)
        found.improve(bounds, steps.method, question)
        if found.finished:
            return
        question.deadline.check()
        margin = 2 * margin + 5


def _saddle(question: Question, found: Found) -> Saddle:
    if question.epsilon is not None:
        return saddle_of_epsilon(question.laws, abs(float(arb(question.epsilon))))
    at = saddle_of_delta(question.laws, log_of(question.delta))
    return at if at.epsilon > 0 else saddle_of_epsilon(question.laws, 0.0)


def _crossing(steps: LaplaceSteps, question: Question, at: Saddle, most: fmpq) -> Bounds:
    """epsilon, which is no more than the largest loss; near that the profile falls too steeply for a search."""
    value, largest = arb(question.delta), arb(most)
    if at.epsilon > _NEAR * float(largest):
        below = (largest * (1 - question.relative / 2)).lower()
        if steps.delta(below) >= value:
            return Bounds(below, largest.upper())
    bounds = crossing(steps.delta, value, at.epsilon, at.c, question.relative, question.grace)
    return bounds if bounds.upper <= most else Bounds(bounds.lower, largest.upper())


class LaplaceSteps:
    """delta(epsilon) of equal Laplace steps for epsilon near where `at` lies.

    Args:
        a: shift/scale.
        count: how many steps.
        at: the saddle point.
        accuracy: minus the logarithm of the relative error that is aimed at.
        deadline: when to give up.
        split: how; the cheapest way unless given.
    """

    def __init__(
        self, a: fmpq, count: int, at: Saddle, accuracy: float, deadline: Deadline, split: Split | None = None
    ) -> None:
        planner = Planner(float(arb(a)), count, at, accuracy)
        self.split = planner.best() if split is None else split
        few = self.split.few
        self._terms = Terms(a, count, few, deadline) if few else None
        self._many = Many(a, count, few) if few <= count else None
        self._c = simple(at.c)
        size = math.log2(count * (1 + float(arb(a)) * (1 + at.c)) + 1)
        reach = max(0.0, (count - at.epsilon / float(arb(a))) / 2)
        self.bits = math.ceil((accuracy - planner.log_unit) / math.log(2) + size) + 40
        self.bits += math.ceil(3 * min(few, 2 * reach + 2))  # what cancels in the sums
        contour = self.split.contour
        self.rest = None
        if self._many is not None and contour is not None:
            self.rest = Rest(self._many, contour, self.bits, deadline)

    @property
    def method(self) -> str:
        """The sum of a finite number of terms, or with an integral beside it."""
        return EXACT_SUM if self.rest is None else SUM_AND_INTEGRAL

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon) for epsilon >= 0, enclosed at the working precision."""
        total = arb(0) if self._terms is None else self._terms.delta(epsilon)
        if self.rest is not None:
            total += self.rest.delta(epsilon)
        elif self._many is not None:
            total += arb(0).union(self._many.chernoff(arb(self._c)).at(epsilon).upper().min(arb(1)))
        return total

    def profile(self, epsilon: arb) -> arb:
        """delta(epsilon) for any epsilon: the losses are symmetric, H_u = 1 - u + u H_(1/u)."""
        if epsilon < 0:
            return 1 - epsilon.exp() * (1 - self.delta(-epsilon))
        return self.delta(epsilon)
