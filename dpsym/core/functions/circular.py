"""Circular functions and their inverses."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from flint import arb

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import (
    NAN,
    Operation,
    Violation,
    constant_at_zero,
    entire_with_zero,
    monotone_within,
    no_zero,
    only_within,
)
from dpsym.core.balls.ranges import Range
from dpsym.core.functions.record import Function, Groups, everywhere, towards, within
from dpsym.core.relations import Relation

_PI_HALF = "1.5707963267948966192313216916397514420986 +/- 1e-39"


def _where_not_zero(function: type) -> Callable[[sp.Expr], Groups]:
    return lambda x: ((Relation(function(x), "!=", 0),),)


def _quotient(function: Callable[[arb], arb], divisor: Callable[[arb], arb]) -> Callable[[arb], arb]:
    return lambda x: function(x) if no_zero(divisor(x)) else NAN


def _needs_not_zero(x: arb) -> Violation | None:
    return (0, "!= 0") if x.is_zero() else None  # the other poles are no rational numbers


def _needs_unit(x: arb) -> Violation | None:
    return (0, "in [-1, 1]") if abs(x) > 1 else None


def _in_unit(x: arb) -> bool:
    return bool(abs(x) <= 1)


def _range_in_unit(x: Range) -> bool:
    return bool(x.below >= -1) and bool(x.above <= 1)


def _atan_range(x: Range) -> Range:
    limit = arb(_PI_HALF).upper()
    return ranges.increasing(arb.atan, -limit, limit)(x)


_TAN, _COT = _quotient(arb.tan, arb.cos), _quotient(arb.cot, arb.sin)
_SEC, _CSC = _quotient(arb.sec, arb.cos), _quotient(arb.csc, arb.sin)

SIN = Function(
    head=sp.sin, names=("sin",), latex=r"\sin", latex_names=("sin",),
    parity=-1,
    operation=entire_with_zero(arb.sin, ranges.through_balls(arb.sin), "sin"), mpmath=lambda mp, x: mp.sin(x),
)  # fmt: skip
COS = Function(
    head=sp.cos, names=("cos",), latex=r"\cos", latex_names=("cos",),
    parity=1,
    operation=Operation(
        arb.cos, ranges.through_balls(arb.cos), exact=constant_at_zero(1), complex=lambda z: z.cos()
    ),
    mpmath=lambda mp, x: mp.cos(x),
)  # fmt: skip
TAN = Function(
    head=sp.tan, names=("tan",), latex=r"\tan", latex_names=("tan",),
    defined=_where_not_zero(sp.cos), parity=-1,
    operation=entire_with_zero(_TAN, ranges.through_balls(_TAN), "tan"), mpmath=lambda mp, x: mp.tan(x),
)  # fmt: skip
COT = Function(
    head=sp.cot, names=("cot",), latex=r"\cot", latex_names=("cot",),
    defined=_where_not_zero(sp.sin), parity=-1,
    operation=Operation(_COT, ranges.through_balls(_COT), _needs_not_zero, complex=lambda z: z.cot()),
    mpmath=lambda mp, x: mp.cot(x),
)  # fmt: skip
SEC = Function(
    head=sp.sec, names=("sec",), reciprocal_of="cos", latex_names=("sec",),
    defined=_where_not_zero(sp.cos), parity=1,
    operation=Operation(_SEC, ranges.through_balls(_SEC), exact=constant_at_zero(1), complex=lambda z: z.sec()),
    mpmath=lambda mp, x: mp.sec(x),
)  # fmt: skip
CSC = Function(
    head=sp.csc, names=("csc",), reciprocal_of="sin", latex_names=("csc",),
    defined=_where_not_zero(sp.sin), parity=-1,
    operation=Operation(_CSC, ranges.through_balls(_CSC), _needs_not_zero, complex=lambda z: z.csc()),
    mpmath=lambda mp, x: mp.csc(x),
)  # fmt: skip
ASIN = Function(
    head=sp.asin, names=("asin",), latex=r"\arcsin", latex_names=("arcsin", "asin"),
    defined=within(-1, 1), rises=within(-1, 1), parity=-1,
    operation=Operation(
        only_within(arb.asin, _in_unit),
        monotone_within(arb.asin, _range_in_unit),
        _needs_unit,
        constant_at_zero(0),
    ),
    mpmath=lambda mp, x: mp.asin(x),
)  # fmt: skip
ACOS = Function(
    head=sp.acos, names=("acos",), latex=r"\arccos", latex_names=("arccos", "acos"),
    defined=within(-1, 1), falls=within(-1, 1),
    operation=Operation(
        only_within(arb.acos, _in_unit), monotone_within(arb.acos, _range_in_unit, falling=True), _needs_unit
    ),
    mpmath=lambda mp, x: mp.acos(x),
)  # fmt: skip
ATAN = Function(
    head=sp.atan, names=("atan",), latex=r"\arctan", latex_names=("arctan", "atan"),
    rises=everywhere, limits=towards(-sp.pi / 2, sp.pi / 2), parity=-1, tame=True,
    operation=Operation(arb.atan, _atan_range, exact=constant_at_zero(0)), mpmath=lambda mp, x: mp.atan(x),
)  # fmt: skip
