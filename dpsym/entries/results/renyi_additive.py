"""The Rényi divergence of independent pairs."""

from dpsym.core.notation import P, P_other, Q, Q_other, alpha, independent, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_additive = Result(
    id="renyi_additive",
    title="Rényi divergences of independent draws add up",
    states=Relation(
        renyi(alpha, independent(P, P_other), independent(Q, Q_other)),
        "=",
        renyi(alpha, P, Q) + renyi(alpha, P_other, Q_other),
    ),
    assume=(alpha > 0,),
    outputs={P: None, Q: None, P_other: None, Q_other: None},
    tight=True,
    source=Source("vEH14", "Theorem 28"),
)
