"""Exchanging the two distributions of a hockey-stick divergence, and the sign of epsilon with them."""

from dpsym.core.notation import P, Q, gamma, hockey_stick
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

hockey_stick_reversal = Result(
    id="hockey_stick_reversal",
    title="reversal of the hockey-stick divergence",
    states=Relation(hockey_stick(gamma, P, Q), "=", 1 - gamma + gamma * hockey_stick(1 / gamma, Q, P)),
    assume=(gamma > 0,),
    outputs={P: None, Q: None},
    tight=True,
    source=Source("BBG20", "unverified locator"),
)
