"""Which values occur: those whose number of records, with Laplace noise, is above a threshold."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Adjacency, Claim, Instance, LooksAt, Mechanism, Norm, Source

set_union = Mechanism(
    id="set_union",
    title="set union by a noisy threshold",
    params={epsilon: None, delta: None},
    domain=(epsilon > 0, delta > 0, delta <= sp.Rational(1, 2)),
    outputs=None,
    description=(
        "Each record has one value. The mechanism lists the values that occur and whose number of records, with "
        "Laplace noise of scale 1/epsilon, is above 1 + log(1/(2 delta))/epsilon: a value of a single record "
        "with probability delta."
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
    claims=(Claim(approx(epsilon, delta), Source("KKMN09")),),
    infinite=InfiniteFrom(
        sp.S.One, "a value that one record alone has is listed with positive probability, and never without that record"
    ),
    source=Source("KKMN09"),
)
