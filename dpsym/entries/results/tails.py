"""Tails of noise: how likely a large error is, of one answer and of many."""

import sympy as sp

from dpsym.core.distributions import Density
from dpsym.core.notation import Phi, R, X, b, beta, chance, epsilon, k, m, n, p, phi, t, x, y
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.statements import Result, Source

# The Gaussian bound on the tail of the normal distribution, without a factor 2 before it.
gaussian_tail = Result(
    id="gaussian_tail",
    title="tail of the normal distribution",
    states=Relation(2 * Phi(-t), "<=", sp.exp(-(t**2) / 2)),
    assume=(t >= 0,),
    tight=True,
    tightness="at t = 0",
    source=Source("dpsym", "proofs/lemmas/normal_tail.md"),
)


# Mills' ratio from below.
mills_ratio_below = Result(
    id="mills_ratio_below",
    title="tail of the normal distribution, Mills' ratio from below",
    states=Relation(Phi(-t), ">=", t / (1 + t**2) * phi(t)),
    assume=(t > 0,),
    tight=True,
    tightness="as t grows",
    source=Source("Gor41"),
)


# Mills' ratio from above.
mills_ratio_above = Result(
    id="mills_ratio_above",
    title="tail of the normal distribution, Mills' ratio from above",
    states=Relation(Phi(-t), "<=", phi(t) / t),
    assume=(t > 0,),
    tight=True,
    tightness="as t grows",
    source=Source("Gor41"),
)


# The largest of k independent Gaussian errors, by a union bound; the 2k that is often written is not needed.
gaussian_maximum_tail = Result(
    id="gaussian_maximum_tail",
    title="simultaneous error of Gaussian noise",
    states=Relation(1 - (2 * Phi(t) - 1) ** k, "<=", k * sp.exp(-(t**2) / 2)),
    assume=(
        t >= 0,
        IsInteger(k),
        k >= 1,
    ),
    tight=True,
    tightness="at k = 1 and t = 0",
    remark=(
        "the left side is the probability that the largest of k independent errors reaches sigma t; the right "
        "side is beta at t = sqrt(2 log(k/beta))"
    ),
    source=Source("dpsym", "a union bound"),
)


# The length of a vector of m independent standard normal errors, whose density is that of the chi distribution.
_norm = Density(y, 2 ** (1 - m / 2) * y ** (m - 1) * sp.exp(-(y**2) / 2) / sp.gamma(m / 2), sp.Interval(0, sp.oo))

gaussian_norm_tail = Result(
    id="gaussian_norm_tail",
    title="norm of a Gaussian error vector",
    states=Relation(chance(x, x, ">=", sp.sqrt(m) + sp.sqrt(2 * sp.log(1 / beta)), R), "<=", beta),
    assume=(
        beta > 0,
        beta < 1,
        IsInteger(m),
        m >= 1,
    ),
    outputs={R: _norm},
    remark="R is the norm divided by sigma",
    source=Source("LM00", "Lemma 1"),
)


# The tail of Laplace noise.
laplace_tail = Result(
    id="laplace_tail",
    title="tail of Laplace noise",
    states=Relation(chance(x, sp.Abs(x), ">", t, X), "=", sp.exp(-t / b)),
    assume=(
        b > 0,
        t >= 0,
    ),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("DR14", "Fact 3.7", verified=True),
)


# How far planar Laplace noise, of density epsilon^2 e^(-epsilon |z|)/(2 pi) on the plane, is from the true place.  Its
# distance from there has the density of the sum of two exponential variables.
planar_distance = Density(y, epsilon**2 * y * sp.exp(-epsilon * y), sp.Interval(0, sp.oo))

planar_laplace_tail = Result(
    id="planar_laplace_tail",
    title="how far planar Laplace noise goes",
    states=Relation(chance(x, x, ">", t, X), "=", (1 + epsilon * t) * sp.exp(-epsilon * t)),
    assume=(
        epsilon > 0,
        t >= 0,
    ),
    outputs={X: planar_distance},
    tight=True,
    remark=(
        "X is the distance of the released place from the true one; two places at a distance r are told apart by no "
        "more than epsilon r (geo-indistinguishability), since the noise falls at the rate epsilon in every direction"
    ),
    source=Source("ABCP13", "Section 4"),
)


