"""The sparse vector technique for k answers above one noisy threshold, where all queries move the same way."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import epsilon_1, epsilon_2, k, m
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.pure import pure
from dpsym.entries.thresholds import none_then_all
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source

scale = k / epsilon_2  # of the noise on a query, in units of Delta
below = (m + 1) * (k + sp.ceiling(epsilon_1 * scale))
here, there = none_then_all(epsilon_1, scale, below, k, falls=0)

sparse_vector_monotone = Mechanism(
    id="sparse_vector_monotone",
    title="sparse vector technique for monotone queries",
    params={epsilon_1: None, epsilon_2: None, k: None},
    domain=(epsilon_1 > 0, epsilon_2 > 0, IsInteger(k), k >= 1),
    outputs=None,
    description=(
        "As sparse_vector_many, with half the noise on each query, k Delta/epsilon_2: for queries none of which falls "
        "between neighbours where another one grows, as counts with one record more. The queries that come after an "
        "answer have to move the same way as those before it."
    ),
    instances=(
        Instance(
            outputs=(Finite((here, 1 - here)), Finite((there, 1 - there))),
            what=(
                "m + 1 times k + k epsilon_1/epsilon_2 queries (rounded up) at the threshold that are not found above "
                "it, and move up by Delta, then k that are, and stay where they are"
            ),
            over=(IsInteger(m), m >= 1, m <= 10),  # nearly as good as all; more are costly to sum
        ),
    ),
    norm=Norm.SCORES,
    claims=(Claim(pure(epsilon_1 + epsilon_2), Source("LSL17", "Theorem 5"), tight=True),),
    source=Source("LSL17"),
)
