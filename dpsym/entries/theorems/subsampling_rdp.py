"""RDP of a Poisson sample at integer orders, whatever the mechanism.

With the budget of one order for all the lower ones, which are no larger.
"""

import sympy as sp

from dpsym.core.notation import alpha, epsilon, i, q
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

low = (1 - q) ** (alpha - 1) * (1 + (alpha - 1) * q)
second = sp.binomial(alpha, 2) * q**2 * (1 - q) ** (alpha - 2) * sp.exp(epsilon)
higher = sp.binomial(alpha, i) * q**i * (1 - q) ** (alpha - i) * sp.exp((i - 1) * epsilon)

subsampling_rdp = Theorem(
    id="subsampling_rdp",
    title="amplification of RDP by Poisson subsampling",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, sp.log(low + second + 3 * sp.Sum(higher, (i, 3, alpha))) / (alpha - 1)),
    assume=(IsInteger(alpha), alpha >= 2, q > 0, q < 1),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("ZW19", "Theorem 6 (unverified locator), with one budget for all orders"),
)
