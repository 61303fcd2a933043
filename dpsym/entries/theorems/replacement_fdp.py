"""A record replaced: one removed and another added, two steps of the add/remove relation."""

from dpsym.core.notation import a, f
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.fdp import fdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

replacement_fdp = Theorem(
    id="replacement_fdp",
    title="f-DP of a record replaced",
    premises=(fdp(f),),
    conclusion=fdp(f(1 - f(a))),
    assume=(
        # the inner value is a level at which f says something: between 0 and 1, and no error is left at level 1
        ForAll(Relation(f(a), ">=", 0), (a,), (a >= 0, a <= 1)),
        ForAll(Relation(f(a), "<=", 1 - a), (a,), (a >= 0, a <= 1)),
    ),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("DRS22", "Theorem 2.14, for a group of two (unverified locator)"),
)
