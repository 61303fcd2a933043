"""A canonical form: every expression as a quotient of two polynomials in kernels, over the rationals.

A kernel stands for a symbol, an exponential, a logarithm, a root or a function value.  Every rewriting is an
identity wherever the expression is defined on the domain, so a numerator that vanishes proves that the
expression does.  Kernels need not be independent: a numerator that does not vanish proves nothing.

Bounds on a symbol are built in by substitution: a symbol above l is l + t, one in (l, u) is (u + l t)/(1 + t),
with t > 0, so that many signs can be read off the coefficients.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from dpsym.deciding.domain import Domain
from dpsym.notation import Phi, Phi_inv, phi

_MOST_KERNELS = 48
_MOST_TERMS = 20_000
_MOST_RESTARTS = 24
_LARGEST_POWER = 64
_LARGEST_EXPONENT = 10_000
_LARGEST_FACTORED = 10**12


class Positivity(IntEnum):
    """What is known of a kernel's sign."""

    UNKNOWN = 0
    NONNEGATIVE = 1
    POSITIVE = 2


class Unsupported(ArithmeticError):
    """The expression has no canonical form here."""


class _Restart(Exception):
    """A kernel is needed as a power of its root; the form is built anew with it."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """`above/below` in the kernels of one `CanonicalForm`."""

    above: fmpq_mpoly
    below: fmpq_mpoly


@dataclass(slots=True)
class _Kernel:
    key: tuple[str, ...]
    positivity: Positivity
    square: fmpq_mpoly | None = None  # for a root of something that is no kernel
    inner: Quotient | None = None  # the exponent of an exponential, the argument of a logarithm
    degree: int = 1  # the value is the degree-th power of the generator (of an exponential: its root)


class CanonicalForm:
    """The kernels of some expressions on a domain, and the expressions as quotients in them.

    Raises (when built):
        Unsupported: for expressions that it cannot put in this form, or that grow too large.
    """

    def __init__(self, expressions: tuple[sp.Expr, ...], domain: Domain) -> None:
        self._domain = domain
        self._ring = fmpq_mpoly_ctx.get([f"k{i}" for i in range(_MOST_KERNELS)], Ordering.lex)
        self._generators = self._ring.gens()
        self._one, self._zero = self._ring.constant(1), self._ring.constant(0)
        self._degrees: dict[tuple[str, ...], int] = {}
        self._leaves_out_an_end = False  # of a closed interval: there, signs hold by continuity, not strictly
        for _ in range(_MOST_RESTARTS):
            self._kernels: list[_Kernel] = []
            self._index: dict[tuple[str, ...], int] = {}
            self._done: dict[sp.Expr, Quotient] = {}
            try:
                self.quotients = [self._convert(e) for e in expressions]
            except _Restart:
                continue
            return
        raise Unsupported("too many nested roots")

    # --- signs

    def sign(self, quotient: Quotient) -> tuple[int, bool] | None:
        """(1 or -1, strict?) or (0, True) of a quotient, where it is proved; None otherwise."""
        above = self._factored_sign(quotient.above)
        below = self._factored_sign(quotient.below)
        if above is None or below is None or not below[1]:
            return None
        if self._leaves_out_an_end and above[0]:
            return above[0] * below[0], False
        return above[0] * below[0], above[1]

    def _factored_sign(self, p: fmpq_mpoly) -> tuple[int, bool] | None:
        if p.is_zero():
            return 0, True
        direct = self._coefficient_sign(p)
        if direct is not None and direct[1]:
            return direct
        constant, factors = p.factor()
        sign, strict = (1 if constant > 0 else -1), True
        for factor, multiplicity in factors:
            known = self._coefficient_sign(factor)
            if int(multiplicity) % 2 == 0:
                strict = strict and known is not None and known[1]
            elif known is None and (known := self._difference_of_roots(factor) or self._above_one(factor)) is None:
                return direct
            else:
                sign, strict = sign * known[0], strict and known[1]
        return sign, strict

    def _above_one(self, p: fmpq_mpoly) -> tuple[int, bool] | None:
        """The sign with every exponential of something positive written as 1 + s, s > 0."""
        large = [
            i
            for i, kernel in enumerate(self._kernels)
            if kernel.key[0] == "exp"
            and kernel.inner is not None
            and p.degrees()[i]
            and self._exceeds_zero(kernel.inner)
        ]
        if not large or sum(p.degrees()[i] for i in large) > _LARGEST_POWER:
            return None
        shifted = [g + 1 if i in large else g for i, g in enumerate(self._generators)]
        return self._coefficient_sign(p.compose(*shifted))

    def _exceeds_zero(self, q: Quotient) -> bool:
        above, below = self._coefficient_sign(q.above), self._coefficient_sign(q.below)
        return above is not None and below is not None and above[1] and below[1] and above[0] * below[0] > 0

    def _difference_of_roots(self, p: fmpq_mpoly) -> tuple[int, bool] | None:
        """A - B has the sign of A^2 - B^2 for two non-negative monomials, which is simpler where they have roots."""
        terms = list(p.to_dict().items())
        if len(terms) != 2 or not any(
            e and kernel.square is not None for t in terms for e, kernel in zip(t[0], self._kernels, strict=False)
        ):
            return None
        plus, minus = sorted(terms, key=lambda t: -t[1])
        first, second = self._ring.from_dict({plus[0]: plus[1]}), self._ring.from_dict({minus[0]: -minus[1]})
        if plus[1] < 0 or minus[1] > 0 or not all(self._coefficient_sign(x) for x in (first, second)):
            return None
        return self._factored_sign(self._without_squares(first**2 - second**2))

    def _coefficient_sign(self, p: fmpq_mpoly) -> tuple[int, bool] | None:
        """All terms of one sign, by the signs of their coefficients and kernels."""
        sign, strict = 0, False
        for exponents, coefficient in p.to_dict().items():
            term = 1 if coefficient > 0 else -1
            if sign and term != sign:
                return None
            sign = term
            positive = True
            for i, exponent in enumerate(exponents):
                if exponent == 0:
                    continue
                known = self._kernels[i].positivity
                if exponent % 2 and known is Positivity.UNKNOWN:
                    return None
                positive = positive and known is Positivity.POSITIVE
            strict = strict or positive
        return (sign, strict) if sign else (0, True)

    def _positivity(self, p: fmpq_mpoly) -> Positivity:
        known = self._factored_sign(p)
        if known is None or known[0] < 0:
            return Positivity.UNKNOWN
        return Positivity.POSITIVE if known[0] > 0 and known[1] else Positivity.NONNEGATIVE

    # --- field operations

    def _polynomial(self, p: fmpq_mpoly) -> Quotient:
        return Quotient(p, self._one)

    def _constant(self, c: fmpq | int) -> Quotient:
        return Quotient(self._ring.constant(c), self._one)

    def _reduced(self, above: fmpq_mpoly, below: fmpq_mpoly) -> Quotient:
        above, below = self._without_squares(above), self._without_squares(below)
        if below.is_zero():
            raise Unsupported("a denominator vanishes identically")
        if len(above) > _MOST_TERMS or len(below) > _MOST_TERMS:
            raise Unsupported("the canonical form grows too large")
        if above.is_zero():
            return self._polynomial(self._zero)
        common = above.gcd(below)
        if not common.is_one():
            above, below = above // common, below // common
        leading = below.leading_coefficient()
        return Quotient(above * (1 / leading), below * (1 / leading)) if leading != 1 else Quotient(above, below)

    def _without_squares(self, p: fmpq_mpoly) -> fmpq_mpoly:
        """Replace the square of a root kernel by what it is the root of; later roots first."""
        for i in range(len(self._kernels) - 1, -1, -1):
            square = self._kernels[i].square
            if square is None or p.is_zero() or p.degrees()[i] < 2:
                continue
            total = self._zero
            for exponents, coefficient in p.to_dict().items():
                times, rest = divmod(exponents[i], 2)
                lowered = (*exponents[:i], rest, *exponents[i + 1 :])
                total += self._ring.from_dict({lowered: coefficient}) * square**times
            p = total
        return p

    def _add(self, x: Quotient, z: Quotient) -> Quotient:
        return self._reduced(x.above * z.below + z.above * x.below, x.below * z.below)

    def _multiply(self, x: Quotient, z: Quotient) -> Quotient:
        return self._reduced(x.above * z.above, x.below * z.below)

    def _invert(self, x: Quotient) -> Quotient:
        if x.above.is_zero():
            raise Unsupported("division by something that vanishes identically")
        return self._reduced(x.below, x.above)

    def _power(self, x: Quotient, exponent: int) -> Quotient:
        if abs(exponent) > _LARGEST_POWER:
            raise Unsupported(f"the power {exponent} is too large")
        if exponent < 0:
            return self._power(self._invert(x), -exponent)
        return self._reduced(x.above**exponent, x.below**exponent)

    # --- kernels

    def _kernel(self, key: tuple[str, ...], positivity: Positivity, **more: object) -> int:
        if key not in self._index:
            if len(self._kernels) == _MOST_KERNELS:
                raise Unsupported(f"more than {_MOST_KERNELS} kernels")
            self._index[key] = len(self._kernels)
            self._kernels.append(_Kernel(key, positivity, **more))  # type: ignore[arg-type]
        return self._index[key]

    def _value(self, key: tuple[str, ...], positivity: Positivity, **more: object) -> Quotient:
        degree = self._degrees.get(key, 1)
        i = self._kernel(key, positivity, degree=degree, **more)
        return self._polynomial(self._generators[i] ** degree)

    @staticmethod
    def _spelled(q: Quotient) -> str:
        return f"({q.above})/({q.below})"

    def _single(self, p: fmpq_mpoly) -> tuple[int, int] | None:
        """(kernel, exponent) where p is a power of one generator with coefficient 1."""
        terms = p.to_dict()
        if len(terms) != 1:
            return None
        ((exponents, coefficient),) = terms.items()
        used = [(i, e) for i, e in enumerate(exponents) if e]
        return used[0] if coefficient == 1 and len(used) == 1 else None

    # --- expressions

    def _convert(self, e: sp.Expr) -> Quotient:
        if e not in self._done:
            self._done[e] = self._build(e)
        return self._done[e]

    def _build(self, e: sp.Expr) -> Quotient:
        if isinstance(e, sp.Rational):
            return self._constant(fmpq(int(e.p), int(e.q)))
        if isinstance(e, sp.Symbol):
            return self._symbol(e)
        if e is sp.pi:
            return self._value(("pi",), Positivity.POSITIVE)
        if e is sp.E:
            return self._exponential(self._constant(1))
        if isinstance(e, sp.Add | sp.Mul):
            combine = self._add if isinstance(e, sp.Add) else self._multiply
            total, *rest = (self._convert(a) for a in e.args)
            for x in rest:
                total = combine(total, x)
            return total
        if isinstance(e, sp.Pow):
            return self._build_power(*e.args)
        if isinstance(e, sp.exp):
            return self._exponential(self._convert(e.args[0]))
        if isinstance(e, sp.re | sp.conjugate):  # every symbol is real here, which SymPy does not know
            return self._convert(e.args[0])
        if isinstance(e, sp.log):
            return self._logarithm(self._convert(e.args[0]))
        if isinstance(e, sp.sinh | sp.cosh | sp.tanh | sp.coth):
            return self._convert(e.rewrite(sp.exp))
        if isinstance(e, sp.Abs):
            return self._absolute(self._convert(e.args[0]))
        if isinstance(e, sp.Max | sp.Min):
            return self._extremum(e)
        if isinstance(e, Phi | sp.erf | sp.erfc | phi | Phi_inv):
            return self._normal(e)
        if isinstance(e, sp.Lambda | sp.Sum | sp.Integral | sp.Piecewise) or not isinstance(e, sp.Function):
            raise Unsupported(f"{type(e).__name__} has no canonical form")
        if any(not isinstance(a, sp.Expr) or a.has(sp.Lambda) or a.is_infinite for a in e.args):
            raise Unsupported(f"{type(e).__name__} has no canonical form")
        arguments = [self._spelled(self._convert(a)) for a in e.args]
        if self._leaves_out_an_end and isinstance(e, sp.floor | sp.ceiling):
            raise Unsupported("a jump at an end of a closed interval")
        known = Positivity.POSITIVE if isinstance(e, sp.gamma | sp.factorial) else Positivity.UNKNOWN
        return self._value((type(e).__name__, *arguments), known)

    def _symbol(self, symbol: sp.Symbol) -> Quotient:
        bounds = self._domain.of(symbol)
        low, high = bounds.lower, bounds.upper
        if low is not None and low == high:
            return self._convert(low)
        if low is None and high is None:
            return self._value(("symbol", symbol.name), Positivity.UNKNOWN)
        if low is None or high is None:
            attained = not (bounds.lower_open if high is None else bounds.upper_open)
            t = self._value(("symbol", symbol.name), Positivity.NONNEGATIVE if attained else Positivity.POSITIVE)
            if high is None:
                return self._add(self._convert(low), t)
            return self._add(self._convert(high), self._multiply(self._constant(-1), t))
        # t runs from the near end (t = 0) to the far end (t = oo); an attained end is put near where it can be
        near, far, near_open, far_open = high, low, bounds.upper_open, bounds.lower_open
        if near_open and not far_open:
            near, far, near_open, far_open = far, near, far_open, near_open
        self._leaves_out_an_end = self._leaves_out_an_end or not far_open
        t = self._value(("symbol", symbol.name), Positivity.POSITIVE if near_open else Positivity.NONNEGATIVE)
        above = self._add(self._convert(near), self._multiply(self._convert(far), t))
        return self._multiply(above, self._invert(self._add(self._constant(1), t)))

    def _build_power(self, base: sp.Expr, exponent: sp.Expr) -> Quotient:
        if base is sp.E:
            return self._exponential(self._convert(exponent))
        if isinstance(exponent, sp.Integer):
            return self._power(self._convert(base), int(exponent))
        if isinstance(exponent, sp.Rational) and exponent.q == 2:
            return self._power(self._root(self._convert(base)), int(exponent.p))
        if isinstance(exponent, sp.Rational):
            return self._build_root(base, exponent)
        # base > 0 is an obligation of a power with a symbolic exponent
        return self._exponential(self._multiply(self._convert(exponent), self._logarithm(self._convert(base))))

    def _build_root(self, base: sp.Expr, exponent: sp.Rational) -> Quotient:
        """x**(p/q) for x >= 0: through the logarithm only where x is positive, which it need not be."""
        inside = self._convert(base)
        if self.sign(inside) == (1, True):
            return self._exponential(self._multiply(self._convert(exponent), self._logarithm(inside)))
        power, degree = int(exponent.p), int(exponent.q)
        root = inside
        while degree % 2 == 0:
            root, degree = self._root(root), degree // 2
        if degree > 1:
            root = self._value(("root", str(degree), self._spelled(root)), Positivity.NONNEGATIVE)
        return self._power(root, power)

    def _exponential(self, exponent: Quotient) -> Quotient:
        """exp of a sum of monomials, each with a kernel of its own up to rational multiples."""
        product = self._polynomial(self._one)
        for exponents, coefficient in exponent.above.to_dict().items():
            monomial = self._ring.from_dict({exponents: fmpq(1)})
            power = self._power_of_log_argument(monomial, exponent.below, fmpq(coefficient))
            product = self._multiply(product, power or self._exponential_kernel(monomial, exponent.below, coefficient))
        return product

    def _power_of_log_argument(self, monomial: fmpq_mpoly, below: fmpq_mpoly, c: fmpq) -> Quotient | None:
        """exp(c log|f|) = |f|^c for integer and half-integer c."""
        single = self._single(monomial)
        if not below.is_one() or single is None or single[1] != 1 or c.q not in (1, 2):
            return None
        kernel = self._kernels[single[0]]
        if kernel.key[0] != "log" or kernel.inner is None or kernel.degree != 1:
            return None
        size = self._absolute(kernel.inner)
        return self._power(size if c.q == 1 else self._root(size), int(c.p))

    def _exponential_kernel(self, monomial: fmpq_mpoly, below: fmpq_mpoly, coefficient: fmpq) -> Quotient:
        unit = self._reduced(monomial, below)
        scale = unit.above.leading_coefficient()
        unit, c = Quotient(unit.above * (1 / scale), unit.below), fmpq(coefficient) * scale
        key = ("exp", self._spelled(unit))
        degree = self._degrees.get(key, 1)
        if degree % int(c.q):
            self._degrees[key] = math.lcm(degree, int(c.q))
            raise _Restart
        i = self._kernel(key, Positivity.POSITIVE, inner=unit, degree=degree)
        power = int(c.p) * (degree // int(c.q))
        if abs(power) > _LARGEST_EXPONENT:
            raise Unsupported(f"the exponent {c} is too large")
        monomial = self._generators[i] ** abs(power)
        return Quotient(monomial, self._one) if power >= 0 else Quotient(self._one, monomial)

    def _logarithm(self, x: Quotient) -> Quotient:
        """log of a positive x as the sum of m log|f| over its irreducible factors f**m."""
        if x.above.is_zero():
            raise Unsupported("the logarithm of zero")
        total = self._polynomial(self._zero)
        for p, side in ((x.above, 1), (x.below, -1)):
            constant, factors = p.factor()
            for prime, times in self._primes(constant):
                value = self._log_of_factor(self._ring.constant(prime))
                total = self._add(total, self._multiply(self._constant(side * times), value))
            for factor, times in factors:
                value = self._log_of_factor(factor)
                total = self._add(total, self._multiply(self._constant(side * int(times)), value))
        return total

    def _log_of_factor(self, factor: fmpq_mpoly) -> Quotient:
        single = self._single(factor)
        if single is not None and single[1] == 1:
            kernel = self._kernels[single[0]]
            if kernel.key[0] == "exp" and kernel.inner is not None:  # log exp(u/degree) = u/degree
                return self._multiply(kernel.inner, self._constant(fmpq(1, kernel.degree)))
            if kernel.square is not None:  # log of a root is half a log
                return self._multiply(self._constant(fmpq(1, 2)), self._logarithm(self._polynomial(kernel.square)))
            if kernel.degree > 1:
                whole = self._generators[single[0]] ** kernel.degree
                return self._multiply(self._constant(fmpq(1, kernel.degree)), self._log_kernel(whole))
        if factor.leading_coefficient() < 0:
            factor = -factor
        return self._log_kernel(factor)

    def _log_kernel(self, factor: fmpq_mpoly) -> Quotient:
        """log|factor|, with its sign where the factor is known to exceed 1."""
        known = self._positivity(factor - self._one) if self._positivity(factor) is Positivity.POSITIVE else (
            Positivity.UNKNOWN
        )  # fmt: skip
        return self._value(("log", str(factor)), known, inner=self._polynomial(factor))

    @staticmethod
    def _primes(constant: fmpq) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for number, side in ((abs(int(constant.p)), 1), (int(constant.q), -1)):
            if number > _LARGEST_FACTORED:
                found.append((number, side))
            else:
                found += [(prime, side * times) for prime, times in sp.factorint(number).items() if prime > 1]
        return found

    def _root(self, x: Quotient) -> Quotient:
        """The square root of x >= 0: sqrt(n/d) = sqrt(n d)/|d|, taken factor by factor."""
        if x.above.is_zero():
            return self._polynomial(self._zero)
        constant, factors = (x.above * x.below).factor()
        result, left = self._invert(self._absolute(self._polynomial(x.below))), self._one
        sign = 1 if constant > 0 else -1
        for prime, times in self._primes(constant):
            result = self._multiply(result, self._power(self._constant(prime), times // 2))
            if times % 2:
                result = self._multiply(result, self._root_kernel(self._ring.constant(prime)))
        for factor, multiplicity in factors:
            times = int(multiplicity)
            known = self._factored_sign(factor)
            if known is not None and known[0] < 0:
                factor, sign, known = -factor, sign * (-1) ** (times % 2), (1, known[1])
            size = self._polynomial(factor) if known is not None else self._absolute(self._polynomial(factor))
            result = self._multiply(result, self._power(size, times // 2))
            if times % 2 and known is not None:
                result = self._multiply(result, self._root_kernel(factor))
            elif times % 2:
                left = left * factor
        left = left * sign
        if left.is_one():
            return result
        if left.is_constant():
            raise Unsupported("the square root of something negative")
        return self._multiply(result, self._root_kernel(left))

    def _root_kernel(self, p: fmpq_mpoly) -> Quotient:
        single = self._single(p)
        if single is not None and single[1] == 1 and self._kernels[single[0]].square is None:
            kernel = self._kernels[single[0]]
            if kernel.positivity is not Positivity.UNKNOWN:
                self._degrees[kernel.key] = 2 * kernel.degree
                raise _Restart
        known = Positivity.POSITIVE if self._positivity(p) is Positivity.POSITIVE else Positivity.NONNEGATIVE
        i = self._kernel(("sqrt", str(p)), known, square=p)
        return self._polynomial(self._generators[i])

    def _absolute(self, x: Quotient) -> Quotient:
        known = self.sign(x)
        if known is not None:
            return self._multiply(x, self._constant(known[0])) if known[0] else self._polynomial(self._zero)
        result = self._polynomial(self._one)
        for p, side in ((x.above, 1), (x.below, -1)):
            constant, factors = p.factor()
            result = self._multiply(result, self._power(self._constant(abs(constant)), side))
            for factor, times in factors:
                sign = self._factored_sign(factor)
                if sign is not None:
                    size = self._polynomial(factor * sign[0])
                else:
                    factor = factor if factor.leading_coefficient() > 0 else -factor
                    i = self._kernel(("sqrt", str(factor**2)), Positivity.NONNEGATIVE, square=factor**2)
                    size = self._polynomial(self._generators[i])
                result = self._multiply(result, self._power(size, side * int(times)))
        return result

    def _extremum(self, e: sp.Expr) -> Quotient:
        """Max or Min: the arguments that another one certainly beats are dropped."""
        direction = 1 if isinstance(e, sp.Max) else -1
        best = [self._convert(a) for a in e.args]
        i = 0
        while i < len(best) and len(best) > 1:
            beaten = False
            for j, other in enumerate(best):
                gap = self.sign(self._add(other, self._multiply(self._constant(-1), best[i]))) if i != j else None
                beaten = beaten or (gap is not None and gap[0] * direction >= 0)
            if beaten:
                best.pop(i)
            else:
                i += 1
        if len(best) == 1:
            return best[0]
        known = [self.sign(q) for q in best]
        signs = [k is not None and k[0] >= 0 for k in known]
        nonnegative = any(signs) if direction == 1 else all(signs)
        key = (type(e).__name__, *sorted(self._spelled(q) for q in best))
        return self._value(key, Positivity.NONNEGATIVE if nonnegative else Positivity.UNKNOWN)

    def _normal(self, e: sp.Expr) -> Quotient:
        """Everything of the normal distribution through Phi at an argument of fixed sign, and Phi_inv."""
        (argument,) = e.args
        if isinstance(e, phi):
            return self._convert(sp.exp(-(argument**2) / 2) / sp.sqrt(2 * sp.pi))
        if isinstance(e, sp.erf):
            return self._convert(2 * Phi(argument * sp.sqrt(2)) - 1)
        if isinstance(e, sp.erfc):
            return self._convert(2 * Phi(-argument * sp.sqrt(2)))
        x = self._convert(argument)
        if isinstance(e, Phi_inv):  # Phi_inv(1 - p) = -Phi_inv(p)
            other = self._add(self._constant(1), self._multiply(self._constant(-1), x))
            mirrored = self._spelled(other) < self._spelled(x)
            value = self._value(
                ("Phi_inv", self._spelled(other if mirrored else x)),
                Positivity.UNKNOWN,
                inner=other if mirrored else x,
            )
            return self._multiply(self._constant(-1), value) if mirrored else value
        if x.above.is_zero():
            return self._constant(fmpq(1, 2))
        single = self._single(x.above) or self._single(-x.above)
        if single is not None and x.below.is_one() and single[1] == 1:
            kernel = self._kernels[single[0]]
            if kernel.key[0] == "Phi_inv" and kernel.inner is not None and kernel.degree == 1:
                if self._single(x.above) is not None:
                    return kernel.inner
                return self._add(self._constant(1), self._multiply(self._constant(-1), kernel.inner))
        mirrored = x.above.leading_coefficient() < 0
        if mirrored:
            x = Quotient(-x.above, x.below)
        value = self._value(("Phi", self._spelled(x)), Positivity.POSITIVE)
        return self._add(self._constant(1), self._multiply(self._constant(-1), value)) if mirrored else value
