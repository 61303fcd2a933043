"""Which values occur: each listed with the largest probability that (epsilon, delta)-DP allows."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Adjacency, Claim, Instance, LooksAt, Mechanism, Norm, Source

partition_selection = Mechanism(
    id="partition_selection",
    title="optimal partition selection",
    params={epsilon: None, delta: None},
    domain=(epsilon > 0, delta > 0, delta < 1),
    outputs=None,
    description=(
        "Each record has one value. A value of n records is listed with the probability p(n), p(0) = 0 and p(n) "
        "the least of exp(epsilon) p(n-1) + delta, 1 - exp(-epsilon) (1 - p(n-1) - delta) and 1."
    ),
    instances=(
        Instance(
            outputs=(Finite((delta, 1 - delta)), Finite((sp.S.Zero, sp.S.One))),
            what="a value that one record has, with that record and without it",
        ),
    ),
    norm=Norm.NONE,
    looks_at=LooksAt.KINDS,
    adjacency=Adjacency.ADD_REMOVE,
    claims=(Claim(approx(epsilon, delta), Source("DVGM22", "Theorem 1")),),
    infinite=InfiniteFrom(
        sp.S.One, "a value that one record alone has is listed with positive probability, and never without that record"
    ),
    source=Source("DVGM22", "Theorem 1"),
)
