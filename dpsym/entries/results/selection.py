"""Utility of selection, and thresholds for partitions."""

import sympy as sp

from dpsym.core.notation import (
    P,
    Q,
    R,
    X,
    alpha,
    b,
    beta,
    chance,
    delta,
    epsilon,
    epsilon_1,
    epsilon_2,
    eta,
    k,
    m,
    mean,
    n,
    omega,
    q,
    renyi,
    t,
    x,
    z,
)
from dpsym.core.relations import IsInteger, Relation
from dpsym.entries.mechanisms.laplace import noise as laplace_noise
from dpsym.entries.notions.rdp import rdp
from dpsym.statements import Result, Source

# The mean shortfall of the exponential mechanism behind the best of m answers: by the non-negativity of the entropy
# relative to the uniform distribution.
exponential_utility_mean = Result(
    id="exponential_utility_mean",
    title="utility of the exponential mechanism: mean",
    states=Relation(mean(z, z * sp.exp(-eta * z), R) / mean(z, sp.exp(-eta * z), R), "<=", sp.log(m) / eta),
    assume=(
        eta > 0,
        m >= 1,
        Relation(chance(z, z, ">=", 0, R), "=", 1),
        Relation(chance(z, z, "<=", 0, R), ">=", 1 / m),
    ),
    outputs={R: None},
    remark=(
        "eta is epsilon/(2 Delta); R is the shortfall from the best utility of an answer drawn uniformly, and "
        "m at least the number of answers for each best one"
    ),
    source=Source("BNSSSU16", "Lemma 7.1"),
)


# How far the exponential mechanism falls behind the best of m answers.
_behind = (sp.log(m) + t) / eta

exponential_utility_tail = Result(
    id="exponential_utility_tail",
    title="utility of the exponential mechanism: tail",
    states=Relation(
        mean(z, sp.Piecewise((sp.exp(-eta * z), z >= _behind), (0, True)), R) / mean(z, sp.exp(-eta * z), R),
        "<=",
        sp.exp(-t),
    ),
    assume=(
        eta > 0,
        t >= 0,
        m >= 1,
        Relation(chance(z, z, ">=", 0, R), "=", 1),
        Relation(chance(z, z, "<=", 0, R), ">=", 1 / m),
    ),
    outputs={R: None},
    remark=(
        "eta is epsilon/(2 Delta); R is the shortfall from the best utility of an answer drawn uniformly, and "
        "m at least the number of answers for each best one"
    ),
    source=Source("DR14", "Theorem 3.11", verified=True),
)


# The threshold 1 + log(1/(2 delta))/epsilon, above which a noisy count of 1 appears with probability delta.
laplace_threshold = Result(
    id="laplace_threshold",
    title="Laplace noise with a threshold",
    states=Relation(chance(x, x, ">", sp.log(1 / (2 * delta)) / epsilon, X), "=", delta),
    assume=(
        epsilon > 0,
        delta > 0,
        delta <= sp.Rational(1, 2),
    ),
    outputs={X: laplace_noise.subs({b: 1 / epsilon})},
    tight=True,
    remark="one key for each person; for k of them the scale is k/epsilon and delta is shared among them",
    source=Source("KKMN09"),
)


# How a budget is split between the threshold and k queries: the variance of what is compared is least at
# epsilon_2 = (2 k)^(2/3) epsilon_1.
sparse_vector_split = Result(
    id="sparse_vector_split",
    title="sparse vector technique: the best split of the budget",
    states=Relation(
        2 / epsilon_1**2 + 2 * (2 * k / epsilon_2) ** 2,
        ">=",
        2 * (1 + (2 * k) ** sp.Rational(2, 3)) ** 3 / (epsilon_1 + epsilon_2) ** 2,
    ),
    assume=(
        epsilon_1 > 0,
        epsilon_2 > 0,
        k > 0,
    ),
    tight=True,
    tightness="at epsilon_2 = (2 k)^(2/3) epsilon_1",
    remark=(
        "on the left the variance of the difference of the noise of a query and of the threshold, in "
        "sparse_vector_many at sensitivity 1; in sparse_vector_monotone with k/2 in the place of k"
    ),
    source=Source("LSL17", "Section 4"),
)


# How far m queries and the threshold are off, by the union bound; the noise is that of sparse_vector.
_off = (4 * sp.log(m) + 4 * sp.log(2 / beta)) / epsilon

sparse_vector_accuracy = Result(
    id="sparse_vector_accuracy",
    title="sparse vector technique: how far it is off",
    states=Relation(chance(x, sp.Abs(x), ">", _off, X) + m * chance(x, sp.Abs(x), ">", _off, R), "<=", beta),
    assume=(
        epsilon > 0,
        m >= 1,
        beta > 0,
        beta <= 1,
    ),
    outputs={X: laplace_noise.subs({b: 2 / epsilon}), R: laplace_noise.subs({b: 4 / epsilon})},
    remark=(
        "but with probability beta all of m queries that are twice as far from the threshold are found on the right "
        "side of it: 8 (log(m) + log(2/beta))/epsilon, at sensitivity 1"
    ),
    source=Source("DR14", "Theorem 3.24"),
)


# The probability of keeping a key that n people have, while it grows as fast as approximate DP allows: e^epsilon times
# the previous one plus delta.
partition_selection_growth = Result(
    id="partition_selection_growth",
    title="growth of the probability in optimal partition selection",
    states=Relation(
        sp.Sum(delta * sp.exp(epsilon * m), (m, 0, n - 1)),
        "=",
        delta * (sp.exp(n * epsilon) - 1) / (sp.exp(epsilon) - 1),
    ),
    assume=(
        epsilon > 0,
        delta >= 0,
        IsInteger(n),
        n >= 1,
    ),
    tight=True,
    source=Source("DVGM22", "Theorem 1"),
)


# What a likely answer, such as a vote on which most agree, leaves of a Rényi divergence.
#
# With the other answers of probability q, the likely one has at least 1 - (q e^epsilon_2)^(1 - 1/omega) on the
# neighbour (probability preservation); of the others the moment of order alpha is bounded by that of beta (Jensen).
_likely = (1 - q) / (1 - (q * sp.exp(epsilon_2)) ** ((omega - 1) / omega))
_others = sp.exp(epsilon_1) * q ** (-1 / (beta - 1))

pate_data_dependent = Result(
    id="pate_data_dependent",
    title="PATE: Rényi divergence where one answer is likely",
    states=Relation(
        renyi(alpha, P, Q),
        "<=",
        sp.log((1 - q) * _likely ** (alpha - 1) + q * _others ** (alpha - 1)) / (alpha - 1),
    ),
    assume=(
        alpha > 1,
        beta >= alpha,
        omega > 1,
        epsilon_1 >= 0,
        epsilon_2 >= 0,
        q > 0,
        q < 1,
        Relation(q * sp.exp(epsilon_2), "<", 1),
        Relation(chance(z, z, "=", 0, P), "=", 1 - q),
    ),
    outputs={P: None, Q: None},
    premises=(rdp(beta, epsilon_1), rdp(omega, epsilon_2)),
    remark=(
        "P are the outputs on the data at hand, 0 their likely answer; of GNMax the budgets are beta/sigma^2 and "
        "omega/sigma^2. Where only a bound of q is known, the right side has to grow up to it. It is about these data "
        "alone, and telling it tells of them"
    ),
    source=Source("PSMRTE18", "Theorem 6, at the probability itself"),
)
