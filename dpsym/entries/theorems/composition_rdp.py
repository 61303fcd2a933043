"""Adaptive composition of k mechanisms under RDP."""

from dpsym.core.notation import alpha, epsilon, k
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Setting, Source, Theorem

composition_rdp = Theorem(
    id="composition_rdp",
    title="composition of RDP",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, k * epsilon),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.COMPOSITION,
    count=k,
    exact=True,
    lossless=True,
    source=Source("Mir17", "Proposition 1"),
)
