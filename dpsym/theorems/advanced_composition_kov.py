"""Advanced composition with the exact mean of randomized response's privacy loss, epsilon tanh(epsilon/2)."""

import sympy as sp

from dpsym.definitions.approx import approx
from dpsym.notation import delta, epsilon, k
from dpsym.relations import IsInteger
from dpsym.statements import Setting, Source, Theorem

slack = sp.Symbol("delta'")

advanced_composition_kov = Theorem(
    id="advanced_composition_kov",
    title="advanced composition, with the mean loss of randomized response",
    premises=(approx(epsilon, delta),),
    conclusion=approx(
        epsilon * sp.sqrt(2 * k * sp.log(1 / slack)) + k * epsilon * sp.tanh(epsilon / 2), k * delta + slack
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
    source=Source("KOV15", "Theorem 3.4"),
)
