"""What a locally private channel K leaves of the total variation of two input distributions."""

import sympy as sp

from dpsym.core.notation import K, P, Q, epsilon, hockey_stick, image, renyi, x, y
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

local_total_variation_contraction = Result(
    id="local_total_variation_contraction",
    title="contraction of total variation by local DP",
    states=Relation(hockey_stick(1, image(K, P), image(K, Q)), "<=", sp.tanh(epsilon / 2) * hockey_stick(1, P, Q)),
    assume=(
        epsilon >= 0,
        ForAll(Relation(renyi(sp.oo, image(K, x), image(K, y)), "<=", epsilon), (x, y)),
    ),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="for randomized response",
    source=Source("KOV16", "unverified locator"),
)
