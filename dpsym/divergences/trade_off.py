"""Trade-off functions: the likelihood-ratio test, its threshold eliminated between the two errors."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.core.distributions import Distribution, Finite
from dpsym.core.notation import Phi, Phi_inv
from dpsym.core.relations import exact, propositions
from dpsym.divergences import finite
from dpsym.divergences.cauchy import separated
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Rational
from dpsym.divergences.integrals import Integrator
from dpsym.divergences.pairs import Pair, pair
from dpsym.divergences.pieces import LogDensity
from dpsym.divergences.thresholds import Slope, descending, slope

_POINT = sp.Dummy("point")  # the place of a randomised point until its value is put in


def trade_off(a: sp.Expr, P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The least type-II error of a test of P against Q whose type-I error is at most a, for a in (0, 1).

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.

    Source: Neyman and Pearson; Dong, Roth and Su 2022, Definition 2.1 (unverified locator).
    """
    a, known = exact(a), propositions(assume)
    if isinstance(P, Finite) and isinstance(Q, Finite):
        return finite.trade_off(a, P, Q, known)
    if (apart := separated(P, Q, known)) is not None:
        return apart.trade_off(a)
    both = pair(P, Q, known, a, _POINT, logarithms=True)
    ring, integrator = both.ring, both.integrator()
    first, second = ExpSum(ring, {}), ring.term(ring.one)  # the errors of the test so far
    slopes, tail = [], False
    for cell in both.cells:
        if cell.p is not None and cell.q is not None:
            slopes.append(slope(cell, cell.q, cell.p, both))
        elif cell.q is not None:
            second -= integrator.integral(cell.q, cell.lower, cell.upper)
        else:
            tail = True  # rejecting here only adds to the type-I error
    cases: list[tuple[sp.Expr, sp.Basic]] = []
    for s in descending(slopes, both):
        curve = _curve(s, ring.rational(a), (first, second), both, integrator)
        first = (first + integrator.integral(s.bottom, s.cell.lower, s.cell.upper)).collected()
        second = (second - integrator.integral(s.top, s.cell.lower, s.cell.upper)).collected()
        cases.append((curve, a <= first.expression))
    if tail:
        cases.append((second.expression, sp.true))
    else:
        cases[-1] = (cases[-1][0], sp.true)
    return ClosedForm(cases[0][0] if len(cases) == 1 else sp.Piecewise(*cases), tuple(integrator.conditions))


def _curve(s: Slope, a: Rational, errors: tuple[ExpSum, ExpSum], both: Pair, integrator: Integrator) -> sp.Expr:
    """The type-II error while the test rejects a growing part of one cell."""
    if s.direction == 0:
        ring, (first, second) = both.ring, errors
        return (second - ring.term(ring.one, s.intercept) * (ring.term(a) - first)).collected().expression
    if s.bottom.polynomial[2] != 0:
        return _normal(s, a, both, integrator)
    if both.lattice:
        return _steps(s, a, errors, both, integrator)
    return _exponential(s, a, errors, both)


def _normal(s: Slope, a: Rational, both: Pair, integrator: Integrator) -> sp.Expr:
    return Phi(Phi_inv(1 - both.ring.expression(a)) - distance_in_deviations(s, both, integrator))


def distance_in_deviations(s: Slope, both: Pair, integrator: Integrator) -> sp.Expr:
    """Of two normal distributions of one variance: the difference of their means in standard deviations.

    Raises:
        NoClosedForm: if they are not that.
    """
    ring, curvature = both.ring, s.bottom.polynomial[2]
    if s.cell.lower is not None or s.cell.upper is not None or both.lattice:
        raise NoClosedForm("a trade-off function of pieces of normal densities has no rule")
    for log in (s.bottom, s.top):
        if not (integrator.integral(log, None, None) - ring.term(ring.one)).is_zero:
            raise NoClosedForm("the density does not integrate to 1")
    # the slope of the log-likelihood ratio is the difference of the means over the variance
    roots = [(base, x / 2) for base, x in integrator.bases(-1 / (2 * curvature))]
    return ring.term(s.slope * s.direction, None, roots).expression


