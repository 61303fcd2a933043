"""What approximate DP says in the words of other notions."""

import sympy as sp

from dpsym.core.notation import a, delta, epsilon, largest
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

# Approximate DP with delta = 0 is pure DP: P(S) <= e^epsilon Q(S) for all S bounds the max divergence.
approx_to_pure = Theorem(
    id="approx_to_pure",
    title="(epsilon, 0)-DP is pure DP",
    premises=(approx(epsilon, 0),),
    conclusion=pure(epsilon),
    exact=True,
    lossless=True,
    source=Source("DKMMN06"),
)


# (epsilon, delta)-DP is f-DP with f piecewise linear: the two say the same.
approx_to_fdp = Theorem(
    id="approx_to_fdp",
    title="approximate DP is f-DP",
    premises=(approx(epsilon, delta),),
    conclusion=fdp(largest(0, 1 - delta - sp.exp(epsilon) * a, sp.exp(-epsilon) * (1 - delta - a))),
    exact=True,
    lossless=True,
    source=Source("WZ10"),
)
