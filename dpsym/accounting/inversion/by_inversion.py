"""Answers by the inversion integral, for compositions in which some steps have a density."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, crossing, endpoints
from dpsym.accounting.chernoff import log_of, simple
from dpsym.accounting.inversion.bromwich import Inversion
from dpsym.accounting.inversion.contour import Contour, Contours, Parts
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import Law
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.accounting.query import INTEGRAL, Found, Question
from dpsym.core.deadline import TooCostly

_ATTEMPTS = 4  # each about twice as accurate as the one before
_CLOSE = 1.1  # bounds with this ratio know better than a saddle point
_NEARLY = 8  # a delta within this factor of the one asked for is next to it
_ROUGH = 3.0  # accuracy that tells so much
_HALVINGS = 30  # of the logarithm of epsilon, while a point next to it is looked for
_CHEAP = 10_000  # operations: a contour through a saddle point that takes less is a good one


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
        OutOfTime: at the deadline.
    """
    parts = [(moment_of(law), count) for law, count in question.laws]
    if all(_only_atoms(law) for law, _ in question.laws):
        raise TooCostly("no factor of the integrand falls")
    near = _approach(question, parts, found) if _astray(question, parts, found) else None
    narrow(question, found, parts, lambda at, accuracy: _affordable(parts, at, accuracy, shares, question), near=near)


def narrow(
    question: Question,
    found: Found,
    parts: Parts,
    integrate: Callable[[Saddle, float], tuple[Profile, bool]],
    near: float | None = None,
) -> None:
    """Narrow what is found by integrals, which `integrate` says whether they are less accurate than asked.

    `near` is an epsilon that is known to be next to what is asked, where saddle points are not to be trusted.
    """
    margin = 3.0
    for _ in range(_ATTEMPTS):
        at = _target(question, parts, found, near)
        accuracy = margin - math.log(question.relative)
        if question.delta is not None:
            accuracy -= math.log(min(1.0, max(at.epsilon * at.c, 1e-6)))
        integral, less = integrate(at, accuracy)
        with ctx.workprec(integral.bits):
            if question.epsilon is not None:
                bounds = endpoints(integral.delta(arb(question.epsilon)))
            else:
                delta = arb(question.delta)
                slope = at.c if near is None else _slope(integral, at)
                bounds = crossing(integral.delta, delta, at.epsilon, slope, question.relative, question.grace)
        before = found.bounds
        found.improve(bounds, INTEGRAL, question)
        if found.finished or (less and found.bounds == before):
            return
        margin = 2 * margin + 5


def _astray(question: Question, parts: Parts, found: Found) -> bool:
    """Whether the saddle point is no good one: few points do not suffice on its contour."""
    if question.delta is None:
        return False
    at = _target(question, parts, found, None)
    contour = Contours(parts, at, _ROUGH).through(at.c)
    return contour is None or contour.cost >= _CHEAP


def _slope(integral: Profile, at: Saddle) -> float:
    """How fast the logarithm of delta falls at an epsilon, about."""
    point, further = arb(at.epsilon), arb(at.epsilon) * fmpq(257, 256)
    gap = (integral.delta(point) / integral.delta(further)).log().mid() / (further - point)
    return float(gap) if gap > 0 else at.c


def _about(one: arb, other: arb) -> bool:
    """Whether a number is known to be another one, but for a small factor."""
    return bool(other < _NEARLY * one and one < _NEARLY * other)


def _approach(question: Question, parts: Parts, found: Found) -> float | None:
    """A point next to epsilon, where the saddle point led astray: as bounds that a rough integral can tell narrow.

    None where it cannot tell.
    """
    delta, log_delta = arb(question.delta), log_of(question.delta or fmpq(1))
    integral: Inversion | None = None
    contour: Contour | None = None
    gaps: list[float | None] = [None, None]  # the logarithm of delta(epsilon)/delta at both ends, where known
    for turn in range(_HALVINGS):
        lower, upper = float(found.bounds.lower), float(found.bounds.upper)
        if not 0 < lower < upper < math.inf:
            return None
        share = 0.5
        if turn % 3 and gaps[0] is not None and gaps[1] is not None:
            share = min(max(gaps[0] / (gaps[0] - gaps[1]), 0.05), 0.95)
        point = float(arb(simple(lower ** (1 - share) * upper**share, 40)))
        fresh = integral is None
        if integral is None:
            at = replace(saddle_of_epsilon(parts, point), epsilon=point, log_delta=log_delta)
            contour = Contours(parts, at, _ROUGH).best(None if contour is None else contour.c)
            integral = Inversion(parts, contour, question.deadline)
        with ctx.workprec(integral.bits):
            there = integral.delta(arb(point))
            if _about(there, delta):
                return point
            gap = float((there / delta).log().mid()) if there > 0 and there.rad() < there.mid() / 2 else None
            if there >= delta:
                found.improve(Bounds(arb(point), found.bounds.upper), INTEGRAL, question)
                gaps[0] = gap
            elif there <= delta:
                found.improve(Bounds(found.bounds.lower, arb(point)), INTEGRAL, question)
                gaps[1] = gap
            elif fresh:
                return None
            else:
                integral = None
    return None


def _target(question: Question, parts: Parts, found: Found, near: float | None) -> Saddle:
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
    if near is not None or not low <= at.epsilon <= high or high < _CLOSE * low:
        middle = near or (math.sqrt(low) * math.sqrt(high) if high < math.inf else low)
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
            return Inversion(parts, contour, question.deadline), share < 1
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
