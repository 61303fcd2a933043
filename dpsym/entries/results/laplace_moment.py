"""The moment generating function of Laplace noise."""

import sympy as sp

from dpsym.core.notation import X, b, mean, t, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_moment = Result(
    id="laplace_moment",
    title="moment generating function of Laplace noise",
    states=Relation(mean(x, sp.exp(t * x), X), "=", 1 / (1 - b**2 * t**2)),
    assume=(
        b > 0,
        t * b < 1,
        t * b > -1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("CSS11", "unverified locator"),
)
