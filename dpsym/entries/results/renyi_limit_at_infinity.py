"""The Rényi divergence at order oo is the max divergence, which pure DP bounds."""

import sympy as sp

from dpsym.core.notation import P, Q, alpha, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_limit_at_infinity = Result(
    id="renyi_limit_at_infinity",
    title="the Rényi divergence tends to the max divergence",
    states=Relation(sp.Limit(renyi(alpha, P, Q), alpha, sp.oo), "=", renyi(sp.oo, P, Q)),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "Theorem 6 (unverified locator)"),
)
