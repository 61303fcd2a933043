"""One Rényi order as (epsilon, delta), by the best exponential bound on (1 - e^(epsilon - L))_+.

The formula can be negative; then the hockey-stick divergence is at most delta at epsilon = 0 already.
"""

import sympy as sp

from dpsym.core.notation import alpha, delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

rdp_to_approx_improved = Theorem(
    id="rdp_to_approx_improved",
    title="RDP implies approximate DP, improved",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(
        sp.Max(0, epsilon + sp.log((alpha - 1) / alpha) - (sp.log(delta) + sp.log(alpha)) / (alpha - 1)),
        delta,
    ),
    assume=(
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("CKS20", "Proposition 12 (unverified locator; also BBGHS20, Theorem 21)"),
)
