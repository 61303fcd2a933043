"""Inputs k steps of the neighbouring relation apart."""

from dpsym.core.notation import epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

group_pure = Theorem(
    id="group_pure",
    title="group privacy of pure DP",
    premises=(pure(epsilon),),
    conclusion=pure(k * epsilon),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("DMNS06", "unverified locator"),
)
