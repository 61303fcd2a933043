"""The privacy profile of GDP; with mu the sensitivity over sigma, that of the Gaussian mechanism."""

import sympy as sp

from dpsym.core.notation import Phi, epsilon, mu
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Source, Theorem

gdp_to_approx = Theorem(
    id="gdp_to_approx",
    title="GDP implies approximate DP",
    premises=(gdp(mu),),
    conclusion=approx(epsilon, Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-mu / 2 - epsilon / mu)),
    assume=(mu > 0,),
    chooses=(epsilon,),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Corollary 2.13 (unverified locator)"),
)
