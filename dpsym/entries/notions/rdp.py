"""Rényi differential privacy: the Rényi divergence of order alpha at most epsilon."""

import sympy as sp

from dpsym.core.notation import P, Q, alpha, epsilon, i, k, renyi
from dpsym.core.relations import Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing, privacy_filter
from dpsym.entries.notions.composition import add
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem

rdp = Definition(
    id="rdp",
    title="Rényi differential privacy (RDP)",
    params=(alpha, epsilon),
    index=(alpha,),
    domain=(alpha > 1, epsilon >= 0),
    means=Relation(renyi(alpha, P, Q), "<=", epsilon),
    compose={epsilon: add},
    source=Source("Mir17", "Definition 4", verified=True),
)


# --- laws ------------------------------------------------------------

composition_rdp = composition(rdp, Source("Mir17", "Proposition 1", verified=True), exact=True, lossless=True)


# Inputs k steps of the neighbouring relation apart: the order falls to alpha/k.
#
# With D_b(P, Q) <= k b/(k b - 1) D_{(k b - 1)/(k - 1)}(P, R) + D_{k b}(R, Q), from Hoelder's inequality, used k - 1
# times at b = alpha/k, every single step is seen at one of the orders alpha, alpha - 1, ..., alpha - k + 1, none above
# alpha.
group_rdp = Theorem(
    id="group_rdp",
    title="group privacy of RDP",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha / k, epsilon * sp.Sum(alpha / (alpha - i), (i, 0, k - 1))),
    assume=(alpha > k,),
    setting=Setting.GROUP,
    count=k,
    source=Source("BS16", "Lemma 5.2, used k - 1 times"),
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_rdp = Theorem(
    id="replacement_rdp",
    title="RDP of a record replaced",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha / 2, epsilon * (2 * alpha - 1) / (alpha - 1)),
    assume=(alpha > 2,),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("BS16", "Lemma 5.2, the weak triangle inequality"),
)


filter_rdp = privacy_filter(rdp, Source("FZ21"))
post_processing_rdp = post_processing(rdp, Source("Mir17", "Section III, post-processing", verified=True))
parallel_rdp = parallel(rdp, Source("McS09", "Theorem 4, for pure DP"))
