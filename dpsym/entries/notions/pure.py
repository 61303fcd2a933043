"""Pure differential privacy: the max divergence at most epsilon."""

import sympy as sp

from dpsym.core.notation import P, Q, epsilon, k, renyi
from dpsym.core.relations import Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing, privacy_filter
from dpsym.entries.notions.composition import add
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem

pure = Definition(
    id="pure",
    title="pure differential privacy",
    params=(epsilon,),
    domain=(epsilon >= 0,),
    means=Relation(renyi(sp.oo, P, Q), "<=", epsilon),
    compose={epsilon: add},
    source=Source("DMNS06", "Definition 1", verified=True),
)


# --- laws ------------------------------------------------------------

composition_pure = composition(pure, Source("DMNS06"), exact=True)


# Inputs k steps of the neighbouring relation apart.
group_pure = Theorem(
    id="group_pure",
    title="group privacy of pure DP",
    premises=(pure(epsilon),),
    conclusion=pure(k * epsilon),
    setting=Setting.GROUP,
    count=k,
    source=Source("DMNS06"),
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_pure = Theorem(
    id="replacement_pure",
    title="pure DP of a record replaced",
    premises=(pure(epsilon),),
    conclusion=pure(2 * epsilon),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("DMNS06", "as group privacy of two"),
)


filter_pure = privacy_filter(pure, Source("RRUV16"))
post_processing_pure = post_processing(pure, Source("DMNS06"))
parallel_pure = parallel(pure, Source("McS09", "Theorem 4"))
