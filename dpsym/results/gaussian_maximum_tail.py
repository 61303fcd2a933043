"""The largest of k independent Gaussian errors, by a union bound; the 2k that is often written is not needed."""

import sympy as sp

from dpsym.notation import Phi, beta, k
from dpsym.relations import IsInteger, Relation
from dpsym.statements import Result, Source

gaussian_maximum_tail = Result(
    id="gaussian_maximum_tail",
    title="simultaneous error of Gaussian noise",
    states=Relation(1 - (2 * Phi(sp.sqrt(2 * sp.log(k / beta))) - 1) ** k, "<=", beta),
    assume=(
        beta > 0,
        beta <= 1,
        IsInteger(k),
        k >= 1,
    ),
    tight=True,
    tightness="at k = 1 and beta = 1",
    remark=(
        "the left side is the probability that the largest of k independent errors reaches sigma sqrt(2 log(k/beta))"
    ),
    source=Source("dpsym", "a union bound"),
)
