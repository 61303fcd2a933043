"""The best value of a free order: in closed form where the shape allows, otherwise a good rational number.

Every order gives a true guarantee, so a choice can be poor but never wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.deadline import portion, remaining, timed
from dpsym.core.notation import Minimum, SoleRoot
from dpsym.core.relations import Relation
from dpsym.deciding import Domain, Sign, sign, vanishes
from dpsym.deciding.timeout import within
from dpsym.numbers import NotNumeric, Undefined, Unresolved, compare, compiled
from dpsym.numbers.factoring import degree, expanded

_SAMPLES = 3  # points at which it has to rise before its root is written
_CHOOSING = 10.0  # seconds
_SHARE = 0.7  # at most that much of the time that is left is for choosing
_LARGEST_INTEGER = 5000  # order: beyond, the bound hardly changes any more
_LARGEST_ORDER = 13  # as a power of ten
_LARGEST_BODY = 40  # operations; beyond that no zero in closed form is looked for
_LARGEST_SLOPE = 60  # operations; a root of more than that tells nobody anything
_HIGHEST_DEGREE = 24  # beyond it polynomials take SymPy minutes
_HIGHEST_DEGREE_OF_SLOPE = 1000  # exp(order*5764607523034235/2^60) is of a degree whose powers end the process


@dataclass(frozen=True, slots=True)
class Optimum:
    """The least value of an expression over a free order, and where it is attained (None: only known numerically)."""

    value: sp.Expr
    at: sp.Expr | None


ORDERS = sp.Interval.open(1, sp.oo)


def optimum(expression: sp.Expr, order: sp.Symbol, domain: Domain, region: sp.Interval = ORDERS) -> Optimum:
    """The minimum over order > 1, proved stationary where it is in closed form; over fewer orders as a minimum."""
    body, floor = _without_floor(expression)
    found = None
    if region == ORDERS:
        found = _by_am_gm(body, order, domain) or _by_stationarity(body, order, domain)
    if found is None:
        return Optimum(Minimum(sp.Lambda(order, expression), region), None)
    return Optimum(sp.Max(0, found.value) if floor else found.value, found.at)


def _without_floor(expression: sp.Expr) -> tuple[sp.Expr, bool]:
    """max(0, x) is least where x is."""
    if isinstance(expression, sp.Max) and len(expression.args) == 2 and 0 in expression.args:
        return next(a for a in expression.args if a != 0), True
    return expression, False


def _by_am_gm(body: sp.Expr, order: sp.Symbol, domain: Domain) -> Optimum | None:
    """c0 + c1 s + c2/s >= c0 + 2 sqrt(c1 c2), with equality at s = sqrt(c2/c1), where s = order - 1."""
    s = sp.Dummy("s")
    terms = sp.collect(expanded(body.subs(order, 1 + s)), s, evaluate=False)
    if set(terms) - {s, 1 / s, sp.S.One} or s not in terms or 1 / s not in terms:
        return None
    c0, c1, c2 = terms.get(sp.S.One, sp.S.Zero), terms[s], terms[1 / s]
    if any(c.has(s) for c in (c0, c1, c2)) or sign(c2, domain) is not Sign.POSITIVE:
        return None
    slope = sign(c1, domain)
    if slope not in (Sign.POSITIVE, Sign.NONNEGATIVE):
        return None
    # for c1 = 0 the infimum is approached as the order grows; a privacy guarantee passes to the limit
    return Optimum(c0 + 2 * sp.sqrt(c1 * c2), 1 + sp.sqrt(c2 / c1) if slope is Sign.POSITIVE else None)


def _by_stationarity(body: sp.Expr, order: sp.Symbol, domain: Domain) -> Optimum | None:
    """Where (order - 1)^2 times the slope increases from below 0 to above 0, its zero is the minimiser."""
    if sp.count_ops(body) > _LARGEST_BODY or degree(body) > _HIGHEST_DEGREE:
        return None
    slope = sp.diff(body, order)
    if sp.count_ops(slope) > 2 * _LARGEST_SLOPE or degree(slope) > _HIGHEST_DEGREE_OF_SLOPE:
        return None
    cleared = sp.expand(sp.cancel(sp.together((order - 1) ** 2 * slope)))
    if sp.count_ops(cleared) > _LARGEST_SLOPE:
        return None
    inside = Domain((*domain.assume, Relation(order, ">", sp.Integer(1))))
    if not vanishes(cleared - (order - 1) ** 2 * slope, inside):
        return None
    if sign(sp.diff(cleared, order), inside) is not Sign.POSITIVE:
        return None
    start = cleared.subs(order, 1)
    if sign(start, domain) is not Sign.NEGATIVE:
        return None
    if not _rises(cleared, order, domain):
        return None  # the infimum is approached as the order grows
    at = SoleRoot(sp.Lambda(order, cleared), sp.Integer(1), sp.oo)
    return Optimum(body.subs(order, at), at)


def _rises(cleared: sp.Expr, order: sp.Symbol, domain: Domain) -> bool:
    """Whether the increasing function gets above 0 at sample points; the root's own enclosure must show it again."""
    at_zero = Relation(cleared, ">", sp.Integer(0))
    for point in domain.points(cleared.free_symbols - {order}, most=_SAMPLES):
        orders = (sp.Integer(10) ** i for i in range(1, _LARGEST_ORDER, 2))
        try:
            if not any(compare(at_zero, {**point, order: value}).holds is True for value in orders):
                return False
        except NotNumeric:
            return False
    return True


