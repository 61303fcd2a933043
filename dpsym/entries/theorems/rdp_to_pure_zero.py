"""A Rényi divergence of 0, at any one order, is that of equal distributions."""

from dpsym.core.notation import alpha
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Source, Theorem

rdp_to_pure_zero = Theorem(
    id="rdp_to_pure_zero",
    title="RDP at 0 is perfect privacy",
    premises=(rdp(alpha, 0),),
    conclusion=pure(0),
    exact=True,
    lossless=True,
    source=Source("vEH14", "Theorem 8 (unverified locator)"),
)
