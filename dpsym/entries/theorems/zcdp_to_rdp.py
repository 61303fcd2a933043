"""zCDP is a line of Rényi guarantees, one for each order."""

from dpsym.core.notation import alpha, rho
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

zcdp_to_rdp = Theorem(
    id="zcdp_to_rdp",
    title="zCDP implies RDP at every order",
    premises=(zcdp(rho),),
    conclusion=rdp(alpha, rho * alpha),
    chooses=(alpha,),
    exact=True,
    lossless=True,
    source=Source("BS16", "Definition 1.1"),
)
