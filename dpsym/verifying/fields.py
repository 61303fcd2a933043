"""Rational functions over the rationals in the variables and in kernels; a quotient that is zero here is zero.

Kernels are treated as independent, so nothing is concluded from a quotient that is not zero.  Each rewriting is an
identity wherever its left side is a real number: exp(a + b) = exp(a) exp(b), log(x) = log|x|, log(exp(x)) = x, (c x)^(1/q) =
c^(1/q) x^(1/q) for c > 0, (x^(1/q))^q = x, Phi(-x) = 1 - Phi(x).
"""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

_GENERATORS, _MOST_TERMS, _HIGHEST, _PARTS = 48, 2000, 400, 12


class TooHard(ArithmeticError):
    """The expression is not defined there, or beyond the limits of this field."""


class Field:
    """The variables and the kernels met so far."""

    def __init__(self, variables: int) -> None:
        self.ring: Any = fmpq_mpoly_ctx.get(("g", _GENERATORS), "degrevlex")
        self.used = variables
        self.kernels: dict[tuple[Any, ...], Any] = {}
        self.exponents: dict[str, Quotient] = {}  # of the kernels that are exponentials
        self.roots: list[tuple[int, int, Any, Any]] = []  # generator^q = above/below

    def of(self, value: fmpq | int) -> Quotient:
        """A rational number."""
        return Quotient(self, self.ring.constant(fmpq(value)), self.ring.constant(1))

    def variable(self, index: int) -> Quotient:
        """A generator."""
        return Quotient(self, self.ring.gens()[index], self.ring.constant(1))

    def kernel(self, *key: object) -> Any:
        """The generator that stands for a kernel."""
        key = tuple(str(k) for k in key)
        if key not in self.kernels:
            if self.used >= _GENERATORS:
                raise TooHard("too many kernels")
            self.kernels[key] = self.ring.gens()[self.used]
            self.used += 1
        return self.kernels[key]

    def polynomial(self, above: Any) -> Quotient:
        """A polynomial."""
        return Quotient(self, above, self.ring.constant(1))

    def pi(self) -> Quotient:
        """The circle's."""
        return self.polynomial(self.kernel("pi"))


