"""The exponential, the logarithm, the square root."""

from __future__ import annotations

import sympy as sp
from flint import fmpq

from dpsym.core.balls import doubles, ranges
from dpsym.core.balls.operations import NAN, Operation, constant_at_zero, rational_power
from dpsym.core.functions.record import Function, Limit, above, at_least, everywhere, towards

EXP = Function(
    head=sp.exp, names=("exp",), latex_names=("exp",),
    rises=everywhere, limits=towards(0, sp.oo), tame=True, huge=True, certified=True,
    operation=Operation(lambda x: x.exp(), ranges.exponential, exact=constant_at_zero(1), complex=lambda z: z.exp() ),
    mpmath=lambda mp, x: mp.exp(x), doubles=doubles.exponential, scalar="iv_exp",
)  # fmt: skip
LOG = Function(
    head=sp.log, names=("log", "ln"), latex=r"\log", latex_names=("log", "ln"),
    defined=above(0), rises=above(0), limits=(Limit(sp.S.Zero, -sp.oo, 1), Limit(sp.oo, sp.oo, -1)), tame=True,
    lasting=True, certified=True,
    operation=Operation(
        lambda x: x.log() if x > 0 else NAN,
        ranges.logarithm,
        lambda x: (0, "> 0") if x <= 0 else None,
        lambda x: fmpq(0) if x == 1 else None,
        lambda z: z.log(analytic=True),
    ),
    mpmath=lambda mp, x: mp.log(x) if x > 0 else mp.nan, zeros=(1,), doubles=doubles.logarithm, scalar="iv_log",
)  # fmt: skip
SQRT = Function(
    head=None,  # a power
    names=("sqrt",), build=sp.sqrt,
    defined=at_least(0), rises=at_least(0), limits=(Limit(sp.oo, sp.oo, -1),),
    operation=rational_power(1, 2), mpmath=lambda mp, x: mp.sqrt(x) if x >= 0 else mp.nan,
)  # fmt: skip
