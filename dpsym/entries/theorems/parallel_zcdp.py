"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import rho
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_zcdp = Theorem(
    id="parallel_zcdp",
    title="parallel composition of zCDP",
    premises=(zcdp(rho),),
    conclusion=zcdp(rho),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
