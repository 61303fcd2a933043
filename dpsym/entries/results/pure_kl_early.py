"""The bound on the KL divergence that advanced composition was first proved with."""

import sympy as sp

from dpsym.core.notation import epsilon
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

pure_kl_early = Result(
    id="pure_kl_early",
    title="KL divergence under pure DP, the early bound",
    states=Relation(epsilon * sp.tanh(epsilon / 2), "<=", epsilon * (sp.exp(epsilon) - 1)),
    assume=(epsilon >= 0,),
    source=Source("DRV10", "Lemma III.2"),
)
