"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_approx = Theorem(
    id="parallel_approx",
    title="parallel composition of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(epsilon, delta),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
