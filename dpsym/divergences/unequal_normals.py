"""The hockey-stick divergence of two normal distributions of different variances.

The log-likelihood ratio is a parabola, so it exceeds a level between its two roots there, or outside them.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.notation import Phi
from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.exponential_sums import Rational
from dpsym.divergences.integrals import Integrator
from dpsym.divergences.pairs import Pair
from dpsym.divergences.pieces import LogDensity
from dpsym.divergences.thresholds import log_ratio


def is_quadratic(both: Pair) -> bool:
    """Whether both are normal on the whole line, with different variances."""
    if both.lattice or len(both.cells) != 1:
        return False
    (cell,) = both.cells
    if cell.lower is not None or cell.upper is not None or cell.p is None or cell.q is None:
        return False
    return cell.p.polynomial[2] != cell.q.polynomial[2]


def excess(both: Pair, gamma: sp.Expr, level: Rational, integrator: Integrator) -> sp.Expr:
    """The integral of (p - gamma q)_+, gamma = exp(level).

    Raises:
        NoClosedForm: where it is not settled which of the variances is the larger one.
    """
    (cell,) = both.cells
    p, q, ring = cell.p, cell.q, both.ring
    if p is None or q is None:
        raise NoClosedForm("one of the densities is zero")
    for log in (p, q):
        if not (integrator.integral(log, None, None) - ring.term(ring.one)).is_zero:
            raise NoClosedForm("the density does not integrate to 1")
    c0, c1, c2 = log_ratio(p, q, both)
    opens = both.signs.of(c2)
    if opens not in (1, -1):
        raise NoClosedForm("the sign of {} is not settled by the assumptions", ring.expression(c2))
    discriminant = ring.expression(c1**2 - 4 * c2 * (c0 - level))
    centre = ring.expression(-c1 / (2 * c2))
    reach = sp.sqrt(discriminant) / (2 * ring.expression(c2 * opens))
    between = _mass(p, centre, reach, both, integrator) - gamma * _mass(q, centre, reach, both, integrator)
    if opens == -1:
        settled = both.signs.of(c1**2 - 4 * c2 * (c0 - level))
        return between if settled == 1 else sp.Piecewise((between, discriminant > 0), (0, True))
    outside = 1 - gamma - between
    if both.signs.at_least_zero(level):  # p < q somewhere, so there the ratio takes every level from 0 on
        return outside
    return sp.Piecewise((outside, discriminant > 0), (1 - gamma, True))


def _mass(log: LogDensity, centre: sp.Expr, reach: sp.Expr, both: Pair, integrator: Integrator) -> sp.Expr:
    """Of the outcomes closer than `reach` to the centre."""
    ring = both.ring
    _, c1, c2 = log.polynomial
    mean = ring.expression(-c1 / (2 * c2))
    scale = ring.term(ring.one, None, [(base, x / 2) for base, x in integrator.bases(-1 / (2 * c2))]).expression
    offset = sp.factor(centre - mean)
    return Phi((offset + reach) / scale) - Phi((offset - reach) / scale)
