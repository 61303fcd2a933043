"""Advanced composition as it is often quoted, true where its second term is no larger than its first."""

import sympy as sp

from dpsym.core.notation import delta, delta_slack, epsilon, k
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

advanced_composition_simplified = Theorem(
    id="advanced_composition_simplified",
    title="advanced composition, simplified",
    premises=(approx(epsilon, delta),),
    conclusion=approx(2 * epsilon * sp.sqrt(2 * k * sp.log(1 / delta_slack)), k * delta + delta_slack),
    assume=(
        epsilon >= 0,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
        Relation(sp.sqrt(k) * (sp.exp(epsilon) - 1), "<=", sp.sqrt(2 * sp.log(1 / delta_slack))),
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRV10", "Theorem III.3, bounding its second term by its first"),
)
