"""Adaptive composition of k mechanisms under pure DP."""

from dpsym.core.notation import epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

composition_pure = Theorem(
    id="composition_pure",
    title="composition of pure DP",
    premises=(pure(epsilon),),
    conclusion=pure(k * epsilon),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.COMPOSITION,
    count=k,
    exact=True,
    source=Source("DMNS06", "unverified locator"),
)