class Quotient:
    """above/below, in lowest terms."""

    def __init__(self, field: Field, above: Any, below: Any) -> None:
        if below.is_zero():
            raise TooHard("division by zero")
        if len(above) > _MOST_TERMS or len(below) > _MOST_TERMS or max((*above.degrees(), *below.degrees())) > _HIGHEST:
            raise TooHard("too large")
        common = above.gcd(below)
        scale = (below / common).leading_coefficient()
        self.field, self.above, self.below = field, above / common / scale, below / common / scale

    def __add__(self, o: Quotient) -> Quotient:
        return Quotient(self.field, self.above * o.below + o.above * self.below, self.below * o.below)

    def __neg__(self) -> Quotient:
        return Quotient(self.field, -self.above, self.below)

    def __mul__(self, o: Quotient) -> Quotient:
        return Quotient(self.field, self.above * o.above, self.below * o.below)

    def inverse(self) -> Quotient:
        """1/x."""
        if self.is_zero():
            raise TooHard("division by zero")
        return Quotient(self.field, self.below, self.above)

    def is_zero(self) -> bool:
        """Whether it is proved to be zero."""
        above = self.above
        for generator, degree, a, b in reversed(self.field.roots):
            while (top := above.degrees()[generator]) >= degree:
                if top > _HIGHEST or len(above) > _MOST_TERMS:
                    raise TooHard("too large")
                rest, lifted = self.field.ring.constant(0), self.field.ring.constant(0)
                for exponents, c in above.to_dict().items():
                    e = list(exponents)
                    if e[generator] >= degree:
                        e[generator] -= degree
                        lifted += self.field.ring.from_dict({tuple(e): c})
                    else:
                        rest += self.field.ring.from_dict({tuple(e): c})
                above = lifted * a + rest * b
        return bool(above.is_zero())

    def exp(self) -> Quotient:
        """e^x, a product of one kernel for each term."""
        result, field = self.field.of(1), self.field
        for exponents, c in self.above.to_dict().items():
            part = c * _PARTS
            monomial = field.ring.from_dict({exponents: 1})
            if part.q == 1:
                kernel, times, size = field.kernel("exp", monomial, self.below), int(part.p), fmpq(1, _PARTS)
            else:
                kernel, times, size = field.kernel("exp", monomial * abs(c), self.below), 1 if c > 0 else -1, abs(c)
            field.exponents[str(kernel)] = Quotient(field, monomial * size, self.below)
            if abs(times) > _HIGHEST:
                raise TooHard("too large")
            factor = Quotient(field, kernel ** abs(times), field.ring.constant(1))
            result = result * (factor if times > 0 else factor.inverse())
        return result

    def log(self) -> Quotient:
        """log|x|, a sum over the factors."""
        if self.is_zero():
            raise TooHard("logarithm of zero")
        field, result = self.field, self.field.of(0)
        for side, sign in ((self.above, 1), (self.below, -1)):
            content, factors = side.factor()
            for number, way in ((content.p, sign), (content.q, -sign)):
                for prime, times in abs(number).factor():
                    if prime > 1:
                        result = result + field.of(way * times) * field.polynomial(field.kernel("log", prime))
            for p, times in factors:
                if str(p) in field.exponents:
                    result = result + field.of(sign * int(times)) * field.exponents[str(p)]
                    continue
                result = result + field.of(sign * int(times)) * field.polynomial(field.kernel("log", _monic(p)))
                lead = abs(p.leading_coefficient())
                if lead != 1:
                    result = result + field.of(sign * int(times)) * field.of(lead).log()
        return result

    def power(self, r: fmpq) -> Quotient:
        """x^r."""
        p, q = int(r.p), int(r.q)
        if self.is_zero():
            if p < 0 or (p == 0 and q > 1):
                raise TooHard("a power of zero")
            return self.field.of(0 if p else 1)
        if abs(p) > _HIGHEST:
            raise TooHard("too large")
        if p < 0:
            return self.power(-r).inverse()
        if q == 1:
            if p * max((*self.above.degrees(), *self.below.degrees())) > _HIGHEST or (
                p > 3 and max(len(self.above), len(self.below)) > 40
            ):
                raise TooHard("too large")
            return Quotient(self.field, self.above**p, self.below**p)
        scale = self.above.leading_coefficient()
        result = self.field.of(1)
        for number, way in ((abs(scale).p, 1), (abs(scale).q, -1)):
            for prime, times in number.factor():
                if prime > 1:
                    root = self._root(self.field.of(fmpq(prime)), q).power(fmpq(int(times) * p))
                    result = result * (root if way > 0 else root.inverse())
        rest = self * self.field.of(1 / abs(scale))
        return result if (rest + self.field.of(-1)).is_zero() else result * self._root(rest, q).power(fmpq(p))

    def _root(self, x: Quotient, q: int) -> Quotient:
        field = self.field
        known = len(field.kernels)
        kernel = field.kernel("root", q, x.above, x.below)
        if len(field.kernels) > known:
            field.roots.append((field.used - 1, q, x.above, x.below))
        return field.polynomial(kernel)

    def sinh(self) -> Quotient:
        """Hyperbolic sine."""
        e = self.exp()
        return self.field.of(fmpq(1, 2)) * (e + -e.inverse())

    def cosh(self) -> Quotient:
        """Hyperbolic cosine."""
        e = self.exp()
        return self.field.of(fmpq(1, 2)) * (e + e.inverse())

    def tanh(self) -> Quotient:
        """Hyperbolic tangent."""
        return self.sinh() * self.cosh().inverse()

    def Phi(self) -> Quotient:
        """Distribution function of the standard normal."""
        if self.is_zero():
            return self.field.of(fmpq(1, 2))
        if self.above.leading_coefficient() < 0:
            return self.field.of(1) + -((-self).Phi())
        return self.field.polynomial(self.field.kernel("Phi", self.above, self.below))


def _monic(p: Any) -> Any:
    return p / p.leading_coefficient()
