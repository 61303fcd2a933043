"""The variance of Gaussian noise."""

from dpsym.core.notation import X, mean, sigma, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.gaussian import noise as gaussian_noise
from dpsym.statements import Result, Source

gaussian_variance = Result(
    id="gaussian_variance",
    title="variance of Gaussian noise",
    states=Relation(mean(x, x**2, X), "=", sigma**2),
    assume=(sigma > 0,),
    outputs={X: gaussian_noise},
    tight=True,
    source=Source("dpsym", "integration"),
)
