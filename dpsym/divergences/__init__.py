"""Divergences of two output distributions in closed form, straight from their densities, masses or probabilities."""

from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.pairs import symmetric
from dpsym.divergences.renyi import affinity, kullback_leibler, max_divergence, renyi

__all__ = [
    "ClosedForm",
    "NoClosedForm",
    "affinity",
    "kullback_leibler",
    "max_divergence",
    "renyi",
    "symmetric",
]
