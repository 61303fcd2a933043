"""What would be too much to build: SymPy computes numbers at once, and some of its rules explode."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from itertools import chain, islice

import sympy as sp

from dpsym.core import functions

MOST_DIGITS = 2_000  # of a literal; well below the 4300 that Python reads
LARGEST_DECIMAL_EXPONENT = 4_000  # such a power of ten is below MOST_BITS
MOST_BITS = 14_000  # just under the 4300 digits that Python prints
MOST_BITS_UNDER_A_ROOT = 8_000  # SymPy looks for factors of a radicand
LARGEST_FACTORIAL = 1_400  # its factorial is below MOST_BITS
MOST_COMPARED = 32  # arguments of max and min, which SymPy compares pairwise
MOST_PARTS = 2_000  # of what a name stands for, which is put in at every use, so that a few lines multiply it
DEEPEST_HYPERBOLIC = 4  # SymPy takes time exponential in this

_COMPARED = (sp.Max, sp.Min)
_NESTED_SLOWLY = functions.heads("nests_slowly")
_GROWING = functions.heads("huge")


def too_large(value: sp.Expr) -> str | None:
    """What is wrong with a value that was just made, if anything is."""
    if value in (sp.nan, sp.zoo):
        return "the value is not defined"
    coefficient = value if value.is_Rational else value.as_coeff_Mul()[0] if value.is_Mul else None
    if isinstance(coefficient, sp.Rational) and _bits(coefficient) > MOST_BITS:
        return "the number is too large"
    return None


def too_long(value: sp.Expr, more: Iterable[object] = ()) -> str | None:
    """Why a name must not stand for a value with the parts that this has, and more, or None."""
    parts = chain(sp.preorder_traversal(value), more)
    is_longer = any(True for _ in islice(parts, MOST_PARTS, None))
    return f"it stands for more than {MOST_PARTS} operations and names" if is_longer else None


def power_too_large(base: sp.Expr, exponent: sp.Expr) -> str | None:
    """Why base^exponent must not be built, or None."""
    if base is sp.E:
        return _exponential_too_large(exponent)
    if isinstance(exponent, sp.Rational):
        bits = _bits(base)
        if (bits > 1 or not base.is_Rational) and bits * abs(exponent) > MOST_BITS:
            return "the power is too large a number"
        if exponent.q > MOST_BITS or (exponent.q > 1 and bits > MOST_BITS_UNDER_A_ROOT):
            return "the root is of too large a number"
        return None
    return _exponential_too_large(exponent)


def call_too_large(name: str, arguments: tuple[sp.Expr, ...]) -> str | None:
    """Why the function of these arguments must not be built, or None."""
    function = functions.by_name(name)
    computed = function is not None and function.computed
    if computed and any(a.is_Rational and abs(a) > LARGEST_FACTORIAL for a in arguments):
        return f"{name} of a number beyond {LARGEST_FACTORIAL}"
    if computed and any(not a.free_symbols and not a.is_Rational and a.has(*_GROWING) for a in arguments):
        return f"{name} of a constant that may be very large"
    if name == "exp":
        return _exponential_too_large(arguments[0])
    if name == "sqrt":
        return power_too_large(arguments[0], sp.Rational(1, 2))
    if name in ("max", "min"):
        count = sum(len(a.args) if isinstance(a, _COMPARED) else 1 for a in arguments)
        return f"{name} of more than {MOST_COMPARED} values" if count > MOST_COMPARED else None
    if name in ("floor", "ceil"):
        return _rounding_too_large(name, arguments[0])
    if function is not None and function.nests_slowly and _depth(arguments[0]) >= DEEPEST_HYPERBOLIC:
        return f"hyperbolic functions nested more than {DEEPEST_HYPERBOLIC} deep"
    return None


def _exponential_too_large(exponent: sp.Expr) -> str | None:
    """SymPy turns exp(n log 2), and 2^(n log 3 / log 2), into a number."""
    if exponent.has(sp.log):
        bits = max((_bits(a.args[0]) for a in exponent.atoms(sp.log)), default=1)
        for term in sp.Add.make_args(exponent):
            if bits * abs(term.as_coeff_Mul()[0]) > MOST_BITS:
                return "the power is too large a number"
    return None


def _rounding_too_large(name: str, argument: sp.Expr) -> str | None:
    """SymPy evaluates a constant until its integer part is known, however large."""
    from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, enclose

    if argument.free_symbols or argument.is_Rational:
        return None
    try:
        size = enclose(argument, digits=3, most_bits=4096)
    except (NotEnclosed, NotNumeric):
        return f"{name} of a value that could not be bounded"
    except Undefined as undefined:
        return f"{name} of a value that is not defined: {undefined.obligation}"
    if max(abs(size.lower), abs(size.upper)) > Decimal("1e1000"):
        return f"{name} of a number beyond 10^1000"
    return None


def _bits(e: sp.Expr) -> int:
    numbers = e.atoms(sp.Rational) or {sp.Integer(1)}
    return max(max(abs(int(n.p)).bit_length(), int(n.q).bit_length()) for n in numbers)


def _depth(e: sp.Basic) -> int:
    inner = max((_depth(a) for a in e.args), default=0)
    return inner + isinstance(e, _NESTED_SLOWLY)
