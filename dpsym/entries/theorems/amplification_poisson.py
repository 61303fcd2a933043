"""Privacy amplification by Poisson subsampling: each record is kept with probability q, independently of the others."""

import sympy as sp

from dpsym.core.notation import alpha, delta, epsilon, i, mu, q, rho
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

# Pure DP of a Poisson sample.
subsampling_pure = Theorem(
    id="subsampling_pure",
    title="amplification of pure DP by Poisson subsampling",
    premises=(pure(epsilon),),
    conclusion=pure(sp.log(1 + q * (sp.exp(epsilon) - 1))),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("BBG20", "Theorem 8 at delta = 0"),
)


# Approximate DP of a Poisson sample.
subsampling_approx = Theorem(
    id="subsampling_approx",
    title="amplification of approximate DP by Poisson subsampling",
    premises=(approx(epsilon, delta),),
    conclusion=approx(sp.log(1 + q * (sp.exp(epsilon) - 1)), q * delta),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("BBG20", "Theorem 8"),
)


# RDP of a Poisson sample at integer orders, whatever the mechanism.
#
# With the budget of one order for all the lower ones, which are no larger.
_low = (1 - q) ** (alpha - 1) * (1 + (alpha - 1) * q)
_second = sp.binomial(alpha, 2) * q**2 * (1 - q) ** (alpha - 2) * sp.exp(epsilon)
_higher = sp.binomial(alpha, i) * q**i * (1 - q) ** (alpha - i) * sp.exp((i - 1) * epsilon)

subsampling_rdp = Theorem(
    id="subsampling_rdp",
    title="amplification of RDP by Poisson subsampling",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(alpha, sp.log(_low + _second + 3 * sp.Sum(_higher, (i, 3, alpha))) / (alpha - 1)),
    assume=(IsInteger(alpha), alpha >= 2, q > 0, q < 1),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("ZW19", "Theorem 6, with one budget for all orders"),
)


# RDP of a Poisson sample at integer orders from a zCDP budget, whatever the mechanism.
_second_of_zcdp = sp.binomial(alpha, 2) * q**2 * (1 - q) ** (alpha - 2) * sp.exp(2 * rho)
_higher_of_zcdp = sp.binomial(alpha, i) * q**i * (1 - q) ** (alpha - i) * sp.exp(i * (i - 1) * rho)

subsampling_zcdp_to_rdp = Theorem(
    id="subsampling_zcdp_to_rdp",
    title="RDP of zCDP on a Poisson sample",
    premises=(zcdp(rho),),
    conclusion=rdp(alpha, sp.log(_low + _second_of_zcdp + 3 * sp.Sum(_higher_of_zcdp, (i, 3, alpha))) / (alpha - 1)),
    assume=(IsInteger(alpha), alpha >= 2, q > 0, q < 1),
    chooses=(alpha,),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    source=Source("ZW19", "Theorem 6"),
)


# RDP of a Poisson sample at integer orders: the moments of the subsampled Gaussian, written out.
#
# A mechanism that is mu-GDP is a function of a Gaussian one, and so is what it does to a sample.  The order in which
# the sampled Gaussian is the numerator is the worse one.
_moment = sp.binomial(alpha, i) * (1 - q) ** (alpha - i) * q**i * sp.exp(i * (i - 1) * mu**2 / 2)

subsampling_gdp_to_rdp = Theorem(
    id="subsampling_gdp_to_rdp",
    title="RDP of GDP on a Poisson sample, at integer orders",
    premises=(gdp(mu),),
    conclusion=rdp(alpha, sp.log(sp.Sum(_moment, (i, 0, alpha))) / (alpha - 1)),
    assume=(IsInteger(alpha), alpha >= 2, q > 0, q < 1),
    chooses=(alpha,),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("MTZ19", "Sections 3.1 and 3.3"),
)


# RDP of a Poisson sample from pure DP: that of randomized response on a sample, which is the worst case.
#
# A pure mechanism is a function of randomized response, and so is what it does to a sample.  Exchanging the answers
# exchanges the two outputs, so the order in which the sampled one is the numerator is the worse one.
_likelier = (1 - q + q * sp.exp(epsilon)) ** alpha / (1 + sp.exp(epsilon))
_rarer = (1 - q + q * sp.exp(-epsilon)) ** alpha / (1 + sp.exp(-epsilon))

subsampling_pure_to_rdp = Theorem(
    id="subsampling_pure_to_rdp",
    title="RDP of pure DP on a Poisson sample",
    premises=(pure(epsilon),),
    conclusion=rdp(alpha, sp.log(_likelier + _rarer) / (alpha - 1)),
    assume=(q >= 0, q <= 1),
    chooses=(alpha,),
    setting=Setting.SUBSAMPLED,
    rate=q,
    adjacency=Adjacency.ADD_REMOVE,
    exact=True,
    source=Source("MTZ19", "Theorem 5, for randomized response"),
)
