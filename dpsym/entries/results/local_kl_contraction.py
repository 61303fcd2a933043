"""What a locally private channel K leaves of the difference of two input distributions: both KL divergences."""

import sympy as sp

from dpsym.core.notation import K, P, Q, epsilon, hockey_stick, image, renyi, x, y
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

local_kl_contraction = Result(
    id="local_kl_contraction",
    title="contraction of KL divergences by local DP",
    states=Relation(
        renyi(1, image(K, P), image(K, Q)) + renyi(1, image(K, Q), image(K, P)),
        "<=",
        sp.Min(4, sp.exp(2 * epsilon)) * (sp.exp(epsilon) - 1) ** 2 * hockey_stick(1, P, Q) ** 2,
    ),
    assume=(
        epsilon >= 0,
        ForAll(Relation(renyi(sp.oo, image(K, x), image(K, y)), "<=", epsilon), (x, y)),
    ),
    outputs={P: None, Q: None},
    channels=(K,),
    source=Source("DJW13", "Theorem 1"),
)
