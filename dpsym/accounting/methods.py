"""The ways to one direction of a privacy profile, and which one is taken.

A question is about epsilon at a delta, or about delta at an epsilon.  Every way only ever narrows the bounds found
so far, so that there is an answer whenever time ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, crossing, endpoints, larger, smaller
from dpsym.accounting.chernoff import largest_share, log_of, simple
from dpsym.accounting.compositions import Laws
from dpsym.accounting.inversion.by_inversion import by_inversion, moment_of
from dpsym.accounting.inversion.lattice_inversion import by_period
from dpsym.accounting.inversion.saddle_point import Saddle, saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.laplace_sums import by_laplace_sum
from dpsym.accounting.lattices.by_lattice import by_lattice, common_grid
from dpsym.accounting.loss_distributions.finite import FiniteLaw
from dpsym.accounting.loss_distributions.lattice import (
    GaussianLaw,
    LaplaceLaw,
    LatticeLaw,
    Law,
    SubsampledLaw,
)
from dpsym.accounting.loss_distributions.log_concave import LogisticLaw
from dpsym.accounting.loss_distributions.sampled_gaussian_replaced import ReplacedLaw
from dpsym.accounting.loss_distributions.together import JointLaw, sums_of
from dpsym.accounting.markov_lower_bound import by_likely_losses
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.accounting.profile_floor import by_the_floor, infinite, largest_finite
from dpsym.accounting.query import CLOSED, EXACT_SUM, NOTHING, ORDER, SIMPLE, Found, Question
from dpsym.core.deadline import OutOfTime, TooCostly, over, timed

_ROUGH_BITS = 80  # beyond the digits that are asked for
_MOST_BITS = 1 << 15  # of a closed form: tails as rare as e to the power of -20,000
_USUAL = 500.0  # orders above this may be beyond what moments can be computed for
_MOST_SUMS = 20_000  # of finitely many losses, all of them added up at each epsilon that is tried
_FEW = 4000.0  # points of a lattice that are summed more quickly than integrated
_LESS = (1.0, 0.6, 0.35)  # of the accuracy, where all of it is too costly
_PATIENCE = 0.5  # seconds for bounds by single steps, which are there whatever happens


def answer(question: Question) -> Found:
    """Bounds of what is asked, as narrow as is wanted or as time allows."""
    if question.delta == 1 or not question.laws:
        return Found(_of_nothing(question), NOTHING, finished=True)
    settled = by_the_floor(question)
    if settled is not None:
        return settled
    found = Found(Bounds(arb(0), arb(1) if question.delta is None else arb.pos_inf()), SIMPLE)
    bounded = None
    with suppress(TooCostly):
        bounded = _largest(question.laws)
    if question.delta == 0 or (bounded is not None and question.epsilon is not None and question.epsilon >= bounded):
        found.improve(_pure(question), CLOSED, question)
        return found
    if question.epsilon is not None:
        with suppress(TooCostly):
            found.improve(Bounds(infinite(question.laws).lower().max(arb(0)), arb(1)), SIMPLE, question)
    try:
        if question.steps == 1:
            with suppress(TooCostly):
                found.improve(_one_step(question.laws[0][0], question), CLOSED, question)
            return found
        with suppress(TooCostly):
            _by_single_steps(question, found)
        if not found.finished and (joint := _all_sums(question)) is not None:
            with suppress(TooCostly):
                found.improve(_one_step(joint, question), EXACT_SUM, question)
            if found.finished:
                return found
        _by_one_order(question, found)
        ways: list[Callable[[Question, Found], None]]
        if common_grid(question.laws) is not None:
            ways = [partial(by_period, least=_FEW), by_lattice, by_period]
        else:
            coarse = [partial(by_lattice, rounds=2), partial(by_inversion, shares=_LESS)]
            ways = [by_laplace_sum, by_inversion, *coarse, by_lattice]
        for way in ways:
            if not found.finished:
                try:
                    way(question, found)
                except (TooCostly, OverflowError, ZeroDivisionError):  # plans are made in floats
                    continue
    except (OutOfTime, TooCostly):
        pass
    if not found.finished:
        by_likely_losses(question, found)
    return found


def _all_sums(question: Question) -> Law | None:
    """The sums of all losses as those of one step, where they are finitely many, not too many, and on no lattice."""
    if any(law.edge(arb(0)) is not None for law, _ in question.laws) or sums_of(question.laws) > _MOST_SUMS:
        return None
    if common_grid(question.laws) is not None:
        return None
    return JointLaw(question.laws, None)


def _of_nothing(question: Question) -> Bounds:
    """Without any loss, and at delta = 1: no epsilon; delta is what a negative epsilon asks for."""
    if question.epsilon is None or question.epsilon >= 0:
        return Bounds(arb(0), arb(0))
    return endpoints(1 - arb(question.epsilon).exp())


def one_step(law: Law, epsilon: arb | fmpq) -> arb:
    """The privacy profile of a single step: P(L > epsilon) - exp(epsilon) Q(L > epsilon)."""
    factor, total = arb(epsilon).exp(), law.infinite()
    edge = law.edge(epsilon)
    if edge is not None:
        total += _no_more(edge.first_above - factor * edge.second_above, edge.first_above)
    for atom in law.atoms():
        total += (atom.first - factor * atom.second).nonnegative_part()
    return total


def _no_more(value: arb, most: arb) -> arb:
    """A number between 0 and `most`, also where it could not be computed any better."""
    if value.is_finite() and not value > most:
        value = value.nonnegative_part()
        return value if value.upper() <= most.upper() else value.lower().union(most.upper())
    return arb(0).union(most.upper())


def _one_step(law: Law, question: Question) -> Bounds:
    """The closed form, at as much precision as it takes, and as is not too costly."""
    bits, guess, slope = _ROUGH_BITS, 0.0, 1.0
    if question.delta is not None:
        guess, slope = _planned(law, question.delta)
    best = Bounds(arb(0), arb(1) if question.delta is None else arb.pos_inf())
    while not best.narrow(question.relative) and bits <= _MOST_BITS:
        with ctx.workprec(bits), suppress(OutOfTime, TooCostly):
            if question.epsilon is not None:
                found = endpoints(one_step(law, question.epsilon))
            else:
                found = crossing(lambda x: one_step(law, x), arb(question.delta), guess, slope, question.relative)
            best = best.meet(found)
        if over():
            break
        bits *= 2
    return best


def _planned(law: Law, delta: fmpq) -> tuple[float, float]:
    try:
        at = saddle_of_delta([(law, 1)], log_of(delta))
    except (TooCostly, OverflowError, ZeroDivisionError):
        return 1.0, 1.0
    return at.epsilon, at.c


def _largest(laws: Laws) -> fmpq | None:
    """The largest loss where it is known to be rational."""
    total = fmpq(0)
    for law, count in laws:
        if isinstance(law, LogisticLaw):
            total += count * law.t
            continue
        losses = [atom.exact for atom in law.atoms() if atom.exact is not None]
        finite = isinstance(law, FiniteLaw) and law.infinite().is_zero() and len(losses) == len(law.atoms())
        if not (finite or isinstance(law, LaplaceLaw | LatticeLaw)):
            return None  # an exact atom need not be the largest loss of these
        total += count * max(losses)
    return total


def _pure(question: Question) -> Bounds:
    """What pure differential privacy says: no delta from the largest loss on, that loss at delta = 0."""
    if question.epsilon is not None:
        return Bounds(arb(0), arb(0))
    with ctx.workprec(_ROUGH_BITS + math.ceil(-4 * math.log10(question.relative))):
        return endpoints(sum((count * law.largest() for law, count in question.laws), arb(0)))


def _by_single_steps(question: Question, found: Found) -> None:
    """Never better than any of its steps, never worse than without sampling and with pure DP where there is some.

    Nor is delta, for epsilon >= 0, more than the sum of the steps' total variations.

    Sampling is dropped from Gaussian steps only, which leaves one Gaussian; all other losses are bounded.
    """
    bounded, gaussian = arb(0), fmpq(0)
    with ctx.workprec(_ROUGH_BITS):
        for law, count in question.laws:
            base = law.base if isinstance(law, SubsampledLaw | ReplacedLaw) else law
            if isinstance(base, GaussianLaw):
                gaussian += count * base.mu_squared
            elif isinstance(base, JointLaw) and isinstance(base.rest, GaussianLaw) and not law.largest().is_finite():
                gaussian += count * base.rest.mu_squared
                for each, times in base.finite:
                    bounded += count * times * each.largest().max(each.exchanged().largest())
            else:
                bounded += count * law.largest()
        rough = Question((), question.delta, question.epsilon, 1e-3)
        with timed(_PATIENCE):
            whole = _without_sampling(rough, gaussian, bounded)
        found.improve(Bounds(arb(0), whole), SIMPLE, question)
        _by_finite_losses(question, found)
        apart = Question((), None, fmpq(0), 1e-3)
        with timed(_PATIENCE):
            noticed = sum((count * _one_step(law, apart).upper for law, count in question.laws), arb(0)).upper()
        if question.epsilon is not None and question.epsilon >= 0:
            found.improve(Bounds(arb(0), smaller(noticed, arb(1))), SIMPLE, question)
        if question.delta is not None and noticed <= question.delta:
            found.improve(Bounds(arb(0), arb(0)), SIMPLE, question)
            return
        _by_largest_losses(question, found)
        for law, _ in question.laws[:5]:
            with timed(_PATIENCE):
                single = _one_step(law, rough)
            found.improve(Bounds(single.lower, larger(found.bounds.upper, single.lower)), SIMPLE, question)


def _by_finite_losses(question: Question, found: Found) -> None:
    """Where the chance of an infinite loss is no more than delta, the sum of the largest finite ones is enough."""
    if question.delta is None:
        return
    log_kept, top = arb(0), arb(0)
    for law, count in question.laws:
        log_kept += count * (-law.infinite()).log1p()
        top += count * largest_finite(law)
    if top.is_finite() and -log_kept.expm1() <= question.delta:
        found.improve(Bounds(arb(0), larger(top.upper(), arb(0))), SIMPLE, question)


def _by_largest_losses(question: Question, found: Found) -> None:
    """Each law's largest atom, all of them together: delta >= p (1 - exp(epsilon - their sum)), p their probability.

    This is most of delta where that is tiny beside p.
    """
    mass, top = arb(1), arb(0)
    for law, count in question.laws:
        if not law.largest().is_finite():
            return
        largest = max(law.atoms(), key=lambda atom: float(atom.loss), default=None)
        if largest is None:
            return
        mass *= largest.first**count
        top += count * largest.loss
    if question.epsilon is not None:
        lower = (mass * (1 - (question.epsilon - top).exp())).lower()
    else:
        rest = 1 - arb(question.delta) / mass
        lower = (top + rest.log()).lower() if rest > 0 else arb(0)
    if lower > 0:
        found.improve(Bounds(lower, larger(found.bounds.upper, lower)), SIMPLE, question)


def _by_one_order(question: Question, found: Found) -> None:
    """Chernoff's bound where it is about best, or at a few orders where that is not known."""
    try:
        parts = [(_no_smaller_moment(law), count) for law, count in question.laws]
    except TooCostly:
        return
    orders = [fmpq(2), fmpq(20), fmpq(200), fmpq(2000)]
    with suppress(TooCostly, OverflowError, ZeroDivisionError):
        at = _saddle(question)
        orders = [simple(at.c)] if at.c < _USUAL else [*orders, simple(at.c)]
    for c in orders:
        with suppress(TooCostly, OverflowError, ZeroDivisionError), ctx.workprec(_ROUGH_BITS):
            log_moment = sum((count * moment.at(arb(c)).log() for moment, count in parts), arb(0))
            top = log_moment + largest_share(arb(c)).log()
            if question.delta is not None:
                bound = ((top - arb(question.delta).log()) / c).upper().max(arb(0))
            else:
                bound = (top - c * question.epsilon).exp().upper().min(arb(1))
            if bound.is_finite():
                found.improve(Bounds(smaller(found.bounds.lower, bound), bound), ORDER, question)


def _no_smaller_moment(law: Law) -> Moment:
    """Its moments, or where they are not known those of the step without sampling, which are not smaller."""
    try:
        return moment_of(law)
    except TooCostly:
        if isinstance(law, SubsampledLaw) and law.base.exchanged() == law.base:
            return moment_of(law.base)
        raise


def _saddle(question: Question) -> Saddle:
    if question.delta is not None:
        return saddle_of_delta(question.laws, log_of(question.delta))
    return saddle_of_epsilon(question.laws, float(arb(question.epsilon)))


def _without_sampling(question: Question, gaussian: fmpq, bounded: arb) -> arb:
    """An upper bound for a Gaussian of that mu^2 beside losses of at most `bounded`."""
    if question.delta is not None:
        top = _one_step(GaussianLaw(gaussian), question).upper if gaussian else arb(0)
        bound = (top + bounded).upper()
        return bound if bound.is_finite() else arb.pos_inf()
    if not bounded.is_finite():
        return arb(1)
    if gaussian:
        return smaller(one_step(GaussianLaw(gaussian), question.epsilon - bounded).upper(), arb(1))
    return arb(0) if question.epsilon >= bounded else arb(1)
