"""Inputs k steps of the neighbouring relation apart."""

from dpsym.definitions.pure import pure
from dpsym.notation import epsilon, k
from dpsym.relations import IsInteger
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
