"""Why a guarantee implies none of another kind, whatever its budget: a mechanism has the one, and not the other.

The catalogue then lacks no theorem: there is none.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.notation import alpha, delta, xi
from dpsym.statements import Goal, Guarantee

_RELEASE = "a mechanism that publishes all data with probability delta, and nothing otherwise, has it"
_NOISE = "Gaussian noise has it for every budget above 0, and its privacy loss is unbounded"
_UNBOUNDED = "delta > 0 allows outputs of unbounded privacy loss"

_OF_RELEASE = {
    "pure": f"{_UNBOUNDED}: {_RELEASE}, and no epsilon",
    "bounded_range": f"{_UNBOUNDED}: {_RELEASE}, and no bounded range",
    "zcdp": f"{_UNBOUNDED}: {_RELEASE}, and every Rényi divergence of it is infinite",
    "offset_zcdp": f"{_UNBOUNDED}: {_RELEASE}, and every Rényi divergence of it is infinite",
    "rdp": f"{_UNBOUNDED}: {_RELEASE}, and every Rényi divergence of it is infinite",
    "tcdp": f"{_UNBOUNDED}: {_RELEASE}, and every Rényi divergence of it is infinite",
    "gdp": f"{_UNBOUNDED}: {_RELEASE}, and is told apart with no type I error, which no Gaussian pair is",
}  # where delta > 0; at 0 it is pure DP
_OF_NOISE = {"pure": _NOISE, "bounded_range": _NOISE}


def impossible(source: object, goal: Goal) -> str:
    """The reason; empty where it is possible, or not known to be impossible."""
    if not isinstance(source, Guarantee):
        return ""
    start, end = source.definition.id, goal.definition.id
    if start == "approx" and end in _OF_RELEASE:
        least = source.bound[delta]
        if least == 0:
            return ""
        unless = "" if isinstance(least, sp.Rational) else " (for delta = 0 it is pure DP)"
        return f"it is impossible: {_OF_RELEASE[end]}{unless}"
    if start in ("approx_zcdp", "approx_rdp") and end in _OF_RELEASE:
        least = source.bound[delta]
        return f"it is impossible: {_OF_RELEASE[end]}" if least.is_positive else ""
    if start in ("zcdp", "offset_zcdp", "rdp", "tcdp", "gdp") and end in _OF_NOISE:
        if start == "rdp" and not isinstance(source.bound[alpha], sp.Rational):
            return ""  # a curve that is bounded over all orders is pure DP
        budgets = [value for p, value in source.bound.items() if p not in (alpha, xi)]  # an offset alone is pure DP
        return "" if any(value.is_zero for value in budgets) else f"it is impossible: {_OF_NOISE[end]}"
    return ""
