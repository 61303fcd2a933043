"""A zCDP budget as a privacy profile: Markov's inequality at the best order."""

import sympy as sp

from dpsym.core.notation import epsilon, rho
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

zcdp_to_approx_profile = Theorem(
    id="zcdp_to_approx_profile",
    title="zCDP implies approximate DP, as a profile",
    premises=(zcdp(rho),),
    conclusion=approx(epsilon, sp.exp(-((epsilon - rho) ** 2) / (4 * rho))),
    assume=(
        rho > 0,
        epsilon >= rho,
    ),
    chooses=(epsilon,),
    source=Source("BS16", "Lemma 3.5 (unverified locator)"),
)
