"""One mechanism on each bin of a partition, all chosen beforehand: a record touches one bin."""

from dpsym.core.notation import eta
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_bounded_range = Theorem(
    id="parallel_bounded_range",
    title="parallel composition of bounded range",
    premises=(bounded_range(eta),),
    conclusion=bounded_range(eta),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
