"""The privacy profile of f-DP: delta(epsilon) = 1 + f*(-e^epsilon), with f* the convex conjugate."""

import sympy as sp

from dpsym.definitions.approx import approx
from dpsym.definitions.fdp import fdp
from dpsym.notation import Maximum, a, epsilon, f
from dpsym.statements import Source, Theorem

fdp_to_approx = Theorem(
    id="fdp_to_approx",
    title="f-DP as approximate DP (primal to dual)",
    premises=(fdp(f),),
    conclusion=approx(epsilon, Maximum(sp.Lambda(a, 1 - sp.exp(epsilon) * a - f(a)), sp.Interval(0, 1))),
    chooses=(epsilon,),
    exact=True,
    source=Source("DRS22", "Proposition 2.12 (unverified locator)"),
)
