"""Sums of coefficient * exp(exponent) * powers in normal form: what integrals of noise densities are.

Coefficients and exponents are rational functions of the parameters over the rationals, so two sums that
cancel do so by construction and nothing is ever "simplified".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any, TypeAlias

import sympy as sp
from sympy.polys.fields import FracField

from dpsym.core import functions
from dpsym.core.plain_printer import plain
from dpsym.divergences.closed_form import NoClosedForm

Rational: TypeAlias = Any  # an element of a field of rational functions (SymPy's FracElement, untyped)
Powers: TypeAlias = frozenset[tuple[sp.Expr, Rational]]  # base -> exponent; bases are positive where not integral

_HYPERBOLIC = {f.head: f.quotient for f in functions.ALL if f.head is not None and f.quotient is not None}
_TRANSPARENT = (
    *_HYPERBOLIC, sp.Add, sp.Mul, sp.Abs, sp.Max, sp.Min, sp.Piecewise,
    sp.functions.elementary.piecewise.ExprCondPair, sp.core.relational.Relational, sp.logic.boolalg.BooleanFunction,
)  # fmt: skip


class Ring:
    """The rational functions of the parameters in some expressions, and exponential sums over them.

    What is not rational in symbols (`log(3)`, `floor(...)`) becomes a generator of its own.
    """

    def __init__(self, *expressions: sp.Basic, without: Iterable[sp.Symbol] = ()) -> None:
        degrees: dict[sp.Expr, int] = {}
        for expression in expressions:
            _collect(expression, degrees)
        for variable in without:
            degrees.pop(variable, None)
        bases = sorted(degrees, key=sp.default_sort_key) or [sp.Symbol("_")]
        self.generators = tuple(sp.root(base, degrees.get(base, 1)) for base in bases)
        self.field = FracField(self.generators, sp.QQ, sp.lex)
        self._element: dict[sp.Expr, Rational] = {}
        for base, generator, element in zip(bases, self.generators, self.field.gens, strict=True):
            self._element[generator] = element
            self._element[base] = element ** degrees.get(base, 1)
        self._degree = degrees
        self._sums: dict[sp.Expr, ExpSum] = {}  # the bases of powers that are themselves sums
        self._rationals: dict[sp.Expr, Rational] = {}  # the bases of powers that are rational functions
        self.zero, self.one = self.field.zero, self.field.one

    def rational(self, expression: sp.Expr) -> Rational:
        """The expression as a rational function of the generators.

        Raises:
            NoClosedForm: if it is none.
        """
        if expression in self._element:
            return self._element[expression]
        if isinstance(expression, sp.Rational):
            return self.field(sp.QQ(expression.p, expression.q))
        if isinstance(expression, sp.Add):
            return sum((self.rational(arg) for arg in expression.args), self.zero)
        if isinstance(expression, sp.Mul):
            product = self.one
            for arg in expression.args:
                product *= self.rational(arg)
            return product
        if isinstance(expression, sp.Pow) and isinstance(expression.exp, sp.Integer):
            base = self.rational(expression.base)
            if base == 0 and expression.exp < 0:
                raise NoClosedForm("{} divides by zero", expression)
            return base ** int(expression.exp)
        if isinstance(expression, sp.Pow) and isinstance(expression.exp, sp.Rational):
            degree = self._degree.get(expression.base, 1)
            root = self._element.get(sp.root(expression.base, degree))
            if root is not None and degree % expression.exp.q == 0:
                return root ** int(expression.exp * degree)
        raise NoClosedForm("{} is not a rational function of {}", expression, ", ".join(map(plain, self.generators)))

    def expression(self, element: Rational) -> sp.Expr:
        """The rational function, factored."""
        return _factored(element.numer, self.generators) / _factored(element.denom, self.generators)

    def diff(self, element: Rational, by: sp.Symbol) -> Rational:
        """The derivative by a symbol of which no root occurs."""
        return element.diff(self._element[by]) if by in self._element else self.zero

    # --- sums
    def term(
        self,
        coefficient: Rational,
        exponent: Rational | None = None,
        powers: Iterable[tuple[sp.Expr, Rational]] = (),
    ) -> ExpSum:
        """The sum `coefficient * exp(exponent) * powers`."""
        coefficient, reduced = self._reduced(self.field(coefficient), dict(powers))
        exponent = self.zero if exponent is None else self.field(exponent)
        return ExpSum(self, {(exponent, reduced): coefficient} if coefficient != 0 else {})

    def atom(self, expression: sp.Expr) -> ExpSum:
        """An opaque factor, such as Phi(...)."""
        return self.term(self.one, None, [(expression, self.one)])

    def sum(self, expression: sp.Expr) -> ExpSum:
        """The expression as an exponential sum; it may not contain powers of unknown sign.

        Raises:
            NoClosedForm: if it is none.
        """
        if isinstance(expression, sp.Add):
            total = ExpSum(self, {})
            for arg in expression.args:
                total += self.sum(arg)
            return total
        if isinstance(expression, sp.Mul):
            product = self.term(self.one)
            for arg in expression.args:
                product *= self.sum(arg)
            return product
        if isinstance(expression, sp.exp) or expression is sp.E:
            return self._exponential(self.rational(sp.S.One if expression is sp.E else expression.args[0]))
        if type(expression) in _HYPERBOLIC:
            half, up = self.one / 2, self.rational(expression.args[0])
            sinh = self.term(half, up) - self.term(half, -up)
            cosh = self.term(half, up) + self.term(half, -up)
            above, below = _HYPERBOLIC[type(expression)]
            parts = {"1": self.term(self.one), "s": sinh, "c": cosh}
            return parts[above] * parts[below].integer_power(-1)
        if isinstance(expression, sp.Pow) and isinstance(expression.exp, sp.Integer):
            base, exponent = self.sum(expression.base), int(expression.exp)
            return base.integer_power(exponent)
        return self.term(self.rational(expression))

    def _exponential(self, exponent: Rational) -> ExpSum:
        """exp of the exponent; where it is a whole power of a generator that is an exponential, that power."""
        for generator, element in zip(self.generators, self.field.gens, strict=True):
            if isinstance(generator, sp.exp) or generator is sp.E:
                count = exponent / self.rational(generator.args[0] if generator.args else sp.S.One)
                if _is_integer(count):
                    return self.term(self.field(element) ** int(count.numer.coeff(1)))
        return self.term(self.one, exponent)

    def sum_as_base(self, total: ExpSum) -> sp.Expr:
        """A name under which the sum may be raised to powers."""
        name = total.expression
        self._sums.setdefault(name, total)
        return name

    def rational_as_base(self, element: Rational) -> sp.Expr:
        """A name under which the rational function may be raised to powers."""
        name = self.expression(element)
        self._rationals.setdefault(name, element)
        return name

    def base_sum(self, base: sp.Expr) -> ExpSum | None:
        """The sum behind a base, if it is one."""
        return self._sums.get(base)

    def _reduced(self, coefficient: Rational, powers: Mapping[sp.Expr, Rational]) -> tuple[Rational, Powers]:
        """Integer powers of rational functions belong to the coefficient."""
        kept = {}
        for base, exponent in powers.items():
            value = self._rationals.get(base)
            if value is not None and exponent.denom == 1:
                constant = exponent.numer.coeff(1)
                whole = int(constant.numerator) // int(constant.denominator)
                coefficient *= value**whole
                exponent -= whole
            if exponent != 0:
                kept[base] = exponent
        return coefficient, frozenset(kept.items())


@dataclass(frozen=True, slots=True, eq=False)
class ExpSum:
    """A finite sum of terms `coefficient * exp(exponent) * powers`; the empty sum is zero."""

    ring: Ring
    terms: Mapping[tuple[Rational, Powers], Rational]

    def __add__(self, other: ExpSum) -> ExpSum:
        terms = dict(self.terms)
        for key, coefficient in other.terms.items():
            total = terms.get(key, self.ring.zero) + coefficient
            if total == 0:
                terms.pop(key, None)
            else:
                terms[key] = total
        return ExpSum(self.ring, terms)

    def __neg__(self) -> ExpSum:
        return ExpSum(self.ring, {key: -coefficient for key, coefficient in self.terms.items()})

    def __sub__(self, other: ExpSum) -> ExpSum:
        return self + -other

    def __mul__(self, other: ExpSum) -> ExpSum:
        product = ExpSum(self.ring, {})
        for (e1, p1), c1 in self.terms.items():
            for (e2, p2), c2 in other.terms.items():
                product += self.ring.term(c1 * c2, e1 + e2, merged(p1, p2))
        return product

    def integer_power(self, exponent: int) -> ExpSum:
        """The sum to an integer power; of several terms, a negative one stays a power of the sum.

        Raises:
            NoClosedForm: for a negative power of zero.
        """
        ring = self.ring
        if not self.terms and exponent < 0:
            raise NoClosedForm("division by a sum that is zero")
        if exponent >= 0:
            power = ring.term(ring.one)
            for _ in range(exponent):
                power *= self
            return power
        if len(self.terms) == 1:
            (((e, powers), c),) = self.terms.items()
            return ring.term(c**exponent, e * exponent, [(base, x * exponent) for base, x in powers])
        return ring.term(ring.one, None, [(ring.sum_as_base(self), ring.field(exponent))])

    @property
    def is_zero(self) -> bool:
        """Whether it is proved to vanish identically."""
        return not self.terms or not self.over_common_denominator()[0].terms

    def collected(self) -> ExpSum:
        """The same sum with fractions reduced, over a common denominator where that is shorter."""
        cancelled = self._cancelled()
        numerator, denominator = cancelled.over_common_denominator()
        powers = [(base, self.ring.field(-k)) for base, k in denominator.items() if k]
        joint = (numerator * self.ring.term(self.ring.one, None, powers))._cancelled()
        return joint if len(joint.terms) <= len(cancelled.terms) else cancelled

    def _cancelled(self) -> ExpSum:
        """Each fraction without that part of its numerator which is a multiple of denominators."""
        ring = self.ring
        groups: dict[Powers, ExpSum] = {}
        for (exponent, powers), coefficient in self.terms.items():
            term = ExpSum(ring, {(exponent, frozenset()): coefficient})
            groups[powers] = groups[powers] + term if powers in groups else term
        total, waiting = ExpSum(ring, {}), list(groups.items())
        while waiting:
            powers, numerator = waiting.pop()
            sums = {base: ring.base_sum(base) for base, x in powers if _is_negative(x)}
            divisors = {base: d for base, d in sums.items() if d is not None}
            choices = [(base,) for base in divisors]
            for bases in ([tuple(divisors)] if len(divisors) > 1 else []) + choices:
                divisor = reduce(mul, (divisors[base] for base in bases))
                quotient = _contained_multiple(numerator, divisor)
                if quotient.terms:
                    numerator -= quotient * divisor
                    reduced = merged(powers, [(base, ring.one) for base in bases])
                    waiting.append((frozenset((b, x) for b, x in reduced if x != 0), quotient))
            total += numerator * ring.term(ring.one, None, powers)
        return total

    def over_common_denominator(self) -> tuple[ExpSum, dict[sp.Expr, int]]:
        """Numerator, and the power of each base that is a sum in the denominator."""
        denominator: dict[sp.Expr, int] = {}
        for _, powers in self.terms:
            for base, exponent in powers:
                if self.ring.base_sum(base) is not None and _is_integer(exponent):
                    denominator[base] = max(denominator.get(base, 0), -int(exponent.numer.coeff(1)))
        numerator = ExpSum(self.ring, {})
        for (exponent, powers), coefficient in self.terms.items():
            left, factor = {}, self.ring.term(self.ring.one)
            missing = dict(denominator)
            for base, power in powers:
                divisor = self.ring.base_sum(base)
                if divisor is not None and _is_integer(power):
                    missing[base] = missing.get(base, 0) + int(power.numer.coeff(1))
                else:
                    left[base] = power
            for base, count in missing.items():
                factor *= self.ring.base_sum(base).integer_power(count)  # type: ignore[union-attr]
            numerator += factor * self.ring.term(coefficient, exponent, left.items())
        return numerator, denominator

    @property
    def expression(self) -> sp.Expr:
        """As a SymPy expression; terms over the same powers are collected."""
        groups: dict[Powers, list[sp.Expr]] = {}
        for (exponent, powers), coefficient in self.terms.items():
            term = self.ring.expression(coefficient) * sp.exp(self.ring.expression(exponent))
            groups.setdefault(powers, []).append(term)
        total = []
        for powers, terms in groups.items():
            factor = sp.Mul(*(_power(base, self.ring.expression(x)) for base, x in powers))
            total.append(factor * sp.Add(*terms))
        return sp.Add(*total)


def log_of(base: sp.Expr) -> sp.Expr:
    """The logarithm of a positive base."""
    return base.args[0] if isinstance(base, sp.exp) else sp.log(base)


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    return sp.exp(base.args[0] * exponent) if isinstance(base, sp.exp) else sp.Pow(base, exponent)


def merged(first: Iterable[tuple[sp.Expr, Rational]], second: Iterable[tuple[sp.Expr, Rational]]) -> list[Any]:
    """The product of two collections of powers."""
    powers = dict(first)
    for base, exponent in second:
        powers[base] = powers[base] + exponent if base in powers else exponent
    return list(powers.items())


def _is_negative(exponent: Rational) -> bool:
    return _is_integer(exponent) and exponent.numer.coeff(1) < 0


def _is_integer(exponent: Rational) -> bool:
    return exponent.denom == 1 and exponent.numer.is_ground and exponent.numer.coeff(1).denominator == 1


def _contained_multiple(numerator: ExpSum, divisor: ExpSum) -> ExpSum:
    """A sum q, perhaps zero, such that all terms of q * divisor are terms of the numerator."""
    ring, found = numerator.ring, ExpSum(numerator.ring, {})
    (e0, p0), c0 = next(iter(divisor.terms.items()))
    if p0 or any(powers for _, powers in divisor.terms):
        return found
    left = dict(numerator.terms)
    for (e, powers), c in numerator.terms.items():
        quotient = ExpSum(ring, {(e - e0, powers): c / c0})
        multiple = (quotient * divisor).terms
        if all(left.get(key) == value for key, value in multiple.items()):
            found += quotient
            for key in multiple:
                del left[key]
    return found


def _factored(polynomial: Any, generators: tuple[sp.Expr, ...]) -> sp.Expr:
    if len(polynomial) <= 1:
        return polynomial.as_expr(*generators)
    content, factors = polynomial.factor_list()
    return sp.Mul(
        sp.Rational(int(content.numerator), int(content.denominator)),
        *(sp.Pow(factor.as_expr(*generators), k) for factor, k in factors),
    )


def _collect(expression: sp.Basic, found: dict[sp.Expr, int], *, in_exponent: bool = False) -> None:
    """The generators that the expression needs, each with the degree of the root taken of it."""
    if isinstance(expression, sp.Rational | sp.logic.boolalg.BooleanAtom) or expression.is_infinite:
        return
    if isinstance(expression, sp.Symbol) or expression is sp.pi:
        found.setdefault(expression, 1)
    elif isinstance(expression, sp.exp) or expression is sp.E:
        if in_exponent:  # exp(x * exp(y)): the inner one is a generator
            found.setdefault(expression, 1)
        for arg in expression.args:
            _collect(arg, found, in_exponent=True)
    elif isinstance(expression, sp.Pow):
        base, exponent = expression.args
        _collect(base, found, in_exponent=in_exponent)
        _collect(exponent, found, in_exponent=True)
        if isinstance(exponent, sp.Rational) and not isinstance(exponent, sp.Integer):
            if base in found:
                found[base] = sp.ilcm(found[base], exponent.q)
            elif in_exponent:
                found[sp.root(base, exponent.q)] = 1
        elif exponent.free_symbols:
            found.setdefault(sp.log(base), 1)
    elif isinstance(expression, _TRANSPARENT):
        for arg in expression.args:
            _collect(arg, found, in_exponent=in_exponent)
    else:
        found.setdefault(expression, 1)
        if isinstance(expression, sp.floor | sp.ceiling | sp.gamma):  # bounds on the argument bound it
            _collect(expression.args[0], found, in_exponent=in_exponent)
