"""Gaussian noise of standard deviation sigma on a statistic of L2 sensitivity Delta."""

import sympy as sp

from dpsym.definitions.approx import approx
from dpsym.definitions.gdp import gdp
from dpsym.definitions.rdp import rdp
from dpsym.definitions.zcdp import zcdp
from dpsym.distributions import Density, shifted
from dpsym.notation import Delta, Phi, alpha, epsilon, sigma, y
from dpsym.statements import Claim, Mechanism, Norm, Source

noise = Density(y, sp.exp(-(y**2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi)))

gaussian = Mechanism(
    id="gaussian",
    title="Gaussian mechanism",
    params={sigma: None, Delta: sp.Integer(1)},
    domain=(sigma > 0, Delta > 0),
    outputs=shifted(noise, Delta),
    norm=Norm.L2,
    why_dominating=(
        "isotropic noise on a vector: rotating the difference of two answers onto one axis leaves the other "
        "coordinates alike, and the divergences grow with the length of the shift"
    ),
    claims=(
        Claim(zcdp(Delta**2 / (2 * sigma**2)), Source("BS16", "Proposition 1.6"), tight=True),
        Claim(rdp(alpha, alpha * Delta**2 / (2 * sigma**2)), Source("Mir17", "Proposition 7"), tight=True),
        Claim(gdp(Delta / sigma), Source("DRS22", "Theorem 1 (unverified locator)"), tight=True),
        Claim(
            approx(
                epsilon,
                Phi(Delta / (2 * sigma) - epsilon * sigma / Delta)
                - sp.exp(epsilon) * Phi(-Delta / (2 * sigma) - epsilon * sigma / Delta),
            ),
            Source("BW18", "Theorem 8"),
            tight=True,
        ),
    ),
    source=Source("DKMMN06", "unverified locator"),
)
