"""Advanced composition with the mean of the worst privacy loss, epsilon tanh(epsilon/2), not a bound."""

import sympy as sp

from dpsym.core.notation import delta, delta_slack, epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

advanced_composition_kov = Theorem(
    id="advanced_composition_kov",
    title="advanced composition, with the mean loss of randomized response",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(1 / delta_slack)) + k * epsilon * sp.tanh(epsilon / 2),
        1 - (1 - delta) ** k * (1 - delta_slack),
    ),
    assume=(
        epsilon >= 0,
        delta <= 1,
        IsInteger(k),
        k >= 1,
        delta_slack > 0,
        delta_slack < 1,
    ),
    chooses=(delta_slack,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("KOV15", "Theorem 3.4"),
)
