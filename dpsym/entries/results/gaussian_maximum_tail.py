"""The largest of k independent Gaussian errors, by a union bound; the 2k that is often written is not needed."""

import sympy as sp

from dpsym.core.notation import Phi, k, t
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Result, Source

gaussian_maximum_tail = Result(
    id="gaussian_maximum_tail",
    title="simultaneous error of Gaussian noise",
    states=Relation(1 - (2 * Phi(t) - 1) ** k, "<=", k * sp.exp(-(t**2) / 2)),
    assume=(
        t >= 0,
        IsInteger(k),
        k >= 1,
    ),
    tight=True,
    tightness="at k = 1 and t = 0",
    remark=(
        "the left side is the probability that the largest of k independent errors reaches sigma t; the right "
        "side is beta at t = sqrt(2 log(k/beta))"
    ),
    source=Source("dpsym", "a union bound"),
)
