"""The tail of Laplace noise."""

import sympy as sp

from dpsym.core.notation import X, b, chance, t, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_tail = Result(
    id="laplace_tail",
    title="tail of Laplace noise",
    states=Relation(chance(x, sp.Abs(x), ">", t, X), "=", sp.exp(-t / b)),
    assume=(
        b > 0,
        t >= 0,
    ),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("DR14", "Fact 3.7"),
)
