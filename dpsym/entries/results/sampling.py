"""Facts of arithmetic behind amplification by subsampling."""

import sympy as sp

from dpsym.core.notation import epsilon, q
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

# The amplified epsilon is at least q epsilon: the linear rule of thumb is not a bound.
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


# Amplification by subsampling is no worse when a record is removed than when it is added.
sampling_reciprocal = Result(
    id="sampling_reciprocal",
    title="subsampling: removing is no worse than adding",
    states=Relation(1 / (1 - q + q * sp.exp(-epsilon)), "<=", 1 - q + q * sp.exp(epsilon)),
    assume=(
        q >= 0,
        q <= 1,
        epsilon >= 0,
    ),
    tight=True,
    tightness="at q = 0 and q = 1",
    source=Source("dpsym", "the means of e^epsilon and of e^-epsilon"),
)