# How much less likely Laplace noise is beyond a level that moves: what it costs to be found above a threshold.
laplace_tail_shift = Result(
    id="laplace_tail_shift",
    title="tail of Laplace noise beyond a level that moves",
    states=Relation(chance(x, x, ">", t, X), "<=", sp.exp(y / b) * chance(x, x, ">", t + y, X)),
    assume=(
        b > 0,
        y >= 0,
    ),
    reals=(t,),
    outputs={X: laplace_noise},
    tight=True,
    tightness="at t >= 0",
    remark=(
        "of a query that is found above a threshold: where both move by 1, y = 2; with b = 2 k/epsilon k of them cost "
        "epsilon"
    ),
    source=Source("LSL17", "proof of Theorem 2"),
)


# The error that Laplace noise exceeds with probability beta.
laplace_quantile = Result(
    id="laplace_quantile",
    title="quantile of the error of Laplace noise",
    states=Relation(chance(x, sp.Abs(x), ">", b * sp.log(1 / beta), X), "=", beta),
    assume=(
        b > 0,
        beta > 0,
        beta <= 1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("DR14", "Fact 3.7", verified=True),
)


# The largest of k independent Laplace errors, by a union bound.
laplace_maximum_tail = Result(
    id="laplace_maximum_tail",
    title="simultaneous error of Laplace noise",
    states=Relation(1 - chance(x, sp.Abs(x), "<", t, X) ** k, "<=", k * sp.exp(-t / b)),
    assume=(
        b > 0,
        t > 0,
        IsInteger(k),
        k >= 1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    tightness="at k = 1",
    remark=(
        "the left side is the probability that the largest of k independent errors reaches t; the right side "
        "is beta at t = b log(k/beta)"
    ),
    source=Source("DR14", "Theorem 3.8", verified=True),
)


# The largest of k independent Laplace errors, exactly.
laplace_maximum_quantile = Result(
    id="laplace_maximum_quantile",
    title="simultaneous error of Laplace noise, exactly",
    states=Relation(1 - chance(x, sp.Abs(x), "<", b * sp.log(1 / (1 - (1 - beta) ** (1 / k))), X) ** k, "=", beta),
    assume=(
        b > 0,
        beta > 0,
        beta < 1,
        IsInteger(k),
        k >= 1,
    ),
    outputs={X: laplace_noise},
    tight=True,
    remark="the left side is the probability that the largest of k independent errors reaches the bound",
    source=Source("dpsym", "independence"),
)


# The sum of k independent Laplace errors of scale b is as far as t from 0 with probability at most 2 exp(-t^2/(8
# nu^2)).
#
# The left side is Chernoff's bound on both tails, 2 E exp(h (X_1 + … + X_k) - h t), for h = t/(4 nu^2).
_nu = sp.Symbol("nu")
_h = t / (4 * _nu**2)

laplace_sum_tail = Result(
    id="laplace_sum_tail",
    title="tail of a sum of Laplace errors, by Chernoff's bound",
    states=Relation(2 * sp.exp(-_h * t) / (1 - _h**2 * b**2) ** k, "<=", 2 * sp.exp(-(t**2) / (8 * _nu**2))),
    assume=(
        b > 0,
        IsInteger(k),
        k >= 1,
        _nu >= b * sp.sqrt(k),
        t >= 0,
        t <= 2 * sp.sqrt(2) * _nu**2 / b,
    ),
    remark=(
        "the left side is Chernoff's bound on the probability that the sum is as far as t from 0, at the "
        "exponent h = t/(4 nu^2)"
    ),
    source=Source("CSS11", "Lemma 2.8", verified=True),
)


# The tail of two-sided geometric noise.
geometric_tail = Result(
    id="geometric_tail",
    title="tail of geometric noise (discrete Laplace)",
    states=Relation(2 * sp.Sum((1 - p) / (1 + p) * p**n, (n, m, sp.oo)), "=", 2 * p**m / (1 + p)),
    assume=(
        p > 0,
        p < 1,
        IsInteger(m),
        m >= 1,
    ),
    tight=True,
    remark="the left side is the probability of an error of at least m; p = exp(-1/b)",
    source=Source("GRS09"),
)
