"""What a locally private channel K leaves of the KL divergence of two input distributions."""

import sympy as sp

from dpsym.core.notation import K, P, Q, epsilon, image, renyi, x, y
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

local_contraction = Result(
    id="local_contraction",
    title="contraction of the KL divergence by local DP",
    states=Relation(renyi(1, image(K, P), image(K, Q)), "<=", sp.tanh(epsilon / 2) ** 2 * renyi(1, P, Q)),
    assume=(
        epsilon >= 0,
        ForAll(Relation(renyi(sp.oo, image(K, x), image(K, y)), "<=", epsilon), (x, y)),
    ),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="for randomized response of nearly equal input distributions",
    source=Source("AZ22", "Theorem 1 (unverified locator)"),
)
