"""The KL divergence under pure DP: a convex function of e^-z lies below its chord."""

import sympy as sp

from dpsym.core.notation import P, Q, epsilon, renyi
from dpsym.core.relations import Relation
from dpsym.entries.notions.pure import pure
from dpsym.statements import Result, Source

pure_kl = Result(
    id="pure_kl",
    title="KL divergence under pure DP",
    states=Relation(renyi(1, P, Q), "<=", epsilon * sp.tanh(epsilon / 2)),
    assume=(epsilon > 0,),
    outputs={P: None, Q: None},
    premises=(pure(epsilon),),
    tight=True,
    tightness="for randomized response",
    source=Source("BS16", "unverified locator"),
)
