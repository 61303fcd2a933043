"""Divergences of two output distributions in closed form, from densities, masses or probabilities."""

from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.concentration import zero_concentrated
from dpsym.divergences.gaussian_dominance import gaussian_dominated
from dpsym.divergences.hockey import hockey_stick, total_variation
from dpsym.divergences.pairs import symmetric, worst
from dpsym.divergences.privacy_loss import PrivacyLoss, loss_variance, privacy_loss
from dpsym.divergences.renyi import affinity, kullback_leibler, max_divergence, renyi
from dpsym.divergences.trade_off import trade_off

__all__ = [
    "ClosedForm",
    "NoClosedForm",
    "PrivacyLoss",
    "affinity",
    "gaussian_dominated",
    "hockey_stick",
    "kullback_leibler",
    "loss_variance",
    "max_divergence",
    "privacy_loss",
    "renyi",
    "symmetric",
    "total_variation",
    "trade_off",
    "worst",
    "zero_concentrated",
]
