"""The Gaussian bound on the tail of the normal distribution, without a factor 2 before it."""

import sympy as sp

from dpsym.core.notation import Phi, t
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

gaussian_tail = Result(
    id="gaussian_tail",
    title="tail of the normal distribution",
    states=Relation(2 * Phi(-t), "<=", sp.exp(-(t**2) / 2)),
    assume=(t >= 0,),
    tight=True,
    tightness="at t = 0",
    source=Source("dpsym", "proofs/lemmas/normal_tail.md"),
)
