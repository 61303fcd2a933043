"""Pure DP is approximate DP with delta = 0: the max divergence bounds P(S)/Q(S) for every event."""

from dpsym.definitions.approx import approx
from dpsym.definitions.pure import pure
from dpsym.notation import epsilon
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
