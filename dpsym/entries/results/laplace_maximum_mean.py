"""The mean of the largest of k independent Laplace errors, as the integral of its tail."""

import sympy as sp

from dpsym.core.notation import b, k, y
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Result, Source

laplace_maximum_mean = Result(
    id="laplace_maximum_mean",
    title="mean of the largest Laplace error",
    states=Relation(sp.Integral(1 - (1 - sp.exp(-y / b)) ** k, (y, 0, sp.oo)), "=", b * sp.harmonic(k)),
    assume=(
        b > 0,
        IsInteger(k),
        k >= 1,
    ),
    tight=True,
    remark="1 - (1 - e^(-y/b))^k is the probability that the largest of k independent errors exceeds y",
    source=Source("Ren53", "unverified locator"),
)
