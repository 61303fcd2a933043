"""What holds at every order holds at the smaller ones."""

from dpsym.core.notation import omega, rho
from dpsym.entries.notions.tcdp import tcdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

zcdp_to_tcdp = Theorem(
    id="zcdp_to_tcdp",
    title="zCDP implies tCDP",
    premises=(zcdp(rho),),
    conclusion=tcdp(rho, omega),
    assume=(omega > 1,),
    chooses=(omega,),
    exact=True,
    source=Source("BDRS18", "unverified locator"),
)
