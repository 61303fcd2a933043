"""Whether any epsilon is enough: what a privacy profile never falls below, and where it gets there.

A profile is convex in exp(epsilon) and does not increase, so it falls strictly until it has reached its limit, how
likely an infinite loss is.  Below that limit no epsilon is enough; at it the largest finite loss is the smallest that
is, if losses are bounded; above it the profile crosses every value once.
"""

from __future__ import annotations

import math
from contextlib import suppress

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.accounting.bounds import Bounds, endpoints, larger
from dpsym.accounting.compositions import Laws
from dpsym.accounting.loss_distributions.finite import FiniteLaw
from dpsym.accounting.loss_distributions.integer_noise import BinomialNoise, IntegerNoiseLaw
from dpsym.accounting.loss_distributions.lattice import Law, SubsampledLaw, log_mixed
from dpsym.accounting.loss_distributions.log_concave import TruncatedLaplaceLaw
from dpsym.accounting.loss_distributions.symmetrised import MirroredLaw
from dpsym.accounting.loss_distributions.together import JointLaw
from dpsym.accounting.query import CLOSED, FLOOR, Found, Question
from dpsym.core.deadline import TooCostly

_BITS = (80, 320, 1280, 5120)  # until a comparison is decided
_LONGEST = 20_000  # bits of an exact probability


def by_the_floor(question: Question) -> Found | None:
    """Epsilon where delta is not above the floor; None where it is, or that could not be told."""
    if question.delta is None:
        return None
    with suppress(TooCostly):
        exact = _exact_floor(question.laws)
        if exact is None:
            return _compared(question)
        if question.delta != exact:
            return _none(exact) if question.delta < exact else None
        top = endpoints(_top(question))
        if top.lower == arb.pos_inf():
            return _none(exact)
        return Found(Bounds(larger(top.lower, arb(0)), larger(top.upper, arb(0))), CLOSED, finished=True)
    return None


def _compared(question: Question) -> Found | None:
    """The same, where the floor is not known to be rational: at ever more precision."""
    for bits in _BITS:
        with ctx.workprec(bits), suppress(TooCostly):
            floor = infinite(question.laws)
            if floor > question.delta:
                return _none(floor)
            if floor < question.delta:
                return None
    if question.delta == 0 and any(law.largest() == arb.pos_inf() for law, _ in question.laws):
        return _none(fmpq(0))  # however unlikely they are, losses have no bound
    return None


def exactly_at(laws: Laws, epsilon: fmpq) -> fmpq | None:
    """The delta of an epsilon that no finite loss exceeds, where that is known to be rational."""
    with suppress(TooCostly), ctx.workprec(_BITS[1]):
        top = sum((count * largest_finite(law) for law, count in laws), arb(0))
        return _exact_floor(laws) if top <= epsilon else None
    return None


def infinite(laws: Laws) -> arb:
    """How likely one loss or more is infinite, below which delta never falls."""
    log_kept = arb(0)
    for law, count in laws:
        log_kept += count * (-law.infinite()).log1p()
    found = -log_kept.expm1()
    return found if found.is_finite() else arb(0).union(arb(1))


def _none(floor: arb | fmpq) -> Found:
    return Found(Bounds(arb.pos_inf(), arb.pos_inf()), FLOOR, finished=True, floor=floor)


def _top(question: Question) -> arb:
    """The sum of the largest finite losses."""
    with ctx.workprec(_BITS[0] + math.ceil(-4 * math.log10(question.relative))):
        return sum((count * largest_finite(law) for law, count in question.laws), arb(0))


def largest_finite(law: Law) -> arb:
    """The least upper bound of the finite losses; infinite where they have none."""
    match law:
        case FiniteLaw():
            return law.largest_finite()
        case TruncatedLaplaceLaw():
            return arb(law.t)
        case IntegerNoiseLaw(noise=BinomialNoise(coins=coins)) if law.n <= coins:
            n, k = arb(coins), arb(law.n)  # the last outcome of both
            return (n + 1).lgamma() - (k + 1).lgamma() - (n - k + 1).lgamma()
        case JointLaw():
            return sum((count * largest_finite(each) for each, count in law.laws), arb(0))
        case SubsampledLaw(adding=False):
            return log_mixed(law.q, largest_finite(law.base))
        case MirroredLaw():
            return largest_finite(law.worse)
    return law.largest()


def _exact_floor(laws: Laws) -> fmpq | None:
    """The floor where it is a rational number that is short enough to be worked with."""
    kept = fmpq(1)
    for law, count in laws:
        share = _infinite_share(law)
        if share is None or (share and (share.height_bits() * count > _LONGEST or kept.height_bits() > _LONGEST)):
            return None
        kept *= (1 - share) ** count if share else 1
    return 1 - kept


def _infinite_share(law: Law) -> fmpq | None:
    """How likely its loss is infinite, where that is known to be rational."""
    match law:
        case FiniteLaw():
            total = sum((p for p, q in zip(law.first, law.second, strict=True) if q == 0), sp.S.Zero)
            return fmpq(int(total.p), int(total.q)) if isinstance(total, sp.Rational) else None
        case IntegerNoiseLaw(noise=BinomialNoise(coins=coins)):
            if coins > _LONGEST:
                return None
            return fmpq(sum(math.comb(coins, j) for j in range(min(law.n, coins + 1))), 2**coins)
        case TruncatedLaplaceLaw(t=t, end=end) if t == end:
            return fmpq(1, 2)  # (exp(t) - 1)/(2 (exp(end) - 1)), irrational for all others
        case JointLaw():
            return _exact_floor(law.laws)
        case SubsampledLaw(adding=False):
            share = _infinite_share(law.base)
            return None if share is None else law.q * share
        case MirroredLaw():
            return _infinite_share(law.worse)
    return fmpq(0) if law.infinite().is_zero() else None
