"""The Rényi divergence at order 1 is the KL divergence, by continuity from below."""

import sympy as sp

from dpsym.core.notation import P, Q, alpha, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_limit_at_one = Result(
    id="renyi_limit_at_one",
    title="the Rényi divergence tends to the KL divergence",
    states=Relation(sp.Limit(renyi(alpha, P, Q), alpha, 1, "-"), "=", renyi(1, P, Q)),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "Theorem 5 (unverified locator)"),
)
