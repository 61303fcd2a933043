"""A loss between -epsilon and epsilon has a range of twice that: randomized response attains it."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

pure_to_bounded_range = Theorem(
    id="pure_to_bounded_range",
    title="pure DP implies bounded range",
    premises=(pure(epsilon),),
    conclusion=bounded_range(2 * epsilon),
    exact=True,
    source=Source("DR19", "unverified locator"),
)
