"""The KL divergence as an integral of both privacy profiles."""

import sympy as sp

from dpsym.core.notation import P, Q, gamma, hockey_stick, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

kl_from_profile = Result(
    id="kl_from_profile",
    title="the KL divergence from the privacy profiles",
    states=Relation(
        renyi(1, P, Q),
        "=",
        sp.Integral(hockey_stick(gamma, P, Q) / gamma + hockey_stick(gamma, Q, P) / gamma**2, (gamma, 1, sp.oo)),
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("SV16", "Proposition 3 (unverified locator)"),
)
