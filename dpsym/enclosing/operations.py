"""Real functions on balls, each refusing arguments on which it is not provably defined.

A ball is a set; an operation returns a ball that contains the image of all of it.  Where some point of
the set is, or may be, outside the domain, an exception is raised instead, so that no finite ball is ever
returned for something undefined.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, fmpz

Operation = Callable[..., arb]


class Undefined(ArithmeticError):
    """The expression has no real value there; `obligation` says what was required."""

    def __init__(self, obligation: str) -> None:
        super().__init__(f"not defined: {obligation}")
        self.obligation = obligation


class Unresolved(ArithmeticError):
    """At this precision, or on all of this box, it cannot be told whether the expression is defined."""


class NoSignChange(Unresolved):
    """No two points of opposite sign were found; a higher precision would not help."""


def _require(holds: bool, fails: bool, obligation: str, value: arb) -> None:
    if holds:
        return
    if fails:
        raise Undefined(f"{obligation}, but it is {value.str(8, radius=False)}")
    raise Unresolved(f"{obligation}: it is {value.str(8)}")


def _finite(value: arb) -> arb:
    if not value.is_finite():
        raise Unresolved("the value is not bounded")
    return value


def monotone(function: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """An increasing or decreasing function, evaluated at the ends where the ball is wide."""

    def on_ball(x: arb) -> arb:
        if x.is_exact() or x.rel_accuracy_bits() > 20:
            return function(x)
        return function(arb(x.lower())).union(function(arb(x.upper())))

    return on_ball


def add(*terms: arb) -> arb:
    """Sum."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def multiply(*factors: arb) -> arb:
    """Product."""
    total = factors[0]
    for factor in factors[1:]:
        total = total * factor
    return total


def reciprocal(x: arb) -> arb:
    """1/x for x != 0."""
    _require(bool(x > 0) or bool(x < 0), x.is_zero(), "a divisor must not vanish", x)
    if x.rel_accuracy_bits() > 20:
        return _finite(1 / x)
    return _finite((1 / arb(x.lower())).union(1 / arb(x.upper())))


def integer_power(x: arb, exponent: int) -> arb:
    """x**n; for n < 0, x must not vanish."""
    if exponent < 0:
        return reciprocal(integer_power(x, -exponent))
    if exponent % 2 == 0 and not x.is_exact():
        return arb(abs(x).abs_lower()).union(arb(x.abs_upper())) ** exponent
    return x**exponent


def square_root(x: arb) -> arb:
    """The root of x >= 0."""
    _require(bool(x >= 0), bool(x < 0), "the argument of sqrt must be at least 0", x)
    return monotone(lambda t: t.sqrt())(x)


def nth_root(x: arb, degree: int) -> arb:
    """The real root of x >= 0."""
    if degree == 2:
        return square_root(x)
    _require(bool(x >= 0), bool(x < 0), f"the argument of the root of degree {degree} must be at least 0", x)
    return monotone(lambda t: t.root(degree))(x)


def general_power(base: arb, exponent: arb) -> arb:
    """x**y = exp(y log x) for x > 0, and 0**y = 0 for y > 0."""
    if base.is_zero() and exponent > 0:
        return arb(0)
    _require(bool(base > 0), bool(base < 0), "the base of a real power must be positive", base)
    return exponential(exponent * base.log())


def exponential(x: arb) -> arb:
    """e**x."""
    if abs(x).upper() > 2**40:
        raise Unresolved(f"exp of {x.str(6)} is too large or too small a number")
    return monotone(lambda t: t.exp())(x)


def logarithm(x: arb) -> arb:
    """log x for x > 0."""
    _require(bool(x > 0), bool(x <= 0), "the argument of log must be positive", x)
    return monotone(lambda t: t.log())(x)


def gamma(x: arb) -> arb:
    """The gamma function for x > 0."""
    _require(bool(x > 0), bool(x <= 0), "the argument of gamma must be positive", x)
    return _finite(x.gamma())


def log_gamma(x: arb) -> arb:
    """log gamma(x) for x > 0."""
    _require(bool(x > 0), bool(x <= 0), "the argument of loggamma must be positive", x)
    return _finite(x.lgamma())


def factorial(x: arb) -> arb:
    """x! = gamma(x + 1) for x > -1."""
    return gamma(x + 1)


def binomial(x: arb, y: arb) -> arb:
    """x!/(y!(x-y)!) where all three are defined."""
    return factorial(x) / (factorial(y) * factorial(x - y))


def harmonic(x: arb) -> arb:
    """The harmonic number psi(x + 1) + Euler's constant for x > -1."""
    _require(bool(x > -1), bool(x <= -1), "the argument of harmonic must exceed -1", x)
    return _finite((x + 1).digamma() + arb.const_euler())


def erf(x: arb) -> arb:
    """The error function."""
    return monotone(lambda t: t.erf())(x)


def erfc(x: arb) -> arb:
    """The complementary error function, to full relative precision in the tail."""
    return monotone(lambda t: t.erfc())(x)


def normal_cdf(x: arb) -> arb:
    """Phi(x) = erfc(-x/sqrt 2)/2."""
    return erfc(-x / arb(2).sqrt()) / 2


def normal_density(x: arb) -> arb:
    """exp(-x^2/2)/sqrt(2 pi)."""
    return exponential(-integer_power(x, 2) / 2) / (2 * arb.pi()).sqrt()


def normal_quantile(p: arb) -> arb:
    """The x with Phi(x) = p, for 0 < p < 1."""
    inside = bool(p > 0) and bool(p < 1)
    _require(inside, bool(p <= 0) or bool(p >= 1), "the argument of Phi_inv must lie in (0, 1)", p)

    def at(t: arb) -> arb:
        root = arb(2).sqrt()
        return -root * (2 * t).erfcinv() if t < 0.5 else root * (2 * (1 - t)).erfcinv()

    return _finite(monotone(at)(p))


def maximum(*values: arb) -> arb:
    """The largest."""
    best = values[0]
    for value in values[1:]:
        best = best.max(value)
    return best


def minimum(*values: arb) -> arb:
    """The smallest."""
    best = values[0]
    for value in values[1:]:
        best = best.min(value)
    return best


def absolute(x: arb) -> arb:
    """|x|."""
    return arb(x.abs_lower()).union(arb(x.abs_upper())) if not x.is_exact() else abs(x)


def floor(x: arb) -> arb:
    """The greatest integer at most x (a hull where the ball contains an integer)."""
    return arb(x.lower()).floor().union(arb(x.upper()).floor())


def ceiling(x: arb) -> arb:
    """The least integer at least x (a hull where the ball contains an integer)."""
    return arb(x.lower()).ceil().union(arb(x.upper()).ceil())


def tangent(x: arb) -> arb:
    """tan x where cos x does not vanish."""
    cosine = x.cos()
    _require(bool(cosine > 0) or bool(cosine < 0), cosine.is_zero(), "cos must not vanish under tan", cosine)
    return _finite(x.tan())


def whole_number(x: arb) -> int | None:
    """The one integer in the ball, if the ball is a point."""
    unique: fmpz | None = x.unique_fmpz()
    return int(unique) if unique is not None and x.is_exact() else None
