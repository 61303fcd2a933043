"""Balls and rationals as pairs of decimals, rounded outward."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction

from flint import arb, fmpq

from dpsym.core.verdicts import Enclosure

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_LARGEST_EXPONENT = 1 << 24  # of two: a decimal beyond it, or below its reciprocal, is not written
_INFINITY = Decimal("Infinity")  # what has no decimal


class TooExtreme(ArithmeticError):
    """A number with more digits before or after the point than a decimal exponent should hold."""


def decimals(value: arb | fmpq, digits: int) -> Enclosure:
    """Two decimals of `digits + 2` significant digits with the value between them; the same one twice if exact.

    Raises:
        TooExtreme: for magnitudes beyond 2**(2**24), and for balls that are not bounded.
    """
    if isinstance(value, fmpq):
        return _of_rational(value, digits)
    if value.is_exact() and not value.is_finite() and not value.is_nan():
        end = _INFINITY if value > 0 else -_INFINITY
        return Enclosure(end, end)
    largest = abs(value).upper()
    if not (value.is_finite() and (largest.is_zero() or _magnitude(largest) < _LARGEST_EXPONENT)):
        raise TooExtreme("the value is too large or too uncertain to be written as a decimal")
    if not largest.is_zero() and _magnitude(largest) < -_LARGEST_EXPONENT:
        raise TooExtreme("the value is too small to be written as a decimal")
    middle, radius, exponent = (int(i) for i in value.mid_rad_10exp(digits + 10))
    lower, upper = middle - radius, middle + radius
    drop = max(0, _digits(max(abs(lower), abs(upper))) - digits - 2)
    unit = 10**drop
    return Enclosure(_decimal(lower // unit, exponent + drop), _decimal(-(-upper // unit), exponent + drop))


def rational_ball(x: Fraction | fmpq) -> arb:
    """The ball about a rational number, at the working precision."""
    return arb(fmpq(int(x.numerator), int(x.denominator)))


def _magnitude(exact: arb) -> int:
    """About log2 of a positive exact number."""
    mantissa, exponent = exact.man_exp()
    return int(exponent) + int(mantissa).bit_length()


def _digits(n: int) -> int:
    return Decimal(n).adjusted() + 1 if n else 1


def _decimal(n: int, exponent: int) -> Decimal:
    if n == 0:
        return Decimal(0)
    short = Decimal(n).scaleb(exponent, _EXACT).normalize(_EXACT)
    return short.quantize(Decimal(1)) if 0 < short.adjusted() <= 20 and short == short.to_integral_value() else short


def _of_rational(value: fmpq, digits: int) -> Enclosure:
    p, q = int(value.p), int(value.q)
    if p == 0:
        return Enclosure(Decimal(0), Decimal(0))
    leading = _digits(abs(p)) - _digits(q)
    shift = digits + 2 - leading
    above, below = (p * 10**shift, q) if shift >= 0 else (p, q * 10**-shift)
    return Enclosure(_decimal(above // below, -shift), _decimal(-(-above // below), -shift))
