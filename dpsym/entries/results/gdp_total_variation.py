"""Total variation, the largest advantage of an attack, under Gaussian DP."""

from dpsym.core.notation import P, Phi, Q, hockey_stick, mu
from dpsym.core.relations import Relation
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Result, Source

gdp_total_variation = Result(
    id="gdp_total_variation",
    title="total variation under GDP",
    states=Relation(hockey_stick(1, P, Q), "<=", 2 * Phi(mu / 2) - 1),
    assume=(mu >= 0,),
    outputs={P: None, Q: None},
    premises=(gdp(mu),),
    tight=True,
    tightness="for the Gaussian mechanism",
    source=Source("DRS22", "unverified locator"),
)
