"""Bounds of what an adversary learns: posterior odds, membership inference, reconstruction."""

import sympy as sp

from dpsym.core.notation import P, Phi, Phi_inv, Q, a, alpha, delta, epsilon, mu, p, q, rho, trade_off, w
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
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


# How often an adversary who knows all other records reconstructs one, where without the output it would be guessed with
# probability a at most: the successful outputs are an event, of a distribution that does not depend on the record.
_ATTACK = (
    "a is the largest probability with which the adversary, who knows the distribution of the record and all other "
    "records, would guess it well enough without the output, and 1 - T(a) how often it does with it; averaged over "
    "the record"
)

reconstruction_rdp = Result(
    id="reconstruction_rdp",
    title="bound on reconstruction under RDP",
    states=Relation(1 - trade_off(a, P, Q), "<=", (a * sp.exp(epsilon)) ** ((alpha - 1) / alpha)),
    assume=(alpha > 1, epsilon >= 0, a > 0, a < 1),
    outputs={P: None, Q: None},
    premises=(rdp(alpha, epsilon),),
    remark=_ATTACK,
    source=Source("BCH22"),
)


# The same under zCDP, at the best order, which is the root of log(1/a)/rho.
reconstruction_zcdp = Result(
    id="reconstruction_zcdp",
    title="bound on reconstruction under zCDP",
    states=Relation(1 - trade_off(a, P, Q), "<=", sp.exp(-((sp.sqrt(sp.log(1 / a)) - sp.sqrt(rho)) ** 2))),
    assume=(rho > 0, a > 0, a < 1, Relation(rho, "<", sp.log(1 / a))),
    outputs={P: None, Q: None},
    premises=(zcdp(rho),),
    remark=_ATTACK,
    source=Source("BCH22", "for RDP, at the best order"),
)


# The same under GDP: the trade-off function is the answer itself.
reconstruction_gdp = Result(
    id="reconstruction_gdp",
    title="bound on reconstruction under GDP",
    states=Relation(1 - trade_off(a, P, Q), "<=", Phi(Phi_inv(a) + mu)),
    assume=(mu >= 0, a > 0, a < 1),
    outputs={P: None, Q: None},
    premises=(gdp(mu),),
    tight=True,
    tightness="for two normal distributions of equal variance",
    remark=_ATTACK,
    source=Source("HMB23"),
)
