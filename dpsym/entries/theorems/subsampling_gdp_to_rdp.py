"""RDP of a Poisson sample at integer orders: the moments of the subsampled Gaussian, written out.

A mechanism that is mu-GDP is a function of a Gaussian one, and so is what it does to a sample.  The order in which
the sampled Gaussian is the numerator is the worse one.
"""

import sympy as sp

from dpsym.core.notation import alpha, i, mu, q
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

moment = sp.binomial(alpha, i) * (1 - q) ** (alpha - i) * q**i * sp.exp(i * (i - 1) * mu**2 / 2)

subsampling_gdp_to_rdp = Theorem(
    id="subsampling_gdp_to_rdp",
    title="RDP of GDP on a Poisson sample, at integer orders",
    premises=(gdp(mu),),
    conclusion=rdp(alpha, sp.log(sp.Sum(moment, (i, 0, alpha))) / (alpha - 1)),
    assume=(IsInteger(alpha), alpha >= 2, q > 0, q < 1),
    chooses=(alpha,),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("MTZ19", "Sections 3.1 and 3.3 (unverified locator)"),
)