def numeric_choice(function: sp.Lambda, region: sp.Interval) -> sp.Rational:
    """A rational order near the minimiser, with few digits, by golden-section search on log(order - start).

    Where that takes long, as with integrals at large orders, the best of the orders that were reached.

    Raises:
        Unresolved: when the function has no value at any point that was tried.
    """
    with timed(min(_CHOOSING, portion(_SHARE))):
        return _by_golden_section(function, region)


def _by_golden_section(function: sp.Lambda, region: sp.Interval) -> sp.Rational:
    (variable,) = function.variables
    tape = compiled((function.expr,), (variable,))
    start = region.start if region.start.is_finite else sp.Integer(0)
    ends = region.end.is_finite

    @cache
    def value(exponent: float) -> float:  # infinite where there is none, or no time
        point = _order(start, exponent)
        if ends and not point < region.end:
            return float("inf")
        at = [arb(fmpq(int(point.p), int(point.q)))]
        with ctx.workprec(128):
            try:
                found = within(remaining(), lambda: tape(at)[0], None)
            except (Undefined, Unresolved):
                return float("inf")
        return float("inf") if found is None else float(found.mid())

    grid = [i / 2 for i in range(-24, 25)]
    best = min(grid, key=value)
    if value(best) == float("inf"):
        raise Unresolved("no order was found at which the bound has a value")
    low, high, ratio = best - 0.5, best + 0.5, 0.6180339887498949
    for _ in range(60):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if value(left) == value(right) == float("inf"):
            return _order(start, best)  # the time is over
        if value(left) <= value(right):
            high = right
        else:
            low = left
    return _order(start, (low + high) / 2)


def integer_choice(function: sp.Lambda) -> int | None:
    """An integer order of at least 2 at which the function is nearly least; None where it has no value."""
    (variable,) = function.variables
    tape = compiled((function.expr,), (variable,))

    @cache
    def value(order: int) -> float:
        with ctx.workprec(128):
            try:
                found = float(tape([arb(order)])[0].mid())
            except (Undefined, Unresolved):
                return float("inf")
        return found if found == found else float("inf")  # noqa: PLR0124  (not a number)

    best, order = 2, 2
    while order < _LARGEST_INTEGER:  # upwards while it may still fall
        order += max(1, order // 3)
        if value(order) < value(best):
            best = order
        elif order > 3 * best:
            break
    if best == order:  # it falls as far as was looked: what is beyond hardly matters, and a sum of many terms is dear
        return best if value(best) < float("inf") else None
    step = max(1, best // 3)
    while step > 0:
        best = min((max(2, best - step), best, best + step), key=value)
        step //= 2
    for _ in range(best):  # to the least value
        nearest = min((max(2, best - 1), best, best + 1), key=value)
        if nearest == best:
            break
        best = nearest
    return best if value(best) < float("inf") else None


def _order(start: sp.Rational, exponent: float) -> sp.Rational:
    """start + 10**exponent to ten significant digits, exactly."""
    places = 10 - round(exponent)
    digits = round(10 ** (exponent + places))
    return start + sp.Rational(digits) / sp.Integer(10) ** places
