"""Rényi divergences from densities: the affinity, and the orders 1 (Kullback-Leibler) and infinity (max)."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.core.distributions import Distribution, Finite
from dpsym.core.relations import Proposition, Relation, exact, propositions
from dpsym.divergences import finite
from dpsym.divergences.cauchy import separated
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, log_of
from dpsym.divergences.families import family
from dpsym.divergences.finite import Affinity
from dpsym.divergences.integrals import Diverges
from dpsym.divergences.pairs import Pair, pair
from dpsym.divergences.pieces import Cell

INFINITE = ClosedForm(sp.oo)


def affinity(alpha: sp.Expr, P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The integral of p^alpha q^(1 - alpha), alpha > 0; the Rényi divergence is its logarithm over alpha - 1.

    Where p > 0 = q it is infinite for alpha > 1 and nothing is contributed for alpha < 1; where p = 0
    nothing is contributed.  An order that the assumptions leave open is taken to be greater than 1.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.
    """
    alpha = exact(alpha)
    if (apart := separated(P, Q, assume)) is not None:
        return apart.affinity(alpha)
    if (members := family(P, Q, _of_order(alpha, assume), alpha)) is not None:
        logarithm = members.log_affinity(alpha)
        return ClosedForm(sp.exp(logarithm.expression), logarithm.conditions)
    found = affinity_sum(alpha, P, Q, _of_order(alpha, assume))
    return INFINITE if found is None else ClosedForm(found.total.collected().expression, found.conditions)


