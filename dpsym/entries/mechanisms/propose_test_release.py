"""Propose-test-release by the distance to instability: the exact answer, if neighbours of neighbours agree on it."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import delta, epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.statements import Claim, Instance, LooksAt, Mechanism, Norm, Source

released, later = delta / 2, delta * sp.exp(epsilon) / 2  # at distances 0 and 1

propose_test_release = Mechanism(
    id="propose_test_release",
    title="propose-test-release",
    params={epsilon: None, delta: None},
    domain=(epsilon > 0, delta > 0, delta < 1),
    outputs=None,
    description=(
        "The distance from the input to the nearest one at which the answer changes between neighbours, with "
        "Laplace noise of scale 1/epsilon, is compared with log(1/delta)/epsilon; if it is larger, the exact "
        "answer is released, and otherwise nothing. Where two neighbours have different answers both distances "
        "are 0, and the answer comes out with probability delta/2."
    ),
    instances=(
        Instance(
            outputs=(
                Finite((released, sp.S.Zero, 1 - released)),
                Finite((sp.S.Zero, released, 1 - released)),
            ),
            what="two neighbours with different answers",
        ),
        Instance(
            outputs=(Finite((later, 1 - later)), Finite((released, 1 - released))),
            what="two neighbours with the same answer, at distances 1 and 0",
            over=(delta * sp.exp(epsilon) <= 1,),
        ),
    ),
    norm=Norm.NONE,
    looks_at=LooksAt.ANSWER,
    claims=(Claim(approx(epsilon, delta), Source("DR14", "Theorem 7.3")),),
    infinite=InfiniteFrom(sp.S.One, "with positive probability the output is an answer that the neighbour cannot give"),
    source=Source("DL09"),
)
