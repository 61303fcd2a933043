"""What an adversary learns: posterior odds and membership inference."""

import sympy as sp

from dpsym.core.notation import P, Q, a, delta, epsilon, p, q, trade_off, w
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.statements import Result, Source

# What an output says about one record: p and q are its likelihoods under two values of that record.
#
# The other records are known, or independent of this one; where they are not, the output tells of it through them, too.
posterior_odds = Result(
    id="posterior_odds",
    title="Bayesian reading of pure DP: posterior odds",
    states=Relation(w / (1 - w) * p / q, "<=", sp.exp(epsilon) * w / (1 - w)),
    assume=(
        w > 0,
        w < 1,
        q > 0,
        p > 0,
        p <= sp.exp(epsilon) * q,
    ),
    tight=True,
    tightness="where the likelihoods differ by e^epsilon",
    remark=(
        "p and q are the likelihoods of the output under two values of one record, w the prior probability of "
        "the first; the other records are known or independent of this one"
    ),
    source=Source("KS14"),
)


# The posterior probability of a value of one record, of two possible values, from its prior probability w.
posterior_probability = Result(
    id="posterior_probability",
    title="Bayesian reading of pure DP: posterior probability",
    states=Relation(w * p / (w * p + (1 - w) * q), "<=", sp.exp(epsilon) * w / (sp.exp(epsilon) * w + 1 - w)),
    assume=(
        w >= 0,
        w <= 1,
        q > 0,
        p > 0,
        p <= sp.exp(epsilon) * q,
        epsilon >= 0,
    ),
    tight=True,
    tightness="where the likelihoods differ by e^epsilon",
    remark=(
        "p and q are the likelihoods of the output under the two values of one record; the other records are "
        "known or independent of this one"
    ),
    source=Source("KS14"),
)


# How much the true positive rate of any membership attack can exceed its false positive rate a.
membership_advantage = Result(
    id="membership_advantage",
    title="bound on membership inference: advantage",
    states=Relation(1 - a - trade_off(a, P, Q), "<=", (sp.exp(epsilon) - 1 + 2 * delta) / (sp.exp(epsilon) + 1)),
    assume=(
        epsilon >= 0,
        delta >= 0,
        delta <= 1,
        a > 0,
        a < 1,
    ),
    outputs={P: None, Q: None},
    premises=(approx(epsilon, delta),),
    tight=True,
    tightness="where the false positive rate is the fixed point of the trade-off function",
    remark=(
        "Q are the outputs on the inputs with the record in question, P those without it; the attacker knows "
        "everything else"
    ),
    source=Source("HOTC20"),
)


# The true positive rate of any membership attack, from its false positive rate a.
membership_true_positives = Result(
    id="membership_true_positives",
    title="bound on membership inference: true positives",
    states=Relation(1 - trade_off(a, P, Q), "<=", sp.exp(epsilon) * a + delta),
    assume=(
        epsilon >= 0,
        delta >= 0,
        delta <= 1,
        a > 0,
        a < 1,
    ),
    outputs={P: None, Q: None},
    premises=(approx(epsilon, delta),),
    tight=True,
    tightness="at small false positive rates",
    remark=(
        "Q are the outputs on the inputs with the record in question, P those without it; the attacker knows "
        "everything else"
    ),
    source=Source("KOV15", "Theorem 2.1"),
)
