"""One Rényi order as (epsilon, delta), by Markov's inequality."""

import sympy as sp

from dpsym.core.notation import alpha, delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

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
    source=Source("Mir17", "Proposition 3"),
)
