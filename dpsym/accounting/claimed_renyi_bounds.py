"""Bounds by one Rényi order for steps of which only a claim is known: tighter than the pair that dominates the claim.

delta <= kappa(c) exp(K(c) - c epsilon) for every c > 0, with K(c) at least the sum of the steps' c D_(1+c).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.accounting.chernoff import largest_share, simple, valley
from dpsym.accounting.compositions import Steps, known_together, laws
from dpsym.accounting.from_mechanism import RenyiClaim
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.accounting.moments.moment_generating import Moment
from dpsym.core.deadline import TooCostly
from dpsym.numbers import ball

_BITS = 128  # more than any answer's digits that a bound by one order could have
_FINE = 30  # bits of an order: what is lost by its rounding is of second order, less than any digit asked for
Logarithm = Callable[[fmpq], arb]


def best_order(of: Steps, delta: fmpq | None, epsilon: fmpq | None) -> arb | None:
    """An upper bound of epsilon at delta, or of delta at epsilon; None where a step's moments are not known.

    It is for steps that are not sampled, of one of which at least a claim is known.
    """
    curves = _curves(of)
    if curves is None or delta == 0:
        return None
    with ctx.workprec(_BITS):
        loss = arb(0) if delta is None else -arb(delta).log()

        def bound(logarithm: float) -> arb:
            """Of epsilon, or of the logarithm of delta."""
            c = simple(math.exp(logarithm), _FINE)
            total = loss + largest_share(arb(c)).log() + sum((n * curve(c) for curve, n in curves), arb(0))
            return total / c if epsilon is None else total - c * epsilon

        best = bound(valley(lambda x: float(bound(x)))).upper()
        if not best.is_finite():
            return None
        return best.max(arb(0)) if epsilon is None else best.exp().upper().min(arb(1))


def _curves(of: Steps) -> Sequence[tuple[Logarithm, int]] | None:
    """The logarithms of the steps' moments, or what bounds them."""
    found: list[tuple[Logarithm, int]] = []
    claimed = False
    for step in of.losing:
        if step.drawn:
            return None
        orders = known_together(step.use).orders
        bounds = [partial(_claimed, one) for one in orders]
        for law, times in laws(replace(of, each=(replace(step, count=1),)), adding=False):
            with suppress(TooCostly):
                bounds += [partial(_moment, moment_of(law), times)]
        if not bounds:
            return None
        claimed = claimed or bool(orders)
        found.append((partial(_smallest, bounds), step.count))
    return found if claimed else None


def _claimed(one: RenyiClaim, c: fmpq) -> arb:
    """c D_(1+c) at most; infinite where nothing is said of that order."""
    order = 1 + sp.Rational(int(c.p), int(c.q))
    return c * ball(one.budget, {one.order: order}, ctx.prec) if one.holds_at(order) else arb.pos_inf()


def _moment(moment: Moment, times: int, c: fmpq) -> arb:
    return times * moment.at(arb(c)).log()


def _smallest(bounds: Sequence[Logarithm], c: fmpq) -> arb:
    """The best of several upper bounds that is known to be a number."""
    found = [value for value in (bound(c).upper() for bound in bounds) if not value.is_nan()]
    return reduce(arb.min, found, arb.pos_inf())
