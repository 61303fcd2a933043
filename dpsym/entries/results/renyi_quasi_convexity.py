"""Mixing two pairs is no worse than the worse of them."""

import sympy as sp

from dpsym.core.notation import P, P_other, Q, Q_other, alpha, mixture, renyi, w
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_quasi_convexity = Result(
    id="renyi_quasi_convexity",
    title="joint quasi-convexity of the Rényi divergence",
    states=Relation(
        renyi(alpha, mixture(w, P, P_other), mixture(w, Q, Q_other)),
        "<=",
        sp.Max(renyi(alpha, P, Q), renyi(alpha, P_other, Q_other), evaluate=False),
    ),
    assume=(
        alpha > 0,
        w >= 0,
        w <= 1,
    ),
    outputs={P: None, Q: None, P_other: None, Q_other: None},
    tight=True,
    tightness="where both pairs are the same",
    source=Source("vEH14", "Theorem 13"),
)
