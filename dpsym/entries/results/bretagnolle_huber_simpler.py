"""The bound of Bretagnolle and Huber without its root."""

import sympy as sp

from dpsym.core.notation import x
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

bretagnolle_huber_simpler = Result(
    id="bretagnolle_huber_simpler",
    title="the bound of Bretagnolle and Huber, simplified",
    states=Relation(sp.sqrt(1 - sp.exp(-x)), "<=", 1 - sp.exp(-x) / 2),
    assume=(x >= 0,),
    tight=True,
    tightness="as x grows",
    source=Source("BH79", "unverified locator"),
)
