"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import omega, rho
from dpsym.entries.notions.tcdp import tcdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_tcdp = Theorem(
    id="parallel_tcdp",
    title="parallel composition of tCDP",
    premises=(tcdp(rho, omega),),
    conclusion=tcdp(rho, omega),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
