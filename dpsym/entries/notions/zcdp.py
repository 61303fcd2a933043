"""Zero-concentrated differential privacy: every Rényi divergence at most rho times its order."""

from dpsym.core.notation import P, Q, alpha, k, renyi, rho
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing, privacy_filter
from dpsym.entries.notions.composition import add
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem

zcdp = Definition(
    id="zcdp",
    title="zero-concentrated differential privacy (zCDP)",
    params=(rho,),
    domain=(rho >= 0,),
    means=ForAll(Relation(renyi(alpha, P, Q), "<=", rho * alpha), (alpha,), (alpha > 1,)),
    compose={rho: add},
    source=Source("BS16", "Definition 1.1", verified=True),
)


# --- laws ------------------------------------------------------------

composition_zcdp = composition(zcdp, Source("BS16", "Lemma 1.7"), exact=True, lossless=True)


# Inputs k steps of the neighbouring relation apart.
group_zcdp = Theorem(
    id="group_zcdp",
    title="group privacy of zCDP",
    premises=(zcdp(rho),),
    conclusion=zcdp(k**2 * rho),
    setting=Setting.GROUP,
    count=k,
    source=Source("BS16", "Proposition 1.9", verified=True),
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_zcdp = Theorem(
    id="replacement_zcdp",
    title="zCDP of a record replaced",
    premises=(zcdp(rho),),
    conclusion=zcdp(4 * rho),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("BS16", "Proposition 1.9, for a group of two", verified=True),
)


filter_zcdp = privacy_filter(zcdp, Source("WRRW23"))
post_processing_zcdp = post_processing(zcdp, Source("BS16", "Lemma 2.2"))
parallel_zcdp = parallel(zcdp, Source("McS09", "Theorem 4, for pure DP"))
