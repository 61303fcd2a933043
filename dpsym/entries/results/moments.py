"""Moment generating functions of noise, and the inequalities that bound them."""

import sympy as sp

from dpsym.core.notation import X, b, mean, n, p, sigma, t, x
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

# The moment generating function of Laplace noise.
laplace_moment = Result(
    id="laplace_moment",
    title="moment generating function of Laplace noise",
    states=Relation(mean(x, sp.exp(t * x), X), "=", 1 / (1 - b**2 * t**2)),
    assume=(
        b > 0,
        t * b < 1,
        t * b > -1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("CSS11"),
)


# The moment generating function of Laplace noise is at most that of a Gaussian of twice its variance, near 0.
laplace_moment_bound = Result(
    id="laplace_moment_bound",
    title="sub-exponential bound on the moments of Laplace noise",
    states=Relation(1 / (1 - b**2 * t**2), "<=", sp.exp(2 * b**2 * t**2)),
    assume=(
        b > 0,
        2 * b**2 * t**2 <= 1,
    ),
    tight=True,
    tightness="at t = 0",
    source=Source("CSS11"),
)


# The discrete Gaussian is sub-Gaussian with the same parameter as the continuous one.
discrete_gaussian_moment = Result(
    id="discrete_gaussian_moment",
    title="moment generating function of the discrete Gaussian",
    states=Relation(
        sp.Sum(sp.exp(t * n - n**2 / (2 * sigma**2)), (n, -sp.oo, sp.oo))
        / sp.Sum(sp.exp(-(n**2) / (2 * sigma**2)), (n, -sp.oo, sp.oo)),
        "<=",
        sp.exp(t**2 * sigma**2 / 2),
    ),
    assume=(sigma > 0,),
    reals=(t,),
    tight=True,
    tightness="where t sigma^2 is an integer",
    source=Source("CKS20", "Lemma 19"),
)


# A biased coin is sub-Gaussian, with a smaller variance than the 1/4 of Hoeffding's lemma.
kearns_saul = Result(
    id="kearns_saul",
    title="the inequality of Kearns and Saul",
    states=Relation(sp.log(1 - p + p * sp.exp(t)), "<=", t * p + t**2 / 4 * (1 - 2 * p) / sp.log((1 - p) / p)),
    assume=(
        p > 0,
        p < sp.Rational(1, 2),
    ),
    reals=(t,),
    tight=True,
    tightness="at t = 0 and at t = 2 log((1 - p)/p)",
    source=Source("KS98"),
)
