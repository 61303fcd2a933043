"""Inputs k steps of the neighbouring relation apart."""

from dpsym.core.notation import k, rho
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Setting, Source, Theorem

group_zcdp = Theorem(
    id="group_zcdp",
    title="group privacy of zCDP",
    premises=(zcdp(rho),),
    conclusion=zcdp(k**2 * rho),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("BS16", "Proposition 1.9"),
)
