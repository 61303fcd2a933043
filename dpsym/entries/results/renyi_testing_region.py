"""What a Rényi divergence leaves of the two error rates of a test: the divergence of two coins is no larger."""

import sympy as sp

from dpsym.core.notation import P, Q, a, alpha, renyi, trade_off
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_testing_region = Result(
    id="renyi_testing_region",
    title="error rates of a test under RDP",
    states=Relation(
        (1 - trade_off(a, P, Q)) ** alpha * a ** (1 - alpha) + trade_off(a, P, Q) ** alpha * (1 - a) ** (1 - alpha),
        "<=",
        sp.exp((alpha - 1) * renyi(alpha, Q, P)),
    ),
    assume=(
        alpha > 1,
        a > 0,
        a < 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="for two outcomes",
    source=Source("BBGHS20", "unverified locator"),
)
