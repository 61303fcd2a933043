"""RDP of a Poisson sample from pure DP: that of randomized response on a sample, which is the worst case.

A pure mechanism is a function of randomized response, and so is what it does to a sample.  Exchanging the answers
exchanges the two outputs, so the order in which the sampled one is the numerator is the worse one.
"""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, q
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

likelier = (1 - q + q * sp.exp(epsilon)) ** alpha / (1 + sp.exp(epsilon))
rarer = (1 - q + q * sp.exp(-epsilon)) ** alpha / (1 + sp.exp(-epsilon))

subsampling_pure_to_rdp = Theorem(
    id="subsampling_pure_to_rdp",
    title="RDP of pure DP on a Poisson sample",
    premises=(pure(epsilon),),
    conclusion=rdp(alpha, sp.log(likelier + rarer) / (alpha - 1)),
    assume=(q >= 0, q <= 1),
    chooses=(alpha,),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("MTZ19", "Theorem 5 (unverified locator), for randomized response"),
)
