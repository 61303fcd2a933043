"""The textbook Gaussian, sigma = Delta sqrt(2 log(1.25/delta))/epsilon, mu = Delta/sigma, for epsilon <= 1.

The source has epsilon in (0, 1); the end is a limit.  docs/decisions/0009 has a proof, and says how far
beyond 1 the bound stays true.
"""

import sympy as sp

from dpsym.core.notation import delta, mu
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Source, Theorem

classical_gaussian = Theorem(
    id="classical_gaussian",
    title="the classical Gaussian mechanism, constant 1.25",
    premises=(gdp(mu),),
    conclusion=approx(mu * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
        Relation(mu * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)), "<=", 1),
    ),
    chooses=(delta,),
    source=Source("DR14", "Theorem A.1"),
)
