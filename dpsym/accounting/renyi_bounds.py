"""Upper bounds by way of Rényi and zero-concentrated differential privacy, with the best order certified.

With K(c) = log E exp(cL) of the whole composition, c = alpha - 1, every order gives delta <= kappa(c) exp(K(c) - c
epsilon), and so epsilon <= N(c)/c with N(c) = K(c) + log kappa(c) + log(1/delta).  N is convex: chords outside of an
interval bound it from below inside, and N(c)/c falls and then rises (docs/accounting-bounds.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import arb, ctx, fmpq

from dpsym.accounting.accounts import checked, exact_delta, written
from dpsym.accounting.bounds import Bounds, larger, smaller
from dpsym.accounting.chernoff import largest_share, log_share, simple, valley
from dpsym.accounting.compositions import (
    Composable,
    Exact,
    Steps,
    composition,
    laws,
    one_sided,
    runs,
)
from dpsym.accounting.effort import ROUGH, ROUGH_BITS
from dpsym.accounting.inversion.by_inversion import moment_of
from dpsym.accounting.inversion.saddle_point import log_moment
from dpsym.accounting.moments.moment_generating import GaussianMoment, Moment
from dpsym.accounting.parameters import NotAccountable, exact_number
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import TooCostly, check
from dpsym.core.display import short
from dpsym.core.verdicts import Enclosure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import NotEnclosed, enclose
from dpsym.statements import Use
from dpsym.statements.adjacency import Adjacency, Direction

Route = Literal["rdp", "zcdp"]
_BITS = 160  # more than the differences between three close orders lose
_SPREAD = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5)  # relative distances of the three orders tried


@dataclass(frozen=True, slots=True)
class RouteBound:
    """The best bound of epsilon that a route gives.

    Attributes:
        value: encloses the least bound over all orders alpha > 1.  The upper end is a guarantee.  The lower end says
            what no order can get below; it does not bound the exact epsilon, which is smaller.
        order: the order that gives the upper end.
        route: rdp or zcdp.
        adjacency: the neighbours that it is about.
    """

    value: Enclosure
    order: Fraction
    route: Route
    adjacency: Adjacency = Adjacency.ANY

    __repr__ = short

    def __str__(self) -> str:
        return f"[{self.value.lower}, {self.value.upper}] ({self.route}, alpha = {float(self.order):.6g})"


def route_bound(
    of: Composable, *, delta: Exact, route: Route, direction: Direction = "both", adjacency: Adjacency | None = None
) -> RouteBound:
    """The best epsilon that Rényi DP (exact at each order) or zCDP gives for a composition at delta.

    The conversion is the optimal one for a single order [CKS20, Proposition 12 (unverified locator)].  zCDP of a
    sampled step is that of the step without sampling.

    Raises:
        NotAccountable: for delta outside (0, 1), what is not exact, a mechanism without finite moments here, or steps
            about different neighbours.
    """
    number = exact_delta(delta)
    if not 0 < number < 1:
        raise NotAccountable(f"delta = {number} is not between 0 and 1: these routes lose at every order")
    parts = _composition(of, direction, adjacency)
    if reasons := one_sided(parts):
        raise NotAccountable(f"no exact curve of Rényi divergences: {'; '.join(reasons)} (derive has its closed forms)")
    ways = parts.ways if route == "rdp" else parts.ways[:1]
    with ctx.workprec(_BITS):
        each = []
        for adding in ways:
            try:
                moments = _zcdp(parts) if route == "zcdp" else _rdp(parts, adding=adding)
                each.append(_least(moments, number))
            except (TooCostly, OverflowError) as error:
                raise NotAccountable(f"the moments of {of} are not known here: {error}") from None
        bounds, order = max(each, key=lambda found: float(found[0].upper))
        for other, _ in each:
            bounds = bounds.join(other)
        exact_order = 1 + Fraction(int(order.p), int(order.q))
        return RouteBound(written(bounds, 12), exact_order, route, parts.relation)


@keeping_time
def renyi(
    of: Composable,
    *,
    order: Exact,
    direction: Direction = "both",
    adjacency: Adjacency | None = None,
    digits: int = 10,
    time_limit: float | None = Work(10),
) -> Enclosure:
    """The Rényi divergence of a composition at any real order above 1, between two decimals; the upper is its RDP.

    Of a step on a Poisson sample it is an integral, enclosed by a trapezoidal rule with its errors bounded, and not a
    series: at orders that are no integers the terms of the published series change their signs [MTZ19, Section 3.3].

    Args:
        of: a mechanism, a composition of them, or of `subsampled` ones; parameters and counts are exact.
        order: exact, above 1.
        direction: a record is removed, added, or either.
        adjacency: between which data sets, as for `epsilon`.
        digits: upper - lower is to be at most 10**(1 - digits) times the value.
        time_limit: in seconds; None waits as long as it takes.

    Raises:
        NotAccountable: for what is not exact, an order that is not above 1, a mechanism without finite moments here,
            a time limit that was reached, or steps about different neighbours.
    """
    exact = exact_number("order", order)
    if not exact > 1:
        raise NotAccountable(f"order = {exact} is not above 1")
    checked(digits, direction, "poisson")
    parts = _composition(of, direction, adjacency)
    if reasons := one_sided(parts):
        raise NotAccountable(f"no exact Rényi divergence: {'; '.join(reasons)} (derive has its closed forms)")
    try:
        return _divergence(parts, fmpq(exact.numerator, exact.denominator) - 1, digits)
    except (TooCostly, OverflowError) as error:
        raise NotAccountable(f"the moments of {of} are not known here: {error}") from None


def _composition(of: Composable, direction: Direction, adjacency: Adjacency | None) -> Steps:
    """What it consists of.

    Raises:
        NotAccountable: also for samples where a record is replaced, of whose moments nothing is known here.
    """
    parts = composition(of, direction=direction, adjacency=adjacency)
    if parts.replaced:
        raise NotAccountable(f"the moments of samples, {parts.relation.value}, are not known here")
    return parts


def _divergence(parts: Steps, c: fmpq, digits: int) -> Enclosure:
    """The larger one of both orders, to so many digits: the nearer the moments are to 1, the more of theirs."""
    accuracy = ROUGH + digits * math.log(10)
    while True:
        check()
        with ctx.workprec(math.ceil(accuracy / math.log(2)) + ROUGH_BITS):
            found = arb(0)
            for adding in parts.ways:
                total = arb(0)
                for moment, count in _rdp(parts, adding=adding):
                    total += count * moment.along(arb(c), arb(1), 0, accuracy)[0].log()
                found = larger(found, total / c)
            if found.is_finite() and 10 ** (digits - 1) * (found.upper() - found.lower()) <= found.lower():
                return written(Bounds(found.lower(), found.upper()), digits + 2)
            if found.is_zero():
                return written(Bounds(found, found), digits)
        accuracy *= 2


def _rdp(parts: Steps, *, adding: bool) -> list[tuple[Moment, int]]:
    return [(moment_of(law), count) for law, count in laws(parts, adding=adding)]


def _zcdp(parts: Steps) -> list[tuple[Moment, int]]:
    """A Gaussian step has exactly the moments that zCDP allows: rho = mu^2/2."""
    total = fmpq(0)
    for step in parts.losing:
        total += step.count * sum((n * _rho(one) for one, n in runs(step.use)), fmpq(0))
    return [(GaussianMoment(2 * total), 1)] if total else []


def _rho(use: Use) -> fmpq:
    """An upper bound of rho by the catalogue's claim."""
    for claim in use.mechanism.claims:
        if claim.guarantee.definition == zcdp and not claim.assume:
            (budget,) = claim.guarantee.subs(use.args).args
            try:
                upper = enclose(budget, {}, digits=30).upper
            except NotEnclosed as error:
                raise NotAccountable(f"rho of {use}: {error}") from None
            bound = Fraction(upper)
            return fmpq(bound.numerator, bound.denominator)
    raise NotAccountable(f"{use} has no zCDP claim")


