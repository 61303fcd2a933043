"""How the delta of the Gaussian mechanism falls with epsilon."""

import sympy as sp

from dpsym.core.notation import Phi, derivative, epsilon, mu
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

profile = Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-epsilon / mu - mu / 2)

gaussian_profile_slope_in_epsilon = Result(
    id="gaussian_profile_slope_in_epsilon",
    title="derivative of the Gaussian privacy profile in epsilon",
    states=Relation(
        derivative(sp.Lambda(epsilon, profile), 1, epsilon), "=", -sp.exp(epsilon) * Phi(-epsilon / mu - mu / 2)
    ),
    assume=(mu > 0,),
    reals=(epsilon,),
    tight=True,
    source=Source("BW18", "unverified locator"),
)