def renyi(alpha: sp.Expr, P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The Rényi divergence of order alpha > 0 of P from Q, in nats; orders 1 and oo are its limits.

    An order that the assumptions leave open is taken to be greater than 1.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.

    Source: van Erven and Harremoës 2014, Definition 2 and Section II.C (unverified locator).
    """
    alpha = exact(alpha)
    if alpha == sp.oo:
        return max_divergence(P, Q, assume)
    if alpha == 1:
        return kullback_leibler(P, Q, assume)
    if (apart := separated(P, Q, assume)) is not None:
        return ClosedForm(sp.log(apart.affinity(alpha).expression) / (alpha - 1))
    if (members := family(P, Q, _of_order(alpha, assume), alpha)) is not None:
        logarithm = members.log_affinity(alpha)
        if logarithm.expression == sp.oo:
            return INFINITE
        return ClosedForm(logarithm.expression / (alpha - 1), logarithm.conditions)
    found = affinity_sum(alpha, P, Q, _of_order(alpha, assume))
    if found is None:
        return INFINITE
    total = found.total.collected()
    ring = total.ring
    if len(total.terms) != 1 or found.signs.of(next(iter(total.terms.values()))) != 1:
        return ClosedForm(sp.log(total.expression) / (alpha - 1), found.conditions)
    # a single exponential: its logarithm is rational and the division by alpha - 1 exact
    (((exponent, powers), coefficient),) = total.terms.items()
    divisor = ring.rational(alpha) - 1
    logarithms = [log_of(base) * ring.expression(x / divisor) for base, x in powers]
    if coefficient != 1:
        logarithms.append(sp.log(ring.expression(coefficient)) / (alpha - 1))
    return ClosedForm(ring.expression(exponent / divisor) + sp.Add(*logarithms), found.conditions)


def kullback_leibler(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The Kullback-Leibler divergence of P from Q, the integral of p log(p/q), in nats.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.
    """
    known = propositions(assume)
    if isinstance(P, Finite) and isinstance(Q, Finite):
        return finite.kullback_leibler(P, Q, known)
    if (apart := separated(P, Q, known)) is not None:
        return apart.kullback_leibler()
    if (members := family(P, Q, known)) is not None:
        return members.kullback_leibler()
    both = pair(P, Q, known)
    ring, integrator = both.ring, both.integrator()
    polynomial = ExpSum(ring, {})
    logarithms: dict[sp.Expr, ExpSum] = {}
    for cell in both.cells:
        if cell.p is None:
            continue
        if cell.q is None:
            return infinite_on(cell, both)
        ratio = cell.p.minus(cell.q)
        polynomial += integrator.integral(cell.p, cell.lower, cell.upper, ratio.polynomial)
        if ratio.powers:
            mass = integrator.integral(cell.p, cell.lower, cell.upper)
            for base, x in ratio.powers:
                logarithms[base] = logarithms.get(base, ExpSum(ring, {})) + mass * ring.term(x)
    parts = [log_of(base) * times.collected().expression for base, times in logarithms.items()]
    return ClosedForm(polynomial.collected().expression + sp.Add(*parts), tuple(integrator.conditions))


def max_divergence(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The essential supremum of log(p/q) over the support of P, in nats.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.
    """
    known = propositions(assume)
    if isinstance(P, Finite) and isinstance(Q, Finite):
        return finite.max_divergence(P, Q, known)
    if (apart := separated(P, Q, known)) is not None:
        return apart.max_divergence()
    if (members := family(P, Q, known)) is not None:
        return members.max_divergence()
    both = pair(P, Q, known)
    sure: list[sp.Expr] = []
    doubtful: list[sp.Expr] = []  # of cells that may be empty
    for cell in both.cells:
        if cell.p is None:
            continue
        supremum = None if cell.q is None else _supremum(cell, both)
        if supremum is None:
            return infinite_on(cell, both)
        (sure if both.not_empty(cell) is None else doubtful).extend(supremum)
    for value in doubtful:
        if not any(_at_most(value, other, both) for other in sure):
            raise NoClosedForm("the largest log(p/q) may be {}, but only if some outcomes are possible", value)
    return ClosedForm(_largest(sure, both))


def _of_order(alpha: sp.Expr, assume: Iterable[object]) -> tuple[Proposition, ...]:
    """The assumptions, with alpha > 1 unless they say otherwise."""
    known = propositions(assume)
    if alpha.is_number:
        if not (alpha.is_positive and alpha.is_finite):
            raise ValueError(f"the order {alpha} of a Rényi divergence is not a positive number")
        return known
    from dpsym.divergences.exponential_sums import Ring
    from dpsym.divergences.signs import Signs

    ring = Ring(alpha)
    signs, order = Signs(ring, known), ring.rational(alpha)
    if signs.of(order - 1) is None:
        return (*known, Relation(alpha, ">", sp.S.One))
    return known if signs.of(order) == 1 else (*known, Relation(alpha, ">", sp.S.Zero))


def affinity_sum(alpha: sp.Expr, P: Distribution, Q: Distribution, known: tuple[Proposition, ...]) -> Affinity | None:
    """The affinity in the engine's own terms; None if it is infinite."""
    if isinstance(P, Finite) and isinstance(Q, Finite):
        return finite.affinity(alpha, P, Q, known)
    both = pair(P, Q, known, alpha)
    ring, integrator = both.ring, both.integrator()
    order = ring.rational(alpha)
    above_one = both.signs.of(order - 1)
    total = ExpSum(ring, {})
    for cell in both.cells:
        if cell.p is None:
            continue
        if cell.q is None:
            if above_one == -1:
                continue
            if above_one == 1 and both.not_empty(cell) is None:
                return None
            raise NoClosedForm("Q vanishes where P does not; whether {} > 1 there is not settled", alpha)
        try:
            total += integrator.integral(cell.p.mixed(cell.q, order), cell.lower, cell.upper)
        except Diverges:
            return None
    return Affinity(total, both.signs, tuple(integrator.conditions))


def infinite_on(cell: Cell, both: Pair) -> ClosedForm:
    """Infinity, since Q vanishes on the cell and P does not.

    Raises:
        NoClosedForm: where the cell may be empty.
    """
    needed = both.not_empty(cell)
    if needed is not None:
        raise NoClosedForm("infinite if {}, which the assumptions do not settle", needed)
    return INFINITE


def _supremum(cell: Cell, both: Pair) -> list[sp.Expr] | None:
    """Values of which the largest is the supremum of log(p/q) on the cell; None for infinity."""
    assert cell.p is not None and cell.q is not None  # noqa: S101 - the caller has looked
    ratio, signs = cell.p.minus(cell.q), both.signs
    _, c1, c2 = ratio.polynomial
    curvature = signs.of(c2)
    if curvature is None:
        raise NoClosedForm("the sign of {} is not settled by the assumptions", both.ring.expression(c2))
    if curvature == -1:
        if both.lattice or cell.lower is not None or cell.upper is not None:
            raise NoClosedForm("the maximum of a quadratic over a part of the line has no rule")
        return [both.log(ratio, -c1 / (2 * c2))]
    values = []
    for end, outward in ((cell.lower, -1), (cell.upper, 1)):
        if end is not None:
            values.append(both.log(ratio, end))
        elif curvature == 1:
            return None
        elif c1 != 0:
            slope = signs.of(c1)
            if slope is None:
                raise NoClosedForm("the sign of {} is not settled by the assumptions", both.ring.expression(c1))
            if slope == outward:
                return None
        else:
            values.append(both.log(ratio, both.ring.zero))
    if not values:  # linear on the whole line, yet bounded: impossible unless constant
        raise NoClosedForm("log(p/q) has no finite supremum on an unbounded cell")
    return values


def _largest(values: list[sp.Expr], both: Pair) -> sp.Expr:
    """The largest of some values, the smaller ones left out where the assumptions settle it."""
    left: list[sp.Expr] = []
    for value in values:
        if any(_at_most(value, other, both) for other in left):
            continue
        left = [other for other in left if not _at_most(other, value, both)] + [value]
    return sp.Max(*left) if len(left) > 1 else left[0]


def _at_most(first: sp.Expr, second: sp.Expr, both: Pair) -> bool:
    try:
        return both.signs.at_least_zero(both.ring.rational(second - first))
    except NoClosedForm:
        return False
