"""A record replaced: one removed and another added, two steps of the add/remove relation."""

from dpsym.core.notation import mu
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

replacement_gdp = Theorem(
    id="replacement_gdp",
    title="GDP of a record replaced",
    premises=(gdp(mu),),
    conclusion=gdp(2 * mu),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("DRS22", "Theorem 2.14, for a group of two (unverified locator)"),
)
