"""Total variation, the largest advantage of an attack: under each notion, and against the KL divergence."""

import sympy as sp

from dpsym.core.distributions import shifted
from dpsym.core.notation import (
    Delta,
    P,
    Phi,
    Phi_inv,
    Q,
    a,
    delta,
    epsilon,
    hockey_stick,
    mu,
    renyi,
    sigma,
    trade_off,
    x,
)
from dpsym.core.relations import ForAll, Relation
from dpsym.entries.mechanisms.gaussian import noise as gaussian_noise
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.statements import Result, Source

# Total variation under pure DP.
pure_total_variation = Result(
    id="pure_total_variation",
    title="total variation under pure DP",
    states=Relation(hockey_stick(1, P, Q), "<=", sp.tanh(epsilon / 2)),
    assume=(epsilon >= 0,),
    outputs={P: None, Q: None},
    premises=(pure(epsilon),),
    tight=True,
    tightness="for randomized response",
    source=Source("KOV15"),
)


# Total variation under approximate DP.
approx_total_variation = Result(
    id="approx_total_variation",
    title="total variation under approximate DP",
    states=Relation(hockey_stick(1, P, Q), "<=", (sp.exp(epsilon) - 1 + 2 * delta) / (sp.exp(epsilon) + 1)),
    assume=(
        epsilon >= 0,
        delta >= 0,
        delta <= 1,
    ),
    outputs={P: None, Q: None},
    premises=(approx(epsilon, delta),),
    tight=True,
    tightness="for randomized response that gives the answer away with probability delta",
    source=Source("KOV15"),
)


# Total variation, the largest advantage of an attack, under Gaussian DP.
gdp_total_variation = Result(
    id="gdp_total_variation",
    title="total variation under GDP",
    states=Relation(hockey_stick(1, P, Q), "<=", 2 * Phi(mu / 2) - 1),
    assume=(mu >= 0,),
    outputs={P: None, Q: None},
    premises=(gdp(mu),),
    tight=True,
    tightness="for the Gaussian mechanism",
    source=Source("DRS22"),
)


# Total variation, the largest advantage of an attack, from the fixed point x of a symmetric trade-off function.
total_variation_at_fixed_point = Result(
    id="total_variation_at_fixed_point",
    title="total variation from the fixed point of a trade-off function",
    states=Relation(hockey_stick(1, P, Q), "=", 1 - 2 * x),
    assume=(
        x > 0,
        x < 1,
        Relation(trade_off(x, P, Q), "=", x),
        ForAll(Relation(trade_off(a, P, Q), "=", trade_off(a, Q, P)), (a,), (a > 0, a < 1)),
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("DRS22"),
)


# Gaussian noise with epsilon = 0: the smallest delta is the total variation.
gaussian_total_variation = Result(
    id="gaussian_total_variation",
    title="total variation of the Gaussian mechanism",
    states=Relation(hockey_stick(1, P, Q), "=", 2 * Phi(Delta / (2 * sigma)) - 1),
    assume=(
        Delta > 0,
        sigma > 0,
    ),
    outputs=dict(zip((P, Q), shifted(gaussian_noise, Delta), strict=True)),
    tight=True,
    source=Source("BW18"),
)


# The standard deviation that Gaussian noise needs for (0, delta)-DP; no smaller one is enough.
_needed = {sigma: Delta / (2 * Phi_inv((1 + delta) / 2))}

gaussian_noise_at_epsilon_zero = Result(
    id="gaussian_noise_at_epsilon_zero",
    title="Gaussian noise for epsilon = 0",
    states=Relation(hockey_stick(1, P, Q), "=", delta),
    assume=(
        Delta > 0,
        delta > 0,
        delta < 1,
    ),
    outputs={name: output.subs(_needed) for name, output in zip((P, Q), shifted(gaussian_noise, Delta), strict=True)},
    tight=True,
    source=Source("BW18"),
)


# Total variation is at most the root of half the KL divergence.
pinsker = Result(
    id="pinsker",
    title="Pinsker's inequality",
    states=Relation(hockey_stick(1, P, Q), "<=", sp.sqrt(renyi(1, P, Q) / 2)),
    outputs={P: None, Q: None},
    tight=True,
    tightness="in the limit of equal distributions",
    source=Source("vEH14", "Theorem 31"),
)


# A bound on total variation that stays below 1 however large the KL divergence is.
bretagnolle_huber = Result(
    id="bretagnolle_huber",
    title="the inequality of Bretagnolle and Huber",
    states=Relation(hockey_stick(1, P, Q), "<=", sp.sqrt(1 - sp.exp(-renyi(1, P, Q)))),
    outputs={P: None, Q: None},
    source=Source("BH79"),
)


# The bound of Bretagnolle and Huber without its root.
bretagnolle_huber_simpler = Result(
    id="bretagnolle_huber_simpler",
    title="the bound of Bretagnolle and Huber, simplified",
    states=Relation(sp.sqrt(1 - sp.exp(-x)), "<=", 1 - sp.exp(-x) / 2),
    assume=(x >= 0,),
    tight=True,
    tightness="as x grows",
    source=Source("BH79"),
)
