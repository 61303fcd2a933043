"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

post_processing_approx = Theorem(
    id="post_processing_approx",
    title="post-processing of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(epsilon, delta),
    setting=Setting.POST_PROCESSING,
    source=Source("DR14", "Proposition 2.1"),
)
