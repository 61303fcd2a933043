"""Means and variances of noise, and the least noise that a notion leaves room for."""

import sympy as sp

from dpsym.core.notation import Delta, Minimum, X, b, epsilon, k, mean, renyi, sigma, translate, x, y, z
from dpsym.core.relations import ForAll, IsInteger, Relation
from dpsym.entries.mechanisms.gaussian import noise as gaussian_noise
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.entries.results.tails import planar_distance
from dpsym.statements import Result, Source

# The variance of Gaussian noise.
gaussian_variance = Result(
    id="gaussian_variance",
    title="variance of Gaussian noise",
    states=Relation(mean(x, x**2, X), "=", sigma**2),
    assume=(sigma > 0,),
    outputs={X: gaussian_noise},
    tight=True,
    source=Source("dpsym", "integration"),
)


# The variance of Laplace noise.
laplace_variance = Result(
    id="laplace_variance",
    title="variance of Laplace noise",
    states=Relation(mean(x, x**2, X), "=", 2 * b**2),
    assume=(b > 0,),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("dpsym", "integration"),
)


# The mean error of Laplace noise.
laplace_mean_error = Result(
    id="laplace_mean_error",
    title="mean error of Laplace noise",
    states=Relation(mean(x, sp.Abs(x), X), "=", b),
    assume=(b > 0,),
    outputs={X: laplace_noise},
    tight=True,
    source=Source("dpsym", "integration"),
)


# The mean error of planar Laplace noise: two exponential variables of mean 1/epsilon.
planar_laplace_mean_error = Result(
    id="planar_laplace_mean_error",
    title="mean error of planar Laplace noise",
    states=Relation(mean(x, x, X), "=", 2 / epsilon),
    assume=(epsilon > 0,),
    outputs={X: planar_distance},
    tight=True,
    remark="X is the distance of the released place from the true one",
    source=Source("ABCP13", "Section 4"),
)


# The mean of the largest of k independent Laplace errors, as the integral of its tail.
laplace_maximum_mean = Result(
    id="laplace_maximum_mean",
    title="mean of the largest Laplace error",
    states=Relation(sp.Integral(1 - (1 - sp.exp(-y / b)) ** k, (y, 0, sp.oo)), "=", b * sp.harmonic(k)),
    assume=(
        b > 0,
        IsInteger(k),
        k >= 1,
    ),
    tight=True,
    remark="1 - (1 - e^(-y/b))^k is the probability that the largest of k independent errors exceeds y",
    source=Source("Ren53"),
)


# What the nodes of a binary tree below a node know of its sum.  Each of them has noise of variance sigma^2.  A leaf is
# the tree of height 1; of a tree of height k the sum is estimated by its own noisy sum, and by the estimates of its two
# halves, each of variance sigma^2/(2 (1 - 2^(1 - k))), added up; x is the weight of the former.
honaker_variance = Result(
    id="honaker_variance",
    title="variance of the best estimate from a binary tree of noisy sums",
    states=Relation(
        Minimum(
            sp.Lambda(x, x**2 * sigma**2 + (1 - x) ** 2 * 2 * (sigma**2 / (2 * (1 - sp.Integer(2) ** (1 - k))))),
            sp.Interval(0, 1),
        ),
        "=",
        sigma**2 / (2 * (1 - sp.Integer(2) ** (-k))),
    ),
    assume=(
        sigma > 0,
        IsInteger(k),
        k >= 2,
    ),
    tight=True,
    remark=(
        "at k = 1 the variance is sigma^2, so that by induction this is the variance at every height; it falls to half "
        "of that of a single noisy sum. It is the estimate from below alone, which may be used as the sums arrive"
    ),
    source=Source("Hon15"),
)


# Up to sigma^2 epsilon^2/2 counting queries Laplace noise has the smaller root mean squared error: k queries have L1
# sensitivity k and L2 sensitivity sqrt(k).
laplace_gaussian_crossover = Result(
    id="laplace_gaussian_crossover",
    title="how many counting queries Laplace noise is better for",
    states=Relation(sp.sqrt(2) * k / epsilon, "<=", sp.sqrt(k) * sigma),
    assume=(
        epsilon > 0,
        sigma > 0,
        k > 0,
        k <= sigma**2 * epsilon**2 / 2,
    ),
    tight=True,
    tightness="at k = sigma^2 epsilon^2/2",
    remark=("sigma is the standard deviation that a single query of sensitivity 1 needs for (epsilon, delta)-DP"),
    source=Source("dpsym", "comparing root mean squared errors"),
)


# No noise that is added to a real answer and gives pure DP has a smaller mean error than the best staircase.
least_noise = Result(
    id="least_noise",
    title="least mean error of noise for pure DP",
    states=Relation(mean(z, sp.Abs(z), X), ">=", Delta / (2 * sp.sinh(epsilon / 2))),
    assume=(
        epsilon > 0,
        Delta > 0,
        ForAll(Relation(renyi(sp.oo, translate(x, X), X), "<=", epsilon), (x,), (x >= -Delta, x <= Delta)),
    ),
    outputs={X: None},
    tight=True,
    tightness="for the staircase mechanism",
    source=Source("GV14", "Theorem 3"),
)


# The least mean error of the staircase mechanism over the shape of its steps, x the share of each step at its upper
# level.
#
# With e^-epsilon = r the steps have levels proportional to 1, r, r^2, …; summing |y| over them gives the cost.
_r = sp.exp(-epsilon)

staircase_cost = Result(
    id="staircase_cost",
    title="least mean error of the staircase mechanism",
    states=Relation(
        Minimum(
            sp.Lambda(x, Delta * (_r / (1 - _r) + (_r + (1 - _r) * x**2) / (2 * (_r + (1 - _r) * x)))),
            sp.Interval(0, 1),
        ),
        "=",
        Delta * sp.exp(epsilon / 2) / (sp.exp(epsilon) - 1),
    ),
    assume=(
        epsilon > 0,
        Delta > 0,
    ),
    tight=True,
    remark="under the minimum stands the mean error of the staircase of that shape, a sum over its steps",
    source=Source("GV14", "Theorem 3"),
)
