"""zCDP with an offset, (xi, rho)-zCDP: every Rényi divergence below a line in its order.

The offset is a budget, so it is not negative; a line with a negative one is RDP at every order, `rdp(alpha, …)`.
"""

import sympy as sp

from dpsym.core.notation import P, Q, alpha, k, renyi, rho, xi
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.closure import composition, parallel, post_processing
from dpsym.entries.notions.composition import add
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem

offset_zcdp = Definition(
    id="offset_zcdp",
    title="zero-concentrated differential privacy with an offset ((xi, rho)-zCDP)",
    params=(xi, rho),
    domain=(xi >= 0, rho >= 0),
    means=ForAll(Relation(renyi(alpha, P, Q), "<=", xi + rho * alpha), (alpha,), (alpha > 1,)),
    compose={xi: add, rho: add},
    source=Source("BS16", "Definition 1.1, in its general form"),
)


# --- laws ------------------------------------------------------------

composition_offset_zcdp = composition(offset_zcdp, Source("BS16", "Lemma 2.3"))


# Inputs k steps of the neighbouring relation apart.
#
# Hoelder's inequality multiplies the offset of k - 1 steps by k alpha/(k alpha - 1), which is less than k/(k - 1), and
# adds that of one more.
group_offset_zcdp = Theorem(
    id="group_offset_zcdp",
    title="group privacy of zCDP with an offset",
    premises=(offset_zcdp(xi, rho),),
    conclusion=offset_zcdp(k * sp.harmonic(k) * xi, k**2 * rho),
    setting=Setting.GROUP,
    count=k,
    source=Source("BS16", "Proposition 5.3"),
)


# A record replaced: one removed and another added, two steps of the add/remove relation.
replacement_offset_zcdp = Theorem(
    id="replacement_offset_zcdp",
    title="zCDP with an offset of a record replaced",
    premises=(offset_zcdp(xi, rho),),
    conclusion=offset_zcdp(3 * xi, 4 * rho),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("BS16", "Proposition 5.3, for a group of two"),
)


post_processing_offset_zcdp = post_processing(offset_zcdp, Source("BS16", "Lemma 2.2"))
parallel_offset_zcdp = parallel(offset_zcdp, Source("McS09", "Theorem 4, for pure DP"))
