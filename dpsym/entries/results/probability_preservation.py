"""What is unlikely under Q is unlikely under P.

1 - T(Q, P)(a) is the largest P-probability of an event of Q-probability a.
"""

import sympy as sp

from dpsym.core.notation import P, Q, a, alpha, renyi, trade_off
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

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
    source=Source("Mir17", "Proposition 10"),
)
