"""Special functions of two arguments that noise needs: a Bessel function, an incomplete gamma function."""

from __future__ import annotations

from flint import arb

from dpsym.enclosing import ranges
from dpsym.enclosing.operations import NAN, Operation, Violation
from dpsym.enclosing.ranges import Range

_ZERO, _ONE = arb(0), arb(1)


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


def _gamma_tail(s: arb, x: arb) -> arb:
    if not (s > 0 and s.is_finite()) or x.is_nan() or x < 0:
        return NAN
    if x.is_exact():
        return _at(s, x)
    if not x.lower() >= 0:
        return NAN
    return _at(s, x.lower()).union(_at(s, x.upper()))  # it falls with x


def _at(s: arb, x: arb) -> arb:
    if x.is_zero():
        return _ONE
    return x.gamma_upper(s, regularized=1) if x.is_finite() else _ZERO


def _gamma_tail_range(s: Range, x: Range) -> Range | None:
    if not (ranges.is_point(s) and ranges.positive(s) and ranges.nonnegative(x)):
        return None
    return ranges.decreasing(lambda t: _at(s.below, t), _ONE, _ZERO)(x)


def _gamma_tail_needs(s: arb, x: arb) -> Violation | None:
    return (0, "> 0") if s <= 0 else ((1, ">= 0") if x < 0 else None)


BESSEL = Operation(_bessel, _bessel_range, _bessel_needs)
GAMMA_TAIL = Operation(_gamma_tail, _gamma_tail_range, _gamma_tail_needs)
