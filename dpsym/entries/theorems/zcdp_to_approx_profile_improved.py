"""A zCDP budget as a privacy profile: the best exponential bound at the order that is best for Markov's inequality.

That order is (epsilon + rho)/(2 rho), larger than 1.
"""

import sympy as sp

from dpsym.core.notation import epsilon, rho
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

order = (epsilon + rho) / (2 * rho)

zcdp_to_approx_profile_improved = Theorem(
    id="zcdp_to_approx_profile_improved",
    title="zCDP implies approximate DP, as a profile, improved",
    premises=(zcdp(rho),),
    conclusion=approx(epsilon, sp.exp(-((epsilon - rho) ** 2) / (4 * rho)) * (1 - 1 / order) ** (order - 1) / order),
    assume=(
        rho > 0,
        epsilon > rho,
    ),
    chooses=(epsilon,),
    source=Source("CKS20", "Corollary 13 (unverified locator), at one order"),
)
