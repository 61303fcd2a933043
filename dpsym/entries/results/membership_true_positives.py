"""The true positive rate of any membership attack, from its false positive rate a."""

import sympy as sp

from dpsym.core.notation import P, Q, a, delta, epsilon, trade_off
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.statements import Result, Source

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
    source=Source("KOV15", "Theorem 2.1 (unverified locator)"),
)
