"""The largest of k independent Laplace errors, by a union bound."""

import sympy as sp

from dpsym.core.notation import X, b, chance, k, t, x
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

laplace_maximum_tail = Result(
    id="laplace_maximum_tail",
    title="simultaneous error of Laplace noise",
    states=Relation(1 - chance(x, sp.Abs(x), "<", t, X) ** k, "<=", k * sp.exp(-t / b)),
    assume=(
        b > 0,
        t > 0,
        IsInteger(k),
        k >= 1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    tightness="at k = 1",
    remark=(
        "the left side is the probability that the largest of k independent errors reaches t; the right side "
        "is beta at t = b log(k/beta)"
    ),
    source=Source("DR14", "Theorem 3.8"),
)
