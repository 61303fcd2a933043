"""The sparse vector technique with Gaussian noise: the first of at most n queries that is above a noisy threshold."""

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.notation import Delta, Phi, alpha, n, sigma_1, sigma_2, x
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Claim, Instance, Mechanism, Norm, Source

both = sp.sqrt(sigma_1**2 + sigma_2**2)  # the noise of the threshold and that of a query
first, second = Phi(-x / both), Phi(-(x + Delta) / both)
answers = sp.log(1 + n * sp.exp(2 * alpha * (alpha - 1) * Delta**2 / sigma_2**2)) / (alpha - 1)

sparse_vector_gaussian = Mechanism(
    id="sparse_vector_gaussian",
    title="sparse vector technique with Gaussian noise",
    params={sigma_1: None, sigma_2: None, n: None, Delta: sp.Integer(1)},
    domain=(sigma_1 > 0, sigma_2 > 0, IsInteger(n), n >= 1, Delta > 0),
    outputs=None,
    description=(
        "To a threshold it adds Gaussian noise of standard deviation sigma_1, once; to each query of sensitivity "
        "Delta, as they come, Gaussian noise of standard deviation sigma_2; it answers no until a noisy query is "
        "above the noisy threshold, then yes, and stops, and it stops after n queries. Queries may be chosen by the "
        "answers; the noisy queries themselves are not given out."
    ),
    instances=(
        Instance(
            outputs=(Finite((first, 1 - first)), Finite((second, 1 - second))),
            what="a single query, which moves away from the threshold by Delta",
            over=(x >= 0,),
        ),
    ),
    norm=Norm.SCORES,
    claims=(
        Claim(
            rdp(alpha, alpha * Delta**2 / (2 * sigma_1**2) + answers),
            Source("dpsym", "docs/lemmas.md, Lemma 19", also=Source("ZW20")),
        ),
        Claim(gdp(sp.sqrt(n) * Delta / sigma_2), Source("DRS22", "Corollary 3.3, of the noisy queries")),
    ),
    infinite=InfiniteFrom(sp.oo, "how much likelier a query far below the threshold is found above it is unbounded"),
    source=Source("ZW20"),
)
