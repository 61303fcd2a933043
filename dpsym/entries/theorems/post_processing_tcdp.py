"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import omega, rho
from dpsym.entries.notions.tcdp import tcdp
from dpsym.statements import Setting, Source, Theorem

post_processing_tcdp = Theorem(
    id="post_processing_tcdp",
    title="post-processing of tCDP",
    premises=(tcdp(rho, omega),),
    conclusion=tcdp(rho, omega),
    setting=Setting.POST_PROCESSING,
    source=Source("BDRS18", "Lemma 3 (unverified locator)"),
)
