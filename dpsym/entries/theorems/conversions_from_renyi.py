"""Theorems from Rényi DP: to approximate DP for a given delta and for a given epsilon, and from a budget of 0."""

import sympy as sp

from dpsym.core.notation import alpha, delta, epsilon, largest, x
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.approx_rdp import approx_rdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

# One Rényi order as (epsilon, delta), by Markov's inequality.
rdp_to_approx = Theorem(
    id="rdp_to_approx",
    title="RDP implies approximate DP",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(epsilon + sp.log(1 / delta) / (alpha - 1), delta),
    assume=(
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("Mir17", "Proposition 3", verified=True),
)


# One Rényi order as (epsilon, delta), by the best exponential bound on (1 - e^(epsilon - L))_+.
#
# The formula can be negative; then the hockey-stick divergence is at most delta at epsilon = 0 already.
rdp_to_approx_improved = Theorem(
    id="rdp_to_approx_improved",
    title="RDP implies approximate DP, improved",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(
        largest(0, epsilon + sp.log((alpha - 1) / alpha) - (sp.log(delta) + sp.log(alpha)) / (alpha - 1)),
        delta,
    ),
    assume=(
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("CKS20", "Proposition 12", also=Source("BBGHS20", "Theorem 21")),
)


# One Rényi order as a privacy profile, by Markov's inequality: the tail bound of the moments accountant.
rdp_to_approx_profile = Theorem(
    id="rdp_to_approx_profile",
    title="RDP implies approximate DP, as a profile",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(x, sp.exp((alpha - 1) * (epsilon - x))),
    assume=(x >= 0,),
    chooses=(x,),
    source=Source("ACGMMTZ16", "Theorem 2", verified=True),
)


# One Rényi order as a privacy profile, by the best exponential bound on (1 - e^(epsilon - L))_+.
rdp_to_approx_profile_improved = Theorem(
    id="rdp_to_approx_profile_improved",
    title="RDP implies approximate DP, as a profile, improved",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(x, sp.exp((alpha - 1) * (epsilon - x)) * (1 - 1 / alpha) ** (alpha - 1) / alpha),
    assume=(x >= 0,),
    chooses=(x,),
    source=Source("CKS20", "Proposition 12", also=Source("BBGHS20", "Theorem 21")),
)


# One Rényi order as total variation, from the Kullback-Leibler divergence, which is no larger.
rdp_to_approx_zero = Theorem(
    id="rdp_to_approx_zero",
    title="RDP bounds the total variation",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(0, sp.sqrt(1 - sp.exp(-epsilon))),
    source=Source("BH79"),
)


# A Rényi divergence of 0, at any one order, is that of equal distributions.
rdp_to_pure_zero = Theorem(
    id="rdp_to_pure_zero",
    title="RDP at 0 is perfect privacy",
    premises=(rdp(alpha, 0),),
    conclusion=pure(0),
    exact=True,
    lossless=True,
    source=Source("vEH14", "Theorem 8"),
)


# Events may be left out, and need not be.
rdp_to_approx_rdp = Theorem(
    id="rdp_to_approx_rdp",
    title="RDP implies approximate RDP",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx_rdp(alpha, epsilon, delta),
    assume=(delta >= 0, delta < 1),
    chooses=(delta,),
    source=Source("BS16", "Section 8, at one order"),
)
