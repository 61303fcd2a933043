"""RDP of a Poisson sample at integer orders from a zCDP budget, whatever the mechanism."""

import sympy as sp

from dpsym.core.notation import alpha, i, q, rho
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

low = (1 - q) ** (alpha - 1) * (1 + (alpha - 1) * q)
second = sp.binomial(alpha, 2) * q**2 * (1 - q) ** (alpha - 2) * sp.exp(2 * rho)
higher = sp.binomial(alpha, i) * q**i * (1 - q) ** (alpha - i) * sp.exp(i * (i - 1) * rho)

subsampling_zcdp_to_rdp = Theorem(
    id="subsampling_zcdp_to_rdp",
    title="RDP of zCDP on a Poisson sample",
    premises=(zcdp(rho),),
    conclusion=rdp(alpha, sp.log(low + second + 3 * sp.Sum(higher, (i, 3, alpha))) / (alpha - 1)),
    assume=(IsInteger(alpha), alpha >= 2, q > 0, q < 1),
    chooses=(alpha,),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("ZW19", "Theorem 6 (unverified locator)"),
)
