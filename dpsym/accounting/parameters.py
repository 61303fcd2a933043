"""Exact numbers, and what is said of those that are not."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import fmpq

from dpsym.core.relations import exact


class NotAccountable(ValueError):
    """The question cannot be accounted for: a symbol without a value, a parameter outside its domain."""


def exact_number(name: str, value: object) -> Fraction:
    """An exact rational value.

    Raises:
        NotAccountable: for floats, symbols and irrational numbers.
    """
    if isinstance(value, float):
        raise NotAccountable(f"{name} = {value} is a float; write an exact number, e.g. Fraction('{value}')")
    try:
        number = exact(value)
    except (TypeError, ValueError) as error:
        raise NotAccountable(f"{name} = {value!r}: {error}") from None
    if number.free_symbols:
        unknown = ", ".join(sorted(map(str, number.free_symbols)))
        raise NotAccountable(f"{name}: {unknown} has no value; an exact number is needed")
    if not isinstance(number, sp.Rational):
        raise NotAccountable(f"{name} = {value} is not a rational number; give one on the safe side of it")
    return Fraction(int(number.p), int(number.q))


def real_number(name: str, value: object) -> sp.Expr:
    """An exact real value, rational or not.

    Raises:
        NotAccountable: for floats, symbols, and what is not known to be real.
    """
    number = value if isinstance(value, sp.Expr) and not value.free_symbols else exact(exact_number(name, value))
    if not number.is_real:
        raise NotAccountable(f"{name} = {number} is not a real number")
    return number


def rational(value: object) -> fmpq:
    """The same for numbers that formulas give."""
    number = exact_number("a budget", value)
    return fmpq(number.numerator, number.denominator)
