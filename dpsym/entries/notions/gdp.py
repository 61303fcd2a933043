"""Gaussian differential privacy: no easier to test than a unit-variance Gaussian shifted by mu."""

from dpsym.core.notation import P, Phi, Phi_inv, Q, a, mu, trade_off
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.notions.composition import root_sum_of_squares
from dpsym.statements import Definition, Source

gdp = Definition(
    id="gdp",
    title="Gaussian differential privacy (GDP)",
    params=(mu,),
    index=(a,),
    domain=(mu >= 0,),
    means=ForAll(Relation(trade_off(a, P, Q), ">=", Phi(Phi_inv(1 - a) - mu)), (a,), (a > 0, a < 1)),
    compose={mu: root_sum_of_squares},
    source=Source("DRS22", "Definition 2.6 (unverified locator)"),
)
