"""Adaptive composition of k mechanisms under tCDP."""

from dpsym.core.notation import k, omega, rho
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.tcdp import tcdp
from dpsym.statements import Setting, Source, Theorem

composition_tcdp = Theorem(
    id="composition_tcdp",
    title="composition of tCDP",
    premises=(tcdp(rho, omega),),
    conclusion=tcdp(k * rho, omega),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("BDRS18", "Lemma 2 (unverified locator)"),
)
