"""Questions of order, answered from the assumptions: which breakpoint comes first, which sum converges.

After each parameter is measured from its own bound, a polynomial whose coefficients have one sign has that
sign.  That answers nearly everything noise asks, at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache
from typing import Any

import sympy as sp

from dpsym.core.relations import IsInteger, Relation, propositions
from dpsym.divergences.exponential_sums import ExpSum, Rational, Ring

_Bound = tuple[Any, bool]  # a rational number, and whether it is excluded


class Signs:
    """The signs of rational functions of the parameters, wherever the assumptions hold."""

    def __init__(self, ring: Ring, assume: Iterable[object]) -> None:
        self.ring = ring
        self.assume = propositions(assume)
        self._lower: dict[int, _Bound] = {}
        self._upper: dict[int, _Bound] = {}
        self._positive: list[tuple[Rational, bool]] = []  # known to be > 0, or >= 0
        self._integers: set[int] = set()
        self._known: dict[Rational, tuple[int, bool] | None] = {}
        for proposition in self.assume:
            if isinstance(proposition, IsInteger):
                if proposition.expression in ring.generators:
                    self._integers.add(ring.generators.index(proposition.expression))
            elif isinstance(proposition, Relation):
                self._learn(proposition)
        for index, generator in enumerate(ring.generators):
            if generator.is_number and (bounds := _rational_bounds(generator)) is not None:
                self._bound(index, bounds[0], True, below=True)
                self._bound(index, bounds[1], True, below=False)
        for index, generator in enumerate(ring.generators):
            if isinstance(generator, sp.Pow):
                self._learn_root(index, generator)
            elif isinstance(generator, sp.log):
                self._learn_logarithm(index, generator)
            elif isinstance(generator, sp.Sum) and isinstance(generator.function, sp.exp):
                self._bound(index, sp.QQ(0), True, below=True)  # of real exponents
            elif isinstance(generator, sp.gamma):
                self._learn_gamma(index, generator)
            elif isinstance(generator, sp.exp):
                self._learn_exponential(index, generator)
            elif isinstance(generator, sp.floor | sp.ceiling):
                self._learn_rounding(index, generator)

    def suppose(self, condition: Relation) -> None:
        """From here on, take this for granted too."""
        self.assume += (condition,)
        self._known.clear()
        self._learn(condition)

    def of(self, element: Rational) -> int | None:
        """1, 0 or -1 where the sign is proved to be that everywhere, else None."""
        found = self._sign(element)
        if found is None or (found[0] != 0 and not found[1]):
            return None
        return found[0]

    def at_least_zero(self, element: Rational) -> bool:
        """Whether it is proved to be nowhere negative."""
        found = self._sign(element)
        return found is not None and found[0] >= 0

    def of_sum(self, total: ExpSum) -> int | None:
        """The strict sign of an exponential sum, where it is proved."""
        found = self._sign_of_sum(total)
        if found is None or (found[0] != 0 and not found[1]):
            return None
        return found[0]

    def sum_at_least_zero(self, total: ExpSum) -> bool:
        """Whether an exponential sum is proved to be nowhere negative."""
        found = self._sign_of_sum(total)
        return found is not None and found[0] >= 0

    def _sign_of_sum(self, total: ExpSum) -> tuple[int, bool] | None:
        """Where its terms agree, or it is a multiple of a difference of two exponentials."""
        if not total.terms:
            return 0, True
        if not all(self._is_positive(base, x) for _, powers in total.terms for base, x in powers):
            return None
        signs = [self._sign(coefficient) for coefficient in total.terms.values()]
        if all(s is not None and s[0] == 1 for s in signs) or all(s is not None and s[0] == -1 for s in signs):
            return signs[0][0], any(s is not None and s[1] for s in signs)  # type: ignore[index]
        if len({powers for _, powers in total.terms}) != 1:
            numerator, denominator = total.over_common_denominator()
            if not any(denominator.values()) or len({powers for _, powers in numerator.terms}) > 1:
                return None
            return self._sign_of_sum(numerator)  # the bases are positive, as was checked
        for sign in (1, -1):
            strict = self._dominated({e: c * sign for (e, _), c in total.terms.items()})
            if strict is not None:
                return sign, strict
        return None

    def _dominated(self, terms: dict[Rational, Rational]) -> bool | None:
        """Whether each negative term has a positive one outweighing it: strictly?  None if not shown."""
        signs = {e: self.of(c) for e, c in terms.items()}
        spare = [e for e, sign in signs.items() if sign == 1]
        strict = False
        for exponent, sign in signs.items():
            if sign == 1:
                continue
            for other in spare if sign == -1 else ():
                height, weight = self._sign(other - exponent), self._sign(terms[other] + terms[exponent])
                if height is not None and weight is not None and height[0] >= 0 and weight[0] >= 0:
                    spare.remove(other)
                    strict |= any(bool(s) and certain for s, certain in (height, weight))
                    break
            else:
                return None
        return bool(strict or spare)

    def _is_positive(self, base: sp.Expr, exponent: Rational) -> bool:
        value = self.ring.base_sum(base)
        if value is None:
            return True  # the bases that are not sums are made positive
        return self.of_sum(value) == 1

    def is_integer(self, element: Rational) -> bool:
        """Whether it is a polynomial with integer coefficients in integer symbols."""
        if element.denom != 1:
            return False
        for exponents, coefficient in element.numer.terms():
            if coefficient.denominator != 1:
                return False
            if any(power and index not in self._integers for index, power in enumerate(exponents)):
                return False
        return True

    # --- how
    def _learn(self, relation: Relation) -> None:
        for side in (relation, relation.swapped):
            if side.lhs in self.ring.generators and isinstance(side.rhs, sp.Rational):
                index, value = self.ring.generators.index(side.lhs), sp.QQ(side.rhs.p, side.rhs.q)
                if side.op in (">", ">=", "="):
                    self._bound(index, value, side.op == ">", below=True)
                if side.op in ("<", "<=", "="):
                    self._bound(index, value, side.op == "<", below=False)
                return
        try:
            gap = self.ring.rational(relation.lhs) - self.ring.rational(relation.rhs)
        except ArithmeticError:
            return  # it speaks of something else
        if relation.op in (">", ">="):
            self._positive.append((gap, relation.op == ">"))
        elif relation.op in ("<", "<="):
            self._positive.append((-gap, relation.op == "<"))

    def _learn_root(self, index: int, generator: sp.Expr) -> None:
        """A root is not negative, and positive where its radicand is."""
        radicand = self.ring.field.gens[index] ** int(1 / generator.exp)
        strict = any(strict and known == radicand for known, strict in self._positive)
        self._bound(index, sp.QQ(0), strict, below=True)

    def _learn_logarithm(self, index: int, generator: sp.Expr) -> None:
        """log(x) has the sign of x - 1."""
        try:
            sign = self.of(self.ring.rational(generator.args[0]) - 1)
        except ArithmeticError:
            return
        if sign:
            self._bound(index, sp.QQ(0), True, below=sign == 1)
        self._known.clear()

    def _learn_gamma(self, index: int, generator: sp.Expr) -> None:
        """The gamma function is positive where its argument is."""
        try:
            positive = self.of(self.ring.rational(generator.args[0])) == 1
        except ArithmeticError:
            return
        if positive:
            self._bound(index, sp.QQ(0), True, below=True)
        self._known.clear()

    def _learn_exponential(self, index: int, generator: sp.Expr) -> None:
        """exp(x) > 0, and exp(x) - 1 has the sign of x."""
        self._bound(index, sp.QQ(0), True, below=True)
        try:
            sign = self.of(self.ring.rational(generator.args[0]))
        except ArithmeticError:
            return
        if sign:
            self._bound(index, sp.QQ(1), True, below=sign == 1)
        self._known.clear()

    def _learn_rounding(self, index: int, generator: sp.Expr) -> None:
        """n <= x < n + 1 for n = floor(x), and the integers that bound x; ceiling(x) is -floor(-x)."""
        self._integers.add(index)
        try:
            inner = self.ring.rational(generator.args[0])
        except ArithmeticError:
            return
        rounded, down = self.ring.field(self.ring.field.gens[index]), isinstance(generator, sp.floor)
        for bound in (1, 0):
            if self.at_least_zero((inner if down else -inner) - bound):
                self._bound(index, sp.QQ(bound if down else -bound), False, below=down)
                break
        self._known.clear()
        lost = inner - rounded if down else rounded - inner
        self._positive += [(lost, False), (1 - lost, True)]

    def _bound(self, index: int, value: Any, strict: bool, *, below: bool) -> None:
        bounds = self._lower if below else self._upper
        if index not in bounds:
            bounds[index] = (value, strict)
            return
        old, old_strict = bounds[index]
        tighter = value > old if below else value < old
        if tighter or (value == old and strict and not old_strict):
            bounds[index] = (value, strict)

    def _sign(self, element: Rational) -> tuple[int, bool] | None:
        """(sign, strict): (1, False) is 'nowhere negative'."""
        element = self.ring.field(element)  # SymPy answers 0 + 1 with a plain int
        if element == 0:
            return 0, True
        if element not in self._known:
            self._known[element] = self._find(element)
        return self._known[element]

    def _find(self, element: Rational) -> tuple[int, bool] | None:
        direct = self._of_fraction(element)
        if direct is not None:
            return direct
        for known, strict in self._positive:
            quotient = self._of_fraction(element / known) if known != 0 else None
            if quotient is not None:
                return quotient[0], quotient[1] and strict
        return None

    def _of_fraction(self, element: Rational) -> tuple[int, bool] | None:
        above, below = self._of_polynomial(element.numer, 2), self._of_polynomial(element.denom, 1)
        if above is None or below is None:
            return None
        if not below[1]:
            return None  # it might be divided by zero there
        return above[0] * below[0], above[1]

    def _of_polynomial(self, polynomial: Any, depth: int) -> tuple[int, bool] | None:
        whole = self._by_coefficients(polynomial)
        if whole is not None and whole[1]:
            return whole
        content, factors = polynomial.factor_list()
        sign, strict = (1 if content > 0 else -1), True
        for factor, power in factors:
            found = self._by_coefficients(factor) or self._by_subtraction(factor, depth)
            if found is None and power % 2:
                return whole
            if found is None:
                strict = False
            else:
                sign, strict = sign * found[0] ** power, strict and found[1]
        return sign, strict

    def _by_subtraction(self, polynomial: Any, depth: int) -> tuple[int, bool] | None:
        """The sign of p = c f + r from those of a known f > 0 (or >= 0) and of the rest r."""
        if depth == 0:
            return None
        for known, strict in self._positive:
            below = self._by_coefficients(known.denom)
            if below is None or not below[1]:
                continue
            fact = known.numer * below[0]
            for monomial, coefficient in fact.terms():
                share = polynomial.get(monomial, 0) / coefficient
                if share == 0:
                    continue
                rest = polynomial - fact * share
                sign = 1 if share > 0 else -1
                left = (0, True) if rest == 0 else self._of_polynomial(rest, depth - 1)
                if left is not None and left[0] in (0, sign):
                    return sign, strict or (left[0] != 0 and left[1])
        return None

    def _by_coefficients(self, polynomial: Any) -> tuple[int, bool] | None:
        """The common sign of the coefficients after moving each parameter to its bound."""
        corners: list[list[tuple[int, int]]] = []  # (parameter, the power of a monomial that survives there)
        free: set[int] = set()
        for index, generator in enumerate(polynomial.ring.gens):
            degree = polynomial.degree(generator)
            if degree <= 0:
                continue
            lower, upper = self._lower.get(index), self._upper.get(index)
            if lower is None and upper is None:
                free.add(index)
                continue
            polynomial = _from_bounds(polynomial, index, lower and lower[0], upper and upper[0])
            near, far = (upper, None) if lower is None else (lower, upper)
            attained = [(index, 0)] if near is not None and not near[1] else []
            attained += [(index, degree)] if far is not None and not far[1] else []
            corners += [attained] if attained else []
        sign = 0
        for exponents, coefficient in polynomial.terms():
            this = 1 if coefficient > 0 else -1
            if sign not in (0, this) or any(exponents[index] % 2 for index in free):
                return None
            sign = this
        strict = all(
            any(
                all(exponents[index] == power for index, power in corner)
                and not any(exponents[index] for index in free)
                for exponents in polynomial.itermonoms()
            )
            for corner in itertools.product(*corners)
        )
        return (sign, strict) if sign else (0, True)


def _from_bounds(polynomial: Any, index: int, lower: Any, upper: Any) -> Any:
    """A positive multiple of the polynomial, the generator replaced by its distance t >= 0 from a bound."""
    t = polynomial.ring.gens[index]
    if upper is None:
        return polynomial.compose(t, t + lower)
    if lower is None:
        return polynomial.compose(t, upper - t)
    degree = polynomial.degree(t)
    total = polynomial.ring.zero
    for exponents, coefficient in polynomial.terms():
        power = exponents[index]
        rest = polynomial.ring({tuple(0 if i == index else e for i, e in enumerate(exponents)): coefficient})
        total += rest * (lower + upper * t) ** power * (1 + t) ** (degree - power)
    return total


@cache
def _rational_bounds(constant: sp.Expr) -> tuple[Any, Any] | None:
    """Two rationals around a constant that is not one; None where they would be astronomical."""
    from dpsym.numbers import NotEnclosed, enclose

    try:
        found = enclose(constant, digits=15)
    except NotEnclosed:
        return None
    return tuple(sp.QQ(*bound.as_integer_ratio()) for bound in (found.lower, found.upper))
