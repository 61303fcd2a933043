"""What holds at every order holds at the smaller ones."""

from dpsym.definitions.tcdp import tcdp
from dpsym.definitions.zcdp import zcdp
from dpsym.notation import omega, rho
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
