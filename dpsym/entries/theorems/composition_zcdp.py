"""Adaptive composition of k mechanisms under zCDP."""

from dpsym.core.notation import k, rho
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Setting, Source, Theorem

composition_zcdp = Theorem(
    id="composition_zcdp",
    title="composition of zCDP",
    premises=(zcdp(rho),),
    conclusion=zcdp(k * rho),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.COMPOSITION,
    count=k,
    exact=True,
    lossless=True,
    source=Source("BS16", "Lemma 1.7 (unverified locator)"),
)
