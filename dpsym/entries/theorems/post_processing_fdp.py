"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import f
from dpsym.entries.notions.fdp import fdp
from dpsym.statements import Setting, Source, Theorem

post_processing_fdp = Theorem(
    id="post_processing_fdp",
    title="post-processing of f-DP",
    premises=(fdp(f),),
    conclusion=fdp(f),
    setting=Setting.POST_PROCESSING,
    source=Source("DRS22", "Proposition 2.8 (unverified locator)"),
)
