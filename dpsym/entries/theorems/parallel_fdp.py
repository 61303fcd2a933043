"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import f
from dpsym.entries.notions.fdp import fdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_fdp = Theorem(
    id="parallel_fdp",
    title="parallel composition of f-DP",
    premises=(fdp(f),),
    conclusion=fdp(f),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
