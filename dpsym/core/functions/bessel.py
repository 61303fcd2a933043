"""Bessel functions."""

from __future__ import annotations

from flint import arb

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import NAN, Operation, Violation
from dpsym.core.balls.ranges import Range
from dpsym.core.functions.record import Function
from dpsym.core.notation import besseli
from dpsym.core.relations import IsInteger, Relation


def _bessel(n: arb, x: arb) -> arb:
    if not (n.is_integer() and x >= 0):
        return NAN
    return x.bessel_i(abs(n))


def _bessel_range(n: Range, x: Range) -> Range | None:
    """It grows with x, from 0 (from 1 at n = 0)."""
    if not (ranges.is_point(n) and n.below.is_integer() and ranges.nonnegative(x)):
        return None
    return ranges.increasing(lambda t: _bessel(n.below, t))(x)


def _bessel_needs(n: arb, x: arb) -> Violation | None:
    if n.is_exact() and n.is_finite() and not n.is_integer():
        return 0, "to be an integer"
    return (1, ">= 0") if x < 0 else None


BESSEL = Function(
    head=besseli, names=("besseli",), arity=2, latex=r"\operatorname{besseli}", latex_names=("besseli",),
    defined=lambda n, x: ((IsInteger(n), Relation(x, ">=", 0)),), differential=False,
    operation=Operation(_bessel, _bessel_range, _bessel_needs),
    mpmath=lambda mp, n, x: mp.besseli(n, x) if n == mp.nint(n) and x >= 0 else mp.nan,
    mpmath_code="mpmath.besseli({0}, {1})",
)  # fmt: skip
