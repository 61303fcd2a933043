"""The hockey-stick divergence: its equal forms, and how it behaves under mixtures and random maps."""

import sympy as sp

from dpsym.core.notation import (
    K,
    Maximum,
    P,
    Q,
    R,
    a,
    eta,
    gamma,
    hockey_stick,
    image,
    largest,
    mean,
    mixture,
    privacy_loss,
    trade_off,
    z,
)
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

# The hockey-stick divergence as the largest difference of probabilities over (randomised) events.
#
# Of the events of Q-probability at most a, 1 - T(Q, P)(a) is the largest P-probability.
hockey_stick_supremum = Result(
    id="hockey_stick_supremum",
    title="the hockey-stick divergence is the largest difference of probabilities",
    states=Relation(
        hockey_stick(gamma, P, Q),
        "=",
        Maximum(sp.Lambda(a, 1 - gamma * a - trade_off(a, Q, P)), sp.Interval.open(0, 1)),
    ),
    assume=(gamma >= 0,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BBG20"),
)


# The hockey-stick divergence as an expectation over the privacy loss.
#
# The mass of P where Q has none has the loss oo and counts in full.
hockey_stick_expectation = Result(
    id="hockey_stick_expectation",
    title="the hockey-stick divergence is an expectation over the privacy loss",
    states=Relation(hockey_stick(gamma, P, Q), "=", mean(z, largest(0, 1 - gamma * sp.exp(-z)), privacy_loss(P, Q))),
    assume=(gamma >= 0,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BBG20"),
)


# Exchanging the two distributions of a hockey-stick divergence, and the sign of epsilon with them.
hockey_stick_reversal = Result(
    id="hockey_stick_reversal",
    title="reversal of the hockey-stick divergence",
    states=Relation(hockey_stick(gamma, P, Q), "=", 1 - gamma + gamma * hockey_stick(1 / gamma, Q, P)),
    assume=(gamma > 0,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BBG20"),
)


# No random map that does not know which of two distributions it is fed enlarges their hockey-stick divergence.
hockey_stick_data_processing = Result(
    id="hockey_stick_data_processing",
    title="data processing inequality of the hockey-stick divergence",
    states=Relation(hockey_stick(gamma, image(K, P), image(K, Q)), "<=", hockey_stick(gamma, P, Q)),
    assume=(gamma >= 0,),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="where the output is a sufficient statistic",
    source=Source("BBG20"),
)


# How the hockey-stick divergence of two mixtures with a common part shrinks.
_outer = 1 + eta * (gamma - 1)

advanced_joint_convexity = Result(
    id="advanced_joint_convexity",
    title="advanced joint convexity of the hockey-stick divergence",
    states=Relation(
        hockey_stick(_outer, mixture(eta, R, P), mixture(eta, R, Q)),
        "=",
        eta * hockey_stick(gamma, P, mixture(_outer / gamma, R, Q)),
    ),
    assume=(
        eta >= 0,
        eta <= 1,
        gamma >= 1,
    ),
    outputs={P: None, Q: None, R: None},
    tight=True,
    source=Source("BBG20", "Theorem 2"),
)
