"""The trade-off function of a loss of range eta: that of two logistic distributions eta scales apart."""

import sympy as sp

from dpsym.core.notation import a, eta
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.fdp import fdp
from dpsym.statements import Source, Theorem

bounded_range_to_fdp = Theorem(
    id="bounded_range_to_fdp",
    title="bounded range is f-DP",
    premises=(bounded_range(eta),),
    conclusion=fdp((1 - a) / (1 + a * (sp.exp(eta) - 1))),
    exact=True,
    source=Source("dpsym", "docs/lemmas.md, Lemma 4"),
)
