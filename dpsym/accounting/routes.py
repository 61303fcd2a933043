"""The ways to one direction of a privacy profile, and which one is taken.

A question is about epsilon at a delta, or about delta at an epsilon.  Every way only ever narrows the bounds found
so far, so that there is an answer whenever time ends.
"""

from __future__ import annotations

import math

from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, crossing, endpoints, larger
from dpsym.accounting.compositions import Laws
from dpsym.accounting.integrating import by_inversion
from dpsym.accounting.laws import GaussianLaw, Law, SubsampledLaw
from dpsym.accounting.limits import Deadline, OutOfTime, TooCostly
from dpsym.accounting.planning import saddle_of_delta
from dpsym.accounting.questions import CLOSED, NOTHING, SIMPLE, Found, Question
from dpsym.accounting.summing import by_lattice, common_grid
from dpsym.accounting.tails import log_of

_ROUGH_BITS = 80


def answer(question: Question) -> Found:
    """Bounds of what is asked, as narrow as is wanted or as time allows."""
    if question.delta == 1 or not question.laws:
        return Found(_of_nothing(question), NOTHING, finished=True)
    found = Found(Bounds(arb(0), arb(1) if question.delta is None else arb.pos_inf()), SIMPLE)
    bounded = _largest(question.laws)
    if question.delta == 0 or (bounded is not None and question.epsilon is not None and question.epsilon >= bounded):
        found.improve(_pure(question), CLOSED, question)
        return found
    try:
        if question.steps == 1:
            found.improve(_one_step(question.laws[0][0], question), CLOSED, question)
            return found
        _by_single_steps(question, found)
        ways = [by_lattice] if common_grid(question.laws) is not None else [by_inversion, by_lattice]
        for way in ways:
            if not found.finished:
                try:
                    way(question, found)
                except (TooCostly, OverflowError):
                    continue
    except OutOfTime:
        pass
    return found


def _of_nothing(question: Question) -> Bounds:
    """Without any loss, and at delta = 1: no epsilon; delta is what a negative epsilon asks for."""
    if question.epsilon is None or question.epsilon >= 0:
        return Bounds(arb(0), arb(0))
    return endpoints(1 - arb(question.epsilon).exp())


def one_step(law: Law, epsilon: arb) -> arb:
    """The privacy profile of a single step: P(L > epsilon) - exp(epsilon) Q(L > epsilon)."""
    factor = epsilon.exp()
    edge = law.edge(epsilon)
    total = arb(0) if edge is None else edge.first_above - factor * edge.second_above
    for atom in law.atoms():
        total += (atom.first - factor * atom.second).nonnegative_part()
    return total.nonnegative_part()


def _one_step(law: Law, question: Question) -> Bounds:
    """The closed form, at as much precision as it takes."""
    bits, guess, slope = _ROUGH_BITS, 0.0, 1.0
    if question.delta is not None:
        guess, slope = _planned(law, question.delta)
    best: Bounds | None = None
    while True:
        question.deadline.check()
        with ctx.workprec(bits):
            if question.epsilon is not None:
                found = endpoints(one_step(law, arb(question.epsilon)))
            else:
                found = crossing(
                    lambda x: one_step(law, x), arb(question.delta), guess, slope, question.relative, question.deadline
                )
        best = found if best is None else best.meet(found)
        if best.narrow(question.relative) or bits > 100_000 or best.upper == 0:
            return best
        bits *= 2


def _planned(law: Law, delta: fmpq) -> tuple[float, float]:
    try:
        at = saddle_of_delta([(law, 1)], log_of(delta))
    except (TooCostly, OverflowError):
        return 1.0, 1.0
    return at.epsilon, at.c


def _largest(laws: Laws) -> fmpq | None:
    """The largest loss where it is known to be rational."""
    total = fmpq(0)
    for law, count in laws:
        losses = [atom.exact for atom in law.atoms() if atom.exact is not None]
        if not losses:
            return None
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

    Sampling is dropped from Gaussian steps only, which leaves one Gaussian; all other losses are bounded.
    """
    bounded, gaussian = arb(0), fmpq(0)
    with ctx.workprec(_ROUGH_BITS):
        for law, count in question.laws:
            base = law.base if isinstance(law, SubsampledLaw) else law
            if isinstance(base, GaussianLaw):
                gaussian += count * base.mu_squared
            else:
                bounded += count * law.largest()
        rough = Question((), question.delta, question.epsilon, 1e-3, Deadline(None))
        if question.delta is not None:
            top = _one_step(GaussianLaw(gaussian), rough).upper if gaussian else arb(0)
            found.improve(Bounds(arb(0), (top + bounded).upper()), SIMPLE, question)
        elif gaussian:
            above = one_step(GaussianLaw(gaussian), question.epsilon - bounded)
            found.improve(Bounds(arb(0), above.upper().min(arb(1))), SIMPLE, question)
        elif question.epsilon >= bounded:
            found.improve(Bounds(arb(0), arb(0)), SIMPLE, question)
        for law, _ in question.laws[:5]:
            single = _one_step(law, rough)
            found.improve(Bounds(single.lower, larger(found.bounds.upper, single.lower)), SIMPLE, question)
