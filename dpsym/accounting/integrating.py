"""Answers by the inversion integral, for compositions with a Gaussian step in them."""

from __future__ import annotations

import math

from flint import arb, ctx

from dpsym.accounting.bounds import crossing, endpoints
from dpsym.accounting.inversion import Inversion
from dpsym.accounting.laws import GaussianLaw, LaplaceLaw, Law, SubsampledLaw
from dpsym.accounting.moments import BoundedMoment, GaussianMoment, Moment, TooCostly
from dpsym.accounting.planning import saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.questions import INTEGRAL, Found, Question
from dpsym.accounting.tails import log_of

_ATTEMPTS = 4


def by_inversion(question: Question, found: Found) -> None:
    """Narrow what is found; more accurate at each attempt, around the middle of what is known.

    Raises:
        TooCostly: where the integral is not the way.
        OutOfTime: at the deadline.
    """
    parts = [(_moment(law), count) for law, count in question.laws]
    if all(isinstance(moment, BoundedMoment) for moment, _ in parts):
        raise TooCostly("no factor of the integrand falls")
    margin = 3.0
    for attempt in range(_ATTEMPTS):
        if question.epsilon is not None:
            at = saddle_of_epsilon(parts, float(arb(question.epsilon)))
            accuracy = margin - math.log(question.relative)
        else:
            at = saddle_of_delta(parts, log_of(question.delta))
            if at.epsilon <= 0 or (attempt and found.bounds.upper.is_finite()):
                middle = (found.bounds.lower + found.bounds.upper) / 2 if attempt and at.epsilon > 0 else arb(0)
                at = saddle_of_epsilon(parts, max(float(middle), 0.0))
            accuracy = margin - math.log(question.relative * min(1.0, max(at.epsilon * at.c, 1e-6)))
        integral = Inversion(parts, at, accuracy, question.deadline)
        with ctx.workprec(integral.bits):
            if question.epsilon is not None:
                bounds = endpoints(integral.delta(arb(question.epsilon)))
            else:
                delta = arb(question.delta)
                bounds = crossing(integral.delta, delta, at.epsilon, at.c, question.relative, question.deadline)
        found.improve(bounds, INTEGRAL, question.relative)
        if found.finished:
            return
        margin = 2 * margin + 5


def _moment(law: Law) -> Moment:
    if isinstance(law, GaussianLaw):
        return GaussianMoment(law.mu_squared)
    if isinstance(law, SubsampledLaw) and law.moment is not None:
        return law.moment
    if isinstance(law, LaplaceLaw):
        return BoundedMoment(law, lambda: _atoms(law), law.a)
    if law.edge(arb(0)) is None:
        return BoundedMoment(law, lambda: _atoms(law))
    raise TooCostly("the moments of sampled Laplace noise have no closed form here")


def _atoms(law: Law) -> list[tuple[arb, arb]]:
    return [(atom.loss, atom.first) for atom in law.atoms()]
