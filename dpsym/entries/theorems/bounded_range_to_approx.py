"""The privacy profile of a loss of range eta: two outcomes, at the worst of their probabilities."""

import sympy as sp

from dpsym.core.notation import epsilon, eta
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.statements import Source, Theorem

bounded_range_to_approx = Theorem(
    id="bounded_range_to_approx",
    title="bounded range implies approximate DP",
    premises=(bounded_range(eta),),
    conclusion=approx(epsilon, (sp.exp(eta / 2) - sp.exp(epsilon / 2)) ** 2 / (sp.exp(eta) - 1)),
    assume=(eta > 0, epsilon >= 0, epsilon < eta),
    chooses=(epsilon,),
    exact=True,
    source=Source("dpsym", "docs/lemmas.md, Lemma 4"),
)
