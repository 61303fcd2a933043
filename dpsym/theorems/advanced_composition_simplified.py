"""Advanced composition as lecture notes state it, where its second term is no larger than its first."""

import sympy as sp

from dpsym.definitions.approx import approx
from dpsym.notation import delta, epsilon, k
from dpsym.relations import IsInteger, Relation
from dpsym.statements import Setting, Source, Theorem

slack = sp.Symbol("delta'")

advanced_composition_simplified = Theorem(
    id="advanced_composition_simplified",
    title="advanced composition, simplified",
    premises=(approx(epsilon, delta),),
    conclusion=approx(2 * epsilon * sp.sqrt(2 * k * sp.log(1 / slack)), k * delta + slack),
    assume=(
        IsInteger(k),
        k >= 1,
        slack > 0,
        slack < 1,
        Relation(sp.sqrt(k) * (sp.exp(epsilon) - 1), "<=", sp.sqrt(2 * sp.log(1 / slack))),
    ),
    chooses=(slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRV10", "Theorem III.3"),
)
