"""A function of the output that does not look at the data again, randomised or not, costs nothing."""

from dpsym.core.notation import mu
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Setting, Source, Theorem

post_processing_gdp = Theorem(
    id="post_processing_gdp",
    title="post-processing of GDP",
    premises=(gdp(mu),),
    conclusion=gdp(mu),
    setting=Setting.POST_PROCESSING,
    source=Source("DRS22", "Proposition 2.8 (unverified locator)"),
)
