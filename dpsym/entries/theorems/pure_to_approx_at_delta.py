"""Pure DP at a positive delta: no pair is easier to distinguish than randomized response."""

import sympy as sp

from dpsym.core.notation import delta, epsilon
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

pure_to_approx_at_delta = Theorem(
    id="pure_to_approx_at_delta",
    title="pure DP at a positive delta",
    premises=(pure(epsilon),),
    conclusion=approx(sp.log(sp.exp(epsilon) - delta * (1 + sp.exp(epsilon))), delta),
    assume=(
        delta > 0,
        Relation(delta * (1 + sp.exp(epsilon)), "<=", sp.exp(epsilon) - 1),
    ),
    chooses=(delta,),
    exact=True,
    lossless=True,
    source=Source("KOV15", "Theorem 2.1 (unverified locator)"),
)
