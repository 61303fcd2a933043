"""Pure DP as a GDP budget: the Gaussian whose trade-off function touches that of randomized response."""

import sympy as sp

from dpsym.core.notation import Phi_inv, epsilon
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

pure_to_gdp = Theorem(
    id="pure_to_gdp",
    title="pure DP implies GDP",
    premises=(pure(epsilon),),
    conclusion=gdp(-2 * Phi_inv(1 / (1 + sp.exp(epsilon)))),
    exact=True,
    source=Source("LSJK22", "unverified locator"),
)
