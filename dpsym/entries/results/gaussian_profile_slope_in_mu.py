"""How the delta of the Gaussian mechanism grows with mu."""

import sympy as sp

from dpsym.core.notation import Phi, derivative, epsilon, mu, phi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

profile = Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-epsilon / mu - mu / 2)

gaussian_profile_slope_in_mu = Result(
    id="gaussian_profile_slope_in_mu",
    title="derivative of the Gaussian privacy profile in mu",
    states=Relation(derivative(sp.Lambda(mu, profile), 1, mu), "=", phi(epsilon / mu - mu / 2)),
    assume=(mu > 0,),
    reals=(epsilon,),
    tight=True,
    source=Source("BW18", "unverified locator"),
)