def _exponential(s: Slope, a: Rational, errors: tuple[ExpSum, ExpSum], both: Pair) -> sp.Expr:
    """The threshold t enters both errors through an exponential; it is eliminated.

    With F, G antiderivatives of p and q, rejecting [lower, t] (ratio falling, sign -1) or [t, upper] (1):
    a = first + sign (F(end) - F(t)) and error = second - sign (G(end) - G(t)).
    """
    first, second = errors
    (scale, end, rate), (other_scale, other_end, other_rate) = (moving(log, s, both) for log in (s.bottom, s.top))
    # exp(rate of p * t)
    grown = ((first + end - both.ring.term(a)) * scale.integer_power(-1)).collected()
    return _plus_power(second - other_end, other_scale, grown, other_rate / rate)


def moving(log: LogDensity, s: Slope, both: Pair) -> tuple[ExpSum, ExpSum, Rational]:
    """(c, e, rate): rejecting up to t adds e - c exp(rate t).

    Raises:
        NoClosedForm: for a density that may be constant there.
    """
    ring, (c0, rate, _) = both.ring, log.polynomial
    if both.signs.of(rate) not in (1, -1):
        raise NoClosedForm("a density that is constant on a piece has no rule in a trade-off function")
    scale = ring.term(s.direction / rate, c0, log.powers)
    end = s.cell.upper if s.direction == 1 else s.cell.lower
    return scale, ExpSum(ring, {}) if end is None else scale * ring.term(ring.one, rate * end), rate


def _steps(s: Slope, a: Rational, errors: tuple[ExpSum, ExpSum], both: Pair, integrator: Integrator) -> sp.Expr:
    """On the integers the test is randomised at one point N, the threshold rounded; between them lines."""
    ring, sign, (first, second) = both.ring, s.direction, errors
    _, rate, _ = s.bottom.polynomial
    if both.signs.of(rate) not in (1, -1):
        raise NoClosedForm("masses that are constant on a piece have no rule in a trade-off function")
    point = ring.rational(_POINT)

    def rejected(log: LogDensity) -> ExpSum:  # everything beyond the randomised point
        low, high = (point + 1, s.cell.upper) if sign == 1 else (s.cell.lower, point - 1)
        return integrator.integral(log, low, high)

    a_before, error_before = first + rejected(s.bottom), second - rejected(s.top)
    step = ring.term(ring.one, s.intercept + s.slope * point)
    line = (error_before - step * (ring.term(a) - a_before)).collected().expression
    return line.subs(_POINT, _randomised_point(a, a_before, rate, sign, both))


def _randomised_point(a: Rational, a_before: ExpSum, rate: Rational, sign: int, both: Pair) -> sp.Expr:
    """The integer N with a_before(N) < a <= a_before(N - sign), from the real t with a_before(t) = a."""
    ring = both.ring
    point = ring.rational(_POINT)
    constant, moving = {}, {}
    for (exponent, powers), coefficient in a_before.terms.items():
        if ring.diff(coefficient, _POINT) != 0 or ring.diff(exponent, _POINT) not in (0, rate):
            raise NoClosedForm("the threshold of the test cannot be solved for")
        if ring.diff(exponent, _POINT) == 0:
            constant[exponent, powers] = coefficient
        else:
            moving[exponent - rate * point, powers] = coefficient
    grown = (ring.term(a) - ExpSum(ring, constant)).collected() * ExpSum(ring, moving).collected().integer_power(-1)
    shift = ring.zero
    if len(grown.terms) == 1:
        (((shift, powers), coefficient),) = grown.terms.items()
        grown = ring.term(coefficient, None, powers)
    shift /= rate
    real = sp.log(grown.expression) / ring.expression(rate)
    if not both.signs.is_integer(shift):
        real, shift = sp.expand(real + ring.expression(shift)), ring.zero
    rounded = sp.floor(real) + 1 if sign == 1 else sp.ceiling(real) - 1
    return ring.expression(shift) + rounded


def _plus_power(fixed: ExpSum, scale: ExpSum, base: ExpSum, exponent: Rational) -> sp.Expr:
    """fixed + scale * base**exponent."""
    ring = fixed.ring
    numer = exponent.numer
    if exponent.denom == 1 and numer.is_ground and numer.coeff(1).denominator == 1:
        return (fixed + scale * base.integer_power(int(numer.coeff(1).numerator))).collected().expression
    return fixed.collected().expression + scale.expression * base.expression ** ring.expression(exponent)
