"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

post_processing_pure = Theorem(
    id="post_processing_pure",
    title="post-processing of pure DP",
    premises=(pure(epsilon),),
    conclusion=pure(epsilon),
    setting=Setting.POST_PROCESSING,
    source=Source("DMNS06", "unverified locator"),
)
