"""The amplified epsilon is at least q epsilon: the linear rule of thumb is not a bound."""

import sympy as sp

from dpsym.core.notation import epsilon, q
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

sampling_no_better_than_linear = Result(
    id="sampling_no_better_than_linear",
    title="subsampling: q epsilon is too small",
    states=Relation(q * epsilon, "<=", sp.log(1 + q * (sp.exp(epsilon) - 1))),
    assume=(
        q >= 0,
        q <= 1,
        epsilon >= 0,
    ),
    tight=True,
    tightness="at q = 0 and q = 1",
    source=Source("dpsym", "Jensen's inequality"),
)
