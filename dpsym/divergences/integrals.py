"""Integrals, and sums over integers, of polynomial * exp(polynomial of degree at most 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from dpsym.core.notation import Phi
from dpsym.core.relations import Proposition, Relation
from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Powers, Rational, Ring, merged
from dpsym.divergences.pieces import LogDensity, Polynomial, bases_of
from dpsym.divergences.signs import Signs
from dpsym.divergences.theta import gaussian_sum


class Diverges(ArithmeticError):
    """The integral or sum is infinite."""


@dataclass(slots=True)
class Integrator:
    """Integrates over cells and keeps the conditions of convergence that the assumptions do not settle."""

    ring: Ring
    signs: Signs
    lattice: bool
    conditions: dict[Proposition, None] = field(default_factory=dict)

    def integral(
        self,
        log: LogDensity,
        lower: Rational | None,
        upper: Rational | None,
        weight: Polynomial | None = None,
    ) -> ExpSum:
        """The integral (sum) of `weight * exp(log)` over [lower, upper]; None is infinite.

        Raises:
            Diverges: where it is infinite.
            NoClosedForm: where there is no rule.
        """
        ring = self.ring
        weight = weight or (ring.one, ring.zero, ring.zero)
        c0, c1, c2 = log.polynomial
        scale = ring.term(ring.one, c0, log.powers)
        if all(w == 0 for w in weight):
            return ExpSum(ring, {})
        if c2 != 0:
            if self.lattice:
                return self._theta(log, lower, upper, weight)
            return self._quadratic(log, lower, upper, weight)
        if c1 == 0:
            return scale * self._polynomial(weight, lower, upper)
        if lower is None:
            self._require(c1, 1)
        if upper is None:
            self._require(c1, -1)
        if lower is None and upper is None:
            raise Diverges
        if lower is not None and upper is not None and self.signs.of(c1) not in (1, -1):
            self._assume(Relation(ring.expression(c1), "!=", sp.S.Zero))
        antiderivative = self._geometric if self.lattice else self._exponential
        total = ExpSum(ring, {})
        if upper is not None:
            total += antiderivative(weight, c1, upper + 1 if self.lattice else upper)
        if lower is not None:
            total -= antiderivative(weight, c1, lower)
        return scale * total

    def _exponential(self, weight: Polynomial, c1: Rational, at: Rational) -> ExpSum:
        """An antiderivative of weight * exp(c1*x), by repeated integration by parts."""
        w0, w1, w2 = weight
        value = (w0 + w1 * at + w2 * at**2) / c1 - (w1 + 2 * w2 * at) / c1**2 + 2 * w2 / c1**3
        return self.ring.term(value, c1 * at)

    def _geometric(self, weight: Polynomial, c1: Rational, at: Rational) -> ExpSum:
        """S with S(n + 1) - S(n) = weight(n) * exp(c1*n), by repeated summation by parts."""
        ring = self.ring
        w0, w1, w2 = weight
        # S(n) = z^n (w/(z - 1) - z w'/(z - 1)^2 + z^2 w''/(z - 1)^3) with z = e^{c1} and the differences w'(n) =
        # w(n + 1) - w(n), w'' = 2 w2, written with the smaller of z and 1/z
        one, down = ring.term(ring.one), self.signs.of(c1) == -1
        over = (one - ring.term(ring.one, c1 if down else -c1)).integer_power(-1)
        value, slope, bend = w0 + w1 * at + w2 * at**2, w1 + w2 * (2 * at + 1), 2 * w2
        sign, places = (-1, (at, at + 1, at + 2)) if down else (1, (at - 1, at - 1, at - 1))
        signs = (sign, -1, sign)
        total, power = ExpSum(ring, {}), over
        for factor, place, turn in zip((value, slope, bend), places, signs, strict=True):
            total += ring.term(factor * turn, c1 * place) * power
            power *= over
        return total

    def _polynomial(self, weight: Polynomial, lower: Rational | None, upper: Rational | None) -> ExpSum:
        """The integral of a polynomial: an infinite range diverges."""
        ring = self.ring
        if lower is None or upper is None:
            raise Diverges
        w0, w1, w2 = weight
        if not self.lattice:
            return ring.term(w0 * (upper - lower) + w1 * (upper**2 - lower**2) / 2 + w2 * (upper**3 - lower**3) / 3)
        squares = (upper * (upper + 1) * (2 * upper + 1) - (lower - 1) * lower * (2 * lower - 1)) / 6
        return ring.term((upper - lower + 1) * (w0 + w1 * (upper + lower) / 2) + w2 * squares)

    def _quadratic(self, log: LogDensity, lower: Rational | None, upper: Rational | None, weight: Polynomial) -> ExpSum:
        """Completing the square: a multiple of a normal density with this mean and variance."""
        ring = self.ring
        c0, c1, c2 = log.polynomial
        self._require_bell(c2, lower, upper)
        mean, variance = -c1 / (2 * c2), -1 / (2 * c2)
        half = ring.one / 2
        roots = [(base, x * half) for base, x in self.bases(variance)]
        two_pi = [(base, half * x) for base, x in self.bases(2 * ring.rational(sp.pi))]
        total = ring.term(ring.one, c0 - c1**2 / (4 * c2), merged(merged(log.powers, roots), two_pi))
        w0, w1, w2 = weight
        if lower is None and upper is None:
            return total * ring.term(w0 + w1 * mean + w2 * (variance + mean**2))
        if w1 != 0 or w2 != 0:
            raise NoClosedForm("a moment of a normal density over a part of the line has no rule")
        share = ExpSum(ring, {})
        if lower is None or upper is None:
            end, direction = (upper, 1) if lower is None else (lower, -1)
            share = self.normal((end - mean) * direction, variance)
        else:
            share = self.normal(upper - mean, variance) - self.normal(lower - mean, variance)
        return total * share * ring.term(w0)

    def _theta(self, log: LogDensity, lower: Rational | None, upper: Rational | None, weight: Polynomial) -> ExpSum:
        """Completing the square on the integers."""
        ring = self.ring
        c0, c1, c2 = log.polynomial
        self._require_bell(c2, lower, upper)
        mean = -c1 / (2 * c2)
        total = ring.term(ring.one, c0 - c1**2 / (4 * c2), log.powers)
        w0, w1, w2 = weight
        if w2 != 0 or (w1 != 0 and not (lower is None and upper is None and self.signs.is_integer(mean))):
            raise NoClosedForm("a moment of masses exp(quadratic) has a rule only about an integer, on all integers")
        total *= ring.term(w0 + w1 * mean)  # the mean of all of them is where they are centred
        return total * gaussian_sum(ring, self.signs, c2, mean, (lower, upper))

    def normal(self, distance: Rational, variance: Rational) -> ExpSum:
        """Phi(distance / sqrt(variance))."""
        inverse = [(base, -x / 2) for base, x in self.bases(variance)]
        argument = self.ring.term(distance, None, inverse).expression
        return self.ring.atom(Phi(sp.expand(argument) if len(distance.denom) == 1 else argument))

    def require_positive(self, expression: sp.Expr) -> None:
        """Note it as a condition, unless it is settled."""
        try:
            settled = self.signs.of(self.ring.sum(expression)) == 1
        except NoClosedForm:
            settled = False
        if not settled:
            self.conditions[Relation(expression, ">", sp.S.Zero)] = None

    def bases(self, element: Rational) -> Powers:
        """A positive rational function as powers of its positive factors."""
        return bases_of(element, self.ring, self.signs)

    def _require(self, element: Rational, sign: int) -> None:
        """Convergence needs this sign."""
        found = self.signs.of(element)
        if found == sign:
            return
        if self.signs.at_least_zero(element * -sign):
            raise Diverges
        self._assume(Relation(self.ring.expression(element * sign), ">", sp.S.Zero))

    def _require_bell(self, c2: Rational, lower: Rational | None, upper: Rational | None) -> None:
        """The rules need c2 < 0; where c2 > 0 only an unbounded range makes the integral infinite."""
        found = self.signs.of(c2)
        if found == -1:
            return
        bounded = lower is not None and upper is not None
        if found == 1 and not bounded:
            raise Diverges
        if bounded or self.signs.at_least_zero(c2):
            raise NoClosedForm("exp(quadratic) has a rule only where the quadratic opens downwards")
        self._assume(Relation(self.ring.expression(-c2), ">", sp.S.Zero))

    def _assume(self, condition: Relation) -> None:
        self.conditions[condition] = None
        self.signs.suppose(condition)
