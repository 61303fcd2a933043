"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import alpha, epsilon
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_rdp = Theorem(
    id="parallel_rdp",
    title="parallel composition of RDP",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, epsilon),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