def _least(parts: Sequence[tuple[Moment, int]], delta: fmpq) -> tuple[Bounds, fmpq]:
    """The least N(c)/c over c > 0 from both sides, and a c that gives the upper end."""
    if not parts:
        return Bounds(arb(0), arb(0)), fmpq(1)
    loss = -arb(delta).log()

    def numerator(c: fmpq) -> arb:
        total = loss + largest_share(arb(c)).log()
        for moment, count in parts:
            total += count * moment.at(arb(c)).log()
        return total

    near = _near_optimum(parts, float(loss))
    best, best_c = Bounds(arb(0), arb.pos_inf()), fmpq(1)
    for spread in _SPREAD:
        points = [simple(near * factor, 40) for factor in (1 - spread, 1, 1 + spread)]
        try:
            values = [numerator(c) for c in points]
        except TooCostly:
            continue
        for c, value in zip(points, values, strict=True):
            upper = (value / c).upper()
            if upper < best.upper:
                best, best_c = Bounds(best.lower, larger(upper, best.lower)), c
        lower = _from_below(points, values)
        if lower is not None and lower > best.lower:
            best = Bounds(smaller(lower, best.upper), best.upper)
            break
    for c in () if best.upper.is_finite() else (fmpq(200), fmpq(20), fmpq(2)):  # the best order is out of reach
        with suppress(TooCostly, OverflowError):
            upper = (numerator(c) / c).upper()
            if upper < best.upper:
                best, best_c = Bounds(arb(0), larger(upper, arb(0))), c
    if not best.upper.is_finite():
        raise TooCostly("no order could be evaluated")
    return Bounds(larger(best.lower, arb(0)), larger(best.upper, arb(0))), best_c


def _from_below(points: list[fmpq], values: list[arb]) -> arb | None:
    """A lower bound of the least N(c)/c, where three points show that it lies between them; None where not.

    Left of the middle N lies above the line through the middle and the right point, right of it above the one
    through the left and the middle; along a line, N(c)/c is monotone in c.
    """
    (p, m, r), (at_p, at_m, at_r) = points, values
    if not (at_p / p > at_m / m and at_r / r > at_m / m):
        return None
    rising, falling = (at_r - at_m) / (r - m), (at_m - at_p) / (m - p)
    left = [(at_m + rising * (c - m)) / c for c in (p, m)]
    right = [(at_m + falling * (c - m)) / c for c in (m, r)]
    least = arb.pos_inf()
    for value in (*left, *right):
        least = smaller(least, value.lower())
    return least


def _near_optimum(parts: Sequence[tuple[Moment, int]], loss: float) -> float:
    """The minimiser in floats."""

    def value(log_c: float) -> float:
        c = math.exp(log_c)
        try:
            return (loss + log_share(c) + log_moment(parts, c)) / c
        except (TooCostly, OverflowError, ZeroDivisionError):
            return math.nan

    return math.exp(valley(value))
