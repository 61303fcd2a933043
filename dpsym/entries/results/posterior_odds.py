"""What an output says about one record: p and q are its likelihoods under two values of that record.

The other records are known, or independent of this one; where they are not, the output tells of it through them, too.
"""

import sympy as sp

from dpsym.core.notation import epsilon, p, q, w
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

posterior_odds = Result(
    id="posterior_odds",
    title="Bayesian reading of pure DP: posterior odds",
    states=Relation(w / (1 - w) * p / q, "<=", sp.exp(epsilon) * w / (1 - w)),
    assume=(
        w > 0,
        w < 1,
        q > 0,
        p > 0,
        p <= sp.exp(epsilon) * q,
    ),
    tight=True,
    tightness="where the likelihoods differ by e^epsilon",
    remark=(
        "p and q are the likelihoods of the output under two values of one record, w the prior probability of "
        "the first; the other records are known or independent of this one"
    ),
    source=Source("KS14", "unverified locator"),
)
