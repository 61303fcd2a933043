"""tCDP is a line of Rényi guarantees, one for each order below omega."""

from dpsym.definitions.rdp import rdp
from dpsym.definitions.tcdp import tcdp
from dpsym.notation import alpha, omega, rho
from dpsym.statements import Source, Theorem

tcdp_to_rdp = Theorem(
    id="tcdp_to_rdp",
    title="tCDP implies RDP below its largest order",
    premises=(tcdp(rho, omega),),
    conclusion=rdp(alpha, rho * alpha),
    assume=(alpha < omega,),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BDRS18", "Definition 1 (unverified locator)"),
)
