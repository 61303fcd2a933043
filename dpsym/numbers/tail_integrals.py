"""Integrals to infinity, also of what falls only like a power: certified, or shown to be infinite.

`integrals` cuts an infinite end where an exponential bound holds beyond.  A term that is a product of powers of
rational functions has no such bound; with x = 1/u it is u^p h(u), and h is analytic and not 0 about u = 0.  Its
integral is finite if and only if p > 1, and then it is one over a finite interval.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from flint import arb, ctx

from dpsym.core.relations import exact
from dpsym.numbers.compiling import NotNumeric, ball
from dpsym.numbers.factoring import terms_of
from dpsym.numbers.tails import PowerTail, power_tail

_MOST_TERMS = 40  # of more it is given up


def falls_too_slowly(f: sp.Expr, x: sp.Symbol) -> bool:
    """Whether the integral of f >= 0 to infinity is infinite, because every term falls like a power, one like 1/x."""
    tails = [power_tail(term, x) for term in terms_of(f, x)]
    if not tails or any(t is None for t in tails):
        return False
    slowest = min(t.power for t in tails if t is not None)
    leading = sum((t.at_infinity for t in tails if t is not None and t.power == slowest), sp.S.Zero)
    return bool(slowest <= 1) and _certainly_positive(leading)


def _certainly_positive(value: sp.Expr) -> bool:
    try:
        return bool(ball(value, {}, ctx.prec) > 0)
    except NotNumeric:
        return False


def integral(f: sp.Expr, x: sp.Symbol, lower: object, upper: object) -> arb:
    """The integral at the working precision, a ball; NaN where none was found, infinite where f >= 0 falls too slowly.

    Args:
        f: in `x` alone, without corners inside the interval; where it falls like 1/x or slower, not negative.
        lower: a rational.
        upper: a rational, or infinity.
    """
    ends = exact(lower), exact(upper)
    f = f.xreplace({s: sp.Symbol(s.name) for s in f.free_symbols if s != x})
    try:
        if ends[1] != sp.oo:
            return ball(sp.Integral(f, (x, *ends)), {}, ctx.prec) if ends[0] != ends[1] else arb(0)
        return _to_infinity(f, x, ends[0])
    except NotNumeric:
        return arb.nan()


def total(parts: Iterable[tuple[sp.Expr, sp.Expr, sp.Expr]], x: sp.Symbol) -> arb:
    """The sum of integrals of smooth formulas from the one place to the other, either of which may be infinite."""
    found = arb(0)
    for f, low, high in parts:
        middle = min(high, sp.S.Zero) if low == -sp.oo else low
        halves = [(f.subs(x, -x), -middle, sp.oo)] if low == -sp.oo else []
        for body, start, end in [*halves, (f, middle, high)]:
            part = integral(body, x, start, end)
            if part == arb.pos_inf():
                return part
            found += part
    return found


def _to_infinity(f: sp.Expr, x: sp.Symbol, lower: sp.Rational) -> arb:
    whole = ball(sp.Integral(f, (x, lower, sp.oo)), {}, ctx.prec)
    if whole.is_finite():
        return whole
    if falls_too_slowly(f, x):
        return arb.pos_inf()
    terms = terms_of(f, x)
    if len(terms) > _MOST_TERMS:
        return arb.nan()
    start = max(lower, sp.S.One)
    found = ball(sp.Integral(f, (x, lower, start)), {}, ctx.prec) if lower < start else arb(0)
    for term in terms:
        tail = power_tail(term, x)
        if tail is None:
            found += ball(sp.Integral(term, (x, start, sp.oo)), {}, ctx.prec) if len(terms) > 1 else arb.nan()
        elif tail.power <= 1:
            return arb.nan()  # terms of either sign might cancel
        else:
            found += _of_power(tail, start)
    return found


def _of_power(tail: PowerTail, start: sp.Rational) -> arb:
    """The integral of u^(p - 2) h(u) from 0 to 1/start; w = u^(1/d) makes the power an integer."""
    w, d = sp.Symbol("w"), int(sp.Rational(tail.power).q)
    body = d * w ** (d * (tail.power - 2) + d - 1) * tail.rest.subs(tail.u, w**d)
    top = (1 / start) ** sp.Rational(1, d)
    return ball(sp.Integral(body, (w, 0, top)), {}, ctx.prec)
