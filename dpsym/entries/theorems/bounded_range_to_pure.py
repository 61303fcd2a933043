"""The largest and minus the smallest privacy loss are not negative, so each is at most their sum."""

from dpsym.core.notation import eta
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

bounded_range_to_pure = Theorem(
    id="bounded_range_to_pure",
    title="bounded range implies pure DP",
    premises=(bounded_range(eta),),
    conclusion=pure(eta),
    source=Source("DR19", "unverified locator"),
)
