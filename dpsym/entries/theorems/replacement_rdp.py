"""A record replaced: one removed and another added, two steps of the add/remove relation."""

from dpsym.core.notation import alpha, epsilon
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

replacement_rdp = Theorem(
    id="replacement_rdp",
    title="RDP of a record replaced",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha / 2, epsilon * (2 * alpha - 1) / (alpha - 1)),
    assume=(alpha > 2,),
    setting=Setting.REPLACEMENT,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("BS16", "Lemma 5.2 (unverified locator; the weak triangle inequality)"),
)
