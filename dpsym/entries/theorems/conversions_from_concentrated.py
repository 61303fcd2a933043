"""Theorems from zero-concentrated DP, with and without an offset, and from truncated concentrated DP."""

import sympy as sp

from dpsym.core.notation import Phi, SoleRoot, alpha, delta, epsilon, omega, rho, t, xi
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.approx_zcdp import approx_zcdp
from dpsym.entries.notions.offset_zcdp import offset_zcdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.tcdp import tcdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

# zCDP is a line of Rényi guarantees, one for each order.
zcdp_to_rdp = Theorem(
    id="zcdp_to_rdp",
    title="zCDP implies RDP at every order",
    premises=(zcdp(rho),),
    conclusion=rdp(alpha, rho * alpha),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BS16", "Definition 1.1", verified=True),
)


# Events may be left out, and need not be.
zcdp_to_approx_zcdp = Theorem(
    id="zcdp_to_approx_zcdp",
    title="zCDP implies approximate zCDP",
    premises=(zcdp(rho),),
    conclusion=approx_zcdp(rho, delta),
    assume=(delta >= 0, delta < 1),
    chooses=(delta,),
    source=Source("BS16", "Section 8"),
)


# Without an offset the two say the same.
zcdp_to_offset_zcdp = Theorem(
    id="zcdp_to_offset_zcdp",
    title="zCDP is zCDP with no offset",
    premises=(zcdp(rho),),
    conclusion=offset_zcdp(0, rho),
    exact=True,
    lossless=True,
    source=Source("BS16", "Definition 1.1, in its general form"),
)


# What holds at every order holds at the smaller ones.
zcdp_to_tcdp = Theorem(
    id="zcdp_to_tcdp",
    title="zCDP implies tCDP",
    premises=(zcdp(rho),),
    conclusion=tcdp(rho, omega),
    assume=(omega > 1,),
    chooses=(omega,),
    exact=True,
    source=Source("BDRS18"),
)


# A zCDP budget as (epsilon, delta), in closed form.
zcdp_to_approx = Theorem(
    id="zcdp_to_approx",
    title="zCDP implies approximate DP",
    premises=(zcdp(rho),),
    conclusion=approx(rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("BS16", "Proposition 1.3", verified=True),
)


# A zCDP budget as a privacy profile: Markov's inequality at the best order.
zcdp_to_approx_profile = Theorem(
    id="zcdp_to_approx_profile",
    title="zCDP implies approximate DP, as a profile",
    premises=(zcdp(rho),),
    conclusion=approx(epsilon, sp.exp(-((epsilon - rho) ** 2) / (4 * rho))),
    assume=(
        rho > 0,
        epsilon >= rho,
    ),
    chooses=(epsilon,),
    source=Source("BS16", "Lemma 3.5"),
)


# A zCDP budget as a privacy profile: the best exponential bound at the order that is best for Markov's inequality.
#
# That order is (epsilon + rho)/(2 rho), larger than 1.
_order = (epsilon + rho) / (2 * rho)

zcdp_to_approx_profile_improved = Theorem(
    id="zcdp_to_approx_profile_improved",
    title="zCDP implies approximate DP, as a profile, improved",
    premises=(zcdp(rho),),
    conclusion=approx(epsilon, sp.exp(-((epsilon - rho) ** 2) / (4 * rho)) * (1 - 1 / _order) ** (_order - 1) / _order),
    assume=(
        rho > 0,
        epsilon > rho,
    ),
    chooses=(epsilon,),
    source=Source("CKS20", "Corollary 13, at one order"),
)


# A zCDP budget as a privacy profile: the tail of the privacy loss, integrated.
#
# delta = E (1 - e^(epsilon - Z))_+ is the integral of e^(epsilon - z) P(Z > z) over z > epsilon, and P(Z > z) is at
# most e^(-(z - rho)^2/(4 rho)) for z >= rho.
zcdp_to_approx_profile_tail = Theorem(
    id="zcdp_to_approx_profile_tail",
    title="zCDP implies approximate DP, by the tail of the privacy loss",
    premises=(zcdp(rho),),
    conclusion=approx(epsilon, 2 * sp.sqrt(sp.pi * rho) * sp.exp(epsilon) * Phi(-(epsilon + rho) / sp.sqrt(2 * rho))),
    assume=(
        rho > 0,
        epsilon >= rho,
    ),
    chooses=(epsilon,),
    source=Source("BS16", "Lemma 3.6 and its proof"),
)


# zCDP with an offset is a line of Rényi guarantees, one for each order.
offset_zcdp_to_rdp = Theorem(
    id="offset_zcdp_to_rdp",
    title="zCDP with an offset implies RDP at every order",
    premises=(offset_zcdp(xi, rho),),
    conclusion=rdp(alpha, xi + rho * alpha),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BS16", "Definition 1.1, in its general form"),
)


# Orders are above 1, so the offset is at most that many times the order.
offset_zcdp_to_zcdp = Theorem(
    id="offset_zcdp_to_zcdp",
    title="zCDP with an offset implies zCDP",
    premises=(offset_zcdp(xi, rho),),
    conclusion=zcdp(xi + rho),
    source=Source("dpsym", "orders are above 1"),
)


# Without a slope the Rényi divergence is bounded at all orders, and so is its limit, the largest privacy loss.
offset_zcdp_to_pure = Theorem(
    id="offset_zcdp_to_pure",
    title="zCDP with an offset alone is pure DP",
    premises=(offset_zcdp(xi, 0),),
    conclusion=pure(xi),
    exact=True,
    lossless=True,
    source=Source("BS16", "Lemma 3.2"),
)


# A line of Rényi guarantees as (epsilon, delta), in closed form.
offset_zcdp_to_approx = Theorem(
    id="offset_zcdp_to_approx",
    title="zCDP with an offset implies approximate DP",
    premises=(offset_zcdp(xi, rho),),
    conclusion=approx(xi + rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), delta),
    assume=(
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("BS16", "Lemma 3.5"),
)


# Total variation under zCDP: that of the randomized response that has the whole budget, its epsilon being the root.
zcdp_to_approx_zero = Theorem(
    id="zcdp_to_approx_zero",
    title="zCDP bounds the total variation",
    premises=(zcdp(rho),),
    conclusion=approx(0, sp.tanh(SoleRoot(sp.Lambda(t, t * sp.tanh(t / 2) - rho), sp.S.Zero, sp.oo) / 2)),
    assume=(rho > 0,),
    source=Source("dpsym", "docs/lemmas.md, Lemma 20"),
)


# tCDP is a line of Rényi guarantees, one for each order below omega.
tcdp_to_rdp = Theorem(
    id="tcdp_to_rdp",
    title="tCDP implies RDP below its largest order",
    premises=(tcdp(rho, omega),),
    conclusion=rdp(alpha, rho * alpha),
    assume=(alpha < omega,),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BDRS18", "Definition 1"),
)


# The best order for a tCDP budget is that for zCDP, or the largest where that one is too large.
_L = sp.log(1 / delta)


tcdp_to_approx = Theorem(
    id="tcdp_to_approx",
    title="tCDP implies approximate DP",
    premises=(tcdp(rho, omega),),
    conclusion=approx(
        sp.Piecewise(
            (rho + 2 * sp.sqrt(rho * _L), (omega - 1) ** 2 * rho >= _L), (rho * omega + _L / (omega - 1), True)
        ),
        delta,
    ),
    assume=(
        omega > 1,
        delta > 0,
        delta < 1,
    ),
    chooses=(delta,),
    source=Source("BDRS18", "Lemma 6"),
)
