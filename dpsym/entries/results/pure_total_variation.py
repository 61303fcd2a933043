"""Total variation under pure DP."""

import sympy as sp

from dpsym.core.notation import P, Q, epsilon, hockey_stick
from dpsym.core.relations import Relation
from dpsym.entries.notions.pure import pure
from dpsym.statements import Result, Source

pure_total_variation = Result(
    id="pure_total_variation",
    title="total variation under pure DP",
    states=Relation(hockey_stick(1, P, Q), "<=", sp.tanh(epsilon / 2)),
    assume=(epsilon >= 0,),
    outputs={P: None, Q: None},
    premises=(pure(epsilon),),
    tight=True,
    tightness="for randomized response",
    source=Source("KOV15", "unverified locator"),
)
