"""The hockey-stick divergence as the largest difference of probabilities over (randomised) events.

Of the events of Q-probability at most a, 1 - T(Q, P)(a) is the largest P-probability.
"""

import sympy as sp

from dpsym.core.notation import Maximum, P, Q, a, gamma, hockey_stick, trade_off
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

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
    source=Source("BBG20", "unverified locator"),
)
