"""The largest of k independent Laplace errors, exactly."""

import sympy as sp

from dpsym.core.notation import X, b, beta, chance, k, x
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_maximum_quantile = Result(
    id="laplace_maximum_quantile",
    title="simultaneous error of Laplace noise, exactly",
    states=Relation(1 - chance(x, sp.Abs(x), "<", b * sp.log(1 / (1 - (1 - beta) ** (1 / k))), X) ** k, "=", beta),
    assume=(
        b > 0,
        beta > 0,
        beta < 1,
        IsInteger(k),
        k >= 1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    remark="the left side is the probability that the largest of k independent errors reaches the bound",
    source=Source("dpsym", "independence"),
)
