"""Pure DP as a Rényi curve: that of randomized response, which is extremal."""

import sympy as sp

from dpsym.definitions.pure import pure
from dpsym.definitions.rdp import rdp
from dpsym.notation import alpha, epsilon
from dpsym.statements import Source, Theorem

pure_to_rdp = Theorem(
    id="pure_to_rdp",
    title="pure DP implies RDP",
    premises=(pure(epsilon),),
    conclusion=rdp(
        alpha,
        sp.log((sp.sinh(alpha * epsilon) - sp.sinh((alpha - 1) * epsilon)) / sp.sinh(epsilon)) / (alpha - 1),
    ),
    assume=(epsilon > 0,),
    chooses=(alpha,),
    exact=True,
    source=Source("BS16", "proof of Proposition 3.3"),
)
