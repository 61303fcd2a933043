"""Theorems from approximate DP to other notions."""

import sympy as sp

from dpsym.core.notation import a, alpha, delta, epsilon, largest
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.approx_rdp import approx_rdp
from dpsym.entries.notions.approx_zcdp import approx_zcdp
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


# Without events of probability delta the losses are between -epsilon and epsilon: then no pair is worse than randomized
# response.
approx_to_approx_rdp = Theorem(
    id="approx_to_approx_rdp",
    title="approximate DP implies approximate RDP",
    premises=(approx(epsilon, delta),),
    conclusion=approx_rdp(
        alpha,
        sp.log((sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) / (1 + sp.exp(epsilon))) / (alpha - 1),
        delta,
    ),
    assume=(epsilon >= 0, delta >= 0, delta < 1),
    chooses=(alpha,),
    exact=True,
    source=Source("BS16", "Lemma 8.3, with the curve of randomized response"),
)


approx_to_approx_zcdp = Theorem(
    id="approx_to_approx_zcdp",
    title="approximate DP implies approximate zCDP",
    premises=(approx(epsilon, delta),),
    conclusion=approx_zcdp(epsilon * sp.tanh(epsilon / 2), delta),
    assume=(epsilon >= 0, delta >= 0, delta < 1),
    exact=True,
    source=Source("BS16", "Lemma 8.3, with the budget of randomized response"),
)
