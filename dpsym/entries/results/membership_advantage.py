"""How much the true positive rate of any membership attack can exceed its false positive rate a."""

import sympy as sp

from dpsym.core.notation import P, Q, a, delta, epsilon, trade_off
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.statements import Result, Source

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
    source=Source("HOTC20", "unverified locator"),
)
