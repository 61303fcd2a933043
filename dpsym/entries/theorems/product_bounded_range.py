"""Mechanisms that were chosen beforehand: the largest losses add up, and so do the smallest."""

from dpsym.core.notation import eta, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Setting, Source, Theorem

product_bounded_range = Theorem(
    id="product_bounded_range",
    title="composition of bounded range without adaptivity",
    premises=(bounded_range(eta),),
    conclusion=bounded_range(k * eta),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.PRODUCT,
    count=k,
    exact=True,
    source=Source("DR19", "unverified locator"),
)
