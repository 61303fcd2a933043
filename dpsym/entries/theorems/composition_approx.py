"""Adaptive composition of k mechanisms under approximate DP."""

from dpsym.core.notation import delta, epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.statements import Setting, Source, Theorem

composition_approx = Theorem(
    id="composition_approx",
    title="composition of approximate DP",
    premises=(approx(epsilon, delta),),
    conclusion=approx(k * epsilon, k * delta),
    assume=(
        epsilon >= 0,
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DR14", "Theorem 3.16"),
)
