"""Inputs k steps of the neighbouring relation apart: the losses of the steps add up."""

from dpsym.core.notation import eta, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Setting, Source, Theorem

group_bounded_range = Theorem(
    id="group_bounded_range",
    title="group privacy of bounded range",
    premises=(bounded_range(eta),),
    conclusion=bounded_range(k * eta),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("DR19", "unverified locator"),
)
