"""The least mu for which a pair is mu-GDP, from the kinks and curves of its trade-off function.

G_mu is convex, so a trade-off function that is linear between corners lies above G_mu as soon as its corners
do.  On a curve with a f = c, or points of one, Phi_inv(1 - a) + Phi_inv(1 - f) is largest where a and f are
nearest to each other, because log(1 - Phi) is concave and decreasing: Lemma 2 (docs/lemmas.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import sympy as sp

from dpsym.core.distributions import Distribution, Finite
from dpsym.core.notation import Phi_inv
from dpsym.core.relations import propositions
from dpsym.divergences import finite
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, merged
from dpsym.divergences.integrals import Integrator
from dpsym.divergences.pairs import Pair, pair, symmetric
from dpsym.divergences.renyi import INFINITE
from dpsym.divergences.thresholds import Slope, descending, slope
from dpsym.divergences.trade_off import distance_in_deviations, moving

_POINT = sp.Dummy("point")
_LEMMA = ("docs/lemmas.md, Lemma 2",)


def gaussian_dominated(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The least mu for which testing P against Q is no easier than N(0, 1) against N(mu, 1), in both orders.

    Raises:
        NoClosedForm: where the engine cannot tell.
    """
    known = propositions(assume)
    if not symmetric(P, Q, known):
        raise NoClosedForm("no rule for the GDP of a pair that is not symmetric")
    if isinstance(P, Finite) and isinstance(Q, Finite):
        met, conditions = finite.corners(P, Q, known)
        # without a corner they are the same distribution
        return ClosedForm(_largest(_needed(*corner) for corner in met) if met else sp.S.Zero, conditions, _LEMMA)
    both = pair(P, Q, known, _POINT, logarithms=True)
    for cell in both.cells:
        if cell.p is None or cell.q is None:
            if (needed := both.not_empty(cell)) is not None:
                raise NoClosedForm("infinite if {}, which the assumptions do not settle", needed)
            return INFINITE  # such an outcome gives the answer away, which under GDP none does
    integrator = both.integrator()
    slopes = descending((slope(c, c.q, c.p, both) for c in both.cells if c.p is not None and c.q is not None), both)
    if len(slopes) == 1 and slopes[0].bottom.polynomial[2] != 0:
        return ClosedForm(distance_in_deviations(slopes[0], both, integrator), tuple(integrator.conditions))
    ring = both.ring
    first, second = ExpSum(ring, {}), ring.term(ring.one)
    corners: list[tuple[ExpSum, ExpSum]] = []  # where cells meet
    least: list[sp.Expr] = []
    for s in slopes:
        after = (
            (first + integrator.integral(s.bottom, s.cell.lower, s.cell.upper)).collected(),
            (second - integrator.integral(s.top, s.cell.lower, s.cell.upper)).collected(),
        )
        if s.direction:
            curve = _on_integers if both.lattice else _on_the_line
            least.append(curve(s, (first, second), after, both, integrator))
        corners.append(after)
        first, second = after
    for corner, (left, right) in zip(corners, pairwise(slopes), strict=False):
        if left.direction == right.direction == 0:  # a corner of a curve lies on it
            least.append(_needed(*corner))
    return ClosedForm(_largest(least), tuple(integrator.conditions), _LEMMA)


def _on_the_line(
    s: Slope, start: tuple[ExpSum, ExpSum], stop: tuple[ExpSum, ExpSum], both: Pair, integrator: Integrator
) -> sp.Expr:
    """A stretch with a f = c that contains its fixed point."""
    (scale, end, rate), (other_scale, other_end, other_rate) = (moving(log, s, both) for log in (s.bottom, s.top))
    if rate != -other_rate or not ((start[0] + end).is_zero and (start[1] - other_end).is_zero):
        raise NoClosedForm("no rule for the GDP of this trade-off function")
    middle = _root(-(scale * other_scale), integrator)
    if not (_at_most(start[0], middle, both) and _at_most(middle, stop[0], both)):
        raise NoClosedForm("whether the trade-off function is curved at its fixed point is not settled")
    return -2 * Phi_inv(middle.expression)


def _on_integers(
    s: Slope, start: tuple[ExpSum, ExpSum], stop: tuple[ExpSum, ExpSum], both: Pair, integrator: Integrator
) -> sp.Expr:
    """Kinks with a f = c, of which the one nearest to the fixed point counts."""
    del stop
    ring, point = both.ring, both.ring.rational(_POINT)
    low, high = (point + 1, s.cell.upper) if s.direction == 1 else (s.cell.lower, point)
    kink = (
        (start[0] + integrator.integral(s.bottom, low, high)).collected(),
        (start[1] - integrator.integral(s.top, low, high)).collected(),
    )
    product = (kink[0] * kink[1]).collected()
    if len(product.terms) != 1 or len(kink[0].terms) != 1 or product.expression.has(_POINT):
        raise NoClosedForm("no rule for the GDP of this trade-off function")
    (((exponent, powers), coefficient),) = (kink[0] * _root(product, integrator).integer_power(-1)).terms.items()
    rate = ring.diff(exponent, _POINT)
    nearest = point - exponent / rate  # there a = f
    if coefficient != 1 or powers or ring.diff(nearest, _POINT) != 0:
        raise NoClosedForm("no rule for the GDP of this trade-off function")
    at_least_zero = both.signs.at_least_zero
    if (s.cell.lower is not None and not at_least_zero(nearest - s.cell.lower + 1)) or (
        s.cell.upper is not None and not at_least_zero(s.cell.upper - nearest)
    ):
        raise NoClosedForm("whether the trade-off function is curved at its fixed point is not settled")
    if not both.signs.is_integer(2 * nearest):
        nearest += ring.one / 2
    constant = nearest.numer.coeff(1) / nearest.denom.LC if nearest.denom.is_ground else 0
    whole = int(constant.numerator) // int(constant.denominator)
    table = {_POINT: sp.floor(ring.expression(nearest - whole)) + whole}
    return -sum((Phi_inv(error.expression.subs(table)) for error in kink), sp.S.Zero)


def _root(total: ExpSum, integrator: Integrator) -> ExpSum:
    """The square root of a single positive term."""
    if len(total.terms) != 1:
        raise NoClosedForm("no rule for the GDP of this trade-off function")
    (((exponent, powers), coefficient),) = total.terms.items()
    bases = merged(powers, integrator.bases(coefficient))
    return total.ring.term(total.ring.one, exponent / 2, [(base, x / 2) for base, x in bases])


def _at_most(first: ExpSum, second: ExpSum, both: Pair) -> bool:
    return both.signs.at_least_zero((second - first).collected())


def _needed(a: ExpSum, error: ExpSum) -> sp.Expr:
    """The mu for which G_mu passes through a point."""
    first, second = sorted((a.expression, error.expression), key=sp.default_sort_key)
    return -Phi_inv(first) - Phi_inv(second)


def _largest(values: Iterable[sp.Expr]) -> sp.Expr:
    different = list(dict.fromkeys(values))
    return sp.Max(*different) if len(different) > 1 else different[0]
