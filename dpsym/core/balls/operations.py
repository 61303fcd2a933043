"""Real functions three ways: on exact rationals, on balls, and on ranges; each knows where it is undefined.

On a ball that is not provably inside the domain the result is not finite, on such a range it is None: no
number is ever returned for something that may be undefined.  `needs` says which argument is certainly
outside the domain and what it should have been.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import acb, arb, fmpq, fmpz

from dpsym.core.balls import ranges
from dpsym.core.balls.ends import negated
from dpsym.core.balls.ranges import Range

Violation = tuple[int | None, str]  # which argument and what it must satisfy; None: a sentence by itself
NAN = arb.nan()
_ZERO, _ONE = arb(0), arb(1)
_LONGEST_RATIONAL = 20_000  # bits; a longer rational is carried on as a ball


def _nothing(*_: Any) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.  `exact` gives None where the value is not a (short) rational; `complex` continues it."""

    ball: Callable[..., arb]
    range: Callable[..., Range | None]
    needs: Callable[..., Violation | None] = _nothing
    exact: Callable[..., fmpq | None] = _nothing
    complex: Callable[..., Any] | None = None  # not finite on a ball where it is not provably holomorphic
    lazy: Callable[..., Any] | None = None  # for operations that do not need all their arguments; see `logic`
    choose: Callable[..., Any] = _nothing
    costly: bool = False  # an iteration of its own, rather than a function
    failure: str = ""  # what went wrong where it is defined and still has no finite value


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or a truth value; `exact` where it is rational or a truth value."""

    exact: fmpq | bool | None
    make: Callable[[], arb]

    @staticmethod
    def rational(value: fmpq | bool) -> Constant:
        """A rational number, or a truth value."""
        if isinstance(value, bool):
            return Constant(value, lambda: NAN)
        if value.q == 1:
            return Constant(value, lambda: arb(value.p))
        return Constant(value, lambda: arb(value.p) / arb(value.q))

    def ball(self) -> arb | bool:
        """At the working precision."""
        return self.exact if isinstance(self.exact, bool) else self.make()


# a value that is not needed where it does not exist
UNVIOLATED = Operation(
    lambda x: x,
    lambda x: x,
    complex=lambda z: z,
    lazy=lambda x: NAN if isinstance(x, str) else x,
    choose=lambda exact: None if exact is None else 0,
)


def short(value: fmpq) -> fmpq | None:
    """The number, unless it is too long to be carried on exactly."""
    return value if value.height_bits() <= _LONGEST_RATIONAL else None


def no_zero(x: arb) -> bool:
    """Whether the ball provably leaves zero out."""
    return bool(x > 0) or bool(x < 0)


# --- arithmetic
def _reciprocal(x: arb) -> arb:
    return 1 / x if no_zero(x) else NAN


def _divide(x: arb, y: arb) -> arb:
    return x / y if no_zero(y) else NAN


ADD = Operation(lambda x, y: x + y, ranges.add, exact=lambda x, y: short(x + y), complex=lambda x, y: x + y)
MULTIPLY = Operation(lambda x, y: x * y, ranges.multiply, exact=lambda x, y: short(x * y), complex=lambda x, y: x * y)
NEGATE = Operation(negated, ranges.negate, exact=lambda x: -x, complex=lambda x: -x)
DIVIDE = Operation(
    _divide,
    ranges.divide,
    lambda _, y: (1, "!= 0") if y.is_zero() else None,
    lambda x, y: short(x / y) if y else None,
    lambda x, y: x / y,
)


# --- powers
def integer_power(n: int) -> Operation:
    """x**n; x must not vanish for n < 0."""
    size = fmpz(abs(n))
    positive_power = ranges.integer_power(abs(n))

    def on_ball(x: arb) -> arb:
        return x**size if n > 0 else _reciprocal(x**size if no_zero(x) else NAN)

    def on_range(x: Range) -> Range | None:
        power = positive_power(x)
        return power if n > 0 or power is None else ranges.reciprocal(power)

    def exact(x: fmpq) -> fmpq | None:
        if x.height_bits() * abs(n) > _LONGEST_RATIONAL or (n < 0 and not x):
            return None
        return x**n

    return Operation(
        on_ball,
        on_range,
        lambda x: (0, "!= 0") if n < 0 and x.is_zero() else None,
        exact,
        lambda x: x**n,
    )


def rational_power(p: int, q: int) -> Operation:
    """x**(p/q) for x >= 0 (x > 0 for p < 0), in lowest terms with q >= 2."""
    power, root_range, size = ranges.integer_power(abs(p)), ranges.root(q), fmpz(abs(p))

    def on_ball(x: arb) -> arb:
        if not (x > 0 if p < 0 else x >= 0):
            return NAN
        root = x.sqrt() if q == 2 else (x if x.is_zero() else x.root(q))
        return root**size if p > 0 else 1 / root**size

    def on_range(x: Range) -> Range | None:
        root = root_range(x)
        value = None if root is None else power(root)
        return value if p > 0 or value is None else ranges.reciprocal(value)

    def exact(x: fmpq) -> fmpq | None:
        if x < 0 or (p < 0 and not x) or x.height_bits() * abs(p) > _LONGEST_RATIONAL:
            return None
        above, below = _exact_root(x.p, q), _exact_root(x.q, q)
        return None if above is None or below is None else fmpq(above, below) ** p

    def needs(x: arb) -> Violation | None:
        if x < 0:
            return 0, ">= 0"
        return (0, "> 0") if p < 0 and x.is_zero() else None

    def continued(z: acb) -> acb:
        root = z.sqrt(analytic=True) if q == 2 else z.pow(acb(arb(fmpq(1, q))), analytic=True)
        return root**p

    return Operation(on_ball, on_range, needs, exact, continued)


def _exact_root(n: fmpz, degree: int) -> fmpz | None:
    if n.bit_length() <= 1:  # 0 and 1
        return n
    if degree > n.bit_length():
        return None
    root = n.root(degree)
    return root if root**degree == n else None


def _general_power(base: arb, exponent: arb) -> arb:
    n = ranges.integer(exponent)
    if n is not None:
        if n > 0:
            return base ** fmpz(n)
        if n == 0:
            return _ONE if base.is_finite() else NAN
        return _reciprocal(base ** fmpz(-n) if no_zero(base) else NAN)
    if base > 0:
        return (exponent * base.log()).exp()
    if not (base >= 0 and exponent > 0):
        return NAN
    if base.is_zero():
        return _ZERO
    return _ZERO.union((exponent * base.upper().log()).exp().upper())


def _general_power_needs(base: arb, exponent: arb) -> Violation | None:
    if base < 0 and exponent.is_exact() and not exponent.is_integer():
        return 0, ">= 0"
    return (1, ">= 0") if base.is_zero() and exponent < 0 else None


def _general_power_exact(base: fmpq, exponent: fmpq) -> fmpq | None:
    if max(abs(exponent.p).bit_length(), exponent.q.bit_length()) > 20:
        return None
    if exponent == 0:
        return fmpq(1)
    p, q = int(exponent.p), int(exponent.q)
    return (integer_power(p) if q == 1 else rational_power(p, q)).exact(base)


def _complex_power(base: acb, exponent: acb) -> acb:
    return base.pow(exponent, analytic=True)


GENERAL_POWER = Operation(
    _general_power, ranges.general_power, _general_power_needs, _general_power_exact, _complex_power
)


# --- pieces of functions
def constant_at_zero(value: int) -> Callable[[fmpq], fmpq | None]:
    """The exact value of a function that is rational at 0 and at no other rational number."""
    return lambda x: None if x else fmpq(value)


def entire_with_zero(function: Callable[[arb], arb], on_range: Callable[[Range], Range | None], name: str) -> Operation:
    """A function that is zero at zero, with its namesake on complex balls."""
    return Operation(function, on_range, exact=constant_at_zero(0), complex=lambda z: getattr(z, name)())


def only_within(function: Callable[[arb], arb], inside: Callable[[arb], bool]) -> Callable[[arb], arb]:
    """The function where its argument is provably inside its domain."""
    return lambda x: function(x) if inside(x) else NAN


def monotone_within(
    function: Callable[[arb], arb], inside: Callable[[Range], bool], *, falling: bool = False
) -> Callable[[Range], Range | None]:
    """The values of a monotone function on a range inside its domain."""

    def on_range(x: Range) -> Range | None:
        if not inside(x):
            return None
        if falling:
            return ranges.negate(ranges.increasing(lambda t: negated(function(t)))(x))
        return ranges.increasing(function)(x)

    return on_range


def unless_zero(function: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """The function where its argument is provably not 0."""
    return lambda x: function(x) if no_zero(x) else NAN
