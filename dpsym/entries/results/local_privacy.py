"""Contraction of divergences by local DP; the cap of the sphere that a local response draws from."""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import K, P, Q, X, chance, epsilon, hockey_stick, image, m, renyi, smallest, t, x, y, z
from dpsym.core.relations import ForAll, IsInteger, Relation
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


# How likely a uniform unit vector in m dimensions is in a cap: that its inner product with the cap's centre, of density
# proportional to (1 - y^2)^((m - 3)/2), is t or more.  Half of the regularised incomplete beta function at
# 1 - t^2, with the parameters (m - 1)/2 and 1/2, which is (1 - t)/2 for m = 3.
_scale = sp.gamma(m / 2) / (sp.sqrt(sp.pi) * sp.gamma((m - 1) / 2))

privunit_cap = Result(
    id="privunit_cap",
    title="share of the sphere in a cap, for PrivUnit",
    states=Relation(
        chance(x, x, ">=", t, X),
        "=",
        _scale / 2 * sp.Integral(z ** ((m - 3) / 2) / sp.sqrt(1 - z), (z, 0, 1 - t**2)),
    ),
    assume=(
        IsInteger(m),
        m >= 3,
        t > 0,
        t < 1,
    ),
    outputs={X: Density(y, _scale * (1 - y**2) ** ((m - 3) / 2), sp.Interval(-1, 1))},
    tight=True,
    remark="in two dimensions it is acos(t)/pi",
    source=Source("Li11"),
)
