"""The normal distribution and the error function."""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

from dpsym.core.balls import doubles, ranges
from dpsym.core.balls.operations import NAN, Operation, Violation, constant_at_zero, entire_with_zero
from dpsym.core.balls.ranges import Range
from dpsym.core.functions.record import Function, Limit, at_least, at_most, between, everywhere, towards
from dpsym.core.notation import Phi, Phi_inv, phi

_ZERO, _ONE, _TWO = arb(0), arb(1), arb(2)


def _erfc(x: arb) -> arb:
    if x.is_finite() or not x.is_exact() or x.is_nan():
        return x.erfc()
    return _ZERO if x > 0 else _TWO


def _erf(x: arb) -> arb:
    return x.erf() if x.is_finite() or not x.is_exact() else 1 - _erfc(x)


def _cumulative(x: arb) -> arb:
    return _erfc(-x / _TWO.sqrt()) / 2


def _density(x: arb) -> arb:
    return (-(x * x) / 2).exp() / (2 * arb.pi()).sqrt()


def _density_range(x: Range) -> Range | None:
    scale = ranges.of_ball(1 / (2 * arb.pi()).sqrt())
    square = ranges.integer_power(2)(x)
    if scale is None or square is None:
        return None
    return ranges.multiply(ranges.exponential(ranges.multiply(square, Range(arb(-0.5), arb(-0.5)))), scale)


def _quantile(p: arb) -> arb:
    if not (p > 0 and p < 1):
        return NAN
    if p < 0.5:
        return -_TWO.sqrt() * (2 * p).erfcinv()
    return _TWO.sqrt() * (2 * (1 - p)).erfcinv()


def _quantile_range(p: Range) -> Range | None:
    if not (ranges.positive(p) and ranges.negative(ranges.add(p, Range(-_ONE, -_ONE)))):
        return None
    return ranges.increasing(_quantile)(p)  # an end at 0 or 1 has no quantile, hence no bound


def _needs_unit(p: arb) -> Violation | None:
    return (0, "in (0, 1)") if p <= 0 or p >= 1 else None


def _quantile_by_mpmath(mp: Any, p: Any) -> Any:
    return mp.sqrt(2) * mp.erfinv(2 * p - 1) if 0 < p < 1 else mp.nan


PHI = Function(
    head=Phi, names=("Phi",), latex=r"\Phi", latex_letters=("Phi",), symbol="Φ",
    rises=everywhere, limits=towards(0, 1), tame=True, lasting=True,
    operation=Operation(
        _cumulative,
        ranges.increasing(_cumulative, _ZERO, _ONE),
        exact=lambda x: None if x else fmpq(1, 2),
        complex=lambda z: (-z / acb(2).sqrt()).erfc() / 2,
    ),
    mpmath=lambda mp, x: mp.erfc(-x / mp.sqrt(2)) / 2, mpmath_code="mpmath.ncdf({0})", doubles=doubles.normal,
    scalar="iv_Phi",
)  # fmt: skip
DENSITY = Function(
    head=phi, names=("phi",), latex=r"\varphi", latex_letters=("phi", "varphi"), symbol="φ",
    rises=at_most(0), falls=at_least(0), limits=towards(0, 0), parity=1, tame=True,
    operation=Operation(_density, _density_range, complex=lambda z: (-z * z / 2).exp() / (2 * acb.pi()).sqrt() ),
    mpmath=lambda mp, x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi), mpmath_code="mpmath.npdf({0})",
    scalar="iv_phi",
)  # fmt: skip
QUANTILE = Function(
    head=Phi_inv, names=("Phi_inv",), latex=r"\Phi^{-1}", symbol="Φ⁻¹",
    defined=between(0, 1), rises=between(0, 1),
    limits=(Limit(sp.S.Zero, -sp.oo, 1), Limit(sp.S.One, sp.oo, -1)), tame=True,
    operation=Operation(_quantile, _quantile_range, _needs_unit, lambda p: fmpq(0) if 2 * p == 1 else None),
    mpmath=_quantile_by_mpmath, zeros=(0, 0.5, 1), mpmath_code="(mpmath.sqrt(2)*mpmath.erfinv(2*({0}) - 1))",
    scalar="iv_Phi_inv",
)  # fmt: skip
ERF = Function(
    head=sp.erf, names=("erf",), latex=r"\operatorname{erf}", latex_names=("erf",),
    rises=everywhere, limits=towards(-1, 1), parity=-1, tame=True, lasting=True,
    operation=entire_with_zero(_erf, ranges.increasing(arb.erf, -_ONE, _ONE), "erf"),
    mpmath=lambda mp, x: mp.erf(x), doubles=doubles.of_c_library("erf", falls=False, least=-1.0, most=1.0),
    scalar=lambda x: 2 * Phi(sp.sqrt(2) * x) - 1,
)  # fmt: skip
ERFC = Function(
    head=sp.erfc, names=("erfc",), latex=r"\operatorname{erfc}", latex_names=("erfc",),
    falls=everywhere, limits=towards(2, 0), tame=True, lasting=True, certified=True,
    operation=Operation(
        _erfc,
        ranges.decreasing(arb.erfc, _TWO, _ZERO),
        exact=constant_at_zero(1),
        complex=lambda z: z.erfc(),
    ),
    mpmath=lambda mp, x: mp.erfc(x), doubles=doubles.erfc, scalar=lambda x: 2 * Phi(-sp.sqrt(2) * x),
)  # fmt: skip
