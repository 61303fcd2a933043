"""The moments of the likelihood ratio as an integral of both privacy profiles: RDP from a profile, without loss."""

import sympy as sp

from dpsym.core.notation import P, Q, alpha, gamma, hockey_stick, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_from_profile = Result(
    id="renyi_from_profile",
    title="the Rényi divergence from the privacy profiles",
    states=Relation(
        sp.exp((alpha - 1) * renyi(alpha, P, Q)),
        "=",
        1
        + alpha
        * (alpha - 1)
        * sp.Integral(
            gamma ** (alpha - 2) * hockey_stick(gamma, P, Q) + gamma ** (-alpha - 1) * hockey_stick(gamma, Q, P),
            (gamma, 1, sp.oo),
        ),
    ),
    assume=(
        alpha > 0,
        Relation(alpha, "!=", sp.Integer(1)),
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("SV16", "Proposition 3 (unverified locator)"),
)
