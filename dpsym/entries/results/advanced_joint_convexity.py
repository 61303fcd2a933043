"""How the hockey-stick divergence of two mixtures with a common part shrinks."""

from dpsym.core.notation import P, Q, R, eta, gamma, hockey_stick, mixture
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

outer = 1 + eta * (gamma - 1)

advanced_joint_convexity = Result(
    id="advanced_joint_convexity",
    title="advanced joint convexity of the hockey-stick divergence",
    states=Relation(
        hockey_stick(outer, mixture(eta, R, P), mixture(eta, R, Q)),
        "=",
        eta * hockey_stick(gamma, P, mixture(outer / gamma, R, Q)),
    ),
    assume=(
        eta >= 0,
        eta <= 1,
        gamma >= 1,
    ),
    outputs={P: None, Q: None, R: None},
    tight=True,
    source=Source("BBG20", "Theorem 2 (unverified locator)"),
)
