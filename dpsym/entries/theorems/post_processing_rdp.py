"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import alpha, epsilon
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Setting, Source, Theorem

post_processing_rdp = Theorem(
    id="post_processing_rdp",
    title="post-processing of RDP",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, epsilon),
    setting=Setting.POST_PROCESSING,
    source=Source("Mir17", "unverified locator"),
)
