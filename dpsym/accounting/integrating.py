"""Answers by the inversion integral, for compositions in which some steps have a density."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from flint import arb, ctx

from dpsym.accounting.additive import LogisticLaw
from dpsym.accounting.bounds import crossing, endpoints
from dpsym.accounting.discrete_gaussian import DiscreteGaussianLaw, DiscreteGaussianMoment
from dpsym.accounting.inversion import Inversion, Parts
from dpsym.accounting.laws import GaussianLaw, LaplaceLaw, Law, SubsampledLaw
from dpsym.accounting.limits import Deadline, TooCostly
from dpsym.accounting.logistic_moment import LogisticMoment
from dpsym.accounting.moments import BoundedMoment, GaussianMoment, Moment
from dpsym.accounting.planning import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.questions import INTEGRAL, SUM_AND_INTEGRAL, Found, Question
from dpsym.accounting.sampled_laplace import SampledLaplaceMoment
from dpsym.accounting.sampled_laplace_sum import SampledLaplaceSteps
from dpsym.accounting.tails import log_of

_ATTEMPTS = 4
_GRACE = 0.5  # seconds
_LESS = (1.0, 0.6, 0.35)  # of the accuracy, where all of it is too costly


def by_coarse_inversion(question: Question, found: Found) -> None:
    """As `by_inversion`, as accurately as there is time for."""
    by_inversion(question, found, _LESS)


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
    narrow(question, found, parts, lambda at, accuracy: _affordable(parts, at, accuracy, shares, question))


def by_expansion(question: Question, found: Found) -> None:
    """Narrow what is found of equal sampled Laplace steps, too few for `by_inversion`.

    Raises:
        TooCostly: for anything else, and where the expansion does not help.
        OutOfTime: at the deadline.
    """
    parts = [(moment_of(law), count) for law, count in question.laws]
    moment, count = parts[0]
    if len(parts) > 1 or not isinstance(moment, SampledLaplaceMoment):
        raise TooCostly("only equal sampled Laplace steps are expanded")
    narrow(
        question,
        found,
        parts,
        lambda at, accuracy: (SampledLaplaceSteps(moment, count, at, accuracy, question.deadline), False),
        SUM_AND_INTEGRAL,
    )


def narrow(
    question: Question,
    found: Found,
    parts: Parts,
    integrate: Callable[[Saddle, float], tuple[Inversion | SampledLaplaceSteps, bool]],
    method: str = INTEGRAL,
) -> None:
    """Narrow what is found by integrals, which `integrate` says whether they are less accurate than asked."""
    margin = 3.0
    for attempt in range(_ATTEMPTS):
        at = _contour(question, parts, found, again=attempt > 0)
        accuracy = margin - math.log(question.relative)
        if question.delta is not None:
            accuracy -= math.log(min(1.0, max(at.epsilon * at.c, 1e-6)))
        integral, less = integrate(at, accuracy)
        with ctx.workprec(integral.bits):
            if question.epsilon is not None:
                bounds = endpoints(integral.delta(arb(question.epsilon)))
            else:
                delta = arb(question.delta)
                bounds = crossing(integral.delta, delta, at.epsilon, at.c, question.relative, _grace(question))
        found.improve(bounds, method, question)
        if found.finished or (less and attempt > 0):
            return
        margin = 2 * margin + 5 if not less else margin


def _grace(question: Question) -> Deadline:
    """What has been integrated is cheap to evaluate, and worth it."""
    return Deadline(max(question.deadline.left, _GRACE) if question.deadline.left < math.inf else None)


def _contour(question: Question, parts: Parts, found: Found, *, again: bool) -> Saddle:
    """Where the integrand is best behaved for what is asked, as far as is known."""
    if question.epsilon is not None:
        return saddle_of_epsilon(parts, float(arb(question.epsilon)))
    at = saddle_of_delta(parts, log_of(question.delta))
    if at.epsilon <= 0:
        return saddle_of_epsilon(parts, 0.0)
    if again and found.bounds.upper.is_finite():
        return saddle_of_epsilon(parts, float((found.bounds.lower + found.bounds.upper) / 2))
    return at


def _affordable(
    parts: Parts, at: Saddle, accuracy: float, shares: Sequence[float], question: Question
) -> tuple[Inversion, bool]:
    """The integral as accurately as there is time for, and whether that is less than was asked."""
    reason = TooCostly("no accuracy to try")
    for share in shares:
        try:
            return Inversion(parts, at, max(share * accuracy, 8.0), question.deadline), share < 1
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
    if isinstance(law, GaussianLaw):
        return GaussianMoment(law.mu_squared)
    if isinstance(law, SubsampledLaw) and law.moment is not None:
        return law.moment
    if isinstance(law, SubsampledLaw) and isinstance(law.base, LaplaceLaw):
        return SampledLaplaceMoment(law.base.a, law.q, law.adding, law)
    if isinstance(law, LaplaceLaw):
        return BoundedMoment(law, lambda: _atoms(law), law.a)
    if isinstance(law, LogisticLaw):
        return LogisticMoment(law.t)
    if isinstance(law, DiscreteGaussianLaw):
        return DiscreteGaussianMoment(law)
    if law.edge(arb(0)) is None:
        return BoundedMoment(law, lambda: _atoms(law))
    raise TooCostly(f"the moments of {law} are not computed here")


def _only_atoms(law: Law) -> bool:
    return isinstance(law, DiscreteGaussianLaw) or law.edge(arb(0)) is None


def _atoms(law: Law) -> list[tuple[arb, arb]]:
    return [(atom.loss, atom.first) for atom in law.atoms()]
