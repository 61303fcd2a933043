"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import rho
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Setting, Source, Theorem

post_processing_zcdp = Theorem(
    id="post_processing_zcdp",
    title="post-processing of zCDP",
    premises=(zcdp(rho),),
    conclusion=zcdp(rho),
    setting=Setting.POST_PROCESSING,
    source=Source("BS16", "Lemma 2.2 (unverified locator)"),
)
