"""Theorems from approximate zCDP and approximate RDP: the events that were left out are added to delta."""

import sympy as sp

from dpsym.core.notation import alpha, delta, delta_slack, epsilon, largest, rho
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.approx_rdp import approx_rdp
from dpsym.entries.notions.approx_zcdp import approx_zcdp
from dpsym.statements import Source, Theorem

_delta = delta + (1 - delta) * delta_slack
_between = (delta_slack > 0, delta_slack < 1)

# The events that are best left out are the same at every order (docs/lemmas.md, Lemma 18).
approx_zcdp_to_approx_rdp = Theorem(
    id="approx_zcdp_to_approx_rdp",
    title="approximate zCDP implies approximate RDP at every order",
    premises=(approx_zcdp(rho, delta),),
    conclusion=approx_rdp(alpha, rho * alpha, delta),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BS16", "Definition 8.1"),
)


# An approximate zCDP budget as (epsilon, delta): as a zCDP budget without the events.
approx_zcdp_to_approx = Theorem(
    id="approx_zcdp_to_approx",
    title="approximate zCDP implies approximate DP",
    premises=(approx_zcdp(rho, delta),),
    conclusion=approx(rho + 2 * sp.sqrt(rho * sp.log(1 / delta_slack)), _delta),
    assume=_between,
    chooses=(delta_slack,),
    source=Source("BS16", "Lemma 8.8"),
)


# An order of approximate RDP as (epsilon, delta): as one of RDP without the events.
approx_rdp_to_approx = Theorem(
    id="approx_rdp_to_approx",
    title="approximate RDP implies approximate DP",
    premises=(approx_rdp(alpha, epsilon, delta),),
    conclusion=approx(
        largest(0, epsilon + sp.log((alpha - 1) / alpha) - (sp.log(delta_slack) + sp.log(alpha)) / (alpha - 1)),
        _delta,
    ),
    assume=_between,
    chooses=(delta_slack,),
    source=Source("CKS20", "Proposition 12, for what is left without the events"),
)
