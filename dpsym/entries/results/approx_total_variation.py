"""Total variation under approximate DP."""

import sympy as sp

from dpsym.core.notation import P, Q, delta, epsilon, hockey_stick
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.statements import Result, Source

approx_total_variation = Result(
    id="approx_total_variation",
    title="total variation under approximate DP",
    states=Relation(hockey_stick(1, P, Q), "<=", (sp.exp(epsilon) - 1 + 2 * delta) / (sp.exp(epsilon) + 1)),
    assume=(
        epsilon >= 0,
        delta >= 0,
        delta <= 1,
    ),
    outputs={P: None, Q: None},
    premises=(approx(epsilon, delta),),
    tight=True,
    tightness="for randomized response that gives the answer away with probability delta",
    source=Source("KOV15", "unverified locator"),
)
