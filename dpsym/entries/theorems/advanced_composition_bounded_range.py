"""The mean loss of a mechanism is at most that of the worst two outcomes, and Azuma's inequality does the rest."""

import sympy as sp

from dpsym.core.notation import delta, eta, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Setting, Source, Theorem

share = eta / (sp.exp(eta) - 1)
mean = share - 1 - sp.log(share)


advanced_composition_bounded_range = Theorem(
    id="advanced_composition_bounded_range",
    title="advanced composition of bounded range",
    premises=(bounded_range(eta),),
    conclusion=approx(k * mean + eta * sp.sqrt(k * sp.log(1 / delta) / 2), delta),
    assume=(
        eta > 0,
        delta > 0,
        delta < 1,
        IsInteger(k),
        k >= 1,
    ),
    chooses=(delta,),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DDR20", "unverified locator"),
)
