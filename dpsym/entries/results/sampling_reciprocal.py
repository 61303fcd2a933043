"""Amplification by subsampling is no worse when a record is removed than when it is added."""

import sympy as sp

from dpsym.core.notation import epsilon, q
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

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
