"""Densities and masses read as exp(polynomial of degree at most 2) between breakpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from dpsym.core.distributions import Density, Pmf
from dpsym.divergences.closed_form import NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Powers, Rational, Ring, merged
from dpsym.divergences.signs import Signs

Polynomial = tuple[Rational, Rational, Rational]  # c0 + c1*x + c2*x**2


@dataclass(frozen=True, slots=True, eq=False)
class LogDensity:
    """The logarithm of a density on a cell: a polynomial plus the logarithms of some powers."""

    polynomial: Polynomial
    powers: Powers

    def at(self, x: Rational) -> Rational:
        """The polynomial's value."""
        c0, c1, c2 = self.polynomial
        return c0 + c1 * x + c2 * x**2

    def mixed(self, other: LogDensity, weight: Rational) -> LogDensity:
        """`weight * self + (1 - weight) * other`."""
        return LogDensity(
            _combine(self.polynomial, weight, other.polynomial, 1 - weight),
            frozenset(
                merged(
                    [(base, x * weight) for base, x in self.powers],
                    [(base, x * (1 - weight)) for base, x in other.powers],
                )
            ),
        )

    def times_exp(self, exponent: Rational) -> LogDensity:
        """The logarithm of exp(exponent) times the density."""
        c0, c1, c2 = self.polynomial
        return LogDensity((c0 + exponent, c1, c2), self.powers)

    def minus(self, other: LogDensity) -> LogDensity:
        """The logarithm of a likelihood ratio."""
        one = self.polynomial[0].field.one
        return LogDensity(
            _combine(self.polynomial, one, other.polynomial, -one),
            frozenset((base, x) for base, x in merged(self.powers, [(base, -x) for base, x in other.powers]) if x != 0),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An interval (of reals, or of integers with both ends included) on which P and Q have one formula each.

    An end that is None is infinite; a density that is None is zero there.
    """

    lower: Rational | None
    upper: Rational | None
    p: LogDensity | None
    q: LogDensity | None


def cells(first: Density | Pmf, second: Density | Pmf, ring: Ring, signs: Signs) -> list[Cell]:
    """The coarsest cells on which both have one formula, from left to right.

    Raises:
        NoClosedForm: for a shape that is not exp(polynomial of degree <= 2) on pieces, or an order of
            breakpoints that the assumptions do not settle.
    """
    lattice = isinstance(first, Pmf)
    if isinstance(second, Pmf) != lattice:
        raise NoClosedForm("a density cannot be compared with masses")
    readers = (_Reader(first, ring, signs), _Reader(second, ring, signs))
    points = signs.ascending({point for reader in readers for point in reader.breakpoints})
    for reader in readers:
        reader.place = {point: rank for rank, point in enumerate(points)}
    edges: list[Rational | None] = [None, *points, None]
    found = []
    for index, (left, right) in enumerate(pairwise(edges)):
        # on the integers a breakpoint belongs to the cell at its left
        start = ring.field(left + 1) if lattice and left is not None else left
        p, q = (reader.log_density(index) for reader in readers)
        if p is not None or q is not None:
            found.append(Cell(start, right, p, q))
    return found


def ring_for(*parts: Density | Pmf | sp.Expr) -> Ring:
    """A ring in which these distributions and expressions can be read."""
    expressions: list[sp.Basic] = []
    variables = []
    for part in parts:
        if isinstance(part, Density):
            expressions += [part.expression, part.support.start, part.support.end, sp.pi]
            variables.append(part.variable)
        elif isinstance(part, Pmf):
            expressions += [part.expression, part.lower, part.upper]
            variables.append(part.variable)
        else:
            expressions.append(part)
    return Ring(*expressions, without=variables)


def power_of(expression: sp.Expr, ring: Ring, signs: Signs) -> tuple[Rational, Powers]:
    """A positive constant as (exponent of e, powers of positive bases).

    Raises:
        NoClosedForm: if the sign of a factor is not settled.
    """
    if isinstance(expression, sp.Mul):
        exponent, powers = ring.zero, frozenset[tuple[sp.Expr, Rational]]()
        for factor in expression.args:
            e, more = power_of(factor, ring, signs)
            exponent, powers = exponent + e, frozenset(merged(powers, more))
        return exponent, powers
    if isinstance(expression, sp.Pow):
        e, powers = power_of(expression.base, ring, signs)
        times = ring.rational(expression.exp)
        return e * times, frozenset((base, x * times) for base, x in powers)
    return _power_of_sum(ring.sum(expression), ring, signs)


def _power_of_sum(total: ExpSum, ring: Ring, signs: Signs) -> tuple[Rational, Powers]:
    if len(total.terms) != 1:
        if signs.of(total) != 1:
            raise NoClosedForm("the sign of {} is not settled by the assumptions", total.expression)
        return ring.zero, frozenset([(ring.sum_as_base(total), ring.one)])
    (((exponent, powers), coefficient),) = total.terms.items()
    return exponent, frozenset(merged(powers, bases_of(coefficient, ring, signs)))


def bases_of(element: Rational, ring: Ring, signs: Signs) -> Powers:
    """A positive rational function as a product of powers of positive bases.

    Raises:
        NoClosedForm: if the sign of a factor is not settled.
    """
    powers: list[tuple[sp.Expr, Rational]] = []
    sign = 1
    for polynomial, direction in ((element.numer, 1), (element.denom, -1)):
        content, factors = polynomial.factor_list()
        sign *= 1 if content > 0 else -1
        for prime, k in _prime_powers(abs(content)):
            powers = merged(powers, [(ring.rational_as_base(ring.field(prime)), ring.field(k * direction))])
        for factor, k in factors:
            base = ring.field(factor)
            this = signs.of(base)
            if this is None or this == 0:
                raise NoClosedForm("the sign of {} is not settled by the assumptions", ring.expression(base))
            sign *= this**k
            powers = merged(powers, [(ring.rational_as_base(base * this), ring.field(k * direction))])
    if sign < 0:
        raise NoClosedForm("{} is negative", ring.expression(element))
    return frozenset(powers)


class _Reader:
    """One distribution: where its formula changes, and the formula between."""

    def __init__(self, distribution: Density | Pmf, ring: Ring, signs: Signs) -> None:
        self.ring, self.signs, self.variable = ring, signs, distribution.variable
        self.lattice = isinstance(distribution, Pmf)
        self.formula = distribution.expression
        self.place: dict[Rational, int] = {}  # the rank of each breakpoint among those of the pair
        if isinstance(distribution, Pmf):
            lower, upper = distribution.lower, distribution.upper
        else:
            lower, upper = distribution.support.start, distribution.support.end
        # a lattice breakpoint is the last integer of the cell at its left
        self.lower = None if lower == -sp.oo else self._point(lower) - (1 if self.lattice else 0)
        self.upper = None if upper == sp.oo else self._point(upper)
        self.breakpoints = {point for point in (self.lower, self.upper) if point is not None}
        for argument in self._kinks(self.formula):
            c0, c1 = self._linear(argument)
            self.breakpoints.add(self._checked(-c0 / c1))

    def log_density(self, cell: int) -> LogDensity | None:
        """The formula before the breakpoint of rank `cell`; None where the density is zero."""
        if self.lower is not None and cell <= self.place[self.lower]:
            return None
        if self.upper is not None and cell > self.place[self.upper]:
            return None
        formula = self._resolved(self.formula, cell)
        if formula == 0:
            return None
        polynomial, powers = self._log(formula)
        return LogDensity(polynomial, powers)

    def _kinks(self, expression: sp.Expr) -> Iterator[sp.Expr]:
        for node in sp.preorder_traversal(expression):
            if not node.has(self.variable):
                continue
            if isinstance(node, sp.Abs):
                yield node.args[0]
            elif isinstance(node, sp.Max | sp.Min):
                if len(node.args) != 2:
                    raise NoClosedForm("{} has more than two arguments", node)
                yield node.args[0] - node.args[1]
            elif isinstance(node, sp.core.relational.Relational) and not self.lattice:
                yield node.lhs - node.rhs
            elif isinstance(node, sp.core.relational.Relational):
                raise NoClosedForm("masses with cases are not read; give the cases as the range of the masses")

    def _resolved(self, expression: sp.Expr, cell: int) -> sp.Expr:
        """The expression with every |..|, max, min and case decided on the cell."""
        if not expression.has(self.variable) or not expression.args:
            return expression
        if isinstance(expression, sp.Abs):
            inner = self._resolved(expression.args[0], cell)
            return inner if self._right_of(inner, cell) else -inner
        if isinstance(expression, sp.Max | sp.Min):
            first, second = (self._resolved(arg, cell) for arg in expression.args)
            return first if self._right_of(first - second, cell) == isinstance(expression, sp.Max) else second
        if isinstance(expression, sp.Piecewise):
            for value, condition in expression.args:
                if condition in (sp.true, True) or self._holds(condition, cell):
                    return self._resolved(value, cell)
            return sp.S.Zero
        return expression.func(*(self._resolved(arg, cell) for arg in expression.args))

    def _holds(self, condition: sp.Basic, cell: int) -> bool:
        if isinstance(condition, sp.And):
            return all(self._holds(arg, cell) for arg in condition.args)
        if isinstance(condition, sp.Or):
            return any(self._holds(arg, cell) for arg in condition.args)
        if isinstance(condition, sp.StrictGreaterThan | sp.GreaterThan):
            return self._right_of(condition.lhs - condition.rhs, cell)
        if isinstance(condition, sp.StrictLessThan | sp.LessThan):
            return not self._right_of(condition.lhs - condition.rhs, cell)
        raise NoClosedForm("the case {} is not read", condition)

    def _right_of(self, linear: sp.Expr, cell: int) -> bool:
        """Whether a linear function of the variable is positive inside the cell."""
        c0, c1 = self._linear(linear)
        rank = self.place.get(-c0 / c1)
        if rank is None:
            raise NoClosedForm("whether {} is positive between its breakpoints is not settled", linear)
        return (cell > rank) == (self.signs.of(c1) == 1)

    def _linear(self, expression: sp.Expr) -> tuple[Rational, Rational]:
        c0, c1, c2 = self._polynomial(expression)
        if c2 != 0 or self.signs.of(c1) not in (1, -1):
            raise NoClosedForm("{} is not linear in {} with a slope of known sign", expression, self.variable)
        return c0, c1

    def _point(self, expression: sp.Expr) -> Rational:
        return self._checked(self.ring.rational(expression))

    def _checked(self, point: Rational) -> Rational:
        if self.lattice and not self.signs.is_integer(point):
            raise NoClosedForm("{} is not known to be an integer", self.ring.expression(point))
        return point

    def _log(self, expression: sp.Expr) -> tuple[Polynomial, Powers]:
        ring, zero = self.ring, self.ring.zero
        if not expression.has(self.variable):
            exponent, powers = power_of(expression, ring, self.signs)
            return (exponent, zero, zero), powers
        if isinstance(expression, sp.Mul):
            polynomial: Polynomial = (zero, zero, zero)
            powers = frozenset()
            for factor in expression.args:
                more, bases = self._log(factor)
                polynomial = _combine(polynomial, ring.one, more, ring.one)
                powers = frozenset(merged(powers, bases))
            return polynomial, powers
        if isinstance(expression, sp.exp):
            return self._polynomial(expression.args[0]), frozenset()
        if isinstance(expression, sp.Pow) and not expression.base.has(self.variable):
            if self.signs.of(ring.sum(expression.base)) != 1:
                raise NoClosedForm("the sign of {} is not settled by the assumptions", expression.base)
            logarithm = ring.rational(sp.log(expression.base))
            return _combine(self._polynomial(expression.exp), logarithm, (zero, zero, zero), zero), frozenset()
        if isinstance(expression, sp.Pow) and isinstance(expression.exp, sp.Rational):
            polynomial, powers = self._log(expression.base)
            times = ring.rational(expression.exp)
            return (
                _combine(polynomial, times, (zero, zero, zero), zero),
                frozenset((base, x * times) for base, x in powers),
            )
        raise NoClosedForm("{} is not exp of a polynomial in {}", expression, self.variable)

    def _polynomial(self, expression: sp.Expr) -> Polynomial:
        ring = self.ring
        if not expression.has(self.variable):
            return ring.rational(expression), ring.zero, ring.zero
        coefficients = (
            sp.Poly(expression, self.variable).all_coeffs()[::-1] if expression.is_polynomial(self.variable) else []
        )
        if not 1 <= len(coefficients) <= 3:
            raise NoClosedForm("{} is not a polynomial of degree at most 2 in {}", expression, self.variable)
        read = [ring.rational(c) for c in coefficients] + [ring.zero] * 2
        return read[0], read[1], read[2]


def _combine(first: Polynomial, u: Rational, second: Polynomial, v: Rational) -> Polynomial:
    c0, c1, c2 = (u * x + v * y for x, y in zip(first, second, strict=True))
    return c0, c1, c2


def _prime_powers(content: object) -> Iterator[tuple[int, int]]:
    for value, direction in ((int(content.numerator), 1), (int(content.denominator), -1)):  # type: ignore[attr-defined]
        if value > 1:
            for prime, k in sp.factorint(value, limit=1000).items():
                yield int(prime), k * direction
