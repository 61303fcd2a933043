"""The tail of the privacy loss from the profile, by Markov's inequality for (1 - e^(epsilon - Z))_+."""

import sympy as sp

from dpsym.core.notation import P, Q, chance, epsilon, hockey_stick, privacy_loss, x, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

tail_below_profile = Result(
    id="tail_below_profile",
    title="approximate DP bounds the tail of the privacy loss at a larger epsilon",
    states=Relation(
        chance(z, z, ">", x, privacy_loss(P, Q)), "<=", hockey_stick(sp.exp(epsilon), P, Q) / (1 - sp.exp(epsilon - x))
    ),
    assume=(x > epsilon,),
    outputs={P: None, Q: None},
    source=Source("DR14", "unverified locator"),
)
