"""Two normal distributions of the same variance."""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import P, Q, alpha, renyi, sigma, y
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

m_0, m_1 = sp.symbols("m_0 m_1")  # the means

renyi_normal = Result(
    id="renyi_normal",
    title="Rényi divergence of normal distributions of equal variance",
    states=Relation(renyi(alpha, P, Q), "=", alpha * (m_0 - m_1) ** 2 / (2 * sigma**2)),
    assume=(
        alpha > 1,
        sigma > 0,
    ),
    reals=(m_0, m_1),
    outputs={
        P: Density(y, sp.exp(-((y - m_0) ** 2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi))),
        Q: Density(y, sp.exp(-((y - m_1) ** 2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi))),
    },
    tight=True,
    source=Source("Mir17", "Proposition 7"),
)
