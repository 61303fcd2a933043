"""Pure DP as a Rényi curve: that of randomized response, to which no pure mechanism is worse."""

import sympy as sp

from dpsym.core.notation import alpha, epsilon
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

pure_to_rdp = Theorem(
    id="pure_to_rdp",
    title="pure DP implies RDP",
    premises=(pure(epsilon),),
    conclusion=rdp(
        alpha,
        sp.log((sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) / (1 + sp.exp(epsilon))) / (alpha - 1),
    ),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BS16", "proof of Proposition 3.3 (unverified locator)"),
)
