"""Moments of the likelihood ratio are jointly convex in both distributions; the Rényi divergence itself is not."""

import sympy as sp

from dpsym.core.notation import P, P_other, Q, Q_other, alpha, mixture, renyi, w
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_joint_convexity = Result(
    id="renyi_joint_convexity",
    title="joint convexity of the Rényi moment",
    states=Relation(
        sp.exp((alpha - 1) * renyi(alpha, mixture(w, P, P_other), mixture(w, Q, Q_other))),
        "<=",
        (1 - w) * sp.exp((alpha - 1) * renyi(alpha, P, Q)) + w * sp.exp((alpha - 1) * renyi(alpha, P_other, Q_other)),
    ),
    assume=(
        alpha > 1,
        w >= 0,
        w <= 1,
    ),
    outputs={P: None, Q: None, P_other: None, Q_other: None},
    tight=True,
    tightness="where both pairs are the same",
    source=Source("vEH14", "proof of Theorem 13 (unverified locator)"),
)
