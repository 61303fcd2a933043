"""Two Cauchy densities: every divergence is a function of the distance tau of their parameters.

The maps y -> (a y + b)/(c y + d) of the line carry a Cauchy density of centre m and scale s to another one, and act on
m + i s as the isometries of the hyperbolic half-plane.  So only the distance matters,

    cosh tau = 1 + ((m - m')^2 + (s - s')^2)/(2 s s') = 1 + 2 g^2,    sinh tau = 2 g sqrt(1 + g^2),

and the pair may be exchanged by such a map.  In an angle that is uniform under Q the likelihood ratio is
1/(cosh tau - sinh tau cos theta), so that Laplace's integral gives the affinity, and the best tests are arcs.

Source: McCullagh 1996 (unverified locator), Verdú 2023 (unverified locator); derived here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from dpsym.core.distributions import Density, Distribution
from dpsym.core.relations import Proposition, propositions, unlike
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import Ring
from dpsym.divergences.signs import Signs

_LEMMA = ("docs/lemmas.md, Cauchy",)


@dataclass(frozen=True, slots=True)
class Separated:
    """Two Cauchy densities: g > 0, half the distance of centres of one scale, measured in it."""

    g: sp.Expr

    @property
    def cosh(self) -> sp.Expr:
        """Of the distance tau."""
        return 1 + 2 * self.g**2

    @property
    def sinh(self) -> sp.Expr:
        """Of the distance tau."""
        return 2 * self.g * sp.sqrt(1 + self.g**2)

    def affinity(self, alpha: sp.Expr) -> ClosedForm:
        """The Legendre function P_{alpha-1}(cosh tau), finite at every order: Laplace's integral, or a polynomial."""
        if alpha.is_Integer and 1 <= alpha <= 12:
            return ClosedForm(sp.factor(sp.legendre(int(alpha) - 1, self.cosh)))
        angle = unlike("t", self.g.free_symbols | alpha.free_symbols)
        base = self.cosh + self.sinh * sp.cos(angle)
        return ClosedForm(sp.Integral(base ** (alpha - 1), (angle, 0, sp.pi)) / sp.pi)

    def kullback_leibler(self) -> ClosedForm:
        """log cosh^2(tau/2)."""
        return ClosedForm(sp.log(1 + self.g**2))

    def max_divergence(self) -> ClosedForm:
        """tau."""
        return ClosedForm(2 * sp.asinh(self.g))

    def hockey_stick(self, gamma: sp.Expr) -> ClosedForm:
        """The best arc under P, less gamma times the same arc under Q, for gamma >= 1."""
        under_p = sp.acos((gamma - self.cosh) / self.sinh)
        under_q = sp.acos((self.cosh - 1 / gamma) / self.sinh)
        level = gamma.args[0] if isinstance(gamma, sp.exp) else sp.log(gamma)
        value = (under_p - gamma * under_q) / sp.pi
        return ClosedForm(sp.Piecewise((value, level < 2 * sp.asinh(self.g)), (0, True)))

    def trade_off(self, a: sp.Expr) -> ClosedForm:
        """An arc of P-probability a, missed under Q."""
        ratio = 1 / (self.cosh - self.sinh * sp.cos(sp.pi * a))
        return ClosedForm(sp.acos((self.cosh - ratio) / self.sinh) / sp.pi)

    def zero_concentrated(self) -> ClosedForm:
        """The Kullback-Leibler divergence, by the lemma."""
        return ClosedForm(self.kullback_leibler().expression, (), _LEMMA)


def separated(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> Separated | None:
    """How far two Cauchy densities are apart; None for anything else.

    Raises:
        NoClosedForm: for two Cauchy densities of which it is not settled that they differ.
    """
    if not (isinstance(P, Density) and isinstance(Q, Density)) or not P.support == Q.support == sp.Reals:
        return None
    known = propositions(assume)
    first, second = cauchy_parameters(P, known), cauchy_parameters(Q, known)
    if first is None or second is None:
        return None
    (m0, s0), (m1, s1) = first, second
    if sp.cancel(s0 - s1) == 0:
        half = sp.factor((m0 - m1) / (2 * s0))
        sign = _sign(half, known)
        if sign not in (1, -1):
            raise NoClosedForm("the sign of {} is not settled by the assumptions", half)
        return Separated(half * sign)
    square = sp.factor(((m0 - m1) ** 2 + (s0 - s1) ** 2) / (4 * s0 * s1))
    if _sign(square, known) != 1:
        raise NoClosedForm("the sign of {} is not settled by the assumptions", square)
    return Separated(sp.sqrt(square))


def cauchy_parameters(density: Density, known: tuple[Proposition, ...]) -> tuple[sp.Expr, sp.Expr] | None:
    """Centre and scale of a Cauchy density; None for anything else."""
    y = density.variable
    if not density.expression.is_rational_function(y):
        return None
    above, below = sp.fraction(sp.cancel(sp.together(density.expression)))
    if above.has(y) or not below.is_polynomial(y) or sp.degree(below, y) != 2:
        return None
    c2, c1, c0 = (c / above for c in sp.Poly(below, y).all_coeffs())
    centre, scale = sp.cancel(-c1 / (2 * c2)), sp.cancel(sp.pi / c2)
    # s/(pi ((y - m)^2 + s^2)): the leading coefficient of its inverse is pi/s
    if sp.cancel(c0 / c2 - centre**2 - scale**2) != 0 or _sign(scale, known) != 1:
        return None
    return centre, scale


def _sign(expression: sp.Expr, known: tuple[Proposition, ...]) -> int | None:
    try:
        ring = Ring(expression)
        return Signs(ring, known).of(ring.rational(expression))
    except NoClosedForm:
        return None
