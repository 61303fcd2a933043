"""Bounds by one Rényi order for steps of which only a claim is known: tighter than the pair that dominates the claim.

delta <= kappa(c) exp(K(c) - c epsilon) for every c > 0, with K(c) at least the sum of the steps' c D_(1+c).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.accounting.chernoff import largest_share, simple
from dpsym.accounting.compositions import Parts, laws
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.core.deadline import TooCostly
from dpsym.numbers import ball

_BITS = 128  # more than any answer's digits that a bound by one order could have
_LOWEST, _HIGHEST = -12.0, 9.0  # logarithms of the orders less 1 that are tried
_STEPS = 45  # of golden section, to a billionth of that
Logarithm = Callable[[fmpq], arb]


def best_order(of: Parts, delta: fmpq | None, epsilon: fmpq | None) -> arb | None:
    """An upper bound of epsilon at delta, or of delta at epsilon; None where a step's moments are not known.

    It is for steps that are not sampled, one of them at least of bounded range.
    """
    curves = _curves(of)
    if curves is None or delta == 0:
        return None
    with ctx.workprec(_BITS):
        loss = arb(0) if delta is None else -arb(delta).log()

        def bound(c: fmpq) -> arb:
            """Of epsilon, or of the logarithm of delta."""
            total = loss + largest_share(arb(c)).log() + sum((n * curve(c) for curve, n in curves), arb(0))
            return total / c if epsilon is None else total - c * epsilon

        best = bound(simple(math.exp(_least(lambda x: float(bound(simple(math.exp(x)))))))).upper()
        if not best.is_finite():
            return None
        return best.max(arb(0)) if epsilon is None else best.exp().upper().min(arb(1))


def _curves(of: Parts) -> Sequence[tuple[Logarithm, int]] | None:
    """The logarithms of the steps' moments, or what bounds them."""
    found: list[tuple[Logarithm, int]] = []
    claimed = False
    for use, rate, count in of:
        if not (rate and count):
            continue
        if rate != 1:
            return None
        facts = known(use)
        if facts.bounded_range is not None:
            claimed = True
            found.append((_of_bounded_range(facts.bounded_range), count))
            continue
        for law, times in laws(((use, rate, count),), adding=False):
            with suppress(TooCostly):
                moment = moment_of(law)
                found.append((lambda c, moment=moment: moment.at(arb(c)).log(), times))  # type: ignore[misc]
                continue
            return None
    return found if claimed else None


def _of_bounded_range(eta: fmpq) -> Logarithm:
    """c D_(1+c) at most, by the theorem."""
    from dpsym.entries.theorems.conversions_from_bounded_range import bounded_range_to_rdp as theorem

    order, budget = theorem.conclusion.args
    (name,) = theorem.premises[0].args
    value = sp.Rational(int(eta.p), int(eta.q))
    return lambda c: c * ball(budget, {order: 1 + sp.Rational(int(c.p), int(c.q)), name: value}, ctx.prec)


def _least(function: Callable[[float], float]) -> float:
    """About where a function that falls and then rises is least."""
    low, high = _LOWEST, _HIGHEST
    for _ in range(_STEPS):
        left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
        one, other = function(left), function(right)
        # beyond what can be evaluated it does not fall
        low, high = (low, right) if math.isnan(other) or one < other else (left, high)
    return (low + high) / 2
