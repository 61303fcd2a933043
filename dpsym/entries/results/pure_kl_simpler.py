"""The KL divergence of pure DP in simpler terms."""

import sympy as sp

from dpsym.core.notation import epsilon
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

pure_kl_simpler = Result(
    id="pure_kl_simpler",
    title="KL divergence under pure DP, simplified",
    states=Relation(epsilon * sp.tanh(epsilon / 2), "<=", sp.Min(epsilon, epsilon**2 / 2)),
    assume=(epsilon >= 0,),
    tight=True,
    tightness="as epsilon falls to 0, and as it grows",
    source=Source("BS16", "unverified locator"),
)
