"""The posterior probability of a value of one record, of two possible values, from its prior probability w."""

import sympy as sp

from dpsym.core.notation import epsilon, p, q, w
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

posterior_probability = Result(
    id="posterior_probability",
    title="Bayesian reading of pure DP: posterior probability",
    states=Relation(w * p / (w * p + (1 - w) * q), "<=", sp.exp(epsilon) * w / (sp.exp(epsilon) * w + 1 - w)),
    assume=(
        w >= 0,
        w <= 1,
        q > 0,
        p > 0,
        p <= sp.exp(epsilon) * q,
        epsilon >= 0,
    ),
    tight=True,
    tightness="where the likelihoods differ by e^epsilon",
    remark=(
        "p and q are the likelihoods of the output under the two values of one record; the other records are "
        "known or independent of this one"
    ),
    source=Source("KS14", "unverified locator"),
)
