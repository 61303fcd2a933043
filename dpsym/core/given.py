"""What users give for numbers, made exact in one place: text, and the numbers of Python, numpy and SymPy."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from numbers import Integral, Rational, Real

import sympy as sp

from dpsym.core.grammar import grammar
from dpsym.core.relations import Proposition, exact, propositions

_MOST_DIGITS = 10_000  # before or after the point, of a decimal


def given(value: object) -> sp.Basic:
    """The exact expression: text is read, and a number that is no fraction is the decimal that it prints.

    Numbers are told by their behaviour (`numbers.Real`), so that no library is imported for its own.

    Raises:
        TypeError: for what is no number and no expression, and an expression with a binary float inside.
        ValueError: for text that cannot be read, and what is not finite or has too many digits to be written out.
    """
    if isinstance(value, str):
        read: sp.Basic = grammar().read_expression(value)
        return read
    if isinstance(value, sp.Float):
        return _decimal(Decimal(str(value)))
    if isinstance(value, sp.Basic | bool):
        return exact(value)
    if isinstance(value, Integral):
        return sp.Integer(int(value))
    if isinstance(value, Rational):
        return sp.Rational(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):
        value = Decimal(float.__repr__(value) if isinstance(value, float) else str(value))
    return _decimal(value) if isinstance(value, Decimal) else exact(value)


def assumptions(items: str | Iterable[object]) -> tuple[Proposition, ...]:
    """Propositions; text is read, and may be a chain of several.

    Raises:
        NotAProposition: for what is none.
        ValueError: for text that cannot be read, and what holds no conditions.
    """
    if not isinstance(items, str | Iterable):
        raise ValueError(f"assume = {items!r}: expected a condition such as 'rho <= 1', or several in a list")
    each = [items] if isinstance(items, str) else items
    read = (grammar().read_relations(i).relations if isinstance(i, str) else propositions([i]) for i in each)
    return tuple(one for found in read for one in found)


def _decimal(value: Decimal) -> sp.Rational:
    if not value.is_finite():
        raise ValueError(f"{value} is not a finite number")
    if not -_MOST_DIGITS <= value.adjusted() <= _MOST_DIGITS:
        raise ValueError(f"{value} is too large or too small to be written out as an exact number")
    return sp.Rational(*value.as_integer_ratio())
