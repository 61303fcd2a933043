"""The trade-off function of GDP, from the likelihood-ratio test of two unit-variance Gaussians."""

from dpsym.core.notation import Phi, Phi_inv, a, mu
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Source, Theorem

gdp_to_fdp = Theorem(
    id="gdp_to_fdp",
    title="GDP is f-DP",
    premises=(gdp(mu),),
    conclusion=fdp(Phi(Phi_inv(1 - a) - mu)),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Definition 2.6 (unverified locator)"),
)
