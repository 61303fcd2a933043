"""Rounding to integers."""

from __future__ import annotations

import sympy as sp
from flint import fmpq

from dpsym.core.balls import doubles, ends, ranges
from dpsym.core.balls.operations import Operation
from dpsym.core.functions.record import Function, towards

FLOOR = Function(
    head=sp.floor, names=("floor",),
    continuous=False, smooth=False, limits=towards(-sp.oo, sp.oo), integral=True,
    operation=Operation(
        ends.floor, ranges.floor, exact=lambda x: fmpq(x.floor()), complex=lambda z: z.real_floor(analytic=True)
    ),
    mpmath=lambda mp, x: mp.floor(x), doubles=doubles.step("floor"), scalar="iv_floor",
)  # fmt: skip
CEILING = Function(
    head=sp.ceiling, names=("ceil",),
    continuous=False, smooth=False, limits=towards(-sp.oo, sp.oo), integral=True,
    operation=Operation(
        ends.ceiling, ranges.ceiling, exact=lambda x: fmpq(x.ceil()), complex=lambda z: z.real_ceil(analytic=True)
    ),
    mpmath=lambda mp, x: mp.ceil(x), doubles=doubles.step("ceil"), scalar="iv_ceil",
)  # fmt: skip
