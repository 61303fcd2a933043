"""Approximate DP with delta = 0 is pure DP: P(S) <= e^epsilon Q(S) for all S bounds the max divergence."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

approx_to_pure = Theorem(
    id="approx_to_pure",
    title="(epsilon, 0)-DP is pure DP",
    premises=(approx(epsilon, 0),),
    conclusion=pure(epsilon),
    exact=True,
    lossless=True,
    source=Source("DKMMN06", "unverified locator"),
)
