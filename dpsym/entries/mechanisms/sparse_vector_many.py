"""The sparse vector technique for k answers above one noisy threshold, with a budget for each kind of noise."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import epsilon_1, epsilon_2, k, m
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.pure import pure
from dpsym.entries.thresholds import none_then_all
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source

scale = 2 * k / epsilon_2  # of the noise on a query, in units of Delta
below = (m + 1) * (k + sp.ceiling(epsilon_1 * scale))
here, there = none_then_all(epsilon_1, scale, below, k, falls=1)

sparse_vector_many = Mechanism(
    id="sparse_vector_many",
    title="sparse vector technique for k answers above the threshold",
    params={epsilon_1: None, epsilon_2: None, k: None},
    domain=(epsilon_1 > 0, epsilon_2 > 0, IsInteger(k), k >= 1),
    outputs=None,
    description=(
        "To a threshold it adds Laplace noise of scale Delta/epsilon_1, once for all; to each query of sensitivity "
        "Delta, as they come, Laplace noise of scale 2 k Delta/epsilon_2; it says of each whether the noisy query is "
        "above the noisy threshold, and stops after k that are. Queries may be chosen by the answers. The noisy "
        "queries themselves are not given out, and the threshold's noise is not drawn again."
    ),
    instances=(
        Instance(
            outputs=(Finite((here, 1 - here)), Finite((there, 1 - there))),
            what=(
                "m + 1 times k + 2 k epsilon_1/epsilon_2 queries (rounded up) at the threshold that are not found "
                "above it, and move up by Delta, then k that are, and move down by Delta"
            ),
            over=(IsInteger(m), m >= 1, m <= 10),  # nearly as good as all; more are costly to sum
        ),
    ),
    norm=Norm.SCORES,
    claims=(Claim(pure(epsilon_1 + epsilon_2), Source("LSL17", "Theorem 2"), tight=True),),
    source=Source("LSL17", "Algorithm 1"),
)
