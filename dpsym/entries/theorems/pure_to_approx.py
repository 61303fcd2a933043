"""Pure DP is approximate DP with delta = 0: the max divergence bounds P(S)/Q(S) for every event."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

pure_to_approx = Theorem(
    id="pure_to_approx",
    title="pure DP is (epsilon, 0)-DP",
    premises=(pure(epsilon),),
    conclusion=approx(epsilon, 0),
    exact=True,
    lossless=True,
    source=Source("DKMMN06", "unverified locator"),
)
