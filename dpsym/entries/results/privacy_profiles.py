"""Privacy profiles: delta as a function of epsilon, from the privacy loss and back, and other divergences from it."""

import sympy as sp

from dpsym.core.notation import (
    P,
    Phi,
    Q,
    alpha,
    chance,
    derivative,
    epsilon,
    gamma,
    hockey_stick,
    largest,
    mu,
    phi,
    privacy_loss,
    renyi,
    x,
    y,
    z,
)
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

# The privacy profile from the tails of both privacy losses.
profile_from_losses = Result(
    id="profile_from_losses",
    title="the privacy profile from the tails of both privacy losses",
    states=Relation(
        hockey_stick(sp.exp(epsilon), P, Q),
        "=",
        chance(z, z, ">", epsilon, privacy_loss(P, Q))
        - sp.exp(epsilon) * chance(z, z, "<", -epsilon, privacy_loss(Q, P)),
    ),
    reals=(epsilon,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BW18", "Theorem 5"),
)


# The privacy profile as an integral of the tail of the privacy loss.
profile_from_tail = Result(
    id="profile_from_tail",
    title="the privacy profile as an integral of the tail of the privacy loss",
    states=Relation(
        hockey_stick(sp.exp(epsilon), P, Q),
        "=",
        sp.Integral(sp.exp(epsilon - y) * chance(z, z, ">", y, privacy_loss(P, Q)), (y, epsilon, sp.oo)),
    ),
    reals=(epsilon,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("CKS20"),
)


# A bounded tail of the privacy loss (probabilistic DP) gives approximate DP; the converse fails.
profile_below_tail = Result(
    id="profile_below_tail",
    title="probabilistic DP implies approximate DP",
    states=Relation(hockey_stick(sp.exp(epsilon), P, Q), "<=", chance(z, z, ">", epsilon, privacy_loss(P, Q))),
    reals=(epsilon,),
    outputs={P: None, Q: None},
    tight=True,
    tightness="where every loss above epsilon is infinite; in general loose by any factor",
    source=Source("DR14"),
)


# The tail of the privacy loss from the profile, by Markov's inequality for (1 - e^(epsilon - Z))_+.
tail_below_profile = Result(
    id="tail_below_profile",
    title="approximate DP bounds the tail of the privacy loss at a larger epsilon",
    states=Relation(
        chance(z, z, ">", x, privacy_loss(P, Q)), "<=", hockey_stick(sp.exp(epsilon), P, Q) / (1 - sp.exp(epsilon - x))
    ),
    assume=(x > epsilon,),
    outputs={P: None, Q: None},
    source=Source("DR14"),
)


# The KL divergence as an integral of both privacy profiles.
kl_from_profile = Result(
    id="kl_from_profile",
    title="the KL divergence from the privacy profiles",
    states=Relation(
        renyi(1, P, Q),
        "=",
        sp.Integral(hockey_stick(gamma, P, Q) / gamma + hockey_stick(gamma, Q, P) / gamma**2, (gamma, 1, sp.oo)),
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("SV16", "Proposition 3"),
)


# The moments of the likelihood ratio as an integral of both privacy profiles: RDP from a profile, without loss.
renyi_from_profile = Result(
    id="renyi_from_profile",
    title="the Rényi divergence from the privacy profiles",
    states=Relation(
        sp.exp((alpha - 1) * renyi(alpha, P, Q)),
        "=",
        1
        + alpha
        * (alpha - 1)
        * sp.Integral(
            gamma ** (alpha - 2) * hockey_stick(gamma, P, Q) + gamma ** (-alpha - 1) * hockey_stick(gamma, Q, P),
            (gamma, 1, sp.oo),
        ),
    ),
    assume=(
        alpha > 0,
        Relation(alpha, "!=", sp.Integer(1)),
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("SV16", "Proposition 3"),
)


# The best exponential above the hockey stick: it turns Rényi divergences into approximate DP.
exponential_majorant = Result(
    id="exponential_majorant",
    title="the best exponential bound on the hockey stick",
    states=Relation(
        largest(0, 1 - sp.exp(epsilon - y)),
        "<=",
        (1 - 1 / alpha) ** alpha / (alpha - 1) * sp.exp((alpha - 1) * (y - epsilon)),
    ),
    assume=(alpha > 1,),
    reals=(y, epsilon),
    tight=True,
    tightness="at y = epsilon + log(alpha/(alpha - 1))",
    source=Source("CKS20"),
)


# How the delta of the Gaussian mechanism falls with epsilon.
_gaussian_profile = Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-epsilon / mu - mu / 2)

gaussian_profile_slope_in_epsilon = Result(
    id="gaussian_profile_slope_in_epsilon",
    title="derivative of the Gaussian privacy profile in epsilon",
    states=Relation(
        derivative(sp.Lambda(epsilon, _gaussian_profile), 1, epsilon),
        "=",
        -sp.exp(epsilon) * Phi(-epsilon / mu - mu / 2),
    ),
    assume=(mu > 0,),
    reals=(epsilon,),
    tight=True,
    source=Source("BW18"),
)


# How the delta of the Gaussian mechanism grows with mu.
gaussian_profile_slope_in_mu = Result(
    id="gaussian_profile_slope_in_mu",
    title="derivative of the Gaussian privacy profile in mu",
    states=Relation(derivative(sp.Lambda(mu, _gaussian_profile), 1, mu), "=", phi(epsilon / mu - mu / 2)),
    assume=(mu > 0,),
    reals=(epsilon,),
    tight=True,
    source=Source("BW18"),
)
