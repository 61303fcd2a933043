"""The best of a random number of runs, as in the tuning of hyperparameters; nobody learns how many there were.

Let f be the generating function of that number.  If a run gives an answer that is at most as good as y with probability
u, and a worse one with probability u', then y is given out with probability f(u) - f(u'), the integral of f' from u' to
u: at most so often as a run gives y times the largest f' there.  What two neighbours make of u is known by the premise,
and f' of a negative binomial number is p^(-eta-1) (1 - (1 - p) u)^(-eta-1) times a constant.
"""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, eta, m, p, rho
from dpsym.core.relations import Relation
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Setting, Source, Theorem

_NUMBER = (eta > -1, p > 0, p < 1)  # of runs: where there is one; m is its mean

# Pure DP of a selection, whatever p is: the likelihoods and eta + 1 factors of f' change by exp(epsilon) each.
selection_pure = Theorem(
    id="selection_pure",
    title="private tuning: pure DP of the best of a random number of runs",
    premises=(pure(epsilon),),
    conclusion=pure((2 + eta) * epsilon),
    assume=(epsilon >= 0, *_NUMBER),
    setting=Setting.SELECTED,
    trials=(eta, p),
    source=Source("PS22"),
)


# Pure DP of a selection, as small as it can be: those factors of f' are largest for randomized response.
selection_pure_sharp = Theorem(
    id="selection_pure_sharp",
    title="private tuning: pure DP of the best of a random number of runs, the least for all mechanisms",
    premises=(pure(epsilon),),
    conclusion=pure(epsilon + (1 + eta) * sp.log((sp.exp(epsilon) + p) / (1 + p * sp.exp(epsilon)))),
    assume=(epsilon >= 0, *_NUMBER),
    setting=Setting.SELECTED,
    trials=(eta, p),
    source=Source("dpsym", "docs/lemmas.md, Lemma 14"),
)


# Pure DP of a selection among a Poisson number of runs, as small as it can be: f' at u against v is exp(m (u - v)).
selection_poisson_pure = Theorem(
    id="selection_poisson_pure",
    title="private tuning: pure DP of the best of a Poisson number of runs, the least for all mechanisms",
    premises=(pure(epsilon),),
    conclusion=pure(epsilon + m * sp.tanh(epsilon / 2)),
    assume=(epsilon >= 0, m > 0),
    setting=Setting.POISSON_SELECTED,
    trials=(m,),
    source=Source("dpsym", "docs/lemmas.md, Lemma 14"),
)


# RDP of a selection: the theorem of two orders, with one order for both.
_factors = (1 + eta) * ((1 - 1 / alpha) * epsilon + sp.log(1 / p) / alpha)

selection_rdp = Theorem(
    id="selection_rdp",
    title="private tuning: RDP of the best of a random number of runs",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, epsilon + _factors + sp.log(m) / (alpha - 1)),
    assume=(*_NUMBER, m > 0),
    setting=Setting.SELECTED,
    trials=(eta, p, m),
    source=Source("PS22", "Theorem 2, with one order for both"),
)


# RDP of a selection from zCDP: the second order is where (beta - 1) rho + log(1/p)/beta is least.
selection_zcdp_to_rdp = Theorem(
    id="selection_zcdp_to_rdp",
    title="private tuning: RDP of the best of a random number of runs of a zCDP mechanism",
    premises=(zcdp(rho),),
    conclusion=rdp(alpha, rho * alpha + (1 + eta) * (2 * sp.sqrt(rho * sp.log(1 / p)) - rho) + sp.log(m) / (alpha - 1)),
    assume=(rho > 0, Relation(rho, "<=", sp.log(1 / p)), *_NUMBER, m > 0),
    chooses=(alpha,),
    setting=Setting.SELECTED,
    trials=(eta, p, m),
    source=Source("PS22", "Theorem 2, at the best second order"),
)


# RDP of a selection among a Poisson number of runs, from pure DP at the orders up to 1 + 1/(exp(epsilon) - 1).
#
# Without exp(-m), the chance of no run at all, the bound would be negative for few runs.
_response = (sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) / (1 + sp.exp(epsilon))

selection_poisson_pure_to_rdp = Theorem(
    id="selection_poisson_pure_to_rdp",
    title="private tuning: RDP of the best of a Poisson number of runs of a pure mechanism",
    premises=(pure(epsilon),),
    conclusion=rdp(alpha, sp.log(sp.exp(-m) + m * _response) / (alpha - 1)),
    assume=(epsilon >= 0, Relation(epsilon, "<=", sp.log(alpha / (alpha - 1))), m > 0),
    chooses=(alpha,),
    setting=Setting.POISSON_SELECTED,
    trials=(m,),
    source=Source("PS22", "Theorem 6 at delta = 0, with the chance of no run"),
)


# RDP of a selection among a Poisson number of runs: with the delta that RDP has at exp(epsilon) = alpha/(alpha - 1).
_lost = sp.exp((alpha - 1) * epsilon) * (1 - 1 / alpha) ** (2 * alpha - 1)
_gained = (alpha - 1) * epsilon + m * _lost

selection_poisson_rdp = Theorem(
    id="selection_poisson_rdp",
    title="private tuning: RDP of the best of a Poisson number of runs",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, (_gained + sp.log(m + sp.exp(-m - _gained))) / (alpha - 1)),
    assume=(m > 0,),
    setting=Setting.POISSON_SELECTED,
    trials=(m,),
    source=Source("PS22", "Theorem 6, at the delta of its Rényi divergence, with the chance of no run"),
)
