"""The best exponential above the hockey stick: it turns Rényi divergences into approximate DP."""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, y
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

exponential_majorant = Result(
    id="exponential_majorant",
    title="the best exponential bound on the hockey stick",
    states=Relation(
        sp.Max(0, 1 - sp.exp(epsilon - y)),
        "<=",
        (1 - 1 / alpha) ** alpha / (alpha - 1) * sp.exp((alpha - 1) * (y - epsilon)),
    ),
    assume=(alpha > 1,),
    reals=(y, epsilon),
    tight=True,
    tightness="at y = epsilon + log(alpha/(alpha - 1))",
    source=Source("CKS20", "unverified locator"),
)
