"""A record replaced: one removed and another added, two steps of the add/remove relation."""

from dpsym.core.notation import rho
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

replacement_zcdp = Theorem(
    id="replacement_zcdp",
    title="zCDP of a record replaced",
    premises=(zcdp(rho),),
    conclusion=zcdp(4 * rho),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("BS16", "Proposition 1.9, for a group of two"),
)
