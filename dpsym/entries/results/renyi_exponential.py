"""Two exponential distributions; infinite where the rate of the order is not positive, while the KL divergence stays
finite.
"""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import P, Q, alpha, renyi, y
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

l_0, l_1 = sp.symbols("l_0 l_1")  # the rates
rate = alpha * l_0 + (1 - alpha) * l_1
positive = sp.Interval(0, sp.oo)

renyi_exponential = Result(
    id="renyi_exponential",
    title="Rényi divergence of exponential distributions",
    states=Relation(renyi(alpha, P, Q), "=", sp.log(l_0**alpha * l_1 ** (1 - alpha) / rate) / (alpha - 1)),
    assume=(
        alpha > 1,
        l_0 > 0,
        l_1 > 0,
        rate > 0,
    ),
    outputs={P: Density(y, l_0 * sp.exp(-l_0 * y), positive), Q: Density(y, l_1 * sp.exp(-l_1 * y), positive)},
    tight=True,
    source=Source("GAL13", "unverified locator"),
)
