"""What a privacy profile never falls below."""

from __future__ import annotations

import sympy as sp
from flint import arb, ctx

from dpsym.core.balls.ranges import Range
from dpsym.core.verdicts import Enclosure
from dpsym.numbers.compiling import compiled
from dpsym.numbers.decimals import decimals
from dpsym.numbers.smallest import FAR, cleared

_GUARD = 64  # bits beyond the digits


def profile_floor(profile: sp.Lambda, digits: int) -> Enclosure | None:
    """What a privacy profile, a function of epsilon alone, never falls below and comes as close to as one likes.

    It is known not to increase.  None where nothing is known of its values far out.

    Raises:
        NotNumeric: for another free symbol, or something without a number.
    """
    (x,) = profile.variables
    tape = compiled((cleared(profile.expr),), (x,))
    lower, upper = arb(0), arb(1)
    with ctx.workprec(4 * digits + _GUARD):
        for k in FAR:
            (values,) = tape.ranges([Range(arb(2) ** k, arb.pos_inf(), False, True)])
            if values is not None:
                lower = values.below if values.below > lower else lower
                upper = values.above if values.above < upper else upper
        return decimals(lower.union(upper), digits) if lower <= upper else None
