"""The privacy profile from the tails of both privacy losses."""

import sympy as sp

from dpsym.core.notation import P, Q, chance, epsilon, hockey_stick, privacy_loss, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

profile_from_losses = Result(
    id="profile_from_losses",
    title="the privacy profile from the tails of both privacy losses",
    states=Relation(
        hockey_stick(sp.exp(epsilon), P, Q),
        "=",
        chance(z, z, ">", epsilon, privacy_loss(P, Q))
        - sp.exp(epsilon) * chance(z, z, "<", -epsilon, privacy_loss(Q, P)),
    ),
    reals=(epsilon,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BW18", "Theorem 5 (unverified locator)"),
)
