"""Bounded range: the privacy loss, whichever way neighbours are taken, lies in some interval of length eta.

Its largest value is the max divergence of P from Q, its smallest minus that of Q from P.

Budgets do not add up under adaptive composition: the interval of a later mechanism may move with what an earlier
one answered, so that two mechanisms of range eta can have a range of nearly 3 eta together.  Mechanisms chosen
beforehand do add up (`product_bounded_range`).  Every consequence that composes (pure, Rényi, zCDP) may be used.
"""

import sympy as sp

from dpsym.core.notation import P, Q, eta, k, renyi
from dpsym.core.relations import Relation
from dpsym.entries.notions.closure import parallel, post_processing
from dpsym.statements import Definition, Setting, Source, Theorem

bounded_range = Definition(
    id="bounded_range",
    title="bounded range",
    params=(eta,),
    domain=(eta >= 0,),
    means=Relation(renyi(sp.oo, P, Q) + renyi(sp.oo, Q, P), "<=", eta),
    compose={},
    source=Source("DR19"),
)


# --- laws ------------------------------------------------------------

# Mechanisms that were chosen beforehand: the largest losses add up, and so do the smallest.
product_bounded_range = Theorem(
    id="product_bounded_range",
    title="composition of bounded range without adaptivity",
    premises=(bounded_range(eta),),
    conclusion=bounded_range(k * eta),
    setting=Setting.PRODUCT,
    count=k,
    exact=True,
    source=Source("DR19"),
)


# Inputs k steps of the neighbouring relation apart: the losses of the steps add up.
group_bounded_range = Theorem(
    id="group_bounded_range",
    title="group privacy of bounded range",
    premises=(bounded_range(eta),),
    conclusion=bounded_range(k * eta),
    setting=Setting.GROUP,
    count=k,
    source=Source("DR19"),
)


post_processing_bounded_range = post_processing(bounded_range, Source("DR19"))
parallel_bounded_range = parallel(bounded_range, Source("McS09", "Theorem 4, for pure DP"))
