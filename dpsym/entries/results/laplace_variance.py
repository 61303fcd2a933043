"""The variance of Laplace noise."""

from dpsym.core.notation import X, b, mean, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_variance = Result(
    id="laplace_variance",
    title="variance of Laplace noise",
    states=Relation(mean(x, x**2, X), "=", 2 * b**2),
    assume=(b > 0,),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("dpsym", "integration"),
)
