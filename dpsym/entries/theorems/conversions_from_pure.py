"""Theorems from pure DP to the other notions."""

import sympy as sp

from dpsym.core.notation import Phi_inv, alpha, delta, epsilon
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.offset_zcdp import offset_zcdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

# Pure DP is approximate DP with delta = 0: the max divergence bounds P(S)/Q(S) for every event.
pure_to_approx = Theorem(
    id="pure_to_approx",
    title="pure DP is (epsilon, 0)-DP",
    premises=(pure(epsilon),),
    conclusion=approx(epsilon, 0),
    exact=True,
    lossless=True,
    source=Source("DKMMN06"),
)


# Pure DP at a positive delta: no pair is easier to distinguish than randomized response.
pure_to_approx_at_delta = Theorem(
    id="pure_to_approx_at_delta",
    title="pure DP at a positive delta",
    premises=(pure(epsilon),),
    conclusion=approx(sp.log(sp.exp(epsilon) - delta * (1 + sp.exp(epsilon))), delta),
    assume=(
        delta > 0,
        Relation(delta * (1 + sp.exp(epsilon)), "<=", sp.exp(epsilon) - 1),
    ),
    chooses=(delta,),
    exact=True,
    lossless=True,
    source=Source("KOV15", "Theorem 2.1"),
)


# A loss between -epsilon and epsilon has a range of twice that: randomized response attains it.
pure_to_bounded_range = Theorem(
    id="pure_to_bounded_range",
    title="pure DP implies bounded range",
    premises=(pure(epsilon),),
    conclusion=bounded_range(2 * epsilon),
    exact=True,
    source=Source("DR19"),
)


# Pure DP as a Rényi curve: that of randomized response, to which no pure mechanism is worse.
pure_to_rdp = Theorem(
    id="pure_to_rdp",
    title="pure DP implies RDP",
    premises=(pure(epsilon),),
    conclusion=rdp(
        alpha,
        sp.log((sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) / (1 + sp.exp(epsilon))) / (alpha - 1),
    ),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BS16", "proof of Proposition 3.3"),
)


# Pure DP as a zCDP budget, in the usual quadratic form.
pure_to_zcdp = Theorem(
    id="pure_to_zcdp",
    title="pure DP implies zCDP",
    premises=(pure(epsilon),),
    conclusion=zcdp(epsilon**2 / 2),
    source=Source("BS16", "Proposition 1.4", verified=True),
)


# Pure DP as the smallest zCDP budget: the Kullback-Leibler divergence of randomized response.
pure_to_zcdp_tanh = Theorem(
    id="pure_to_zcdp_tanh",
    title="pure DP implies zCDP, best constant",
    premises=(pure(epsilon),),
    conclusion=zcdp(epsilon * sp.tanh(epsilon / 2)),
    exact=True,
    source=Source("Ste24", "Theorem 5", verified=True),
)


# No Rényi divergence exceeds the largest privacy loss.  It is not the only line above that of randomized response, and
# none of them is the best at all orders.
pure_to_offset_zcdp = Theorem(
    id="pure_to_offset_zcdp",
    title="pure DP is zCDP with an offset alone",
    premises=(pure(epsilon),),
    conclusion=offset_zcdp(epsilon, 0),
    source=Source("BS16", "Lemma 3.2"),
)


# Pure DP as a GDP budget: the Gaussian whose trade-off function touches that of randomized response.
pure_to_gdp = Theorem(
    id="pure_to_gdp",
    title="pure DP implies GDP",
    premises=(pure(epsilon),),
    conclusion=gdp(-2 * Phi_inv(1 / (1 + sp.exp(epsilon)))),
    exact=True,
    source=Source("LSJK22"),
)
