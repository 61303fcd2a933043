"""Advanced composition: epsilon grows with the root of k, at the price of a slack in delta."""

import sympy as sp

from dpsym.core.notation import delta, delta_slack, epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

advanced_composition = Theorem(
    id="advanced_composition",
    title="advanced composition of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(1 / delta_slack)) + k * epsilon * (sp.exp(epsilon) - 1),
        k * delta + delta_slack,
    ),
    assume=(
        epsilon >= 0,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRV10", "Theorem III.3"),
)
