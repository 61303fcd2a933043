"""What a locally private channel K leaves of the chi-squared divergence of two input distributions."""

import sympy as sp

from dpsym.core.notation import K, P, Q, epsilon, image, renyi, x, y
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

local_chi_squared_contraction = Result(
    id="local_chi_squared_contraction",
    title="contraction of the chi-squared divergence by local DP",
    states=Relation(
        sp.exp(renyi(2, image(K, P), image(K, Q))) - 1, "<=", sp.tanh(epsilon / 2) ** 2 * (sp.exp(renyi(2, P, Q)) - 1)
    ),
    assume=(
        epsilon >= 0,
        ForAll(Relation(renyi(sp.oo, image(K, x), image(K, y)), "<=", epsilon), (x, y)),
    ),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="for randomized response of two fair coins",
    source=Source("AZ22", "Theorem 1 (unverified locator)"),
)
