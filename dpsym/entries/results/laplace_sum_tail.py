"""The sum of k independent Laplace errors of scale b is as far as t from 0 with probability at most 2 exp(-t^2/(8
nu^2)).

The left side is Chernoff's bound on both tails, 2 E exp(h (X_1 + … + X_k) - h t), for h = t/(4 nu^2).
"""

import sympy as sp

from dpsym.core.notation import b, k, t
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Result, Source

nu = sp.Symbol("nu")
h = t / (4 * nu**2)

laplace_sum_tail = Result(
    id="laplace_sum_tail",
    title="tail of a sum of Laplace errors, by Chernoff's bound",
    states=Relation(2 * sp.exp(-h * t) / (1 - h**2 * b**2) ** k, "<=", 2 * sp.exp(-(t**2) / (8 * nu**2))),
    assume=(
        b > 0,
        IsInteger(k),
        k >= 1,
        nu >= b * sp.sqrt(k),
        t >= 0,
        t <= 2 * sp.sqrt(2) * nu**2 / b,
    ),
    remark=(
        "the left side is Chernoff's bound on the probability that the sum is as far as t from 0, at the "
        "exponent h = t/(4 nu^2)"
    ),
    source=Source("CSS11", "Lemma 2.8"),
)
