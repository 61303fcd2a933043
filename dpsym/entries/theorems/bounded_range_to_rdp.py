"""The largest Rényi divergence of a loss of range eta: two outcomes, at the worst of their probabilities."""

import sympy as sp

from dpsym.core.notation import alpha, eta
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

grown, step = sp.exp(alpha * eta) - 1, sp.exp(eta) - 1


bounded_range_to_rdp = Theorem(
    id="bounded_range_to_rdp",
    title="bounded range implies RDP",
    premises=(bounded_range(eta),),
    conclusion=rdp(
        alpha,
        (sp.log((grown - step) / ((alpha - 1) * step)) - alpha * sp.log(alpha * (grown - step) / ((alpha - 1) * grown)))
        / (alpha - 1),
    ),
    assume=(eta > 0,),
    chooses=(alpha,),
    exact=True,
    source=Source("dpsym", "docs/lemmas.md, Lemma 4"),
)
