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


def rational(value: object) -> fmpq:
    """The same for numbers that formulas give."""
    number = exact_number("a budget", value)
    return fmpq(number.numerator, number.denominator)
