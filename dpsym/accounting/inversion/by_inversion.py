"""Answers by the inversion integral, for compositions in which some steps have a density."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from flint import arb, ctx

from dpsym.accounting.bounds import crossing, endpoints
from dpsym.accounting.chernoff import log_of
from dpsym.accounting.inversion.bromwich import Inversion
from dpsym.accounting.inversion.contour import Contours, Parts
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import Law
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.accounting.query import GRACE, INTEGRAL, Found, Question
from dpsym.core.deadline import TooCostly, portion, timed

_ATTEMPTS = 4  # each about twice as accurate as the one before
_CLOSE = 1.1  # bounds with this ratio know better than a saddle point


class Profile(Protocol):
    """What has been integrated."""

    bits: int

    def delta(self, epsilon: arb) -> arb:
        """delta(epsilon), enclosed; narrow only near the epsilon that the contour is for."""


def by_inversion(question: Question, found: Found, shares: Sequence[float] = (1.0,)) -> None:
    """Narrow what is found; more accurate at each attempt, around the middle of what is known.

    `shares` of the accuracy that is wanted are tried, the first that is not too costly.

    Raises:
        TooCostly: where the integral is not the way.
        OutOfTime: when there is no time left.
    """
    parts = [(moment_of(law), count) for law, count in question.laws]
    if all(_only_atoms(law) for law, _ in question.laws):
        raise TooCostly("no factor of the integrand falls")
    narrow(question, found, parts, lambda at, accuracy: _affordable(parts, at, accuracy, shares, question))


def narrow(
    question: Question,
    found: Found,
    parts: Parts,
    integrate: Callable[[Saddle, float], tuple[Profile, bool]],
) -> None:
    """Narrow what is found by integrals, which `integrate` says whether they are less accurate than asked."""
    margin = 3.0
    for _ in range(_ATTEMPTS):
        at = _target(question, parts, found)
        accuracy = margin - math.log(question.relative)
        if question.delta is not None:
            accuracy -= math.log(min(1.0, max(at.epsilon * at.c, 1e-6)))
        integral, less = integrate(at, accuracy)
        with ctx.workprec(integral.bits):
            if question.epsilon is not None:
                bounds = endpoints(integral.delta(arb(question.epsilon)))
            else:
                delta = arb(question.delta)
                with timed(portion(1, GRACE)):
                    bounds = crossing(integral.delta, delta, at.epsilon, at.c, question.relative)
        before = found.bounds
        found.improve(bounds, INTEGRAL, question)
        if found.finished or (less and found.bounds == before):
            return
        margin = 2 * margin + 5


def _target(question: Question, parts: Parts, found: Found) -> Saddle:
    """For which epsilon and delta the contour is chosen, as far as is known, and a saddle point there.

    Where a step's loss is seldom large, saddle points jump from the bulk of the losses to the largest ones.
    """
    lower, upper = found.bounds.lower, found.bounds.upper
    if question.epsilon is not None:
        at = replace(saddle_of_epsilon(parts, float(arb(question.epsilon))), epsilon=float(arb(question.epsilon)))
        least = float(lower.log()) if lower > 0 else -math.inf
        return replace(at, log_delta=max(least, min(at.log_delta, float(upper.log()))))
    log_delta = log_of(question.delta)
    at = saddle_of_delta(parts, log_delta)
    low, high = float(lower), float(upper)
    if not low <= at.epsilon <= high or high < _CLOSE * low:
        middle = math.sqrt(low) * math.sqrt(high) if high < math.inf else low
        at = replace(saddle_of_epsilon(parts, middle), epsilon=middle)
    return replace(at, log_delta=log_delta)


def _affordable(
    parts: Parts, at: Saddle, accuracy: float, shares: Sequence[float], question: Question
) -> tuple[Inversion, bool]:
    """The integral as accurately as there is time for, and whether that is less than was asked."""
    reason = TooCostly("no accuracy to try")
    for share in shares:
        try:
            contour = Contours(parts, at, max(share * accuracy, 8.0)).best()
            return Inversion(parts, contour), share < 1
        except TooCostly as error:
            reason = error
    raise reason


def moment_of(law: Law) -> Moment:
    """The moment function of a law.

    Raises:
        TooCostly: where it has no closed form here.
    """
    if not law.infinite().is_zero():
        raise TooCostly("an infinite loss has no moments")
    return law.moment()


def _only_atoms(law: Law) -> bool:
    return isinstance(law, DiscreteGaussianLaw) or law.edge(arb(0)) is None
