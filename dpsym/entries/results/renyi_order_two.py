"""The Rényi divergence of order 2, log(1 + chi^2)."""

import sympy as sp

from dpsym.core.notation import P, Q, mean, privacy_loss, renyi, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_order_two = Result(
    id="renyi_order_two",
    title="the Rényi divergence of order 2",
    states=Relation(renyi(2, P, Q), "=", sp.log(mean(z, sp.exp(z), privacy_loss(P, Q)))),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "unverified locator"),
)
