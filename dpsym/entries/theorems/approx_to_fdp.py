"""(epsilon, delta)-DP is f-DP with f piecewise linear: the two say the same."""

import sympy as sp

from dpsym.core.notation import a, delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.statements import Source, Theorem

approx_to_fdp = Theorem(
    id="approx_to_fdp",
    title="approximate DP is f-DP",
    premises=(approx(epsilon, delta),),
    conclusion=fdp(sp.Max(0, 1 - delta - sp.exp(epsilon) * a, sp.exp(-epsilon) * (1 - delta - a))),
    exact=True,
    lossless=True,
    source=Source("WZ10", "unverified locator"),
)
