"""Rényi divergences and zCDP budgets of a density by number, between two bounds.

The divergence of order alpha of two answers a shift apart is log of the integral of p^alpha q^(1 - alpha), over
alpha - 1; of each of the two orders, and the larger one counts.  The formula is divided by its own total, which is
enclosed, so that the numbers are those of the distribution that it is proportional to.

The zCDP budget is the supremum of D_alpha/alpha over alpha > 1.  D_alpha does not fall as alpha grows [vEH14,
Theorem 3], so that on an interval of orders it is at most D at the upper end over the lower end; beyond the last one it
is at most the pure budget over that order.  Branch and bound over intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import now, over
from dpsym.core.distributions import Density, Pmf
from dpsym.core.relations import exact, substitute
from dpsym.core.verdicts import Enclosure
from dpsym.divergences.smooth_pieces import Piece
from dpsym.numbers import decimals
from dpsym.own_noise import supremum
from dpsym.own_noise.not_settled import NotSettled
from dpsym.own_noise.supremum import integral_of, pieces_of, total_of

_BITS = 128  # of every ball; what is rounded is in its radius
_LAST = Fraction(64)  # the order beyond which the pure budget is used
_CLOSE = 1e-3  # how far apart the bounds on a zCDP budget may be, of themselves
_MOST_ORDERS = 200  # that are looked at; with fewer the bounds are wider


@keeping_time
def renyi(
    noise: Density | Pmf, shift: sp.Expr, alpha: object, at: Mapping[sp.Symbol, object], *, time_limit: float = Work(20)
) -> Enclosure:
    """The larger Rényi divergence of order alpha > 1 of answers exactly a shift apart; infinite where that is shown.

    Args:
        noise: a density.
        shift: by how much answers differ.
        alpha: an exact order.
        at: exact values of all parameters.
        time_limit: in seconds, looked at before each integral.

    Raises:
        NotADistribution: where the density certainly does not integrate to 1.
        NotSettled: where an integral was not found.
    """
    order = exact(alpha)
    if not (order.is_Rational and order > 1):
        raise NotSettled(f"an order of a Rényi divergence is above 1 here, not {order}")
    with ctx.workprec(_BITS):
        return _enclosure(_Pairs(noise, shift, at, now() + time_limit).divergence(Fraction(int(order.p), int(order.q))))


@keeping_time
def zcdp(
    noise: Density | Pmf, shift: sp.Expr, at: Mapping[sp.Symbol, object], *, time_limit: float = Work(20)
) -> Enclosure:
    """The least zCDP budget of answers exactly a shift apart.

    Raises:
        NotADistribution: where the density certainly does not integrate to 1.
        NotSettled: where the privacy loss is not shown to be bounded: then large orders are not settled by number.
    """
    deadline = now() + time_limit
    level = supremum.pure(noise, shift, at, time_limit=time_limit / 3)
    if not level.upper.is_finite():
        raise NotSettled("its privacy loss is not bounded, so that large orders are not settled by number")
    with ctx.workprec(_BITS):
        pairs = _Pairs(noise, shift, at, deadline)
        most = arb(fmpq(*level.upper.as_integer_ratio()))
        known: dict[Fraction, arb | None] = {}

        def at_order(order: Fraction) -> arb | None:
            if order not in known:
                try:
                    known[order] = pairs.divergence(order)
                except NotSettled:
                    known[order] = None
            return known[order]

        best, order, waiting = arb(0), count(), list[tuple[float, int, Fraction, Fraction]]()
        ends = [Fraction(1), Fraction(2), Fraction(4), Fraction(16), _LAST]

        def put(low: Fraction, high: Fraction) -> None:
            nonlocal best
            value = at_order(high)
            if value is not None:
                best = best.max(arb((value / _ball(high)).lower()))
            bound = most if value is None else most.min(value)
            heappush(waiting, (-float((bound / _ball(low)).upper()), next(order), low, high))

        for low, high in pairwise(ends):
            put(low, high)
        beyond = most / _ball(_LAST)
        while waiting and len(known) < _MOST_ORDERS and not over(deadline):
            if -waiting[0][0] <= float(best) * (1 + _CLOSE):
                break
            _, _, low, high = heappop(waiting)
            middle = (low + high) / 2 if low == 1 else Fraction(float(low * high) ** 0.5).limit_denominator(10**6)
            put(low, middle)
            put(middle, high)
        upper = max([-bound for bound, *_ in waiting], default=0.0)
        high = arb(upper).max(arb(beyond.upper())).max(best)
        return Enclosure(decimals(best, 12).lower, decimals(high * (1 + arb(2) ** -50), 12).upper)


class _Pairs:
    """Both orders of two answers, at numbers, cut where either has a corner."""

    def __init__(self, noise: Density | Pmf, shift: sp.Expr, at: Mapping[sp.Symbol, object], deadline: float) -> None:
        if isinstance(noise, Pmf):
            raise NotSettled("of masses the divergence is not enclosed in this way (a density's is)")
        table = {symbol: exact(value) for symbol, value in at.items()}
        here, by = noise.subs(table), substitute(shift, table)
        if not by.is_Rational:
            raise NotSettled(f"the shift is {by}, which is not rational there")
        self.x, self.deadline = here.variable, deadline
        pieces = pieces_of(here)
        self.total = total_of(pieces, self.x)
        self.infinite = here.support != sp.Reals
        moved = tuple(Piece(p.formula.subs(self.x, self.x - by), p.low + by, p.high + by) for p in pieces)
        self.common = () if self.infinite else tuple(_common(moved, pieces))

    def divergence(self, order: Fraction) -> arb:
        """The larger one, a ball."""
        if self.infinite:
            return arb.pos_inf()
        alpha, found = sp.Rational(order), arb(0)
        for way in (0, 1):
            if over(self.deadline):
                raise NotSettled("the time was over before all orders were integrated")
            parts = []
            for (p, q), low, high in self.common:
                first, second = (p, q) if way == 0 else (q, p)
                parts.append((_powers(((first, alpha), (second, 1 - alpha)), self.x), low, high))
            value = integral_of(parts, self.x)
            if value == arb.pos_inf():
                return value
            if not value.is_finite():
                raise NotSettled(f"the integral of order {order} was not found")
            loss = (value / self.total).log() / (_ball(order) - 1)
            if not (loss.is_finite() and loss.rad() < _CLOSE):
                raise NotSettled(f"the integral of order {order} was not found")
            found = found.max(loss)
        return found


def _powers(of: tuple[tuple[sp.Expr, sp.Expr], ...], x: sp.Symbol) -> sp.Expr:
    """The product of positive formulas to these powers, exponentials together; nothing is taken out of a power that
    might be negative inside."""
    real = sp.Dummy("x", real=True)
    exponent, rest = sp.S.Zero, sp.S.One
    for f, power in of:
        for factor in sp.Mul.make_args(sp.powsimp(f.subs(x, real))):
            if isinstance(factor, sp.exp):
                exponent += power * factor.args[0]
            else:
                rest *= sp.powdenest(factor**power)
    return (rest * sp.exp(sp.expand(exponent))).subs(real, x)


def _common(
    first: tuple[Piece, ...], second: tuple[Piece, ...]
) -> list[tuple[tuple[sp.Expr, sp.Expr], sp.Expr, sp.Expr]]:
    """Both formulas on each interval on which neither has a corner."""
    places = sorted({e for p in (*first, *second) for e in (p.low, p.high) if e.is_finite})
    found = []
    for low, high in pairwise([-sp.oo, *places, sp.oo]):
        p, q = (next(o.formula for o in pieces if o.low <= low and high <= o.high) for pieces in (first, second))
        found.append(((p, q), low, high))
    return found


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _enclosure(value: arb) -> Enclosure:
    found = decimals(value, 12)
    return Enclosure(max(found.lower, type(found.lower)(0)), found.upper)
