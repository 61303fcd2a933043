"""One Rényi order as a privacy profile, by the best exponential bound on (1 - e^(epsilon - L))_+."""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, x
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

rdp_to_approx_profile_improved = Theorem(
    id="rdp_to_approx_profile_improved",
    title="RDP implies approximate DP, as a profile, improved",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(x, sp.exp((alpha - 1) * (epsilon - x)) * (1 - 1 / alpha) ** (alpha - 1) / alpha),
    assume=(x >= 0,),
    chooses=(x,),
    source=Source("CKS20", "Proposition 12 (unverified locator; also BBGHS20, Theorem 21)"),
)
