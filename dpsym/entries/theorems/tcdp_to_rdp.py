"""tCDP is a line of Rényi guarantees, one for each order below omega."""

from dpsym.core.notation import alpha, omega, rho
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.tcdp import tcdp
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
