"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import eta
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Setting, Source, Theorem

post_processing_bounded_range = Theorem(
    id="post_processing_bounded_range",
    title="post-processing of bounded range",
    premises=(bounded_range(eta),),
    conclusion=bounded_range(eta),
    setting=Setting.POST_PROCESSING,
    source=Source("DR19", "unverified locator"),
)
