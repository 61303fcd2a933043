"""Inputs k steps of the neighbouring relation apart: the orders on the way go up to k times the last."""

from dpsym.core.notation import k, omega, rho
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.tcdp import tcdp
from dpsym.statements import Setting, Source, Theorem

group_tcdp = Theorem(
    id="group_tcdp",
    title="group privacy of tCDP",
    premises=(tcdp(rho, omega),),
    conclusion=tcdp(k**2 * rho, omega / k),
    assume=(
        IsInteger(k),
        k >= 1,
        omega > k,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("BDRS18", "unverified locator"),
)
