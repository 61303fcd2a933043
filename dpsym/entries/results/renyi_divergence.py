"""The Rényi divergence: its orders, its limits, and its behaviour under products, mixtures and random maps."""

import sympy as sp

from dpsym.core.notation import (
    K,
    P,
    P_other,
    Q,
    Q_other,
    R,
    a,
    alpha,
    beta,
    image,
    independent,
    largest,
    mean,
    mixture,
    mu,
    privacy_loss,
    renyi,
    trade_off,
    w,
    z,
)
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

# Rényi divergences grow with the order.
renyi_monotone = Result(
    id="renyi_monotone",
    title="the Rényi divergence grows with its order",
    states=Relation(renyi(alpha, P, Q), "<=", renyi(beta, P, Q)),
    assume=(
        alpha > 0,
        beta >= alpha,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="where p/q is constant",
    source=Source("vEH14", "Theorem 3", verified=True),
)


# The Rényi divergence at order 1 is the KL divergence, by continuity from below.
renyi_limit_at_one = Result(
    id="renyi_limit_at_one",
    title="the Rényi divergence tends to the KL divergence",
    states=Relation(sp.Limit(renyi(alpha, P, Q), alpha, 1, "-"), "=", renyi(1, P, Q)),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "Theorem 5"),
)


# The Rényi divergence at order oo is the max divergence, which pure DP bounds.
renyi_limit_at_infinity = Result(
    id="renyi_limit_at_infinity",
    title="the Rényi divergence tends to the max divergence",
    states=Relation(sp.Limit(renyi(alpha, P, Q), alpha, sp.oo), "=", renyi(sp.oo, P, Q)),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "Theorem 6"),
)


# The Rényi divergence by the privacy loss about any number: at its mean, by the two terms of mean-concentrated DP.
renyi_about_a_number = Result(
    id="renyi_about_a_number",
    title="the Rényi divergence by the privacy loss about a number",
    states=Relation(
        renyi(alpha, P, Q),
        "=",
        mu + sp.log(mean(z, sp.exp((alpha - 1) * (z - mu)), privacy_loss(P, Q))) / (alpha - 1),
    ),
    assume=(alpha > 1,),
    reals=(mu,),
    outputs={P: None, Q: None},
    tight=True,
    remark=(
        "(m, s)-mean-concentrated DP says of the mean mu of the privacy loss that it is at most m, and of the loss "
        "about it that it is s-subgaussian: the expectation is then at most exp((alpha - 1)^2 s^2/2), so that the "
        "mechanism satisfies rdp(alpha, m + (alpha - 1) s^2/2), and for m >= s^2/2 offset_zcdp(m - s^2/2, s^2/2)"
    ),
    source=Source("BS16", "Section 4, on mean-concentrated DP"),
)


# The Rényi divergence of order 2, log(1 + chi^2).
renyi_order_two = Result(
    id="renyi_order_two",
    title="the Rényi divergence of order 2",
    states=Relation(renyi(2, P, Q), "=", sp.log(mean(z, sp.exp(z), privacy_loss(P, Q)))),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14"),
)


