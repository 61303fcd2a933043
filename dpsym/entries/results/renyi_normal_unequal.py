"""Two normal distributions of different variances; infinite where the variance of the order is not positive."""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import P, Q, alpha, renyi, y
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

m_0, m_1, s_0, s_1 = sp.symbols("m_0 m_1 s_0 s_1")  # means and standard deviations
variance = (1 - alpha) * s_0**2 + alpha * s_1**2

renyi_normal_unequal = Result(
    id="renyi_normal_unequal",
    title="Rényi divergence of normal distributions",
    states=Relation(
        renyi(alpha, P, Q),
        "=",
        alpha * (m_0 - m_1) ** 2 / (2 * variance)
        + sp.log(sp.sqrt(variance) / (s_0 ** (1 - alpha) * s_1**alpha)) / (1 - alpha),
    ),
    assume=(
        alpha > 1,
        s_0 > 0,
        s_1 > 0,
        variance > 0,
    ),
    reals=(m_0, m_1),
    outputs={
        P: Density(y, sp.exp(-((y - m_0) ** 2) / (2 * s_0**2)) / (s_0 * sp.sqrt(2 * sp.pi))),
        Q: Density(y, sp.exp(-((y - m_1) ** 2) / (2 * s_1**2)) / (s_1 * sp.sqrt(2 * sp.pi))),
    },
    tight=True,
    source=Source("GAL13", "unverified locator"),
)
