"""Absolute value, sign, the larger and the smaller; the real part and the conjugate, of what is real."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from flint import arb, fmpq

from dpsym.core.balls import doubles, ends, ranges
from dpsym.core.balls.operations import NAN, Operation, no_zero
from dpsym.core.balls.ranges import Range
from dpsym.core.functions.record import Function, at_least, at_most, everywhere, towards

_ZERO, _ONE = arb(0), arb(1)


def _both(function: Callable[[arb, arb], arb]) -> Callable[[arb, arb], arb]:
    return lambda x, y: NAN if x.is_nan() or y.is_nan() else function(x, y)


def _sign(x: arb) -> arb:
    if x.is_nan():
        return NAN
    return _ONE if x > 0 else (-_ONE if x < 0 else (_ZERO if x.is_zero() else arb(0, 1)))


def _sign_range(x: Range) -> Range:
    below = _ONE if ranges.positive(x) else (_ZERO if ranges.nonnegative(x) else -_ONE)
    above = -_ONE if ranges.negative(x) else (_ZERO if x.above <= 0 else _ONE)
    return Range(below, above)


def _heaviside(x: arb, at_zero: arb) -> arb:
    if x.is_nan() or at_zero.is_nan():
        return NAN
    if no_zero(x):
        return _ONE if x > 0 else _ZERO
    return at_zero if x.is_zero() else _ZERO.union(_ONE).union(at_zero)


def _heaviside_range(x: Range, at_zero: Range) -> Range:
    if ranges.positive(x) or ranges.negative(x):
        value = _ONE if ranges.positive(x) else _ZERO
        return Range(value, value)
    return ranges.hull(Range(_ZERO, _ONE), at_zero)


_SAME = Operation(lambda x: x, lambda x: x, exact=lambda x: x, complex=lambda z: z)

ABSOLUTE = Function(
    head=sp.Abs, names=("abs",),
    smooth=False, rises=at_least(0), falls=at_most(0), limits=towards(sp.oo, sp.oo), parity=1,
    keeps_integers=True,
    operation=Operation(ends.absolute, ranges.absolute, exact=abs, complex=lambda z: z.real_abs(analytic=True)),
    mpmath=lambda mp, x: abs(x), doubles=doubles.magnitude, scalar="iv_abs",
)  # fmt: skip
SIGN = Function(
    head=sp.sign, names=("sign",), latex_names=("sgn", "sign"),
    continuous=False, smooth=False, limits=towards(-1, 1), parity=-1, integral=True,
    operation=Operation(_sign, _sign_range, exact=lambda x: fmpq((x > 0) - (x < 0))),
    mpmath=lambda mp, x: mp.sign(x),
)  # fmt: skip
HEAVISIDE = Function(
    head=sp.Heaviside, names=("Heaviside",), arity=2,  # the second is the value at 0
    read=False,
    continuous=False, smooth=False,
    operation=Operation(_heaviside, _heaviside_range, exact=lambda x, z: fmpq(int(x > 0)) if x else z),
    mpmath=lambda mp, x, z: mp.mpf(x > 0) if x != 0 else z,
)  # fmt: skip
MAXIMUM = Function(
    head=sp.Max, names=("max",), arity=None,
    smooth=False, keeps_integers=True,
    operation=Operation(
        _both(arb.max), ranges.maximum, exact=max, complex=lambda x, y: x.real_max(y, analytic=True)
    ),
    mpmath=lambda mp, *x: max(x),
)  # fmt: skip
MINIMUM = Function(
    head=sp.Min, names=("min",), arity=None,
    smooth=False, keeps_integers=True,
    operation=Operation(
        _both(arb.min), ranges.minimum, exact=min, complex=lambda x, y: x.real_min(y, analytic=True)
    ),
    mpmath=lambda mp, *x: min(x),
)  # fmt: skip
REAL_PART = Function(  # every value is real, which SymPy does not know of a symbol
    head=sp.re, names=("re",), read=False,
    rises=everywhere, limits=towards(-sp.oo, sp.oo), parity=-1, differential=False,
    operation=_SAME, mpmath=lambda mp, x: x,
)  # fmt: skip
CONJUGATE = Function(
    head=sp.conjugate, names=("conjugate",), read=False,
    rises=everywhere, limits=towards(-sp.oo, sp.oo), parity=-1, differential=False,
    operation=_SAME, mpmath=lambda mp, x: x,
)  # fmt: skip