# Exchanging the two distributions of a Rényi divergence of order below 1.
renyi_skew_symmetry = Result(
    id="renyi_skew_symmetry",
    title="skew symmetry of the Rényi divergence",
    states=Relation(renyi(alpha, P, Q), "=", alpha / (1 - alpha) * renyi(1 - alpha, Q, P)),
    assume=(
        alpha > 0,
        alpha < 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("vEH14", "Proposition 2", verified=True),
)


# The Rényi divergence of independent pairs.
renyi_additive = Result(
    id="renyi_additive",
    title="Rényi divergences of independent draws add up",
    states=Relation(
        renyi(alpha, independent(P, P_other), independent(Q, Q_other)),
        "=",
        renyi(alpha, P, Q) + renyi(alpha, P_other, Q_other),
    ),
    assume=(alpha > 0,),
    outputs={P: None, Q: None, P_other: None, Q_other: None},
    tight=True,
    source=Source("vEH14", "Theorem 28", verified=True),
)


# No random map that does not know which of two distributions it is fed enlarges their Rényi divergence.
renyi_data_processing = Result(
    id="renyi_data_processing",
    title="data processing inequality of the Rényi divergence",
    states=Relation(renyi(alpha, image(K, P), image(K, Q)), "<=", renyi(alpha, P, Q)),
    assume=(alpha > 0,),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="where the output is a sufficient statistic",
    source=Source("vEH14", "Theorem 9", verified=True),
)


# Mixing two pairs is no worse than the worse of them.
renyi_quasi_convexity = Result(
    id="renyi_quasi_convexity",
    title="joint quasi-convexity of the Rényi divergence",
    states=Relation(
        renyi(alpha, mixture(w, P, P_other), mixture(w, Q, Q_other)),
        "<=",
        largest(renyi(alpha, P, Q), renyi(alpha, P_other, Q_other)),
    ),
    assume=(
        alpha > 0,
        w >= 0,
        w <= 1,
    ),
    outputs={P: None, Q: None, P_other: None, Q_other: None},
    tight=True,
    tightness="where both pairs are the same",
    source=Source("vEH14", "Theorem 13", verified=True),
)


# Moments of the likelihood ratio are jointly convex in both distributions; the Rényi divergence itself is not.
renyi_joint_convexity = Result(
    id="renyi_joint_convexity",
    title="joint convexity of the Rényi moment",
    states=Relation(
        sp.exp((alpha - 1) * renyi(alpha, mixture(w, P, P_other), mixture(w, Q, Q_other))),
        "<=",
        (1 - w) * sp.exp((alpha - 1) * renyi(alpha, P, Q)) + w * sp.exp((alpha - 1) * renyi(alpha, P_other, Q_other)),
    ),
    assume=(
        alpha > 1,
        w >= 0,
        w <= 1,
    ),
    outputs={P: None, Q: None, P_other: None, Q_other: None},
    tight=True,
    tightness="where both pairs are the same",
    source=Source("vEH14", "proof of Theorem 13"),
)


# A triangle inequality for Rényi divergences, at the price of larger orders.
renyi_weak_triangle = Result(
    id="renyi_weak_triangle",
    title="weak triangle inequality of the Rényi divergence",
    states=Relation(
        renyi(alpha, P, Q),
        "<=",
        (alpha - sp.Rational(1, 2)) / (alpha - 1) * renyi(2 * alpha, P, R) + renyi(2 * alpha - 1, R, Q),
    ),
    assume=(alpha > 1,),
    outputs={P: None, Q: None, R: None},
    source=Source("Mir17", "Proposition 11", verified=True),
)


# What is unlikely under Q is unlikely under P.
#
# 1 - T(Q, P)(a) is the largest P-probability of an event of Q-probability a.
probability_preservation = Result(
    id="probability_preservation",
    title="probability preservation",
    states=Relation(1 - trade_off(a, Q, P), "<=", (sp.exp(renyi(alpha, P, Q)) * a) ** ((alpha - 1) / alpha)),
    assume=(
        alpha > 1,
        a > 0,
        a < 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="where P is Q conditioned on an event of probability a",
    source=Source("Mir17", "Proposition 10", verified=True),
)


# What a Rényi divergence leaves of the two error rates of a test: the divergence of two coins is no larger.
renyi_testing_region = Result(
    id="renyi_testing_region",
    title="error rates of a test under RDP",
    states=Relation(
        (1 - trade_off(a, P, Q)) ** alpha * a ** (1 - alpha) + trade_off(a, P, Q) ** alpha * (1 - a) ** (1 - alpha),
        "<=",
        sp.exp((alpha - 1) * renyi(alpha, Q, P)),
    ),
    assume=(
        alpha > 1,
        a > 0,
        a < 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="for two outcomes",
    source=Source("BBGHS20"),
)
