"""The tail of two-sided geometric noise."""

import sympy as sp

from dpsym.core.notation import m, n, p
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Result, Source

geometric_tail = Result(
    id="geometric_tail",
    title="tail of geometric noise (discrete Laplace)",
    states=Relation(2 * sp.Sum((1 - p) / (1 + p) * p**n, (n, m, sp.oo)), "=", 2 * p**m / (1 + p)),
    assume=(
        p > 0,
        p < 1,
        IsInteger(m),
        m >= 1,
    ),
    tight=True,
    remark="the left side is the probability of an error of at least m; p = exp(-1/b)",
    source=Source("GRS09", "unverified locator"),
)
