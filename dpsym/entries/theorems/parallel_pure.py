"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_pure = Theorem(
    id="parallel_pure",
    title="parallel composition of pure DP",
    premises=(pure(epsilon),),
    conclusion=pure(epsilon),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4 (unverified locator)"),
)
