"""The error that Laplace noise exceeds with probability beta."""

import sympy as sp

from dpsym.core.notation import X, b, beta, chance, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_quantile = Result(
    id="laplace_quantile",
    title="quantile of the error of Laplace noise",
    states=Relation(chance(x, sp.Abs(x), ">", b * sp.log(1 / beta), X), "=", beta),
    assume=(
        b > 0,
        beta > 0,
        beta <= 1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("DR14", "Fact 3.7"),
)
