"""Gaussian differential privacy: no easier to test than a unit-variance Gaussian shifted by mu."""

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.notation import P, Phi, Phi_inv, Q, a, k, mu, trade_off, y
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing, privacy_filter
from dpsym.entries.notions.composition import root_sum_of_squares
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem

gdp = Definition(
    id="gdp",
    title="Gaussian differential privacy (GDP)",
    params=(mu,),
    index=(a,),
    domain=(mu >= 0,),
    means=ForAll(Relation(trade_off(a, P, Q), ">=", Phi(Phi_inv(1 - a) - mu)), (a,), (a > 0, a < 1)),
    compose={mu: root_sum_of_squares},
    outputs=shifted(Density(y, sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi)), mu),
    source=Source("DRS22", "Definition 2.6"),
)


# --- laws ------------------------------------------------------------

composition_gdp = composition(gdp, Source("DRS22", "Corollary 3.3"), exact=True, lossless=True)


# Inputs k steps of the neighbouring relation apart.
group_gdp = Theorem(
    id="group_gdp",
    title="group privacy of GDP",
    premises=(gdp(mu),),
    conclusion=gdp(k * mu),
    setting=Setting.GROUP,
    count=k,
    source=Source("DRS22", "Theorem 2.14"),
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_gdp = Theorem(
    id="replacement_gdp",
    title="GDP of a record replaced",
    premises=(gdp(mu),),
    conclusion=gdp(2 * mu),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("DRS22", "Theorem 2.14, for a group of two"),
)


filter_gdp = privacy_filter(gdp, Source("ST22"))
post_processing_gdp = post_processing(gdp, Source("DRS22", "Proposition 2.8"))
parallel_gdp = parallel(gdp, Source("McS09", "Theorem 4, for pure DP"))
