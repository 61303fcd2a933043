"""How likely noisy queries are found above a noisy threshold, and how likely on a neighbour."""

from __future__ import annotations

from typing import TypeAlias

import sympy as sp

from dpsym.core.notation import j

_Chances: TypeAlias = tuple[sp.Expr, sp.Expr]


def none_then_all(steepness: sp.Expr, scale: sp.Expr, below: sp.Expr, above: sp.Expr, falls: int) -> _Chances:
    """That `below` queries at the threshold are not above it, and that `above` more are; the same on a neighbour.

    The threshold has Laplace noise of scale 1/steepness, each query such noise of the given scale. On the neighbour the
    first queries are larger by 1, the others smaller by `falls`, 0 or 1. It needs below > above (1 + steepness scale),
    or else there is a 0 in a denominator.

    The integral over the noise of the threshold is taken where v = exp(-|z|/scale)/2 on either side, and in between.
    """
    ratio = steepness * scale
    whole = ratio * 2 ** (ratio - 1)
    high, low = whole * _beta(ratio + above, below), whole * _beta(ratio + below, above)
    rise, fall = below - above - ratio, below - above + ratio
    between = (sp.exp(rise / scale) - 1) / rise + (1 - sp.exp(-falls * fall / scale)) / fall
    between *= ratio * sp.exp(-(below + falls * above) / scale) / 2 ** (below + above + 1)
    return high + low, (
        sp.exp(-steepness - (1 + falls) * above / scale) * high
        + sp.exp(-falls * steepness - (1 + falls) * below / scale) * low
        + between
    )


def _beta(power: sp.Expr, number: sp.Expr) -> sp.Expr:
    """The integral of v^(power - 1) (1 - v)^number over v from 0 to 1/2."""
    term = sp.binomial(number, j) * (-1) ** j / (2 ** (power + j) * (power + j))
    return sp.Sum(term, (j, 0, number))
