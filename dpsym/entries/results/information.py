"""KL divergence and mutual information: what the outputs tell of the inputs."""

import sympy as sp

from dpsym.core.notation import P, Q, epsilon, mixture, renyi, rho, smallest, w
from dpsym.core.relations import Relation
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Result, Source

# The KL divergence under pure DP: a convex function of e^-z lies below its chord.
pure_kl = Result(
    id="pure_kl",
    title="KL divergence under pure DP",
    states=Relation(renyi(1, P, Q), "<=", epsilon * sp.tanh(epsilon / 2)),
    assume=(epsilon > 0,),
    outputs={P: None, Q: None},
    premises=(pure(epsilon),),
    tight=True,
    tightness="for randomized response",
    source=Source("BS16"),
)


# The KL divergence of pure DP in simpler terms.
pure_kl_simpler = Result(
    id="pure_kl_simpler",
    title="KL divergence under pure DP, simplified",
    states=Relation(epsilon * sp.tanh(epsilon / 2), "<=", smallest(epsilon, epsilon**2 / 2)),
    assume=(epsilon >= 0,),
    tight=True,
    tightness="as epsilon falls to 0, and as it grows",
    source=Source("BS16"),
)


# The bound on the KL divergence that advanced composition was first proved with.
pure_kl_early = Result(
    id="pure_kl_early",
    title="KL divergence under pure DP, the early bound",
    states=Relation(epsilon * sp.tanh(epsilon / 2), "<=", epsilon * (sp.exp(epsilon) - 1)),
    assume=(epsilon >= 0,),
    source=Source("DRV10", "Lemma III.2", verified=True),
)


# What an output tells about one bit of prior probability w, in nats: P and Q are the outputs for the two values.
#
# The mean KL divergence from the mixture is the least of those from any one distribution, here from P.
mutual_information = Result(
    id="mutual_information",
    title="mutual information of an output and one bit",
    states=Relation(
        (1 - w) * renyi(1, P, mixture(w, P, Q)) + w * renyi(1, Q, mixture(w, P, Q)), "<=", w * renyi(1, Q, P)
    ),
    assume=(
        w >= 0,
        w <= 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="as w falls to 0",
    source=Source("CT06"),
)


# What the output of an epsilon-DP mechanism tells about one bit of prior probability w, in nats.
mutual_information_pure = Result(
    id="mutual_information_pure",
    title="mutual information under pure DP",
    states=Relation(
        (1 - w) * renyi(1, P, mixture(w, P, Q)) + w * renyi(1, Q, mixture(w, P, Q)),
        "<=",
        smallest(w, 1 - w) * epsilon * sp.tanh(epsilon / 2),
    ),
    assume=(
        w >= 0,
        w <= 1,
        epsilon > 0,
    ),
    outputs={P: None, Q: None},
    premises=(pure(epsilon),),
    tight=True,
    tightness="for randomized response, as w falls to 0",
    source=Source("CT06", "with the KL divergence of pure DP"),
)


# What the output of a rho-zCDP mechanism tells about one bit of prior probability w, in nats.
mutual_information_zcdp = Result(
    id="mutual_information_zcdp",
    title="mutual information under zCDP",
    states=Relation(
        (1 - w) * renyi(1, P, mixture(w, P, Q)) + w * renyi(1, Q, mixture(w, P, Q)), "<=", smallest(w, 1 - w) * rho
    ),
    assume=(
        w >= 0,
        w <= 1,
        rho >= 0,
    ),
    outputs={P: None, Q: None},
    premises=(zcdp(rho),),
    source=Source("BS16"),
)
