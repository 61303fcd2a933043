"""GDP as zCDP: the Gaussian pair has Rényi divergence alpha mu^2/2."""

from dpsym.core.notation import mu
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

gdp_to_zcdp = Theorem(
    id="gdp_to_zcdp",
    title="GDP implies zCDP",
    premises=(gdp(mu),),
    conclusion=zcdp(mu**2 / 2),
    exact=True,
    source=Source("DRS22", "unverified locator"),
)
