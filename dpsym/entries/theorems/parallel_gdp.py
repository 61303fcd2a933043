"""One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin."""

from dpsym.core.notation import mu
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

parallel_gdp = Theorem(
    id="parallel_gdp",
    title="parallel composition of GDP",
    premises=(gdp(mu),),
    conclusion=gdp(mu),
    setting=Setting.DISJOINT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("McS09", "Theorem 4, for pure DP (unverified locator)"),
)
