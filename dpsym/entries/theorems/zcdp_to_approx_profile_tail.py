"""A zCDP budget as a privacy profile: the tail of the privacy loss, integrated.

delta = E (1 - e^(epsilon - Z))_+ is the integral of e^(epsilon - z) P(Z > z) over z > epsilon, and P(Z > z) is at most
e^(-(z - rho)^2/(4 rho)) for z >= rho.
"""

import sympy as sp

from dpsym.core.notation import Phi, epsilon, rho
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

zcdp_to_approx_profile_tail = Theorem(
    id="zcdp_to_approx_profile_tail",
    title="zCDP implies approximate DP, by the tail of the privacy loss",
    premises=(zcdp(rho),),
    conclusion=approx(epsilon, 2 * sp.sqrt(sp.pi * rho) * sp.exp(epsilon) * Phi(-(epsilon + rho) / sp.sqrt(2 * rho))),
    assume=(
        rho > 0,
        epsilon >= rho,
    ),
    chooses=(epsilon,),
    source=Source("BS16", "Lemma 3.6 and its proof (unverified locator)"),
)
