"""The privacy profile of f-DP: delta(epsilon) = 1 + f*(-e^epsilon), with f* the convex conjugate.

True for every f; best possible where f is symmetric, as the trade-off function of a mechanism is when it is
taken over both orders of each pair of neighbours.
"""

import sympy as sp

from dpsym.core.notation import Maximum, a, epsilon, f
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.statements import Source, Theorem

fdp_to_approx = Theorem(
    id="fdp_to_approx",
    title="f-DP implies approximate DP (the dual)",
    premises=(fdp(f),),
    conclusion=approx(epsilon, Maximum(sp.Lambda(a, 1 - sp.exp(epsilon) * a - f(a)), sp.Interval.open(0, 1))),
    chooses=(epsilon,),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Proposition 2.12 (unverified locator)"),
)
