"""Numbers of two kinds, balls and long floats, and a table of the functions of the plain notation with their domains.

Nothing here knows of formulas, and nothing is shared with what proves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Protocol

import flint
import mpmath
from flint import arb, fmpq, fmpz

Number = Any  # a Fraction wherever a value is known exactly, else an arb or an mpf

_MOST_BITS = 4_000  # of an exact value
_SMALL = arb(2) ** -40  # an error that does not matter to an estimate
_LARGEST_INTEGER = 1_000  # up to which gamma functions are exact


class Undefined(Exception):
    """An operation has certainly no value."""


class Unclear(Exception):
    """It cannot be told at this point, or not at this precision."""


class Unable(Exception):
    """Something that is not evaluated here at all."""


# --- domains
# each argument: a least and a greatest value, each with whether it is allowed; what is not here is defined everywhere
_ANY = (None, True, None, True)
_DOMAINS: dict[str, tuple[tuple[int | None, bool, int | None, bool], ...]] = {
    "log": ((0, False, None, True),), "sqrt": ((0, True, None, True),), "Phi_inv": ((0, False, 1, False),),
    "acosh": ((1, True, None, True),), "atanh": ((-1, False, 1, False),), "asin": ((-1, True, 1, True),),
    "acos": ((-1, True, 1, True),), "loggamma": ((0, False, None, True),), "besseli": (_ANY, (0, True, None, True)),
    "gammaq": ((0, False, None, True), (0, True, None, True)),
}  # fmt: skip
_FIRST_POLE = {"gamma": 0, "factorial": -1, "harmonic": -1}  # this integer and all below
_NOT_ZERO = ("coth", "csch", "cot", "csc")
_KNOWN: dict[str, dict[int | Fraction, int | Fraction]] = {
    "exp": {0: 1}, "log": {1: 0}, "sinh": {0: 0}, "cosh": {0: 1}, "tanh": {0: 0}, "sech": {0: 1}, "asinh": {0: 0},
    "acosh": {1: 0}, "atanh": {0: 0}, "sin": {0: 0}, "cos": {0: 1}, "tan": {0: 0}, "sec": {0: 1}, "asin": {0: 0},
    "acos": {1: 0}, "atan": {0: 0}, "Phi": {0: Fraction(1, 2)}, "Phi_inv": {Fraction(1, 2): 0}, "erf": {0: 0},
    "erfc": {0: 1}, "loggamma": {1: 0, 2: 0},
}  # fmt: skip


class Arithmetic(Protocol):
    """What both kinds of number can do; the operators + - * / are those of the numbers themselves."""

    name: str

    def __hash__(self) -> int: ...

    def of(self, x: Number) -> Number:
        """A number of this kind."""

    def sign(self, x: Number) -> int | None:
        """-1, 0 or 1; None where that is not clear."""

    def size(self, x: Number) -> float:
        """The logarithm to base 2 of an upper bound of the modulus, roughly; -inf for zero."""

    def middle(self, x: Number) -> Fraction:
        """An exact value close by."""

    def widened(self, x: Number, error: Fraction) -> Number:
        """The value with a possible error, where the kind of number can carry one."""

    def call(self, name: str, arguments: Sequence[Number]) -> Number:
        """A function at arguments of its domain."""

    def precision(self, bits: int) -> Any:
        """A context in which this many bits are used."""


class Balls:
    """Arb's: the error of every operation is bounded."""

    name = "balls"

    def of(self, x: Number) -> Number:  # noqa: D102
        return arb(fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x

    def sign(self, x: Number) -> int | None:  # noqa: D102
        if isinstance(x, Fraction):
            return (x > 0) - (x < 0)
        return 1 if x > 0 else -1 if x < 0 else 0 if x.is_zero() else None

    def size(self, x: Number) -> float:  # noqa: D102
        top = self.of(x).abs_upper()
        if not top.is_finite():
            return math.inf
        mantissa, exponent = (int(v) for v in top.man_exp())
        return mantissa.bit_length() + exponent if mantissa else -math.inf

    def middle(self, x: Number) -> Fraction:  # noqa: D102
        if isinstance(x, Fraction):
            return x
        middle, radius = x.mid(), x.rad()
        if not x.is_finite() or radius > max(abs(middle) * _SMALL, _SMALL * _SMALL):
            raise Unclear("no precise value")
        mantissa, exponent = (int(v) for v in middle.man_exp())
        if mantissa and mantissa.bit_length() + exponent < -_MOST_BITS:
            return Fraction(0)
        if abs(exponent) > 2 * _MOST_BITS:
            raise Unclear("beyond all magnitudes")
        return Fraction(mantissa) * Fraction(2) ** exponent

    def widened(self, x: Number, error: Fraction) -> Number:  # noqa: D102
        return self.of(x) + self.of(error) * arb(0, 1)

    def call(self, name: str, arguments: Sequence[Number]) -> Number:  # noqa: D102
        value = _BALLS[name](*map(self.of, arguments))
        if not value.is_finite():
            raise Unclear(f"{name} has no finite ball")
        return value

    @contextmanager
    def precision(self, bits: int) -> Iterator[None]:  # noqa: D102
        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            yield
        finally:
            flint.ctx.prec = before


class Floats:
    """mpmath's: a sign is clear only far from the rounding."""

    name = "floats"

    def of(self, x: Number) -> Number:  # noqa: D102
        return _MP.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x

    def sign(self, x: Number) -> int | None:  # noqa: D102
        if isinstance(x, Fraction):
            return (x > 0) - (x < 0)
        if not _MP.isfinite(x) or abs(x) < _MP.ldexp(1, -_MP.prec // 2):
            return None
        return 1 if x > 0 else -1

    def size(self, x: Number) -> float:  # noqa: D102
        x = self.of(x)
        if not _MP.isfinite(x):
            return math.inf
        return float(_MP.mag(x)) if x else -math.inf

    def middle(self, x: Number) -> Fraction:  # noqa: D102
        if isinstance(x, Fraction):
            return x
        if not _MP.isfinite(x) or (x and _MP.mag(x) > _MOST_BITS):
            raise Unclear("beyond all magnitudes")
        if x and _MP.mag(x) < -_MOST_BITS:
            return Fraction(0)
        sign, mantissa, exponent, _ = x._mpf_
        return (-1) ** int(sign) * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)

    def widened(self, x: Number, error: Fraction) -> Number:  # noqa: D102
        return self.of(x)

    def call(self, name: str, arguments: Sequence[Number]) -> Number:  # noqa: D102
        if name == "exp" and abs(x := self.of(arguments[0])) > 10**30:
            if x > 0:
                raise Unclear("beyond all magnitudes")
            return _MP.mpf(0)
        try:
            value = _FLOATS[name](*map(self.of, arguments))
        except Exception as error:  # noqa: BLE001
            raise Unclear(f"{name}: {error}") from None
        if not isinstance(value, _MP.mpf) or not _MP.isfinite(value):
            raise Unclear(f"{name} has no finite real value")
        return value

    @contextmanager
    def precision(self, bits: int) -> Iterator[None]:  # noqa: D102
        before = _MP.prec
        _MP.prec = bits
        try:
            yield
        finally:
            _MP.prec = before


_MP: Any = mpmath.MPContext()  # of our own: what others do to mpmath's precision does not matter here


def _ball_floor(x: arb) -> arb:
    below = x.floor()
    if not below.is_exact():
        raise Unclear("on which side of an integer?")
    return below


def _float_floor(x: Any) -> Any:
    if abs(x - _MP.nint(x)) < _MP.ldexp(1, -_MP.prec // 2):
        raise Unclear("on which side of an integer?")
    return _MP.floor(x)


_BALLS: dict[str, Callable[..., arb]] = {
    **{name: getattr(arb, name) for name in (
        "exp", "log", "sqrt", "sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "sin", "cos",
        "tan", "cot", "sec", "csc", "asin", "acos", "atan", "erf", "erfc", "gamma",
    )},
    "abs": abs, "floor": _ball_floor, "ceil": lambda x: -_ball_floor(-x), "max": arb.max, "min": arb.min,
    "Phi": lambda x: (-x / arb(2).sqrt()).erfc() / 2,
    "phi": lambda x: (-x * x / 2).exp() / (2 * arb.pi()).sqrt(),
    "Phi_inv": lambda p: -arb(2).sqrt() * (2 * p).erfcinv() if 2 * p < 1 else arb(2).sqrt() * (2 * (1 - p)).erfcinv(),
    "loggamma": arb.lgamma, "factorial": lambda x: (x + 1).gamma(),
    "harmonic": lambda x: (x + 1).digamma() + arb.const_euler(),
    "binomial": lambda n, k: (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma(),
    "besseli": lambda n, x: x.bessel_i(n), "gammaq": lambda s, x: x.gamma_upper(s, regularized=1),
    "pi": arb.pi, "e": arb.const_e,
}  # fmt: skip
_FLOATS: dict[str, Callable[..., Any]] = {
    **{name: getattr(_MP, name) for name in (
        "exp", "log", "sqrt", "sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "sin", "cos",
        "tan", "cot", "sec", "csc", "asin", "acos", "atan", "erf", "erfc", "gamma", "loggamma", "factorial", "harmonic",
        "binomial", "besseli",
    )},
    "abs": abs, "floor": _float_floor, "ceil": lambda x: -_float_floor(-x), "max": max, "min": min,
    "Phi": lambda x: _MP.erfc(-x / _MP.sqrt(2)) / 2, "phi": lambda x: _MP.exp(-x * x / 2) / _MP.sqrt(2 * _MP.pi),
    "Phi_inv": lambda p: _MP.sqrt(2) * _MP.erfinv(2 * p - 1),
    "gammaq": lambda s, x: _MP.gammainc(s, x, regularized=True), "pi": lambda: +_MP.pi, "e": lambda: +_MP.e,
}  # fmt: skip

CONSTANTS = ("pi", "e")
ARITY = {name: 1 for name in _BALLS if name not in CONSTANTS} | {"ln": 1, "sign": 1}
ARITY |= dict.fromkeys(("binomial", "besseli", "gammaq"), 2) | dict.fromkeys(("max", "min"), 0)


def apply(name: str, arguments: Sequence[Number], numbers: Arithmetic) -> Number:
    """A function of the plain notation at these values.

    Raises:
        Undefined: outside its domain.
        Unclear: where that, or the value, cannot be told.
    """
    _require(name, arguments, numbers)
    exact = _exactly(name, arguments)
    if exact is not None:
        return exact
    first = arguments[0]
    if name == "sign":
        return Fraction(sign_of(first, numbers))
    if name in ("max", "min"):
        best = first
        for other in arguments[1:]:
            if isinstance(best, Fraction) and isinstance(other, Fraction):
                best = max(best, other) if name == "max" else min(best, other)
            else:
                best = numbers.call(name, (best, other))
        return best
    if name == "binomial" and isinstance(arguments[1], Fraction) and arguments[1].denominator == 1:
        if arguments[1] < 0:
            return Fraction(0)
        value = numbers.of(Fraction(1))  # a polynomial of the first
        for i in range(int(arguments[1])):
            value = value * (numbers.of(first) - i) / (i + 1)
        return value
    return numbers.call(name, arguments)


def _exactly(name: str, arguments: Sequence[Number]) -> Fraction | None:
    if not all(isinstance(x, Fraction) for x in arguments):
        k = arguments[-1]
        if name == "binomial" and isinstance(k, Fraction) and k.denominator == 1 and k <= 0:
            return Fraction(int(k == 0))
        return None
    x = arguments[0]
    if name in _KNOWN:
        known = _KNOWN[name].get(x)
        return None if known is None else Fraction(known)
    if name == "sqrt":
        return rational_root(x, 2)
    if name in ("abs", "floor", "ceil", "sign"):
        return Fraction({"abs": abs(x), "floor": math.floor(x), "ceil": math.ceil(x), "sign": (x > 0) - (x < 0)}[name])
    if x.denominator != 1 or abs(x) > _LARGEST_INTEGER:
        return None
    n = int(x)
    if name in ("gamma", "factorial"):
        return Fraction(math.factorial(n - (name == "gamma")))
    if name == "harmonic":
        return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))
    if name == "binomial" and arguments[1].denominator == 1:
        chosen = int(arguments[1])
        if chosen < 0 or 0 <= n < chosen:
            return Fraction(0)
        if chosen <= _LARGEST_INTEGER:
            return Fraction(math.comb(n, chosen) if n >= 0 else (-1) ** chosen * math.comb(chosen - n - 1, chosen))
    return None


def _require(name: str, arguments: Sequence[Number], numbers: Arithmetic) -> None:
    def shown() -> str:
        return f"{name}({', '.join(show(x, numbers) for x in arguments)})"

    for x, (least, least_too, greatest, greatest_too) in zip(arguments, _DOMAINS.get(name, ()), strict=False):
        for end, allowed, side in ((least, least_too, 1), (greatest, greatest_too, -1)):
            if end is None:
                continue
            sign = numbers.sign(x - end)
            if sign is None:
                raise Unclear(shown())
            if sign == -side or (sign == 0 and not allowed):
                raise Undefined(f"{shown()} is undefined")
    x = arguments[0]
    if name in _NOT_ZERO and (sign := numbers.sign(x)) in (0, None):
        raise Undefined(f"{shown()} is undefined") if sign == 0 else Unclear(shown())
    if name in _FIRST_POLE and isinstance(x, Fraction) and x.denominator == 1 and x <= _FIRST_POLE[name]:
        raise Undefined(f"{shown()} is undefined")
    if name == "besseli" and not (isinstance(x, Fraction) and x.denominator == 1):
        raise Unclear(shown())  # only integer orders are meant
    if name == "binomial" and isinstance(x, Fraction) and x.denominator == 1 and x < 0:
        k = arguments[1]
        if isinstance(k, Fraction) and k.denominator != 1:
            raise Undefined(f"{shown()} is undefined")
        if isinstance(k, Fraction) and k < 0:
            raise Unclear(shown())  # conventions differ


def power(base: Number, exponent: Number, numbers: Arithmetic, integral: bool) -> Number:
    """`base^exponent`; `integral` where the exponent is an integer by its form, so that 0^0 is 1."""

    def shown() -> str:
        return "^".join(t if t.isdigit() else f"({t})" for t in (show(base, numbers), show(exponent, numbers)))

    sign = numbers.sign(base)
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        n = int(exponent)
        if n < 0 and sign in (0, None):
            raise Undefined(f"{shown()} is undefined") if sign == 0 else Unclear(shown())
        if n == 0:
            if sign == 0 and not integral:
                raise Unclear(shown())
            return Fraction(1)
        if isinstance(base, Fraction) and abs(n) * _bits(base) <= _MOST_BITS:
            return base**n
        if abs(n) < 10**6:
            return numbers.of(base) ** n
        if sign is None:
            raise Unclear(shown())
        if sign == -1:  # of a negative number, by the parity
            value = numbers.call("exp", (n * numbers.call("log", (-base,)),))
            return -value if n % 2 else value
    if sign is None:
        raise Unclear(shown())
    if sign == 0:
        direction = numbers.sign(exponent)
        if direction == 1:
            return Fraction(0)
        raise Undefined(f"{shown()} is undefined") if direction == -1 else Unclear(shown())
    if sign == -1:
        nearest = exponent if isinstance(exponent, Fraction) else Fraction(round(numbers.middle(exponent)))
        if not isinstance(exponent, Fraction) and numbers.sign(exponent - numbers.of(nearest)) in (0, None):
            raise Unclear(shown())
        raise Undefined(f"{shown()} is undefined")
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        root = rational_root(base, exponent.denominator)
        if root is not None and abs(exponent.numerator) * _bits(root) <= _MOST_BITS:
            return root**exponent.numerator
    return numbers.call("exp", (numbers.of(exponent) * numbers.call("log", (base,)),))


def divided(x: Number, y: Number, numbers: Arithmetic) -> Number:
    """`x/y`."""
    sign = numbers.sign(y)
    if sign in (0, None):
        above = show(x, numbers)
        shown = f"{above if above.isdigit() else f'({above})'}/{show(y, numbers)}"
        raise Undefined(f"{shown} is undefined") if sign == 0 else Unclear(shown)
    return combined("/", x, y, numbers)


def combined(op: str, x: Number, y: Number, numbers: Arithmetic) -> Number:
    """`x op y` for + - * and a / that is defined; exact where both are, and short enough."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        if _bits(x) + _bits(y) > _MOST_BITS:
            x = numbers.of(x)
    elif isinstance(x, Fraction):
        if op == "*" and x == 0:
            return x
    elif isinstance(y, Fraction) and op == "*" and y == 0:
        return y
    if not (isinstance(x, Fraction) and isinstance(y, Fraction)):
        x, y = numbers.of(x), numbers.of(y)
    return x + y if op == "+" else x - y if op == "-" else x * y if op == "*" else x / y


def sign_of(x: Number, numbers: Arithmetic) -> int:
    """The sign, where it is clear."""
    sign = numbers.sign(x)
    if sign is None:
        raise Unclear("a sign")
    return sign


def rational_root(x: Fraction, n: int) -> Fraction | None:
    """The n-th root where it is rational."""
    if x < 0 or n > 64 or _bits(x) > _MOST_BITS:
        return None
    roots = [int(fmpz(part).root(n)) for part in (x.numerator, x.denominator)]
    return Fraction(*roots) if [root**n for root in roots] == [x.numerator, x.denominator] else None


def _bits(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def show(x: Number, numbers: Arithmetic) -> str:
    """A number for a message."""
    if isinstance(x, Fraction):
        return str(x) if _bits(x) < 80 else f"{float(x):.12g}" if 1e-300 < abs(x) < 10**300 else "a number"
    return str(x.mid().str(15, radius=False)) if numbers.name == "balls" else str(_MP.nstr(x, 15))
