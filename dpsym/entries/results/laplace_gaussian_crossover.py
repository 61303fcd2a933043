"""Up to sigma^2 epsilon^2/2 counting queries Laplace noise has the smaller root mean squared error: k queries have L1
sensitivity k and L2 sensitivity sqrt(k).
"""

import sympy as sp

from dpsym.core.notation import epsilon, k, sigma
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

laplace_gaussian_crossover = Result(
    id="laplace_gaussian_crossover",
    title="how many counting queries Laplace noise is better for",
    states=Relation(sp.sqrt(2) * k / epsilon, "<=", sp.sqrt(k) * sigma),
    assume=(
        epsilon > 0,
        sigma > 0,
        k > 0,
        k <= sigma**2 * epsilon**2 / 2,
    ),
    tight=True,
    tightness="at k = sigma^2 epsilon^2/2",
    remark=("sigma is the standard deviation that a single query of sensitivity 1 needs for (epsilon, delta)-DP"),
    source=Source("dpsym", "comparing root mean squared errors"),
)
