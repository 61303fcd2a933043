"""The Gaussian with the larger constant, sigma = Delta sqrt(2 log(2/delta))/epsilon, for epsilon <= 1.

docs/decisions/0009 has a proof, up to epsilon = 4 log 2.
"""

import sympy as sp

from dpsym.core.notation import delta, mu
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Source, Theorem

classical_gaussian_two = Theorem(
    id="classical_gaussian_two",
    title="the classical Gaussian mechanism, constant 2",
    premises=(gdp(mu),),
    conclusion=approx(mu * sp.sqrt(2 * sp.log(2 / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
        Relation(mu * sp.sqrt(2 * sp.log(2 / delta)), "<=", 1),
    ),
    chooses=(delta,),
    source=Source("DKMMN06", "unverified locator"),
)
