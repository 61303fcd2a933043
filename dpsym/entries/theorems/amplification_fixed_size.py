"""Privacy amplification by a sample of fixed size, drawn without replacement."""

import sympy as sp

from dpsym.core.notation import alpha, delta, epsilon, i, q, rho, smallest
from dpsym.core.relations import IsInteger
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Adjacency, Setting, Source, Theorem

# Pure DP of a sample of fixed size, drawn without replacement, between inputs with a record replaced.
sampling_pure = Theorem(
    id="sampling_pure",
    title="amplification of pure DP by sampling without replacement",
    premises=(pure(epsilon),),
    conclusion=pure(sp.log(1 + q * (sp.exp(epsilon) - 1))),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SAMPLED,
    rate=q,
    adjacency=Adjacency.REPLACE,
    source=Source("BBG20", "Theorem 9 at delta = 0"),
)


# Approximate DP of a sample of fixed size, drawn without replacement, between inputs with a record replaced.
sampling_approx = Theorem(
    id="sampling_approx",
    title="amplification of approximate DP by sampling without replacement",
    premises=(approx(epsilon, delta),),
    conclusion=approx(sp.log(1 + q * (sp.exp(epsilon) - 1)), q * delta),
    assume=(epsilon >= 0, q >= 0, q <= 1),
    setting=Setting.SAMPLED,
    rate=q,
    adjacency=Adjacency.REPLACE,
    source=Source("BBG20", "Theorem 9"),
)


# RDP of a sample of fixed size at integer orders, whatever the mechanism, between inputs with a record replaced.
#
# The moments of the ratio of two mixtures about 1, from those of three distributions.  With the budget of one order for
# all the lower ones, which are no larger.
_square = smallest(4 * (sp.exp(epsilon) - 1), 2 * sp.exp(epsilon))
_higher = 2 * q**i * sp.binomial(alpha, i) * sp.exp((i - 1) * epsilon)

sampling_rdp = Theorem(
    id="sampling_rdp",
    title="amplification of RDP by sampling without replacement",
    premises=(rdp(alpha, epsilon),),
    conclusion=rdp(
        alpha,
        sp.log(1 + q**2 * sp.binomial(alpha, 2) * _square + sp.Sum(_higher, (i, 3, alpha))) / (alpha - 1),
    ),
    assume=(IsInteger(alpha), alpha >= 2, q >= 0, q <= 1),
    setting=Setting.SAMPLED,
    rate=q,
    adjacency=Adjacency.REPLACE,
    source=Source("WBK19", "Theorem 9, with one budget for all orders"),
)


# RDP of a sample of fixed size at integer orders from a zCDP budget, whatever the mechanism.
_square_of_zcdp = smallest(4 * (sp.exp(2 * rho) - 1), 2 * sp.exp(2 * rho))
_higher_of_zcdp = 2 * q**i * sp.binomial(alpha, i) * sp.exp(i * (i - 1) * rho)

sampling_zcdp_to_rdp = Theorem(
    id="sampling_zcdp_to_rdp",
    title="RDP of zCDP on a sample without replacement",
    premises=(zcdp(rho),),
    conclusion=rdp(
        alpha,
        sp.log(1 + q**2 * sp.binomial(alpha, 2) * _square_of_zcdp + sp.Sum(_higher_of_zcdp, (i, 3, alpha)))
        / (alpha - 1),
    ),
    assume=(IsInteger(alpha), alpha >= 2, q >= 0, q <= 1),
    chooses=(alpha,),
    setting=Setting.SAMPLED,
    rate=q,
    adjacency=Adjacency.REPLACE,
    source=Source("WBK19", "Theorem 9"),
)
