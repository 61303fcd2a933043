"""Approximate DP of a Poisson sample."""

import sympy as sp

from dpsym.core.notation import delta, epsilon, q
from dpsym.entries.notions.approx import approx
from dpsym.statements import Adjacency, Setting, Source, Theorem

subsampling_approx = Theorem(
    id="subsampling_approx",
    title="amplification of approximate DP by Poisson subsampling",
    premises=(approx(epsilon, delta),),
    conclusion=approx(sp.log(1 + q * (sp.exp(epsilon) - 1)), q * delta),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("BBG20", "Theorem 8 (unverified locator)"),
)
