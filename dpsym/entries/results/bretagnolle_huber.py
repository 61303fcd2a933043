"""A bound on total variation that stays below 1 however large the KL divergence is."""

import sympy as sp

from dpsym.core.notation import P, Q, hockey_stick, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

bretagnolle_huber = Result(
    id="bretagnolle_huber",
    title="the inequality of Bretagnolle and Huber",
    states=Relation(hockey_stick(1, P, Q), "<=", sp.sqrt(1 - sp.exp(-renyi(1, P, Q)))),
    outputs={P: None, Q: None},
    source=Source("BH79", "unverified locator"),
)
