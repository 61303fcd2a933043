"""The privacy profile as an integral of the tail of the privacy loss."""

import sympy as sp

from dpsym.core.notation import P, Q, chance, epsilon, hockey_stick, privacy_loss, y, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

profile_from_tail = Result(
    id="profile_from_tail",
    title="the privacy profile as an integral of the tail of the privacy loss",
    states=Relation(
        hockey_stick(sp.exp(epsilon), P, Q),
        "=",
        sp.Integral(sp.exp(epsilon - y) * chance(z, z, ">", y, privacy_loss(P, Q)), (y, epsilon, sp.oo)),
    ),
    reals=(epsilon,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("CKS20", "unverified locator"),
)
