"""Advanced composition: epsilon grows with the root of k, at the price of a slack in delta."""

import sympy as sp

from dpsym.definitions.approx import approx
from dpsym.notation import delta, epsilon, k
from dpsym.relations import IsInteger
from dpsym.statements import Setting, Source, Theorem

slack = sp.Symbol("delta'")

advanced_composition = Theorem(
    id="advanced_composition",
    title="advanced composition",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(1 / slack)) + k * epsilon * (sp.exp(epsilon) - 1), k * delta + slack
    ),
    assume=(
        IsInteger(k),
        k >= 1,
        slack > 0,
        slack < 1,
    ),
    chooses=(slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRV10", "Theorem III.3"),
)
