"""Inputs k steps of the neighbouring relation apart."""

from dpsym.core.notation import k, mu
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.gdp import gdp
from dpsym.statements import Setting, Source, Theorem

group_gdp = Theorem(
    id="group_gdp",
    title="group privacy of GDP",
    premises=(gdp(mu),),
    conclusion=gdp(k * mu),
    assume=(
        IsInteger(k),
        k >= 1,
    ),
    setting=Setting.GROUP,
    count=k,
    source=Source("DRS22", "Theorem 2.14 (unverified locator)"),
)
