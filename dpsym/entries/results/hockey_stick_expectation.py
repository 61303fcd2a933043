"""The hockey-stick divergence as an expectation over the privacy loss.

The mass of P where Q has none has the loss oo and counts in full.
"""

import sympy as sp

from dpsym.core.notation import P, Q, gamma, hockey_stick, mean, privacy_loss, z
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

hockey_stick_expectation = Result(
    id="hockey_stick_expectation",
    title="the hockey-stick divergence is an expectation over the privacy loss",
    states=Relation(hockey_stick(gamma, P, Q), "=", mean(z, sp.Max(0, 1 - gamma * sp.exp(-z)), privacy_loss(P, Q))),
    assume=(gamma >= 0,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BBG20", "unverified locator"),
)
