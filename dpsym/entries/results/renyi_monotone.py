"""Rényi divergences grow with the order."""

from dpsym.core.notation import P, Q, alpha, beta, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_monotone = Result(
    id="renyi_monotone",
    title="the Rényi divergence grows with its order",
    states=Relation(renyi(alpha, P, Q), "<=", renyi(beta, P, Q)),
    assume=(
        alpha > 0,
        beta >= alpha,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="where p/q is constant",
    source=Source("vEH14", "Theorem 3"),
)
