"""Adaptive composition of k mechanisms under GDP."""

import sympy as sp

from dpsym.core.notation import k, mu
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Setting, Source, Theorem

composition_gdp = Theorem(
    id="composition_gdp",
    title="composition of GDP",
    premises=(gdp(mu),),
    conclusion=gdp(sp.sqrt(k) * mu),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.COMPOSITION,
    count=k,
    exact=True,
    lossless=True,
    source=Source("DRS22", "Corollary 3.3 (unverified locator)"),
)
