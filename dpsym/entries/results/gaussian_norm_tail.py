"""The length of a vector of m independent standard normal errors, whose density is that of the chi distribution."""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import R, beta, chance, m, x, y
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Result, Source

norm = Density(y, 2 ** (1 - m / 2) * y ** (m - 1) * sp.exp(-(y**2) / 2) / sp.gamma(m / 2), sp.Interval(0, sp.oo))

gaussian_norm_tail = Result(
    id="gaussian_norm_tail",
    title="norm of a Gaussian error vector",
    states=Relation(chance(x, x, ">=", sp.sqrt(m) + sp.sqrt(2 * sp.log(1 / beta)), R), "<=", beta),
    assume=(
        beta > 0,
        beta < 1,
        IsInteger(m),
        m >= 1,
    ),
    outputs={R: norm},
    remark="R is the norm divided by sigma",
    source=Source("LM00", "Lemma 1 (unverified locator)"),
)
