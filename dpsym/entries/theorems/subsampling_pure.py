"""Pure DP of a Poisson sample."""

import sympy as sp

from dpsym.core.notation import epsilon, q
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Setting, Source, Theorem

subsampling_pure = Theorem(
    id="subsampling_pure",
    title="amplification of pure DP by Poisson subsampling",
    premises=(pure(epsilon),),
    conclusion=pure(sp.log(1 + q * (sp.exp(epsilon) - 1))),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("BBG20", "Theorem 8 at delta = 0 (unverified locator)"),
)
