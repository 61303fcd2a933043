"""Bounded range: the privacy loss, whichever way neighbours are taken, lies in some interval of length eta.

Its largest value is the max divergence of P from Q, its smallest minus that of Q from P.

Budgets do not add up under adaptive composition: the interval of a later mechanism may move with what an earlier
one answered, so that two mechanisms of range eta can have a range of nearly 3 eta together.  Mechanisms chosen
beforehand do add up (`product_bounded_range`).  Every consequence that composes (pure, Rényi, zCDP) may be used.
"""

import sympy as sp

from dpsym.core.notation import P, Q, eta, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Definition, Source

bounded_range = Definition(
    id="bounded_range",
    title="bounded range",
    params=(eta,),
    domain=(eta >= 0,),
    means=Relation(renyi(sp.oo, P, Q) + renyi(sp.oo, Q, P), "<=", eta),
    compose={},
    source=Source("DR19", "unverified locator"),
)
