"""Kernels, and arithmetic with quotients of polynomials in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import NewType

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from dpsym.core.clocks import charge
from dpsym.core.deadline import over

_MOST_KERNELS = 64  # variables of the ring, which is made before they are known
_TERM, _PRODUCT, _FACTORING = 6e-6, 5e-8, 5e-4  # seconds, roughly
_MOST_TERMS = 3_000  # of a quotient: beyond this arithmetic takes seconds and nothing interrupts it
_MOST_FACTORED_TERMS = 1_500  # factoring takes longer than arithmetic, and nothing interrupts it
_HIGHEST_FACTORED_DEGREE = 300  # for the same reason
_LARGEST_POWER = 64  # of a sum that is multiplied out
_LARGEST_FACTORED = 10**12  # whole numbers whose prime factors are found at once


class Positivity(IntEnum):
    """What is known of a kernel's sign."""

    UNKNOWN = 0
    NONNEGATIVE = 1
    POSITIVE = 2


Key = NewType("Key", tuple[str, ...])  # what a kernel is; only `Field.key` makes one


class Unsupported(ArithmeticError):
    """The expression has no canonical form here."""


class Restart(Exception):
    """A kernel is needed as a power of its root; the form is built anew with it."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """`above/below` in the kernels of one `CanonicalForm`."""

    above: fmpq_mpoly
    below: fmpq_mpoly


@dataclass(slots=True)
class Kernel:
    """What one generator stands for."""

    key: Key
    positivity: Positivity
    relation: tuple[int, fmpq_mpoly] | None = None  # (n, p): the n-th power of the generator is p
    inner: Quotient | None = None  # the exponent of an exponential, the argument of another function
    degree: int = 1  # the value is the degree-th power of the generator
    constant: bool = False  # whether it is a number that `signs` can enclose


class Field:
    """The kernels met so far, and arithmetic that keeps relations among them applied.

    Raises (from every operation):
        Unsupported: when a result grows too large, or there is no time left.
    """

    def __init__(self, numbers: dict[Key, int], degrees: dict[Key, int]) -> None:
        self._ring = fmpq_mpoly_ctx.get([f"k{i}" for i in range(_MOST_KERNELS)], Ordering.lex)
        self.generators = self._ring.gens()
        self.kernels: dict[int, Kernel] = {}
        self._numbers = numbers  # these outlive a restart, so that keys, which speak of earlier kernels, mean the same
        self._degrees = degrees
        self._agreed: dict[Key, int] = {}  # degrees that something here was made with
        self._related: list[int] = []
        self.one, self.zero = self._ring.constant(1), self._ring.constant(0)

    # --- polynomials

    def number(self, c: fmpq | int) -> fmpq_mpoly:
        """A constant polynomial."""
        return self._ring.constant(c)

    def terms(self, terms: dict[tuple[int, ...], fmpq]) -> fmpq_mpoly:
        """The polynomial with these coefficients by exponents."""
        charge(_TERM * len(terms))
        return self._ring.from_dict(terms)

    def check_time(self) -> None:
        """Raise `Unsupported` when there is no time left."""
        if over():
            raise Unsupported("the canonical form takes too long")

    def factor(self, p: fmpq_mpoly) -> tuple[fmpq, list[tuple[fmpq_mpoly, int]]]:
        """Irreducible factors over the rationals, each with a positive leading coefficient."""
        self.check_time()
        if len(p) > _MOST_FACTORED_TERMS or (len(p) > 1 and p.total_degree() > _HIGHEST_FACTORED_DEGREE):
            raise Unsupported("too large to factor")
        charge(_FACTORING if len(p) > 1 else 0.0)
        constant, factors = p.factor()
        constant, found = fmpq(constant), []
        for factor, times in factors:
            if factor.leading_coefficient() < 0:
                factor, constant = -factor, constant * (-1) ** (int(times) % 2)
            found.append((factor, int(times)))
        return constant, found

    def single(self, p: fmpq_mpoly) -> tuple[int, int] | None:
        """(kernel, exponent) where p is a power of one generator with coefficient 1."""
        if len(p) != 1 or p.leading_coefficient() != 1:
            return None
        used = [(i, int(e)) for i, e in enumerate(p.monoms()[0]) if e]
        return used[0] if len(used) == 1 else None

    def in_powers_of(self, p: fmpq_mpoly, i: int) -> dict[int, fmpq_mpoly]:
        """The coefficients of p as a polynomial in one generator."""
        charge(_TERM * len(p))
        parts: dict[int, dict[tuple[int, ...], fmpq]] = {}
        for exponents, coefficient in p.to_dict().items():
            rest = (*exponents[:i], 0, *exponents[i + 1 :])
            parts.setdefault(int(exponents[i]), {})[rest] = coefficient
        return {power: self.terms(rest) for power, rest in parts.items()}

    def used(self, p: fmpq_mpoly) -> list[int]:
        """The kernels that occur in p."""
        return [i for i, degree in enumerate(p.degrees()) if degree > 0]  # of zero they are -1

    def lowered(self, p: fmpq_mpoly) -> fmpq_mpoly:
        """p with the relations applied: later kernels first, since theirs speak of earlier ones."""
        for i in reversed(self._related):
            n, radicand = self.kernels[i].relation or (0, self.zero)
            if p.is_zero() or p.degrees()[i] < n:
                continue
            total = self.zero
            for power, rest in self.in_powers_of(p, i).items():
                times, left = divmod(power, n)
                if times > _LARGEST_POWER or len(rest) * max(1, len(radicand)) ** times > 100 * _MOST_TERMS:
                    raise Unsupported("the canonical form grows too large")
                total += rest * self.generators[i] ** left * radicand**times
            p = total
        return p

    # --- quotients

    def polynomial(self, p: fmpq_mpoly) -> Quotient:
        """p as a quotient."""
        return Quotient(p, self.one)

    def constant(self, c: fmpq | int) -> Quotient:
        """A rational number."""
        return Quotient(self.number(c), self.one)

    def reduced(self, above: fmpq_mpoly, below: fmpq_mpoly) -> Quotient:
        """The quotient in lowest terms, with the relations applied."""
        self.check_time()
        above, below = self.lowered(above), self.lowered(below)
        if below.is_zero():
            raise Unsupported("a denominator vanishes identically")
        if len(above) > _MOST_TERMS or len(below) > _MOST_TERMS:
            raise Unsupported("the canonical form grows too large")
        if above.is_zero():
            return self.polynomial(self.zero)
        above, below = self._rationalised(above, below)
        if not below.is_constant():
            common = above.gcd(below)
            if not common.is_one():
                above, below = above // common, below // common
        leading = below.leading_coefficient()
        return Quotient(above * (1 / leading), below * (1 / leading)) if leading != 1 else Quotient(above, below)

    def _rationalised(self, above: fmpq_mpoly, below: fmpq_mpoly) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        """1/r is r**(n - 1)/p where r**n is p."""
        for i in reversed(self._related):
            n, radicand = self.kernels[i].relation or (0, self.zero)
            if not below.degrees()[i]:
                continue
            least = min(int(e[i]) for e in below.monoms())
            if least:
                g = self.generators[i]
                above = self.lowered(above * g ** (n - least))
                below = self.lowered((below // g**least) * radicand)
        return above, below

    def add(self, x: Quotient, z: Quotient) -> Quotient:
        """x + z."""
        if x.below == z.below:
            return self.reduced(x.above + z.above, x.below)
        self._refuse_large(x.above, z.below)
        self._refuse_large(z.above, x.below)
        return self.reduced(x.above * z.below + z.above * x.below, x.below * z.below)

    def subtract(self, x: Quotient, z: Quotient) -> Quotient:
        """x - z."""
        return self.add(x, Quotient(-z.above, z.below))

    def multiply(self, x: Quotient, z: Quotient) -> Quotient:
        """x z."""
        self._refuse_large(x.above, z.above)
        self._refuse_large(x.below, z.below)
        return self.reduced(x.above * z.above, x.below * z.below)

    def scaled(self, x: Quotient, c: fmpq | int) -> Quotient:
        """c x."""
        return Quotient(x.above * c, x.below) if c else self.polynomial(self.zero)

    def invert(self, x: Quotient) -> Quotient:
        """1/x."""
        if x.above.is_zero():
            raise Unsupported("division by something that vanishes identically")
        return self.reduced(x.below, x.above)

    def power(self, x: Quotient, exponent: int) -> Quotient:
        """x**exponent."""
        if exponent < 0:
            return self.power(self.invert(x), -exponent)
        size = max(len(x.above), len(x.below))
        if exponent > _LARGEST_POWER and size > 1:
            raise Unsupported(f"the power {exponent} is too large")
        if size > 1 and math.comb(exponent + size - 1, min(exponent, size - 1)) > 20 * _MOST_TERMS:
            raise Unsupported("the canonical form grows too large")
        if exponent > 10_000 or exponent * (_height(x.above) + _height(x.below)) > 200_000:
            raise Unsupported(f"the power {exponent} is too large")
        return self.reduced(x.above**exponent, x.below**exponent)

    @staticmethod
    def _refuse_large(x: fmpq_mpoly, z: fmpq_mpoly) -> None:
        charge(_PRODUCT * len(x) * len(z))
        if len(x) * len(z) > 100 * _MOST_TERMS:
            raise Unsupported("the canonical form grows too large")

    @staticmethod
    def spelled(q: Quotient | fmpq_mpoly) -> str:
        """A text that equal quotients share, and no others."""
        return f"({q.above})/({q.below})" if isinstance(q, Quotient) else str(q)

    # --- kernels

    def key(self, kind: str, *of: Quotient | fmpq_mpoly | str) -> Key:
        """What a kernel is: its kind, which says what function it is, and what it is of."""
        return Key((kind, *(part if isinstance(part, str) else self.spelled(part) for part in of)))

    def kernel(
        self,
        key: Key,
        positivity: Positivity,
        *,
        relation: tuple[int, fmpq_mpoly] | None = None,
        inner: Quotient | None = None,
        degree: int = 1,
        constant: bool = False,
    ) -> int:
        """The number of the kernel with this key; a new one is made with what else is said of it."""
        if key not in self._numbers:
            if len(self._numbers) == _MOST_KERNELS:
                raise Unsupported(f"more than {_MOST_KERNELS} kernels")
            self._numbers[key] = len(self._numbers)
        i = self._numbers[key]
        if i not in self.kernels:
            if relation is not None:
                self._related = sorted((*self._related, i))
            self.kernels[i] = Kernel(key, positivity, relation, inner, degree, constant)
        return i

    def find(self, key: Key) -> Kernel | None:
        """The kernel with this key, if there is one."""
        return self.kernels.get(self._numbers.get(key, -1))

    def value(
        self,
        key: Key,
        positivity: Positivity,
        *,
        inner: Quotient | None = None,
        constant: bool = False,
    ) -> Quotient:
        """A kernel's value: a power of its generator where its roots are needed, and it has them."""
        old = self.find(key)
        degree = self._degrees.get(key, 1) if positivity is not Positivity.UNKNOWN else 1
        degree = degree if old is None else old.degree  # what is known of its sign may have grown since
        i = self.kernel(key, positivity, degree=degree, inner=inner, constant=constant)
        return self.polynomial(self.generators[i] ** degree)

    def degree(self, key: Key, least: int) -> int:
        """The degree of the root that the generators of this key are, a multiple of `least`.

        Raises:
            Restart: where it was another one so far.
        """
        degree = math.lcm(self._degrees.get(key, 1), least)
        if degree > _LARGEST_POWER * 4:
            raise Unsupported(f"a root of a degree above {_LARGEST_POWER * 4}")
        self._degrees[key] = degree
        if self._agreed.setdefault(key, degree) != degree:
            raise Restart
        return degree

    def rooted(self, i: int, degree: int) -> None:
        """Have a kernel's generator be a root of at least this degree of its value."""
        kernel = self.kernels[i]
        if kernel.degree % degree:
            self._degrees[kernel.key] = math.lcm(kernel.degree, degree)
            raise Restart

    @staticmethod
    def primes(constant: fmpq) -> list[tuple[int, int]]:
        """|constant| as a product of powers of integers, primes where they are small."""
        found: list[tuple[int, int]] = []
        for number, side in ((abs(int(constant.p)), 1), (int(constant.q), -1)):
            if number > _LARGEST_FACTORED:
                found.append((number, side))
            else:
                found += [(int(prime), side * int(n)) for prime, n in sp.factorint(number).items() if prime > 1]
        return found


def _height(p: fmpq_mpoly) -> int:
    return max((c.height_bits() for c in p.coeffs()), default=0)
