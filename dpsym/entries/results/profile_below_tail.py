"""A bounded tail of the privacy loss (probabilistic DP) gives approximate DP; the converse fails."""

import sympy as sp

from dpsym.core.notation import P, Q, chance, epsilon, hockey_stick, privacy_loss, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

profile_below_tail = Result(
    id="profile_below_tail",
    title="probabilistic DP implies approximate DP",
    states=Relation(hockey_stick(sp.exp(epsilon), P, Q), "<=", chance(z, z, ">", epsilon, privacy_loss(P, Q))),
    reals=(epsilon,),
    outputs={P: None, Q: None},
    tight=True,
    tightness="where every loss above epsilon is infinite; in general loose by any factor",
    source=Source("DR14", "unverified locator"),
)
