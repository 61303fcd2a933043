"""Approximate differential privacy: the hockey-stick divergence of order e^epsilon at most delta."""

import sympy as sp

from dpsym.core.notation import P, Q, delta, epsilon, hockey_stick, k, smallest
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing, privacy_filter
from dpsym.entries.notions.composition import add
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem

approx = Definition(
    id="approx",
    title="approximate differential privacy",
    params=(epsilon, delta),
    domain=(epsilon >= 0, delta >= 0, delta <= 1),
    means=Relation(hockey_stick(sp.exp(epsilon), P, Q), "<=", delta),
    compose={epsilon: add, delta: add},
    source=Source("DKMMN06"),
)


# --- laws ------------------------------------------------------------

composition_approx = composition(
    approx,
    Source("DR14", "Theorem 3.16", verified=True),
    assume=(
        epsilon >= 0,
        IsInteger(k),
        k >= 1,
    ),
)


# Inputs k steps of the neighbouring relation apart.
group_approx = Theorem(
    id="group_approx",
    title="group privacy of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(k * epsilon, smallest(1, (sp.exp(k * epsilon) - 1) / (sp.exp(epsilon) - 1) * delta)),
    assume=(epsilon > 0,),
    setting=Setting.GROUP,
    count=k,
    source=Source("Vad17", "Lemma 2.2 and its proof"),
)


# Inputs k steps of the neighbouring relation apart, at epsilon = 0: total variation obeys the triangle inequality.
group_approx_zero = Theorem(
    id="group_approx_zero",
    title="group privacy of total variation",
    premises=(approx(0, delta),),
    conclusion=approx(0, smallest(1, k * delta)),
    setting=Setting.GROUP,
    count=k,
    source=Source("Vad17", "Lemma 2.2 and its proof"),
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_approx = Theorem(
    id="replacement_approx",
    title="approximate DP of a record replaced",
    premises=(approx(epsilon, delta),),
    conclusion=approx(2 * epsilon, (1 + sp.exp(epsilon)) * delta),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("Vad17", "Lemma 2.2 and its proof, for a group of two"),
)


filter_approx = privacy_filter(approx, Source("RRUV16"), assume=(epsilon >= 0,))
post_processing_approx = post_processing(approx, Source("DR14", "Proposition 2.1", verified=True))
parallel_approx = parallel(approx, Source("McS09", "Theorem 4, for pure DP"))
