"""A record replaced: one removed and another added, two steps of the add/remove relation."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Setting, Source, Theorem

replacement_pure = Theorem(
    id="replacement_pure",
    title="pure DP of a record replaced",
    premises=(pure(epsilon),),
    conclusion=pure(2 * epsilon),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("DMNS06", "unverified locator, as group privacy of two"),
)
