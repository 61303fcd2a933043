"""Two Poisson distributions."""

import sympy as sp

from dpsym.core.distributions import Pmf
from dpsym.core.notation import P, Q, alpha, n, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

l_0, l_1 = sp.symbols("l_0 l_1")  # the means

renyi_poisson = Result(
    id="renyi_poisson",
    title="Rényi divergence of Poisson distributions",
    states=Relation(
        renyi(alpha, P, Q), "=", (l_0**alpha * l_1 ** (1 - alpha) - alpha * l_0 - (1 - alpha) * l_1) / (alpha - 1)
    ),
    assume=(
        alpha > 0,
        Relation(alpha, "!=", sp.Integer(1)),
        l_0 > 0,
        l_1 > 0,
    ),
    outputs={
        P: Pmf(n, sp.exp(-l_0) * l_0**n / sp.factorial(n), sp.Integer(0)),
        Q: Pmf(n, sp.exp(-l_1) * l_1**n / sp.factorial(n), sp.Integer(0)),
    },
    tight=True,
    source=Source("GAL13", "unverified locator"),
)
