"""The discrete Gaussian is sub-Gaussian with the same parameter as the continuous one."""

import sympy as sp

from dpsym.core.notation import n, sigma, t
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

discrete_gaussian_moment = Result(
    id="discrete_gaussian_moment",
    title="moment generating function of the discrete Gaussian",
    states=Relation(
        sp.Sum(sp.exp(t * n - n**2 / (2 * sigma**2)), (n, -sp.oo, sp.oo))
        / sp.Sum(sp.exp(-(n**2) / (2 * sigma**2)), (n, -sp.oo, sp.oo)),
        "<=",
        sp.exp(t**2 * sigma**2 / 2),
    ),
    assume=(sigma > 0,),
    reals=(t,),
    tight=True,
    tightness="where t sigma^2 is an integer",
    source=Source("CKS20", "Lemma 19 (unverified locator)"),
)
