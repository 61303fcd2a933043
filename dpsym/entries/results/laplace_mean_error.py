"""The mean error of Laplace noise."""

import sympy as sp

from dpsym.core.notation import X, b, mean, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_mean_error = Result(
    id="laplace_mean_error",
    title="mean error of Laplace noise",
    states=Relation(mean(x, sp.Abs(x), X), "=", b),
    assume=(b > 0,),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("dpsym", "integration"),
)
