"""Hockey-stick divergences: the privacy profile, written out over the levels of the likelihood ratio."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.core.distributions import Distribution, Finite
from dpsym.core.relations import Proposition, exact, propositions
from dpsym.divergences import finite
from dpsym.divergences.cauchy import Separated, separated
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Rational, Ring
from dpsym.divergences.integrals import Integrator
from dpsym.divergences.pairs import Pair, pair
from dpsym.divergences.signs import Signs
from dpsym.divergences.thresholds import Slope, bands, slope
from dpsym.divergences.unequal_normals import excess, is_quadratic

_CUTS = sp.symbols("cut:3", cls=sp.Dummy)  # places of thresholds until their values are put in


def hockey_stick(gamma: sp.Expr, P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The integral of the positive part of p - gamma q, gamma >= 0: the privacy profile at exp(epsilon).

    The answer holds for every gamma that the assumptions allow.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.
        ValueError: for a negative gamma.

    Source: the set where p > gamma q is the best one (Neyman and Pearson).
    """
    gamma, known = exact(gamma), propositions(assume)
    if gamma.is_number and gamma.is_negative:
        raise ValueError(f"the order {gamma} of a hockey-stick divergence is negative")
    if isinstance(P, Finite) and isinstance(Q, Finite):
        return finite.hockey_stick(gamma, P, Q, known)
    if gamma == 0:
        return ClosedForm(sp.S.One)
    if (apart := separated(P, Q, known)) is not None:
        return _of_any_level(apart, gamma, known)
    epsilon = gamma.args[0] if isinstance(gamma, sp.exp) else sp.log(gamma)
    both = pair(P, Q, known, epsilon, *_CUTS, logarithms=True)
    ring, integrator = both.ring, both.integrator()
    level = ring.rational(epsilon)
    if is_quadratic(both):
        return ClosedForm(excess(both, gamma, level, integrator), tuple(integrator.conditions))
    certain, slopes = ExpSum(ring, {}), []
    for cell in both.cells:
        if cell.p is not None and cell.q is not None:
            slopes.append(slope(cell, cell.p, cell.q, both))
        elif cell.p is not None:
            certain += integrator.integral(cell.p, cell.lower, cell.upper)
    cases: list[tuple[sp.Expr, sp.Basic]] = []
    for band in bands(slopes, both):
        if band.high is not None and both.signs.at_least_zero(level - band.high):
            continue
        total = certain
        places: dict[sp.Dummy, sp.Expr] = {}
        for s in band.above:
            total += _excess(s, s.cell.lower, s.cell.upper, level, integrator)
        for s in band.cut:
            crossing = s.crossing(level)
            if both.lattice:
                crossing = _rounded(crossing, s.direction, places, both)
            total += _excess(s, *s.above(crossing, lattice=both.lattice), level, integrator)
        last = band.high is None or both.signs.of(band.high - level) == 1
        value = total.collected().expression.subs(places, simultaneous=True)
        cases.append((value, sp.true if last else epsilon < ring.expression(band.high)))
        if last:
            break
    if not gamma.is_number and not isinstance(gamma, sp.exp):
        integrator.require_positive(gamma)
    return ClosedForm(cases[0][0] if len(cases) == 1 else sp.Piecewise(*cases), tuple(integrator.conditions))


def _of_any_level(apart: Separated, gamma: sp.Expr, known: tuple[Proposition, ...]) -> ClosedForm:
    """The pair is symmetric, so H_gamma = 1 - gamma + gamma H_{1/gamma} is enough below 1."""
    level = gamma.args[0] if isinstance(gamma, sp.exp) else gamma - 1
    ring = Ring(level)
    signs = Signs(ring, known)
    if signs.at_least_zero(ring.rational(level)):
        return apart.hockey_stick(gamma)
    if signs.at_least_zero(-ring.rational(level)):
        other = apart.hockey_stick(1 / gamma)
        return ClosedForm(1 - gamma + gamma * other.expression)
    raise NoClosedForm("whether {} is at least 1 is not settled by the assumptions", gamma)


def total_variation(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The total variation distance: the hockey-stick divergence at gamma = 1.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.
    """
    return hockey_stick(sp.S.One, P, Q, assume)


def _rounded(crossing: Rational, direction: int, places: dict[sp.Dummy, sp.Expr], both: Pair) -> Rational:
    """Floor or ceiling of the crossing, as a symbol whose value is noted in `places`."""
    if len(places) == len(_CUTS):
        raise NoClosedForm("the likelihood ratio takes one level on more than three pieces")
    cut = _CUTS[len(places)]
    real = both.ring.expression(crossing)
    places[cut] = sp.floor(real) if direction == 1 else sp.ceiling(real)
    return both.ring.rational(cut)


def _excess(
    s: Slope, lower: Rational | None, upper: Rational | None, level: Rational, integrator: Integrator
) -> ExpSum:
    """The integral of p - exp(level) q over a part of a cell."""
    return integrator.integral(s.top, lower, upper) - integrator.integral(s.bottom.times_exp(level), lower, upper)
