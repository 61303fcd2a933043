"""One Rényi order as total variation, from the Kullback-Leibler divergence, which is no larger."""

import sympy as sp

from dpsym.core.notation import alpha, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

rdp_to_approx_zero = Theorem(
    id="rdp_to_approx_zero",
    title="RDP bounds the total variation",
    premises=(rdp(alpha, epsilon),),
    conclusion=approx(0, sp.sqrt(1 - sp.exp(-epsilon))),
    source=Source("BH79", "unverified locator"),
)
