"""One Rényi order as a privacy profile, by Markov's inequality: the tail bound of the moments accountant."""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, x
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

rdp_to_approx_profile = Theorem(
    id="rdp_to_approx_profile",
    title="RDP implies approximate DP, as a profile",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(x, sp.exp((alpha - 1) * (epsilon - x))),
    assume=(x >= 0,),
    chooses=(x,),
    source=Source("ACGMMTZ16", "Theorem 2 (unverified locator)"),
)
