"""Total variation is at most the root of half the KL divergence."""

import sympy as sp

from dpsym.core.notation import P, Q, hockey_stick, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

pinsker = Result(
    id="pinsker",
    title="Pinsker's inequality",
    states=Relation(hockey_stick(1, P, Q), "<=", sp.sqrt(renyi(1, P, Q) / 2)),
    outputs={P: None, Q: None},
    tight=True,
    tightness="in the limit of equal distributions",
    source=Source("vEH14", "Theorem 31 (unverified locator)"),
)
