"""Contraction of divergences by local DP."""

import sympy as sp

from dpsym.core.notation import K, P, Q, epsilon, hockey_stick, image, renyi, smallest, x, y
from dpsym.core.relations import ForAll, Relation
from dpsym.statements import Result, Source

# What a locally private channel K leaves of the total variation of two input distributions.
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
    source=Source("KOV16"),
)


# What a locally private channel K leaves of the KL divergence of two input distributions.
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
    source=Source("AZ22", "Theorem 1"),
)


# What a locally private channel K leaves of the difference of two input distributions: both KL divergences.
local_kl_contraction = Result(
    id="local_kl_contraction",
    title="contraction of KL divergences by local DP",
    states=Relation(
        renyi(1, image(K, P), image(K, Q)) + renyi(1, image(K, Q), image(K, P)),
        "<=",
        smallest(4, sp.exp(2 * epsilon)) * (sp.exp(epsilon) - 1) ** 2 * hockey_stick(1, P, Q) ** 2,
    ),
    assume=(
        epsilon >= 0,
        ForAll(Relation(renyi(sp.oo, image(K, x), image(K, y)), "<=", epsilon), (x, y)),
    ),
    outputs={P: None, Q: None},
    channels=(K,),
    source=Source("DJW13", "Theorem 1", verified=True),
)


# What a locally private channel K leaves of the chi-squared divergence of two input distributions.
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
    source=Source("AZ22", "Theorem 1"),
)
