"""A lower bound by one order: what is nearly certain to be lost.

For 0 < theta < 1 and y > 0, by Markov's inequality for exp(-theta L),

    delta(epsilon) >= P(L > epsilon + y)(1 - exp(-y)) >= (1 - exp(theta (epsilon + y)) M(-theta)) (1 - exp(-y)).

It is there where delta is near 1, and where there are more steps than anything else can plan for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, smaller
from dpsym.accounting.chernoff import log_of, simple
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.accounting.moments.sampled_gaussian import SubsampledMoment
from dpsym.accounting.query import ORDER, Found, Question
from dpsym.core.deadline import TooCostly

_BITS = 128  # more digits than the bound has that count
_LARGEST = 0.49  # at 1/2 the formula of Laplace noise is a quotient of zeros
_FACTORS = (1.0, 0.5, 2.0)  # of the order that mean and variance propose
_SMALL = 1e-6  # an order near 0, for mean and variance


def by_likely_losses(question: Question, found: Found) -> None:
    """Raise the lower bound."""
    try:
        parts = [(moment_of(law), count) for law, count in question.laws]
        plan = _plan(parts)
    except (TooCostly, OverflowError, ZeroDivisionError, ValueError):
        return
    for factor in _FACTORS:
        with suppress(TooCostly, OverflowError, ZeroDivisionError), ctx.workprec(_BITS):
            lower = _lower(question, parts, plan, factor)
            if lower.is_finite() and lower > found.bounds.lower:
                found.improve(Bounds(smaller(lower, found.bounds.upper), found.bounds.upper), ORDER, question)


def _plan(parts: Sequence[tuple[Moment, int]]) -> tuple[float, float]:
    """Mean and variance of the sum of losses, approximately."""
    mean = variance = 0.0
    for moment, count in parts:
        _, first, second = moment.cumulants(_SMALL)
        mean, variance = mean + count * first, variance + count * second
    if not (0 < mean < math.inf and 0 < variance < math.inf):
        raise TooCostly("the moments are beyond floats")
    return mean, variance


def _lower(question: Question, parts: Sequence[tuple[Moment, int]], plan: tuple[float, float], factor: float) -> arb:
    """A lower bound of what is asked for."""
    mean, variance = plan
    if question.delta is not None:
        spared = 1 - question.delta  # a quarter of it to each of the two factors
        theta = _order(factor * math.sqrt(2 * (math.log(4) - log_of(spared)) / variance))
        log_share = (arb(spared) / 4).log()
        return ((log_share - _log_moment(parts, theta)) / theta + log_share).lower().max(arb(0))
    if question.epsilon is None:
        raise TypeError("neither epsilon nor delta is given")
    distance = mean - float(arb(question.epsilon))
    if distance <= 0:
        return arb(0)
    theta = _order(factor * distance / variance)
    exponent = theta * question.epsilon + _log_moment(parts, theta)
    y = fmpq(simple(max(-float(exponent), 1e-6)) / (1 + theta)) if exponent < 0 else fmpq(1)
    return ((1 - (exponent + theta * y).exp()) * (1 - (-arb(y)).exp())).lower().max(arb(0))


def _order(wanted: float) -> fmpq:
    return simple(min(_LARGEST, max(wanted, 1e-290)))


def _log_moment(parts: Sequence[tuple[Moment, int]], theta: fmpq) -> arb:
    """The logarithm of M(-theta) of the whole composition."""
    total = arb(0)
    for moment, count in parts:
        if isinstance(moment, SubsampledMoment):
            # for a record added E r^theta is the removing step's moment at theta - 1
            removing = SubsampledMoment(moment.q, moment.variance, adding=False)
            value = removing.at(arb(theta - 1 if moment.adding else -theta))
        else:
            value = moment.at(arb(-theta))
        total += count * value.log()
    return total
